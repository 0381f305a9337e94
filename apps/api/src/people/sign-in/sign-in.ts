import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { endAllSessions, noteSessionUse } from '../sessions/sessions.service.ts';
import { AuthFailure } from './auth-failures.ts';
import { registerPasswords } from './passwords.ts';
import type { ProviderParts } from './provider.ts';
import { chosenPassword, emailShape, knownPassword, readBody, requireOurOrigin } from './requests.ts';
import { registerSecondStep } from './second-step.ts';
import { findAccountByEmail, isHeldForUndo } from './sign-in.sql.ts';
import { createSignInCalls, passOn, type SignInCalls, type SignInParts } from './sign-in-calls.ts';
import { registerSocialSignIn } from './social-sign-in.ts';
import { registerVerification } from './verification.ts';

/**
 * Sign-in over HTTP under `/api/auth` (ADR 0010). Only the routes the app calls are open, each with its own shape, limit and
 * origin check. Answers carry our codes and never the session token, which lives in the cookie.
 */
export async function registerSignIn(app: FastifyInstance, parts: SignInParts): Promise<void> {
  const calls = createSignInCalls(parts);
  readJsonOnly(app);
  answerWithOurCodes(app);
  guardEveryRequest(app, parts.config);
  registerSessions(app, calls);
  registerVerification(app, calls);
  registerPasswords(app, calls);
  registerSecondStep(app, calls);
  registerSocialSignIn(app, calls);
}

function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => {
      try {
        done(null, body === '' ? {} : JSON.parse(body as string));
      } catch {
        done(new AuthFailure('auth/argument-error'));
      }
    },
  );
}

function answerWithOurCodes(app: FastifyInstance): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const shape = error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
    const failure =
      error instanceof AuthFailure
        ? error
        : new AuthFailure(shape ? 'auth/argument-error' : 'auth/internal-error');
    if (failure.code === 'auth/internal-error')
      request.log.error({ err: error }, 'sign-in failed unexpectedly');
    if (failure.code === 'auth/too-many-requests')
      reply.header('retry-after', String(failure.retryAfterSeconds ?? 60));
    return reply
      .code(failure.status)
      .send({ code: failure.code, message: failure.code, requestId: request.id });
  });
}

function guardEveryRequest(app: FastifyInstance, config: ProviderParts['config']): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method === 'POST')
      requireOurOrigin(request, config.PUBLIC_URL, config.NODE_ENV === 'production');
  });
}

/** Sign-up, sign-in and sign-out by email, and access token renewal. */
function registerSessions(app: FastifyInstance, calls: SignInCalls): void {
  const { db, clock } = calls.parts;

  app.post('/sign-up/email', async (request, reply) => {
    const body = readBody(z.object({ email: emailShape, password: chosenPassword }), request.body);
    await calls.limit(request, 'sign-up', body.email);
    if (await isHeldForUndo(db, body.email, clock.now())) throw new AuthFailure('auth/email-already-in-use');
    const response = await calls.forward(request, '/sign-up/email', { ...body, name: '' });
    // When two sign-ups race, the provider fails the later one without a reason.
    if (response.status >= 400 && (await findAccountByEmail(db, body.email)))
      throw new AuthFailure('auth/email-already-in-use');
    return calls.grantFrom(request, response, reply);
  });

  app.post('/sign-in/email', async (request, reply) => {
    const body = readBody(z.object({ email: emailShape, password: z.string().min(1) }), request.body);
    await calls.limit(request, 'sign-in', body.email);
    try {
      if (!knownPassword.safeParse(body.password).success) throw new AuthFailure('auth/invalid-credential');
      return await calls.grantFrom(request, await calls.forward(request, '/sign-in/email', body), reply);
    } catch (failure) {
      if (failure instanceof AuthFailure && failure.code === 'auth/invalid-credential')
        await calls.noteFailure(request, body.email);
      throw failure;
    }
  });

  app.post('/access-token', async (request, reply) => {
    const grant = await calls.requireSession(request, reply);
    await noteSessionUse(db, { clock }, grant.sessionId);
    return calls.grantOf(grant);
  });

  app.post('/sign-out', async (request, reply) => {
    const grant = await calls.findSession(request);
    // Ends every session of the account on every device (ADR 0012).
    if (grant) await db.transaction().execute((tx) => endAllSessions(tx, grant.id));
    await passOn(await calls.forward(request, '/sign-out', {}), reply);
    return {};
  });
}
