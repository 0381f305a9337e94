import { exportPKCS8, generateKeyPair, jwtVerify } from 'jose';
import OpenIdProvider from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../../test/harness.ts';
import { signUpAccount } from '../../accounts/accounts.fixtures.ts';
import { TestBrowser } from '../browser.fixtures.ts';
import { expectNothingLeft, mailboxProofs } from '../pre-hijacked.fixtures.ts';
import { checkSocial } from './check-social.ts';
import { freshServer, throughPages } from './openid.fixtures.ts';

/** Two real OpenID providers: one behaves like Apple, one like any other provider. */
const servers = await Promise.all([freshServer(), freshServer()]);
const [apple, issuer] = servers.map(({ port }) => `http://127.0.0.1:${port}`) as [string, string];
const publicUrl = 'http://localhost:22071';
const keys = await generateKeyPair('ES256', { extractable: true });

const app = useTestApp({
  PUBLIC_URL: publicUrl,
  SIGN_INS_PER_MINUTE: '1000',
  APPLE_CLIENT_ID: 'example.nearhand.web',
  APPLE_TEAM_ID: 'TEAM123456',
  APPLE_KEY_ID: 'KEY1234567',
  APPLE_PRIVATE_KEY: (await exportPKCS8(keys.privateKey)).replaceAll('\n', '\\n'),
  APPLE_URL: apple,
  OPENID_NAME: 'Harbour ID',
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: 'nearhand',
  OPENID_CLIENT_SECRET: 'a secret of the test',
});

/** The accounts at the providers, by subject. */
const people: Record<string, { email?: string; email_verified: unknown; name?: string }> = {
  noor: { email: 'noor@relay.test', email_verified: 'true' },
  sam: { email: 'sam@relay.test', email_verified: true, name: 'Sam Okoro' },
  mallory: { email: 'victim@x.test', email_verified: 'false' },
  hidden: { email_verified: true },
};
/** The client secrets that Apple received. */
let secrets: string[] = [];
/** The app's clock, or this machine's for the check. */
let now = () => app.clock.now();

beforeAll(() => {
  const shared = {
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], name: [] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...people[sub] }),
    }),
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['one'] },
  };
  const appleProvider = new OpenIdProvider(apple, {
    ...shared,
    pkce: { required: () => false },
    routes: { authorization: '/auth/authorize', token: '/auth/token', jwks: '/auth/keys' },
    clients: [
      {
        client_id: 'example.nearhand.web',
        client_secret: 'replaced by a signature',
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [`${publicUrl}/api/auth/callback/apple`],
      },
    ],
  });
  appleProvider.Client.prototype.compareClientSecret = async (secret) => {
    secrets.push(secret);
    const { payload, protectedHeader } = await jwtVerify(secret, keys.publicKey, {
      issuer: 'TEAM123456',
      subject: 'example.nearhand.web',
      audience: apple,
      currentDate: now(),
    });
    return protectedHeader.kid === 'KEY1234567' && Number(payload.exp) - Number(payload.iat) <= 600;
  };
  const other = new OpenIdProvider(issuer, {
    ...shared,
    clients: [
      {
        client_id: 'nearhand',
        client_secret: 'a secret of the test',
        redirect_uris: [`${publicUrl}/api/auth/callback/openid`],
      },
    ],
  });
  servers[0]?.server.on('request', appleProvider.callback());
  servers[1]?.server.on('request', other.callback());
});
beforeEach(() => {
  secrets = [];
});
afterAll(() => Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve)))));

const browser = () => new TestBrowser(app.server, publicUrl);

/** The browser posts Apple's response from Apple's page without our cookies, and has them again at the redirect. */
async function postAnswer(page: TestBrowser, posted: Record<string, string>): Promise<URL> {
  const answer = await new TestBrowser(app.server, publicUrl).send(
    'POST',
    '/api/auth/callback/apple',
    new URLSearchParams(posted).toString(),
    {
      origin: apple,
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    },
  );
  expect([answer.statusCode, answer.cookies], answer.body).toEqual([303, []]);
  const next = new URL(answer.headers.location ?? '');
  expect(next.origin).toBe(publicUrl);
  const landed = await page.send('GET', next.pathname + next.search, undefined, { origin: undefined });
  return new URL(landed.headers.location ?? '');
}

async function throughApple(login: string | null, first: Record<string, string> = {}) {
  const page = browser();
  const start = await page.post('/sign-in/social', { provider: 'apple', returnTo: '/toc' });
  expect(start.statusCode, start.body).toBe(200);
  const { url, posted } = await throughPages(start.json().url, login, publicUrl);
  expect(url.href).toBe(`${publicUrl}/api/auth/callback/apple`);
  return { page, landed: await postAnswer(page, { ...posted, ...first }) };
}

async function throughOpenId(login: string) {
  const page = browser();
  const start = await page.post('/sign-in/social', { provider: 'openid', returnTo: '/toc' });
  expect(start.statusCode, start.body).toBe(200);
  const { url } = await throughPages(start.json().url, login, publicUrl);
  const landed = await page.send('GET', url.pathname + url.search, undefined, { origin: undefined });
  return { page, landed: new URL(landed.headers.location ?? '') };
}

const errorOf = ({ landed }: { landed: URL }) => landed.searchParams.get('error');
const userOf = async (page: TestBrowser) => (await page.post('/access-token')).json().user;

describe('an account that a stranger moved to the address of someone else', () => {
  people.rogue = { email: 'rogue@relay.test', email_verified: 'false' };
  people.other = { email: 'other@relay.test', email_verified: 'false' };

  it.each(mailboxProofs)(
    "no longer opens through the stranger's providers once its owner proves the mailbox: %s",
    async (proof) => {
      app.clock.set(new Date());
      await expectNothingLeft(app, () => throughApple('rogue'), proof);
      await expectNothingLeft(app, () => throughOpenId('other'), proof);
    },
  );
});

describe('signing in with Apple', () => {
  it('keeps the name that Apple sends once, and finds the same account without it', async () => {
    const user = JSON.stringify({ name: { firstName: 'Noor', lastName: 'Smit\u0007' }, email: 'x@y.test' });
    const first = await throughApple('noor', { user, id_token: 'ignored' });
    expect(first.landed.href).toBe(`${publicUrl}/loading?next=%2Ftoc`);
    const firstUser = await userOf(first.page);
    expect(firstUser).toMatchObject({ email: 'noor@relay.test', emailVerified: true, name: 'Noor Smit' });
    expect(secrets).toHaveLength(1);
    const again = await throughApple('noor');
    expect(await userOf(again.page)).toMatchObject({ id: firstUser.id, name: 'Noor Smit' });
  });

  it('works without a name, or with an invalid one', async () => {
    people.nameless = { email: 'nameless@relay.test', email_verified: true };
    const { page } = await throughApple('nameless', { user: '{"name":["no","object"]}' });
    expect(await userOf(page)).toMatchObject({ email: 'nameless@relay.test', name: '' });
  });

  it('never takes over an account by an unverified email', async () => {
    await signUpAccount(app.db, app.clock, { email: 'victim@x.test', name: 'Victim', password: 'secret1' });
    expect(errorOf(await throughApple('mallory'))).toBe('auth/account-exists-with-different-credential');
    expect(errorOf(await throughApple('hidden'))).toBe('auth/missing-email');
  });

  it('reports a cancelled sign-in, also with Apple’s own code', async () => {
    expect(errorOf(await throughApple(null))).toBe('auth/user-cancelled');
    const page = browser();
    const { url } = (await page.post('/sign-in/social', { provider: 'apple', returnTo: '/' })).json();
    const state = new URL(url).searchParams.get('state') ?? '';
    const landed = await postAnswer(page, { error: 'user_cancelled_authorize', state });
    expect(errorOf({ landed })).toBe('auth/user-cancelled');
  });

  it('requests what Apple requires', async () => {
    const start = await browser().post('/sign-in/social', { provider: 'apple', returnTo: '/' });
    const params = Object.fromEntries(new URL(start.json().url).searchParams);
    expect(params).toMatchObject({
      client_id: 'example.nearhand.web',
      response_mode: 'form_post',
      response_type: 'code',
      scope: 'openid email name',
      nonce: expect.any(String),
    });
  });

  it('rejects invalid responses and ones for another browser', async () => {
    const start = await browser().post('/sign-in/social', { provider: 'apple', returnTo: '/' });
    const { posted } = await throughPages(start.json().url, 'noor', publicUrl);
    for (const bad of [
      posted ?? {},
      {},
      { code: 'x', state: 'y' },
      { code: 'c'.repeat(5_000), state: 'y' },
    ]) {
      const page = browser();
      expect(errorOf({ landed: await postAnswer(page, bad) })).toBe('auth/invalid-auth-event');
      expect((await page.post('/access-token')).statusCode).toBe(401);
    }
  });

  it('opens no other route to forms or to other sites', async () => {
    const headers = { origin: apple, 'content-type': 'application/x-www-form-urlencoded' };
    const form = await browser().send('POST', '/api/auth/sign-in/email', 'email=a', headers);
    expect(form.statusCode).toBe(403);
    const own = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await browser().send('POST', '/api/auth/sign-in/email', 'email=a', own)).statusCode).toBe(400);
  });
});

describe('signing in with an OpenID provider', () => {
  it('creates a verified account, and links one with the same verified email', async () => {
    const options = await app.apiAs(null).signIn.options();
    expect(options).toMatchObject({ apple: true, openId: { name: 'Harbour ID' }, google: false });
    const first = await throughOpenId('sam');
    expect(first.landed.href).toBe(`${publicUrl}/loading?next=%2Ftoc`);
    const user = await userOf(first.page);
    expect(user).toMatchObject({ email: 'sam@relay.test', emailVerified: true, name: 'Sam Okoro' });
    const linked = await throughApple('sam');
    expect((await userOf(linked.page)).id).toBe(user.id);
  });

  it('never takes over an account by an unverified email', async () => {
    expect(errorOf(await throughOpenId('mallory'))).toBe('auth/account-exists-with-different-credential');
  });
});

describe('the check of Apple and the OpenID provider', () => {
  beforeAll(() => {
    now = () => new Date();
  });
  const check = (changed: object = {}, minutes = 0) =>
    checkSocial({ ...app.config, ...changed }, { now: () => new Date(Date.now() + minutes * 60_000) });

  it('passes where sign-in works', async () =>
    expect(await check()).toEqual({ checked: ['Apple', 'Harbour ID'], problems: [] }));

  it.each([
    [{ APPLE_KEY_ID: 'another' }, /^Apple refuses the client/],
    [
      { APPLE_URL: 'http://127.0.0.1:1' },
      /^Apple’s keys can’t be read from http:\/\/127.0.0.1:1\/auth\/keys/,
    ],
    [{ OPENID_CLIENT_SECRET: 'wrong' }, /^Harbour ID refuses the client/],
    [{ OPENID_ISSUER: 'http://127.0.0.1:1' }, /^Harbour ID can’t be reached at http:\/\/127.0.0.1:1/],
    [
      { OPENID_ISSUER: issuer.replace('127.0.0.1', 'localhost') },
      /^Harbour ID calls itself http:\/\/127.0.0.1:\d+\. Set OPENID_ISSUER to that/,
    ],
  ])('reports what is wrong with %j', async (changed, message) => {
    expect((await check(changed)).problems).toEqual([expect.stringMatching(message)]);
  });

  it('reports a wrong clock', async () => {
    expect((await check({}, 10)).problems).toEqual([
      expect.stringMatching(/^The clock of this server is 10 minutes ahead\./),
    ]);
  });
});
