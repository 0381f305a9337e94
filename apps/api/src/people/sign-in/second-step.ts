import { subtractMs } from '@nearhand/contract/durations';
import type { AuthCode } from '@nearhand/contract/people/auth-codes';
import { peopleLimits } from '@nearhand/contract/people/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { revokeSession } from '../sessions/sessions.ts';
import { countCodeTry, deleteCodeTries } from './attempt-limits.ts';
import { AuthFailure } from './auth-failures.ts';
import { mustConfirmAsOperator, recordSecondFactor } from './credentials.ts';
import { pendingStep, unlessPasswordChanges } from './other-sign-in.ts';
import { hashIdentifier } from './provider.ts';
import { headersFor, knownPassword, readBody } from './requests.ts';
import {
  claimCode,
  deleteLinksOf,
  deleteSecondFactorChecks,
  findSecondStep,
  findSecondStepLock,
  markSecondStepOn,
  recordWrongCode,
  releaseCode,
  resetWrongCodes,
} from './sign-in.sql.ts';
import { passOn, type SignInCalls } from './sign-in-calls.ts';

const typedCode = z
  .string()
  .max(peopleLimits.signInCodeMax)
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().min(1));
/** The library accepts the previous, current and next 30-second code. */
const codeLifeMs = 90_000;

/** Sets up the second step and checks it at sign-in (ADR 158). */
export function registerSecondStep(app: FastifyInstance, calls: SignInCalls): void {
  registerAnswer(app, calls);
  registerCheck(app, calls);
  registerSetUp(app, calls);
}

const verifyPath = (recovery: boolean) =>
  recovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';

/** @throws AuthFailure auth/code-expired if a concurrent call used the same recovery code */
const unlessUsed = (response: Response): Response => {
  if (response.status === 409) throw new AuthFailure('auth/code-expired');
  return response;
};

async function noteIn(response: Response, calls: SignInCalls, recovery: boolean): Promise<void> {
  const grant = await calls.grantInCookie(response);
  const { db, clock } = calls.parts;
  if (grant) await recordSecondFactor(db, { clock }, grant.sessionId, recovery ? 'recovery_code' : 'totp');
}

function registerAnswer(app: FastifyInstance, calls: SignInCalls): void {
  const { config } = calls.parts;

  app.post('/sign-in/second-step', async (request, reply) => {
    const shape = z.object({ code: typedCode, recovery: z.boolean(), trustDevice: z.boolean() });
    const { code, recovery, trustDevice } = readBody(shape, request.body);
    const pending = await pendingStep(calls, request);
    await calls.limit(request, 'code', pending?.email ?? null);
    if (!pending) throw new AuthFailure('auth/invalid-multi-factor-session');
    const headers = withoutSession(headersFor(request, config.PUBLIC_URL));
    const attempt = async () => {
      const body = { code, trustDevice };
      const answer = await unlessPasswordChanges(calls, pending.id, () =>
        calls.forward(request, verifyPath(recovery), body, calls.provider, headers),
      );
      const response = unlessUsed(answer);
      const grant = await calls.grantFrom(request, response, reply);
      await noteIn(response, calls, recovery);
      return grant;
    };
    try {
      const grant = recovery ? await attempt() : await once(calls, pending.id, code, attempt);
      if (recovery) await calls.record(request, pending.id, 'recovery-code-used');
      return grant;
    } catch (failure) {
      if (failure instanceof AuthFailure && wrongCode.has(failure.code))
        await calls.noteWrongCode(request, pending);
      throw failure;
    }
  });
}

const wrongCode: ReadonlySet<AuthCode> = new Set(['auth/code-expired', 'auth/invalid-verification-code']);

/** Uses a code at most once (RFC 6238, 5.2): claimed before the check, released if rejected. */
async function once<Result>(
  { parts: { db, clock } }: SignInCalls,
  accountId: string,
  code: string,
  check: () => Promise<Result>,
): Promise<Result> {
  const now = clock.now();
  const since = subtractMs(now, codeLifeMs);
  const codeHash = hashIdentifier(`${accountId} ${code}`);
  if (!(await claimCode(db, { accountId, codeHash, now, since }))) throw new AuthFailure('auth/code-expired');
  try {
    return await check();
  } catch (failure) {
    await releaseCode(db, accountId, codeHash);
    throw failure;
  }
}

/** Asks idle operators again (ADR 181). Wrong codes count as at sign-in; too many end the session. */
function registerCheck(app: FastifyInstance, calls: SignInCalls): void {
  const { db, clock } = calls.parts;

  app.post('/second-step/check', async (request, reply) => {
    const { code, recovery } = readBody(z.object({ code: typedCode, recovery: z.boolean() }), request.body);
    const grant = await calls.requireSession(request);
    const { id, email, sessionId } = grant;
    await calls.limit(request, 'code', email);
    if (!(await findSecondStep(db, id))?.on) throw new AuthFailure('auth/multi-factor-info-not-found');
    await requireUnlocked(id);
    if (await countCodeTry(db, clock, sessionId)) {
      await db.transaction().execute((tx) => revokeSession(tx, id, sessionId));
      throw new AuthFailure('auth/invalid-multi-factor-session');
    }
    const attempt = async () =>
      passOn(unlessUsed(await calls.forward(request, verifyPath(recovery), { code })), reply);
    try {
      await (recovery ? attempt() : once(calls, id, code, attempt));
    } catch (failure) {
      if (failure instanceof AuthFailure && wrongCode.has(failure.code)) {
        await recordWrongCode(db, id, clock.now());
        await calls.noteWrongCode(request, grant);
      }
      throw failure;
    }
    await deleteCodeTries(db, sessionId);
    await resetWrongCodes(db, id);
    await recordSecondFactor(db, { clock }, sessionId, recovery ? 'recovery_code' : 'totp');
    if (recovery) await calls.record(request, id, 'recovery-code-used');
    return calls.grantOf(grant);
  });

  async function requireUnlocked(accountId: string): Promise<void> {
    const now = clock.now();
    const until = await findSecondStepLock(db, accountId, now);
    if (!until) return;
    const seconds = Math.ceil((until.getTime() - now.getTime()) / 1_000);
    throw new AuthFailure('auth/too-many-requests', seconds);
  }
}

/** Removes the session cookie: with another session's, the library would return that session. */
function withoutSession(headers: Record<string, string>): Record<string, string> {
  const cookie = (headers.cookie ?? '')
    .split(/;\s*/)
    .filter((cookie) => !cookie.includes('session_token='))
    .join('; ');
  return { ...headers, cookie };
}

function registerSetUp(app: FastifyInstance, calls: SignInCalls): void {
  registerStart(app, calls);
  registerConfirm(app, calls);
  registerRecoveryCodes(app, calls);
  registerStop(app, calls);
}

/** Creates the secret and recovery codes, inactive until a code confirms them. */
function registerStart(app: FastifyInstance, calls: SignInCalls): void {
  app.post('/second-step/start', async (request, reply) => {
    const { password, grant } = await requirePassword(calls, request);
    if (!grant.emailVerified) throw new AuthFailure('auth/unverified-email');
    const body = await passOn(await calls.forward(request, '/two-factor/enable', { password }), reply);
    return { uri: String(body.totpURI), recoveryCodes: body.backupCodes };
  });
}

function registerConfirm(app: FastifyInstance, calls: SignInCalls): void {
  const { db, clock } = calls.parts;

  app.post('/second-step/confirm', async (request, reply) => {
    const { code } = readBody(z.object({ code: typedCode }), request.body);
    const { id, email } = await calls.requireSession(request);
    await calls.limit(request, 'code', email);
    // Otherwise this would check codes without the attempt limit of `/second-step/check`.
    if ((await findSecondStep(db, id))?.on) throw new AuthFailure('auth/second-factor-already-in-use');
    const grant = await once(calls, id, code, async () => {
      const response = await calls.forward(request, '/two-factor/verify-totp', { code });
      const session = await replaceSession(calls, response, reply);
      await noteIn(response, calls, false);
      return session;
    });
    await db.transaction().execute((tx) => markSecondStepOn(tx, id, clock.now()));
    await calls.record(request, id, 'second-step-on');
    return grant;
  });
}

function registerRecoveryCodes(app: FastifyInstance, calls: SignInCalls): void {
  app.post('/second-step/recovery-codes', async (request, reply) => {
    const { password, grant } = await requirePassword(calls, request);
    const codesResponse = await calls.forward(request, '/two-factor/generate-backup-codes', { password });
    const { backupCodes } = await passOn(codesResponse, reply);
    await calls.record(request, grant.id, 'recovery-codes-made');
    return { recoveryCodes: backupCodes };
  });
}

function registerStop(app: FastifyInstance, calls: SignInCalls): void {
  app.post('/second-step/stop', async (request, reply) => {
    const { password, grant } = await requirePassword(calls, request);
    const response = await calls.forward(request, '/two-factor/disable', { password });
    const replaced = await replaceSession(calls, response, reply);
    // A later second step must not trust these devices.
    await calls.parts.db.transaction().execute(async (tx) => {
      await deleteLinksOf(tx, grant.id);
      await deleteSecondFactorChecks(tx, grant.id, ['totp', 'recovery_code']);
    });
    await calls.record(request, grant.id, 'second-step-off');
    return replaced;
  });
}

/**
 * Failures count as at sign-in. Operators also need their second factor.
 * @throws AuthFailure
 */
async function requirePassword(calls: SignInCalls, request: FastifyRequest) {
  const { db, clock, external } = calls.parts;
  const { password } = readBody(z.object({ password: knownPassword }), request.body);
  const grant = await calls.requireSession(request);
  await calls.limit(request, 'sign-in', grant.email);
  if (await mustConfirmAsOperator(db, { clock }, { accountId: grant.id, sessionId: grant.sessionId }))
    throw new AuthFailure('auth/requires-recent-login');
  // The built-in provider checks the password in the following call.
  await external?.checkPassword(grant.email, password);
  return { password, grant };
}

/** The library replaces the session, so the device needs the new one. */
async function replaceSession(calls: SignInCalls, response: Response, reply: FastifyReply) {
  await passOn(response, reply);
  const grant = await calls.grantInCookie(response);
  // The account was removed or disabled in the meantime.
  if (!grant) throw new AuthFailure('auth/user-disabled');
  return calls.grantOf(grant);
}
