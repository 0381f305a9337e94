import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { createEmailVerificationToken } from 'better-auth/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks.ts';
import { tell } from '../../platform/tell.ts';
import { AuthFailure, codeOf } from './accounts.failures.ts';
import { type AttemptKind, limitAttempt } from './accounts.limiter.ts';
import { verificationLinkSeconds } from './accounts.links.ts';
import { createProvider, type ProviderParts } from './accounts.provider.ts';
import { demandOurOrigin, headersFor, readBody } from './accounts.requests.ts';
import { signAccessToken } from './accounts.session.ts';
import { lazySocialProvider, socialConfigs, socialProviderIds } from './accounts.social.ts';
import { deleteSessions, findAccountByEmail, findGrant } from './accounts.sql.ts';
import { sendPasswordChanged, sendPasswordReset, sendVerification } from './accounts.tasks.ts';
import { confirmMailbox, mailComesBack } from './mailbox.service.ts';

export type SignInParts = Omit<ProviderParts, 'sendVerification'>;

const email = z.email().max(254);
/** A password somebody has: of any length that we ever accepted, else it is simply not right. */
const known = z.string().min(1).max(limits.passwordMax);
const chosen = z.string().min(limits.passwordMin).max(limits.passwordMax);
const link = z.string().min(1).max(2_000);
/** A path of the app, where a redirect sign-in goes on. */
const returnTo = z
  .string()
  .max(1_000)
  .regex(/^\/(?![/\\])[^\\]*$/);

/**
 * Sign-in over HTTP under `/api/auth` (ADR 0010). Only what the app calls is open, each with its own shape, limit and origin check; the provider behind it
 * never sees anything else. Answers carry our codes, never the provider's, and never the session's own token: that lives in the cookie.
 */
export async function registerSignIn(app: FastifyInstance, parts: SignInParts): Promise<void> {
  const { config, db, clock, secret, log } = parts;
  const inTx = db.transaction();
  const provided: ProviderParts = {
    ...parts,
    sendVerification: (account, token) =>
      inTx.execute((tx) =>
        enqueue(tx, sendVerification, { email: account.email, token, key: `verify-${newId(clock.now())}` }),
      ),
  };
  const provider = createProvider(provided);
  const social = socialConfigs(config);
  const socialProvider = lazySocialProvider(clock, () => createProvider(provided, social), social.length);
  const loadingUrl = `${config.PUBLIC_URL}/loading`;

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
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method === 'POST')
      demandOurOrigin(request, config.PUBLIC_URL, config.NODE_ENV === 'production');
  });

  const allowed = { perMinute: config.SIGN_INS_PER_MINUTE, mailsPerDay: config.MAILS_PER_DAY };
  const limit = (request: FastifyRequest, kind: AttemptKind, account: string | null) =>
    limitAttempt(db, clock, allowed, { kind, account, address: request.ip });

  /** Calls the provider as if the request had gone to it, with the body as we read it. */
  const forward = (request: FastifyRequest, path: string, body: unknown, to = provider) =>
    to.handler(
      new Request(`${config.PUBLIC_URL}/api/auth${path}`, {
        method: request.method,
        headers: { ...headersFor(request, config.PUBLIC_URL), 'content-type': 'application/json' },
        ...(request.method === 'POST' ? { body: JSON.stringify(body) } : {}),
      }),
    );

  const linkFor = (address: string) =>
    createEmailVerificationToken(`sign-in ${secret}`, address, undefined, verificationLinkSeconds);

  /** The person's new session, from a provider's answer: its cookie goes to the browser, its token no further than here. */
  async function grantFrom(response: Response, reply: FastifyReply) {
    const body = await answer(response, reply);
    const grant = typeof body.token === 'string' ? await findGrant(db, body.token, clock.now()) : undefined;
    if (!grant) throw new AuthFailure('auth/internal-error');
    return grantOf(grant);
  }

  async function grantOf(grant: NonNullable<Awaited<ReturnType<typeof findGrant>>>) {
    const { sessionId, ...user } = grant;
    const token = await signAccessToken(secret, clock, { sessionId, accountId: user.id });
    const expiresAt = new Date(clock.now().getTime() + limits.accessTokenMinutes * minuteMs).toISOString();
    return { token, expiresAt, user };
  }

  /** @throws AuthFailure auth/user-token-expired without a session that counts */
  async function demandSession(request: FastifyRequest, reply?: FastifyReply) {
    const { headers, response } = await provider.api.getSession({
      headers: new Headers(headersFor(request, config.PUBLIC_URL)),
      returnHeaders: true,
    });
    if (reply) copyCookies(headers, reply);
    const grant = response ? await findGrant(db, response.session.token, clock.now()) : undefined;
    if (!grant) throw new AuthFailure('auth/user-token-expired');
    return grant;
  }

  app.post('/sign-up/email', async (request, reply) => {
    const body = readBody(z.object({ email, password: chosen }), request.body);
    await limit(request, 'sign-up', body.email);
    const response = await forward(request, '/sign-up/email', { ...body, name: '' });
    // Of two sign-ups at the same moment the provider fails the later one without saying why.
    if (response.status >= 400 && (await findAccountByEmail(db, body.email)))
      throw new AuthFailure('auth/email-already-in-use');
    return grantFrom(response, reply);
  });

  app.post('/sign-in/email', async (request, reply) => {
    const body = readBody(z.object({ email, password: z.string().min(1) }), request.body);
    await limit(request, 'sign-in', body.email);
    if (!known.safeParse(body.password).success) throw new AuthFailure('auth/invalid-credential');
    return grantFrom(await forward(request, '/sign-in/email', body), reply);
  });

  app.post('/access-token', async (request, reply) => grantOf(await demandSession(request, reply)));

  app.post('/sign-out', async (request, reply) => {
    const grant = await demandSession(request).catch(() => null);
    // Ends every session of the account, on every device (ADR 0012).
    if (grant) await inTx.execute((tx) => deleteSessions(tx, grant.id));
    await answer(await forward(request, '/sign-out', {}), reply);
    return {};
  });

  app.post('/send-verification-email', async (request, reply) => {
    const { id, email: to, emailVerified } = await demandSession(request);
    await limit(request, 'mail', to);
    if (!emailVerified)
      await answer(await forward(request, '/send-verification-email', { email: to }), reply);
    // The provider has no link for an address that was verified once, and this one refused our mail since (ADR 0098).
    else if (await mailComesBack(db, id))
      await provided.sendVerification({ id, email: to }, await linkFor(to));
    return {};
  });

  app.post('/verify-email', async (request, reply) => {
    const { token } = readBody(z.object({ token: link }), request.body);
    await limit(request, 'link', null);
    const response = await provider.api.verifyEmail({ query: { token }, asResponse: true });
    await answer(response, reply);
    // Whoever followed it reads that mailbox; the provider has just checked who signed the token.
    await confirmMailbox(db, String(decodeJwt(token).email));
    return {};
  });

  app.post('/request-password-reset', async (request) => {
    const body = readBody(z.object({ email }), request.body);
    await limit(request, 'mail', body.email);
    await inTx.execute((tx) =>
      enqueue(tx, sendPasswordReset, { email: body.email, key: `reset-${newId(clock.now())}` }),
    );
    return {};
  });

  app.post('/reset-password', async (request, reply) => {
    const body = readBody(z.object({ token: link, newPassword: chosen }), request.body);
    await limit(request, 'link', null);
    await answer(await forward(request, '/reset-password', body), reply);
    return {};
  });

  app.post('/verify-password', async (request, reply) => {
    const { email: who, password } = readBody(z.object({ email, password: z.string().min(1) }), request.body);
    const grant = await demandSession(request);
    if (who.toLowerCase() !== grant.email) throw new AuthFailure('auth/user-mismatch');
    await limit(request, 'sign-in', grant.email);
    if (!known.safeParse(password).success) throw new AuthFailure('auth/wrong-password');
    const headers = new Headers(headersFor(request, config.PUBLIC_URL));
    await answer(await provider.api.verifyPassword({ headers, body: { password }, asResponse: true }), reply);
    return {};
  });

  app.post('/change-password', async (request, reply) => {
    const body = readBody(z.object({ currentPassword: known, newPassword: chosen }), request.body);
    const before = await demandSession(request);
    await limit(request, 'sign-in', before.email);
    const response = await forward(request, '/change-password', { ...body, revokeOtherSessions: true });
    const grant = await grantFrom(response, reply);
    await inTx.execute(async (tx) => {
      // The provider has ended the sessions of the old password; their open devices are to know.
      tell(tx, [`account:${before.id}`], { kind: 'session-ended', sessionId: before.sessionId });
      await enqueue(tx, sendPasswordChanged, {
        email: before.email,
        key: `changed-${newId(clock.now())}`,
      });
    });
    return grant;
  });

  app.post('/sign-in/social', async (request, reply) => {
    const body = readBody(z.object({ provider: z.enum(socialProviderIds), returnTo }), request.body);
    await limit(request, 'sign-in', null);
    if (!social.some((config) => config.providerId === body.provider))
      throw new AuthFailure('auth/operation-not-allowed');
    const callbackURL = `${loadingUrl}?next=${encodeURIComponent(body.returnTo)}`;
    const request2 = {
      provider: body.provider,
      callbackURL,
      errorCallbackURL: callbackURL,
      disableRedirect: true,
    };
    const answered = await answer(
      await forward(request, '/sign-in/social', request2, await socialProvider()),
      reply,
    );
    return { url: String(answered.url) };
  });

  app.get('/callback/:provider', async (request, reply) => {
    const path = request.url.slice('/api/auth'.length);
    let location = `${loadingUrl}?error=internal`;
    try {
      const response = await forward(request, path, null, await socialProvider());
      copyCookies(response.headers, reply);
      location = response.headers.get('location') ?? location;
    } catch (error) {
      log.warn({ err: error }, 'a redirect sign-in failed');
    }
    return reply.redirect(ownLocation(location, loadingUrl));
  });
}

/** Where the provider sends the browser, if that is our own page, with the failure it names as our code. */
function ownLocation(location: string, loadingUrl: string): string {
  const own = new URL(loadingUrl);
  const url = new URL(location, own);
  if (url.origin !== own.origin || url.pathname !== own.pathname) {
    own.searchParams.set('error', codeOf(url.searchParams.get('error') ?? 'state_mismatch'));
    return own.href;
  }
  const error = url.searchParams.get('error');
  url.searchParams.delete('error_description');
  if (error !== null) url.searchParams.set('error', codeOf(error));
  return url.href;
}

/** The provider's answer: its cookies are passed on, its failures become ours. */
async function answer(response: Response, reply: FastifyReply): Promise<Record<string, unknown>> {
  copyCookies(response.headers, reply);
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (!response.ok) throw new AuthFailure(codeOf(body?.code, response.status));
  return body ?? {};
}

function copyCookies(headers: Headers, reply: FastifyReply): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie);
}
