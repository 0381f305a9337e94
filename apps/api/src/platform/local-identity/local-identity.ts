import { createHash, randomBytes } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { localClient, localIdentityPath } from '../config/config-social-sign-in.ts';
import { identityPage, identityStyle } from './local-identity.page.ts';

type Person = { sub: string; name: string; email: string };
type Grant = {
  provider: string;
  person: Person;
  nonce: string | undefined;
  challenge: string;
  until: number;
};

const keyId = 'local';
const codeMs = minuteMs;
const textMax = 2_000;

const providers = z.enum(['google', 'facebook']);
/** What the sign-in asks with; passed through the page unchanged. */
const asked = z.object({
  client_id: z.literal(localClient.id),
  redirect_uri: z.string().max(textMax),
  response_type: z.literal('code'),
  state: z.string().min(1).max(textMax),
  nonce: z.string().max(textMax).optional(),
  code_challenge: z.string().max(textMax).default(''),
});
const answered = asked.extend({
  email: z.email().max(textMax),
  name: z.string().trim().min(1).max(limits.nameMax),
});
const exchanged = z.object({
  code: z.string().max(textMax),
  redirect_uri: z.string().max(textMax).optional(),
  code_verifier: z.string().max(textMax).optional(),
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * `/dev/identity`: stands in for Google (OpenID Connect with PKCE) and Facebook (plain OAuth) on a development server, so that their buttons work without
 * keys (ADR 195). Anyone may be anyone there, so it exists only with LOCAL_SIGN_IN, which production refuses. It keeps everything in memory.
 */
export async function registerLocalIdentity(
  app: FastifyInstance,
  { config, clock }: { config: Config; clock: Clock },
): Promise<void> {
  if (!config.LOCAL_SIGN_IN || config.NODE_ENV === 'production') return;
  const base = `${config.PUBLIC_URL}${localIdentityPath}`;
  const issuer = `${base}/google`;
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }] };
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();

  const newKey = (kept: Map<string, Grant>, grant: Grant): string => {
    const now = clock.now().getTime();
    for (const [key, one] of kept) if (one.until <= now) kept.delete(key);
    const key = randomBytes(24).toString('base64url');
    kept.set(key, grant);
    return key;
  };
  const current = (grant: Grant | undefined) =>
    grant && grant.until > clock.now().getTime() ? grant : undefined;
  const ownCallback = (provider: string) => `${config.PUBLIC_URL}/api/auth/callback/${provider}`;
  const bearer = (request: FastifyRequest) =>
    current(tokens.get(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''));

  await app.register(
    async (site) => {
      site.addContentTypeParser(
        'application/x-www-form-urlencoded',
        { parseAs: 'string', bodyLimit: 16_384 },
        (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
      );
      site.get('/page.css', async (_request, reply) =>
        reply.type('text/css; charset=utf-8').send(identityStyle),
      );

      site.get('/google/.well-known/openid-configuration', async () => ({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      }));
      site.get('/google/jwks', async () => jwks);

      site.get<{ Params: { provider: string } }>('/:provider/authorize', async (request, reply) => {
        const provider = providers.safeParse(request.params.provider);
        const query = asked.safeParse(request.query);
        if (!provider.success || !query.success || query.data.redirect_uri !== ownCallback(provider.data))
          return reply
            .code(400)
            .type('text/plain; charset=utf-8')
            .send('This request is not from our sign-in.');
        return reply
          .type('text/html; charset=utf-8')
          .send(identityPage(provider.data, query.data, `${localIdentityPath}/${provider.data}/answer`));
      });

      site.get<{ Params: { provider: string } }>('/:provider/answer', async (request, reply) => {
        const provider = providers.safeParse(request.params.provider);
        const query = answered.safeParse(request.query);
        if (!provider.success || !query.success || query.data.redirect_uri !== ownCallback(provider.data))
          return reply.code(400).type('text/plain; charset=utf-8').send('Enter a name and an email address.');
        const { email, name, nonce, code_challenge: challenge, state, redirect_uri: callback } = query.data;
        const code = newKey(codes, {
          provider: provider.data,
          person: { sub: hashOf(email.toLowerCase()).slice(0, 21), name, email: email.toLowerCase() },
          ...{ nonce, challenge, until: clock.now().getTime() + codeMs },
        });
        return reply.redirect(`${callback}?${new URLSearchParams({ code, state })}`);
      });

      site.post<{ Params: { provider: string } }>('/:provider/token', async (request, reply) => {
        const body = exchanged.safeParse(request.body);
        const grant = body.success ? current(codes.get(body.data.code)) : undefined;
        // A code works once, whatever comes of it.
        if (body.success) codes.delete(body.data.code);
        const proven =
          grant?.provider === request.params.provider &&
          (grant.challenge === '' || hashOf(body.data?.code_verifier ?? '') === grant.challenge);
        if (!grant || !proven) return reply.code(400).send({ error: 'invalid_grant' });
        const accessToken = newKey(tokens, grant);
        const answer = { access_token: accessToken, token_type: 'bearer', expires_in: codeMs / 1_000 };
        return grant.provider === 'google' ? { ...answer, id_token: await idToken(grant) } : answer;
      });

      site.get<{ Params: { provider: string } }>('/:provider/me', async (request, reply) => {
        const grant = bearer(request);
        if (grant?.provider !== request.params.provider)
          return reply.code(401).send({ error: 'invalid_token' });
        const { sub, name, email } = grant.person;
        // Facebook does not say whether it verified an address (ADR 13).
        return grant.provider === 'google'
          ? { sub, name, email, email_verified: true }
          : { id: sub, name, email };
      });
    },
    { prefix: localIdentityPath },
  );

  function idToken({ person, nonce }: Grant): Promise<string> {
    const now = Math.floor(clock.now().getTime() / 1_000);
    const { sub, name, email } = person;
    return new SignJWT({ name, email, email_verified: true, ...(nonce === undefined ? {} : { nonce }) })
      .setProtectedHeader({ alg: 'RS256', kid: keyId })
      .setIssuer(issuer)
      .setAudience(localClient.id)
      .setSubject(sub)
      .setIssuedAt(now)
      .setExpirationTime(now + codeMs / 1_000)
      .sign(privateKey);
  }
}
