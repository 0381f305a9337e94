import { limits } from '@nearhand/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AuthFailure } from './auth-failures.ts';
import { hashIdentifier } from './mail-links.ts';
import { headersFor, knownPassword, readBody } from './requests.ts';
import { deleteLinksOf, findPendingStep, markSecondStepOn } from './sign-in.sql.ts';
import { passOn, type SignInCalls } from './sign-in-calls.ts';

/** A code as people type it: spaces are dropped. */
const typedCode = z
  .string()
  .max(limits.signInCodeMax)
  .transform((text) => text.replaceAll(/\s/g, ''))
  .pipe(z.string().min(1));
const withPassword = z.object({ password: knownPassword });

/** Setting up a second step, and answering it at sign-in (ADR 158). */
export function registerSecondStep(app: FastifyInstance, calls: SignInCalls): void {
  registerAnswer(app, calls);
  registerSetUp(app, calls);
}

/** The second step of a sign-in. The cookie of the first one says whose it is. */
function registerAnswer(app: FastifyInstance, calls: SignInCalls): void {
  const { config, db, clock } = calls.parts;

  app.post('/sign-in/second-step', async (request, reply) => {
    const shape = z.object({ code: typedCode, recovery: z.boolean(), trustDevice: z.boolean() });
    const { code, recovery, trustDevice } = readBody(shape, request.body);
    const pending = await pendingAccount(request);
    await calls.limit(request, 'code', pending?.email ?? null);
    if (!pending) throw new AuthFailure('auth/invalid-multi-factor-session');
    const path = recovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
    const headers = withoutSession(headersFor(request, config.PUBLIC_URL));
    try {
      const response = await calls.forward(request, path, { code, trustDevice }, calls.provider, headers);
      const grant = await calls.grantFrom(request, response, reply);
      if (recovery) await calls.record(request, pending.id, 'recovery-code-used');
      return grant;
    } catch (failure) {
      if (failure instanceof AuthFailure && failure.code === 'auth/invalid-verification-code')
        await calls.noteFailure(request, pending.email);
      throw failure;
    }
  });

  /** Whose second step the request answers; undefined without a pending one. */
  async function pendingAccount(request: FastifyRequest) {
    const signed = /nearhand\.two_factor=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
    if (signed === undefined) return undefined;
    const [identifier = ''] = decodeURIComponent(signed).split('.');
    return findPendingStep(db, hashIdentifier(identifier), clock.now());
  }
}

/** With a session of another sign-in the library would answer with that one. */
function withoutSession(headers: Record<string, string>): Record<string, string> {
  const cookie = (headers.cookie ?? '')
    .split(/;\s*/)
    .filter((one) => !one.includes('session_token='))
    .join('; ');
  return { ...headers, cookie };
}

/** Turning the second step on and off, each with the password. */
function registerSetUp(app: FastifyInstance, calls: SignInCalls): void {
  const { db, clock } = calls.parts;

  /** The signed-in account; a wrong password counts like one at sign-in. */
  const checked = async (request: FastifyRequest) => {
    const grant = await calls.requireSession(request);
    await calls.limit(request, 'sign-in', grant.email);
    return grant;
  };
  /** The library replaces the session: the device gets the new one. */
  const replaced = async (response: Response, reply: FastifyReply) => {
    await passOn(response, reply);
    const grant = await calls.grantInCookie(response);
    if (!grant) throw new AuthFailure('auth/internal-error');
    return calls.grantOf(grant);
  };

  app.post('/second-step/start', async (request, reply) => {
    const { password } = readBody(withPassword, request.body);
    const { emailVerified } = await checked(request);
    if (!emailVerified) throw new AuthFailure('auth/unverified-email');
    const body = await passOn(await calls.forward(request, '/two-factor/enable', { password }), reply);
    return { uri: String(body.totpURI), recoveryCodes: body.backupCodes };
  });

  app.post('/second-step/confirm', async (request, reply) => {
    const { code } = readBody(z.object({ code: typedCode }), request.body);
    const { id, email } = await calls.requireSession(request);
    await calls.limit(request, 'code', email);
    const grant = await replaced(await calls.forward(request, '/two-factor/verify-totp', { code }), reply);
    await db.transaction().execute((tx) => markSecondStepOn(tx, id, clock.now()));
    await calls.record(request, id, 'second-step-on');
    return grant;
  });

  app.post('/second-step/recovery-codes', async (request, reply) => {
    const body = readBody(withPassword, request.body);
    const { id } = await checked(request);
    const answer = await passOn(
      await calls.forward(request, '/two-factor/generate-backup-codes', body),
      reply,
    );
    await calls.record(request, id, 'recovery-codes-made');
    return { recoveryCodes: answer.backupCodes };
  });

  app.post('/second-step/stop', async (request, reply) => {
    const body = readBody(withPassword, request.body);
    const { id } = await checked(request);
    const grant = await replaced(await calls.forward(request, '/two-factor/disable', body), reply);
    // Trusted devices too: they must not be trusted by a later second step.
    await db.transaction().execute((tx) => deleteLinksOf(tx, id));
    await calls.record(request, id, 'second-step-off');
    return grant;
  });
}
