import { minuteMs } from '@nearhand/contract/durations';
import type { BetterAuthPlugin } from 'better-auth';
import {
  createAuthorizationURL,
  getOAuth2Tokens,
  type OAuthProvider,
  verifyProviderIdToken,
} from 'better-auth/oauth2';
import { createRemoteJWKSet, decodeJwt, importPKCS8, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';

const algorithm = 'ES256';
const secretMs = 5 * minuteMs;
/** Another issuer that Apple's tokens name, unlike its metadata since 2025. */
const otherIssuer = 'https://account.apple.com';

/** A subject (OpenID Connect Core 1.0, section 2), without lists and U+0000, which PostgreSQL refuses. */
export const subjectShape = /^[\x20-\x7e]{1,255}$/;
const claims = z.object({
  sub: z.string().regex(subjectShape),
  email: z.email().optional(),
  // Apple sends a boolean or its text.
  email_verified: z.union([z.boolean(), z.stringbool()]).default(false),
});
/** Sent only with a person's first sign-in, unsigned. */
const firstAnswer = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
});

export type AppleClient = { url: string; clientId: string; teamId: string; keyId: string; key: string };

/** Null unless all four settings of Apple are set. */
export function appleClient(config: Config): AppleClient | null {
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY, APPLE_URL } = config;
  if (!APPLE_CLIENT_ID || !APPLE_TEAM_ID || !APPLE_KEY_ID || !APPLE_PRIVATE_KEY) return null;
  return {
    url: APPLE_URL,
    clientId: APPLE_CLIENT_ID,
    teamId: APPLE_TEAM_ID,
    keyId: APPLE_KEY_ID,
    key: APPLE_PRIVATE_KEY,
  };
}

/** Apple accepts a signed secret for up to half a year; ours lives minutes. */
export async function appleSecret({ url, clientId, teamId, keyId, key }: AppleClient, clock: Clock) {
  const now = clock.now().getTime();
  return new SignJWT()
    .setProtectedHeader({ alg: algorithm, kid: keyId })
    .setIssuer(teamId)
    .setAudience(url)
    .setSubject(clientId)
    .setIssuedAt(new Date(now))
    .setExpirationTime(new Date(now + secretMs))
    .sign(await importPKCS8(key, algorithm));
}

/** The library's own Apple provider has fixed URLs, an expiring secret and no nonce (ADR 13). */
export function applePlugin(client: AppleClient, clock: Clock): BetterAuthPlugin {
  const provider = appleProvider(client, clock);
  return {
    id: 'nearhand-apple',
    init: (context) => ({ context: { socialProviders: [provider, ...context.socialProviders] } }),
  };
}

function appleProvider(client: AppleClient, clock: Clock): OAuthProvider {
  const { url, clientId } = client;
  const idTokens = {
    jwks: createRemoteJWKSet(new URL(`${url}/auth/keys`)),
    issuer: [url, otherIssuer],
    audience: clientId,
  };
  return {
    id: 'apple',
    name: 'Apple',
    idToken: idTokens,
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => claims.parse(profile).sub,
    createAuthorizationURL: ({ state, redirectURI, idTokenNonce }) =>
      createAuthorizationURL({
        id: 'apple',
        options: { clientId },
        authorizationEndpoint: `${url}/auth/authorize`,
        state,
        redirectURI,
        nonce: idTokenNonce,
        scopes: ['openid', 'email', 'name'],
        responseType: 'code',
        responseMode: 'form_post',
      }),
    async validateAuthorizationCode({ code, redirectURI }) {
      const answer = await fetch(`${url}/auth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectURI,
          client_id: clientId,
          client_secret: await appleSecret(client, clock),
        }),
        redirect: 'error',
      });
      if (!answer.ok) throw new Error(`Apple refused the code with status ${answer.status}`);
      return getOAuth2Tokens((await answer.json()) as Record<string, unknown>);
    },
    async getUserInfo({ idToken, expectedIdTokenNonce, user: first }) {
      if (!idToken || !expectedIdTokenNonce) return null;
      if (!(await verifyProviderIdToken({ idToken: idTokens }, idToken, expectedIdTokenNonce))) return null;
      const profile = claims.parse(decodeJwt(idToken));
      const { firstName, lastName } = firstAnswer.safeParse(first).data?.name ?? {};
      return {
        user: {
          name: nameOf([firstName, lastName].filter(Boolean).join(' ')),
          email: profile.email ?? null,
          emailVerified: profile.email_verified,
        },
        data: profile,
      };
    },
  };
}

/** The name that Apple sends at the first sign-in only. It is typed by the user, so cleaned and cut. */
export const nameOf = (name: unknown): string =>
  typeof name === 'string'
    ? name
        .replace(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 80)
        .toWellFormed()
    : '';
