import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../../test/harness.ts';
import { signUpAccount } from '../../accounts/accounts.fixtures.ts';
import { TestBrowser } from '../browser.fixtures.ts';
import { freshServer } from './openid.fixtures.ts';

/** Two issuers that respond as an attacker wants: OPENID_ISSUER's and Google's. */
const issuers = await Promise.all([freshServer(), freshServer()]);
const [issuer, google] = issuers.map(({ port }) => `http://127.0.0.1:${port}`) as [string, string];
const publicUrl = 'http://localhost:22073';
const secret = 'a secret of the test that is long enough';
const keys = await generateKeyPair('RS256', { extractable: true });
const others = await generateKeyPair('RS256', { extractable: true });

const app = useTestApp({
  PUBLIC_URL: publicUrl,
  SIGN_INS_PER_MINUTE: '1000',
  OPENID_NAME: 'Harbour ID',
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: 'nearhand',
  OPENID_CLIENT_SECRET: secret,
  GOOGLE_ISSUER: google,
  GOOGLE_CLIENT_ID: 'nearhand-google',
  GOOGLE_CLIENT_SECRET: secret,
});

type Asked = { state: string; nonce: string; challenge: string; method: string };
type Claims = Record<string, unknown>;
let authorizeRequest: Asked;
/** The next ID token, and the response of the user info endpoint; undefined means the same person. */
let makeToken: (claims: Claims) => Promise<string>;
let person: Claims | undefined;
/** The codes and verifiers that each issuer received. */
let redeemed: { at: string; code: string | null; verifier: string | null }[] = [];

const claimsAt = (at: string): Claims => ({
  iss: at,
  aud: at === google ? 'nearhand-google' : 'nearhand',
  sub: 'sam',
  nonce: authorizeRequest.nonce,
  email: 'sam@relay.test',
  email_verified: true,
  name: 'Sam Okoro',
  iat: Math.floor(Date.now() / 1_000),
  exp: Math.floor(Date.now() / 1_000) + 300,
});
const rightly = (claims: Claims) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(keys.privateKey);

function answerAt(at: string) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const send = (body: unknown) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    const path = new URL(request.url ?? '', at).pathname;
    if (path === '/.well-known/openid-configuration')
      return send({
        issuer: at,
        authorization_endpoint: `${at}/authorize`,
        token_endpoint: `${at}/token`,
        userinfo_endpoint: `${at}/me`,
        jwks_uri: `${at}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (path === '/keys')
      return send({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }] });
    if (path === '/me') return send(person ?? claimsAt(at));
    const body = new URLSearchParams(await text(request));
    redeemed.push({ at, code: body.get('code'), verifier: body.get('code_verifier') });
    return send({
      access_token: 'open sesame',
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'openid email profile',
      id_token: await makeToken(claimsAt(at)),
    });
  };
}
beforeAll(() => {
  issuers[0]?.server.on('request', answerAt(issuer));
  issuers[1]?.server.on('request', answerAt(google));
});
beforeEach(() => {
  // The library compares ID tokens with this machine's clock.
  app.clock.set(new Date());
  redeemed = [];
  person = undefined;
  makeToken = rightly;
});
afterAll(() => Promise.all(issuers.map(({ server }) => new Promise((resolve) => server.close(resolve)))));

const browser = () => new TestBrowser(app.server, publicUrl);

async function leave(provider: 'openid' | 'google', page = browser()) {
  const start = await page.post('/sign-in/social', { provider, returnTo: '/toc' });
  expect(start.statusCode, start.body).toBe(200);
  const query = new URL(start.json().url).searchParams;
  authorizeRequest = {
    state: query.get('state') ?? '',
    nonce: query.get('nonce') ?? '',
    challenge: query.get('code_challenge') ?? '',
    method: query.get('code_challenge_method') ?? '',
  };
  return page;
}
async function comeBack(page: TestBrowser, to: string, query: Record<string, string>) {
  const url = `/api/auth/callback/${to}?${new URLSearchParams(query)}`;
  const { headers } = await page.send('GET', url, undefined, { origin: undefined });
  const landed = new URL(headers.location ?? '');
  expect(landed.origin + landed.pathname).toBe(`${publicUrl}/loading`);
  return landed.searchParams.get('error');
}
const isIn = async (page: TestBrowser) => (await page.post('/access-token')).statusCode === 200;

describe('the answer of an OpenID provider', () => {
  it.each(['openid', 'google'] as const)('signs in when every claim of %s is valid', async (provider) => {
    const page = await leave(provider);
    expect(await comeBack(page, provider, { code: 'c1', state: authorizeRequest.state })).toBeNull();
    expect(await isIn(page)).toBe(true);
    const [{ verifier } = { verifier: null }] = redeemed;
    const challenge = createHash('sha256')
      .update(verifier ?? '')
      .digest('base64url');
    expect([authorizeRequest.method, authorizeRequest.challenge]).toEqual(['S256', challenge]);
  });

  it.each<[string, Claims]>([
    ['a NUL', { sub: 'sam\u0000' }],
    ['a line break', { sub: 'sam\n' }],
    ['a list', { sub: ['sam'] }],
    ['an object', { sub: { toString: 'sam' } }],
    ['a number', { sub: 7 }],
    ['nothing', { sub: '' }],
    ['a long text', { sub: 's'.repeat(256) }],
  ])('signs nobody in whose name is %s', async (_what, claims) => {
    makeToken = (own) => rightly({ ...own, ...claims });
    person = { ...claimsAt(issuer), ...claims };
    const page = await leave('openid');
    expect(await comeBack(page, 'openid', { code: 'c1', state: authorizeRequest.state })).toBe(
      'auth/rejected-credential',
    );
    expect(await isIn(page)).toBe(false);
  });

  it.each([
    ['a list', ['sam@relay.test'], 'auth/missing-email'],
    ['a text with a NUL', 'sam\u0000@relay.test', 'auth/missing-email'],
  ])('opens no account whose address is %s', async (_what, email, code) => {
    makeToken = (own) => rightly({ ...own, sub: 'someone-new', email });
    person = { ...claimsAt(issuer), sub: 'someone-new', email };
    const page = await leave('openid');
    expect(await comeBack(page, 'openid', { code: 'c1', state: authorizeRequest.state })).toBe(code);
    expect(await isIn(page)).toBe(false);
  });

  it.each<[string, (claims: Claims) => Promise<string>]>([
    ['no signature', async (claims) => new UnsecuredJWT(claims).encode()],
    [
      'the client secret as its key',
      (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(Buffer.from(secret)),
    ],
    [
      'the public key as its key',
      async (claims) =>
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(Buffer.from(await exportSPKI(keys.publicKey))),
    ],
    [
      'the key of someone else',
      (claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(others.privateKey),
    ],
    ['another audience', (claims) => rightly({ ...claims, aud: 'another-app' })],
    [
      'an end that has passed',
      (claims) => rightly({ ...claims, exp: Math.floor(Date.now() / 1_000) - 3_600 }),
    ],
    ['another issuer', (claims) => rightly({ ...claims, iss: 'https://evil.example' })],
    ['no text', async () => 'x.y.z'],
  ])('lets nobody in whose ID token has %s', async (_name, token) => {
    for (const provider of ['openid', 'google'] as const) {
      const page = await leave(provider);
      makeToken = token;
      expect(await comeBack(page, provider, { code: 'c1', state: authorizeRequest.state })).toMatch(
        /^auth\//,
      );
      expect(redeemed.map(({ code }) => code)).toContain('c1');
      expect(await isIn(page)).toBe(false);
    }
  });

  it('must contain the nonce of its request', async () => {
    const page = await leave('openid');
    expect(authorizeRequest.nonce.length).toBeGreaterThan(15);
    makeToken = (claims) => rightly({ ...claims, nonce: 'of another sign-in' });
    expect(await comeBack(page, 'openid', { code: 'c1', state: authorizeRequest.state })).toMatch(/^auth\//);
    expect(await isIn(page)).toBe(false);
  });

  it('identifies the user by its ID token, not by the userinfo endpoint', async () => {
    const page = await leave('openid');
    person = { sub: 'mallory', email: 'victim@relay.test', email_verified: true };
    await comeBack(page, 'openid', { code: 'c1', state: authorizeRequest.state });
    const user = (await page.post('/access-token')).json().user;
    expect(user?.email).not.toBe('victim@relay.test');
  });

  it.each(['openid', 'google'] as const)(
    'of %s verifies an address only with an explicit claim',
    async (provider) => {
      const email = `victim-${provider}@relay.test`;
      await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password: 'correct horse' });
      for (const verified of ['false', 'no', 1, [true], {}, null, false]) {
        const page = await leave(provider);
        const claims = { sub: 'mallory', email, email_verified: verified };
        person = { ...claimsAt(provider === 'google' ? google : issuer), ...claims };
        makeToken = (others) => rightly({ ...others, ...claims });
        const error = await comeBack(page, provider, { code: 'c1', state: authorizeRequest.state });
        expect([verified, error]).toEqual([verified, 'auth/account-exists-with-different-credential']);
        expect(await isIn(page)).toBe(false);
      }
    },
  );

  it.each([' sam@x.test', 'sam@x.test ', 'sam@x.test,eve@x.test', 'Sam <sam@x.test>', 'sam'])(
    'opens no account with the address "%s"',
    async (email) => {
      for (const provider of ['openid', 'google'] as const) {
        const page = await leave(provider);
        const claims = { sub: `odd ${email}`, email };
        person = { ...claimsAt(provider === 'google' ? google : issuer), ...claims };
        makeToken = (others) => rightly({ ...others, ...claims });
        const error = await comeBack(page, provider, { code: 'c1', state: authorizeRequest.state });
        expect(error).toBe('auth/invalid-email');
        expect(await isIn(page)).toBe(false);
      }
    },
  );

  it('fails a second time, in another browser, at another provider, or without its state', async () => {
    const page = await leave('openid');
    const mine = authorizeRequest.state;
    expect(await comeBack(browser(), 'openid', { code: 'c1', state: mine })).toMatch(/^auth\//);
    expect(await comeBack(page, 'google', { code: 'c1', state: mine })).toMatch(/^auth\//);
    expect(redeemed.filter(({ at }) => at === google)).toEqual([]);
    for (const state of ['', 'x', `${mine}x`, '../../etc', mine.toUpperCase()])
      expect(await comeBack(page, 'openid', { code: 'c1', state })).toMatch(/^auth\//);
    expect(redeemed).toEqual([]);
    expect(await isIn(page)).toBe(false);
    const next = await leave('openid');
    const { state } = authorizeRequest;
    expect(await comeBack(next, 'openid', { code: 'c2', state })).toBeNull();
    expect(await isIn(next)).toBe(true);
    await next.post('/sign-out');
    expect(await comeBack(next, 'openid', { code: 'c2', state })).toMatch(/^auth\//);
    expect(await isIn(next)).toBe(false);
  });
});
