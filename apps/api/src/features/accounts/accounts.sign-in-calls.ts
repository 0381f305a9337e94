import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks.ts';
import { AuthFailure, codeOf } from './accounts.failures.ts';
import { type AttemptKind, limitAttempt } from './accounts.limiter.ts';
import { createProvider, type ProviderParts } from './accounts.provider.ts';
import { headersFor } from './accounts.requests.ts';
import { signAccessToken } from './accounts.session.ts';
import { findGrant } from './accounts.sql.ts';
import { sendVerification } from './accounts.tasks.ts';

export type SignInParts = Omit<ProviderParts, 'sendVerification'>;

/** What the routes of sign-in share: counting attempts, asking the provider, and the session that comes of it. */
export type SignInCalls = ReturnType<typeof createSignInCalls>;

export function createSignInCalls(parts: SignInParts) {
  const { config, db, clock, secret } = parts;
  const provided: ProviderParts = {
    ...parts,
    sendVerification: (account, token) =>
      db
        .transaction()
        .execute((tx) =>
          enqueue(tx, sendVerification, { email: account.email, token, key: `verify-${newId(clock.now())}` }),
        ),
  };
  const provider = createProvider(provided);
  const allowed = { perMinute: config.SIGN_INS_PER_MINUTE, mailsPerDay: config.MAILS_PER_DAY };

  /** The person's session as the app gets it: an access token, when that ends (ISO time), and who they are. */
  async function grantOf(grant: NonNullable<Awaited<ReturnType<typeof findGrant>>>) {
    const { sessionId, ...user } = grant;
    const token = await signAccessToken(secret, clock, { sessionId, accountId: user.id });
    const expiresAt = new Date(clock.now().getTime() + limits.accessTokenMinutes * minuteMs).toISOString();
    return { token, expiresAt, user };
  }

  /** Nothing without a session that counts. */
  async function findSession(request: FastifyRequest, reply?: FastifyReply) {
    const { headers, response } = await provider.api.getSession({
      headers: new Headers(headersFor(request, config.PUBLIC_URL)),
      returnHeaders: true,
    });
    if (reply) copyCookies(headers, reply);
    return response ? findGrant(db, response.session.token, clock.now()) : undefined;
  }

  return {
    parts: provided,
    provider,
    grantOf,
    findSession,

    /** @throws AuthFailure auth/too-many-requests */
    limit: (request: FastifyRequest, kind: AttemptKind, account: string | null) =>
      limitAttempt(db, clock, allowed, { kind, account, address: request.ip }),

    /** Calls the provider as if the request had gone to it, with the body as we read it. */
    forward: (request: FastifyRequest, path: string, body: unknown, to = provider) =>
      to.handler(
        new Request(`${config.PUBLIC_URL}/api/auth${path}`, {
          method: request.method,
          headers: { ...headersFor(request, config.PUBLIC_URL), 'content-type': 'application/json' },
          ...(request.method === 'POST' ? { body: JSON.stringify(body) } : {}),
        }),
      ),

    /** The person's new session, from a provider's answer: its cookie goes to the browser, its token no further than here. */
    async grantFrom(response: Response, reply: FastifyReply) {
      const body = await passOn(response, reply);
      const grant = typeof body.token === 'string' ? await findGrant(db, body.token, clock.now()) : undefined;
      if (!grant) throw new AuthFailure('auth/internal-error');
      return grantOf(grant);
    },

    /** @throws AuthFailure auth/user-token-expired without a session that counts */
    async demandSession(request: FastifyRequest, reply?: FastifyReply) {
      const grant = await findSession(request, reply);
      if (!grant) throw new AuthFailure('auth/user-token-expired');
      return grant;
    },
  };
}

/** The provider's answer: its cookies are passed on, its failures become ours. */
export async function passOn(response: Response, reply: FastifyReply): Promise<Record<string, unknown>> {
  copyCookies(response.headers, reply);
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (!response.ok) throw new AuthFailure(codeOf(body?.code, response.status));
  return body ?? {};
}

export function copyCookies(headers: Headers, reply: FastifyReply): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie);
}
