import { randomBytes } from 'node:crypto';
import { minuteMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { localClient, localIdentityPath } from '../config/config-social-sign-in.ts';
import { escapeHtml } from '../escape-html.ts';
import { sha256 } from '../sign.ts';

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
const parametersShape = z.object({
  client_id: z.literal(localClient.id),
  redirect_uri: z.string().max(textMax),
  response_type: z.literal('code'),
  state: z.string().min(1).max(textMax),
  nonce: z.string().max(textMax).optional(),
  code_challenge: z.string().max(textMax).default(''),
});
const answerShape = parametersShape.extend({
  email: z.email().max(textMax),
  name: z.string().trim().min(1).max(limits.nameMax),
});
const tokenShape = z.object({
  code: z.string().max(textMax),
  redirect_uri: z.string().max(textMax).optional(),
  code_verifier: z.string().max(textMax).optional(),
});

/** Imitates Google and Facebook in development (ADR 13). Anyone may be anyone; production refuses it. */
export async function registerLocalIdentity(
  app: FastifyInstance,
  { config, clock }: { config: Config; clock: Clock },
): Promise<void> {
  if (!config.LOCAL_SIGN_IN || config.NODE_ENV === 'production') return;
  const identity = await openIdentity(config, clock);
  await app.register(
    async (site) => {
      readForms(site);
      site.get('/page.css', async (_request, reply) =>
        reply.type('text/css; charset=utf-8').send(identityStyle),
      );
      registerDiscovery(site, identity);
      registerAuthorize(site, identity);
      registerAnswer(site, identity);
      registerToken(site, identity);
      registerPerson(site, identity);
    },
    { prefix: localIdentityPath },
  );
}

type Identity = Awaited<ReturnType<typeof openIdentity>>;
type OfProvider = { Params: { provider: string } };

async function openIdentity({ PUBLIC_URL }: Config, clock: Clock) {
  const issuer = `${PUBLIC_URL}${localIdentityPath}/google`;
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const now = () => clock.now().getTime();
  const current = (grant: Grant | undefined) => (grant && grant.until > now() ? grant : undefined);
  const addGrant = (grants: Map<string, Grant>, grant: Grant): string => {
    for (const [key, entry] of grants) if (entry.until <= now()) grants.delete(key);
    const key = randomBytes(24).toString('base64url');
    grants.set(key, grant);
    return key;
  };
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();
  return {
    issuer,
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }] },
    callbackOf: (provider: string) => `${PUBLIC_URL}/api/auth/callback/${provider}`,
    newCode: (grant: Omit<Grant, 'until'>) => addGrant(codes, { ...grant, until: now() + codeMs }),
    newToken: (grant: Grant) => addGrant(tokens, grant),
    /** A code is valid once, even if the exchange fails. */
    takeCode(code: string): Grant | undefined {
      const grant = current(codes.get(code));
      codes.delete(code);
      return grant;
    },
    bearerOf: (request: FastifyRequest) =>
      current(tokens.get(/^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '')),
    idToken({ person: { sub, name, email }, nonce }: Grant): Promise<string> {
      const seconds = Math.floor(now() / 1_000);
      return new SignJWT({ name, email, email_verified: true, nonce })
        .setProtectedHeader({ alg: 'RS256', kid: keyId })
        .setIssuer(issuer)
        .setAudience(localClient.id)
        .setSubject(sub)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + codeMs / 1_000)
        .sign(privateKey);
    },
  };
}

function readForms(site: FastifyInstance): void {
  site.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 16_384 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
}

function registerDiscovery(site: FastifyInstance, { issuer, jwks }: Identity): void {
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
}

function readParameters<Shape extends typeof parametersShape>(
  shape: Shape,
  request: FastifyRequest<OfProvider>,
  { callbackOf }: Identity,
): { provider: z.infer<typeof providers>; query: z.infer<Shape> } | null {
  const provider = providers.safeParse(request.params.provider);
  const query = shape.safeParse(request.query);
  if (!provider.success || !query.success) return null;
  if (query.data.redirect_uri !== callbackOf(provider.data)) return null;
  return { provider: provider.data, query: query.data };
}

const refuse = (reply: FastifyReply, text: string) =>
  reply.code(400).type('text/plain; charset=utf-8').send(text);

function registerAuthorize(site: FastifyInstance, identity: Identity): void {
  site.get<OfProvider>('/:provider/authorize', async (request, reply) => {
    const authorizeQuery = readParameters(parametersShape, request, identity);
    if (!authorizeQuery) return refuse(reply, 'This request is not from our sign-in.');
    const { provider, query } = authorizeQuery;
    const page = identityPage(provider, query, `${localIdentityPath}/${provider}/answer`);
    return reply.type('text/html; charset=utf-8').send(page);
  });
}

function registerAnswer(site: FastifyInstance, identity: Identity): void {
  site.get<OfProvider>('/:provider/answer', async (request, reply) => {
    const submitted = readParameters(answerShape, request, identity);
    if (!submitted) return refuse(reply, 'Enter a name and an email address.');
    const { name, nonce, code_challenge: challenge, state, redirect_uri: callback } = submitted.query;
    const email = submitted.query.email.toLowerCase();
    const person = { sub: sha256(email).slice(0, 21), name, email };
    const code = identity.newCode({ provider: submitted.provider, person, nonce, challenge });
    return reply.redirect(`${callback}?${new URLSearchParams({ code, state })}`);
  });
}

function registerToken(site: FastifyInstance, identity: Identity): void {
  site.post<OfProvider>('/:provider/token', async (request, reply) => {
    const body = tokenShape.safeParse(request.body);
    const grant = body.success ? identity.takeCode(body.data.code) : undefined;
    const proven =
      grant?.provider === request.params.provider &&
      (grant.challenge === '' || sha256(body.data?.code_verifier ?? '') === grant.challenge);
    if (!grant || !proven) return reply.code(400).send({ error: 'invalid_grant' });
    const accessToken = identity.newToken(grant);
    const answer = { access_token: accessToken, token_type: 'bearer', expires_in: codeMs / 1_000 };
    return grant.provider === 'google' ? { ...answer, id_token: await identity.idToken(grant) } : answer;
  });
}

function registerPerson(site: FastifyInstance, identity: Identity): void {
  site.get<OfProvider>('/:provider/me', async (request, reply) => {
    const grant = identity.bearerOf(request);
    if (grant?.provider !== request.params.provider) return reply.code(401).send({ error: 'invalid_token' });
    const { sub, name, email } = grant.person;
    // Facebook does not reveal whether it verified an address (ADR 13).
    return grant.provider === 'google'
      ? { sub, name, email, email_verified: true }
      : { id: sub, name, email };
  });
}

const providerNames = { google: 'Google', facebook: 'Facebook' } as const;

function identityPage(
  provider: keyof typeof providerNames,
  parameters: Record<string, string | undefined> & { redirect_uri: string; state: string },
  action: string,
): string {
  const hidden = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`],
  );
  const cancel = `${parameters.redirect_uri}?${new URLSearchParams({ error: 'access_denied', state: parameters.state })}`;
  const verified =
    provider === 'google'
      ? 'The address counts as verified.'
      : 'Like Facebook, this page does not say whether the address is verified.';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${providerNames[provider]} sign-in on this development server</title>
<link rel="stylesheet" href="/dev/identity/page.css">
</head>
<body>
<main>
<h1>Sign in as anyone</h1>
<p>This page stands in for ${providerNames[provider]} on a development server. Nothing leaves this machine. ${verified}</p>
<form method="get" action="${escapeHtml(action)}">
${hidden.join('\n')}
<label>Name <input name="name" required maxlength="80" autocomplete="name"></label>
<label>Email <input name="email" type="email" required autocomplete="email"></label>
<button>Continue</button>
</form>
<p><a href="${escapeHtml(cancel)}">Cancel</a></p>
</main>
</body>
</html>
`;
}

const identityStyle = `:root { color-scheme: light dark; }
html { background: Canvas; color: CanvasText; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; }
label { display: block; margin: 1rem 0; }
input, button { box-sizing: border-box; width: 100%; min-height: 44px; font: inherit; padding: 0 0.75rem; }
a { display: inline-block; min-height: 44px; line-height: 44px; }
`;
