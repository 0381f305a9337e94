import type { FastifyReply, FastifyRequest } from 'fastify';
import { hashIdentifier } from './mail-links.ts';
import { headersFor } from './requests.ts';
import { noteSecondFactor } from './sign-in.service.ts';
import { findPendingStep } from './sign-in.sql.ts';
import type { SignInCalls } from './sign-in-calls.ts';

// What a slice with another way to sign in needs of this one.
export { AuthFailure } from './auth-failures.ts';
export { readBody } from './requests.ts';
export type { SignInCalls } from './sign-in-calls.ts';

/** Whose second step the request answers, and the hash that names it; undefined without a pending one. */
export async function pendingStep({ parts: { db, clock } }: SignInCalls, request: FastifyRequest) {
  const signed = /nearhand\.two_factor=([\w.%+/=-]+)/.exec(request.headers.cookie ?? '')?.[1];
  if (signed === undefined) return undefined;
  const [identifier = ''] = plainCookie(signed).split('.');
  const step = hashIdentifier(identifier);
  const account = await findPendingStep(db, step, clock.now());
  return account && { ...account, step };
}

/**
 * Signs an account in that proved both factors without the provider (ADR 169). `endStep`: as the second step that is pending.
 * @throws AuthFailure auth/user-disabled, auth/invalid-multi-factor-session
 */
export async function openSession(
  calls: SignInCalls,
  request: FastifyRequest,
  reply: FastifyReply,
  account: { accountId: string; endStep: boolean },
) {
  const { config, db, clock } = calls.parts;
  const headers = new Headers(headersFor(request, config.PUBLIC_URL));
  const response = await calls.provider.api.openSession({ headers, body: account, asResponse: true });
  const grant = await calls.grantFrom(request, response, reply);
  const opened = await calls.grantInCookie(response);
  if (opened) await noteSecondFactor(db, { clock }, opened.sessionId, 'passkey');
  return grant;
}

/** A cookie's text; empty if it is no text. */
function plainCookie(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
