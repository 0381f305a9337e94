import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../../platform/ids.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { signAccessToken } from './access-tokens.ts';
import { type AttemptKind, limitAttempt } from './attempt-limits.ts';
import { AuthFailure, codeOf } from './auth-failures.ts';
import { createProvider, type ProviderParts } from './provider.ts';
import { headersFor } from './requests.ts';
import { findGrant } from './sign-in.sql.ts';
import { sendVerification } from './sign-in.tasks.ts';

export type SignInParts = Omit<ProviderParts, 'sendVerification'>;

/** Shared by the sign-in routes: counting attempts, calling the provider, and the resulting session. */
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

  /** The session as the app receives it: an access token, its expiry (ISO time), and the user. */
  async function grantOf(grant: NonNullable<Awaited<ReturnType<typeof findGrant>>>) {
    const { sessionId, ...user } = grant;
    const token = await signAccessToken(secret, clock, { sessionId, accountId: user.id });
    const expiresAt = new Date(clock.now().getTime() + limits.accessTokenMinutes * minuteMs).toISOString();
    return { token, expiresAt, user };
  }

  /** Undefined without a valid session. */
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

    /** Forwards the request to the provider, with the body as we parsed it. */
    forward: (request: FastifyRequest, path: string, body: unknown, to = provider) =>
      to.handler(
        new Request(`${config.PUBLIC_URL}/api/auth${path}`, {
          method: request.method,
          headers: { ...headersFor(request, config.PUBLIC_URL), 'content-type': 'application/json' },
          ...(request.method === 'POST' ? { body: JSON.stringify(body) } : {}),
        }),
      ),

    /** The new session from the provider's answer: the cookie goes to the browser, the token stays here. */
    async grantFrom(response: Response, reply: FastifyReply) {
      const body = await passOn(response, reply);
      const grant = typeof body.token === 'string' ? await findGrant(db, body.token, clock.now()) : undefined;
      if (!grant) throw new AuthFailure('auth/internal-error');
      return grantOf(grant);
    },

    /** @throws AuthFailure auth/user-token-expired without a valid session */
    async requireSession(request: FastifyRequest, reply?: FastifyReply) {
      const grant = await findSession(request, reply);
      if (!grant) throw new AuthFailure('auth/user-token-expired');
      return grant;
    },
  };
}

/** Passes on the provider's cookies and turns its failures into ours. */
export async function passOn(response: Response, reply: FastifyReply): Promise<Record<string, unknown>> {
  copyCookies(response.headers, reply);
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  if (!response.ok) throw new AuthFailure(codeOf(body?.code, response.status));
  return body ?? {};
}

export function copyCookies(headers: Headers, reply: FastifyReply): void {
  for (const cookie of headers.getSetCookie()) reply.header('set-cookie', cookie);
}
