import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db.ts';
import { correctUnverifiedEmail } from '../accounts/accounts.ts';
import { revokeSession } from '../sessions/sessions.ts';
import { AuthFailure } from './auth-failures.ts';
import { findNewestPasswordChange, hasRecentProof, recordSecondFactor } from './credentials.ts';
import { hashIdentifier } from './provider.ts';
import { headersFor } from './requests.ts';
import {
  deleteLinksOf,
  findAccountByEmail,
  findPendingStep,
  hasWayIn,
  isHeldForUndo,
} from './sign-in.sql.ts';
import type { SignInCalls } from './sign-in-calls.ts';

/**
 * The account between password and second step, from its signed cookie; undefined if there is none or it has
 * expired.
 */
export async function pendingStep({ parts: { db, clock } }: SignInCalls, request: FastifyRequest) {
  const signed = /(?:^|;\s*)nearhand\.two_factor=([\w.%+/=-]+)/.exec(request.headers.cookie ?? '')?.[1];
  if (signed === undefined) return undefined;
  const [identifier = ''] = plainCookie(signed).split('.');
  const step = hashIdentifier(identifier);
  const account = await findPendingStep(db, step, clock.now());
  return account && { ...account, step };
}

/**
 * Ends the new session if the password changed during this call.
 * @throws AuthFailure
 */
export async function unlessPasswordChanges(
  { parts: { db }, grantInCookie }: SignInCalls,
  accountId: string,
  answer: () => Promise<Response>,
): Promise<Response> {
  const before = await findNewestPasswordChange(db, accountId);
  const response = await answer();
  if (!response.ok || (await findNewestPasswordChange(db, accountId))?.id === before?.id) return response;
  const opened = await grantInCookie(response);
  await db.transaction().execute(async (tx) => {
    if (opened) await revokeSession(tx, accountId, opened.sessionId);
    // The response may have marked this device as trusted.
    await deleteLinksOf(tx, accountId);
  });
  throw new AuthFailure('auth/invalid-multi-factor-session');
}

/**
 * Ends a session whose provider or passkey was removed while it was opened.
 * @throws AuthFailure
 */
export async function unlessRemoved(
  { parts: { db }, grantInCookie }: SignInCalls,
  response: Response,
  way: { provider: string } | { passkey: string },
): Promise<void> {
  const opened = await grantInCookie(response);
  if (!opened || (await hasWayIn(db, opened.id, way))) return;
  await db.transaction().execute((tx) => revokeSession(tx, opened.id, opened.sessionId));
  throw new AuthFailure('auth/user-token-expired');
}

/**
 * Signs in an account that proved both factors (ADR 169).
 * @throws AuthFailure
 */
export async function openSession(
  calls: SignInCalls,
  request: FastifyRequest,
  reply: FastifyReply,
  { passkey, ...account }: { accountId: string; passkey: string; endStep: boolean },
) {
  const { config, db, clock } = calls.parts;
  const headers = new Headers(headersFor(request, config.PUBLIC_URL));
  const open = () => calls.provider.api.openSession({ headers, body: account, asResponse: true });
  const response = await (account.endStep ? unlessPasswordChanges(calls, account.accountId, open) : open());
  await unlessRemoved(calls, response, { passkey });
  const grant = await calls.grantFrom(request, response, reply);
  const opened = await calls.grantInCookie(response);
  if (opened) await recordSecondFactor(db, { clock }, opened.sessionId, 'passkey');
  return grant;
}

function plainCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

/**
 * Enforces `guarded` under `/api/auth`.
 * @throws AuthFailure auth/requires-recent-login
 */
export async function requireProofOf(
  { parts: { db, clock, config } }: SignInCalls,
  sessionId: string,
): Promise<void> {
  if (!(await hasRecentProof(db, { actor: { sessionId }, clock, config })))
    throw new AuthFailure('auth/requires-recent-login');
}

/**
 * Corrects an address never verified; links to the old one stop working.
 * @throws AuthFailure
 */
export async function correctEmail(
  { db, clock }: { db: Db; clock: Clock },
  accountId: string,
  email: string,
): Promise<void> {
  if (await isHeldForUndo(db, email, clock.now())) throw new AuthFailure('auth/email-already-in-use');
  try {
    await db.transaction().execute(async (tx) => {
      if (!(await correctUnverifiedEmail(tx, { clock }, accountId, email)))
        throw new AuthFailure('auth/operation-not-allowed');
      await deleteLinksOf(tx, accountId);
    });
  } catch (error) {
    // The unique index decides between two concurrent accounts.
    const account = await findAccountByEmail(db, email);
    if (account && account.id !== accountId) throw new AuthFailure('auth/email-already-in-use');
    throw error;
  }
}
