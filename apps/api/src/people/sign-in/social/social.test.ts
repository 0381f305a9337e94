import type { IncomingMessage } from 'node:http';
import OpenIdProvider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../../test/harness.ts';
import { signUpAccount } from '../../accounts/accounts.fixtures.ts';
import { TestBrowser } from '../browser.fixtures.ts';
import { disableAccount } from '../credentials.ts';
import { expectNothingLeft, mailboxProofs } from '../pre-hijacked.fixtures.ts';
import { codeOf } from '../second-step.fixtures.ts';
import { freshServer, throughPages } from './openid.fixtures.ts';

/** A real OpenID provider replaces Google, and a small OAuth server Facebook. */
const servers = await Promise.all([freshServer(), freshServer()]);
const [issuer, facebook] = servers.map(({ port }) => `http://127.0.0.1:${port}`) as [string, string];
const publicUrl = 'http://localhost:22070';

const app = useTestApp({
  PUBLIC_URL: publicUrl,
  SIGN_INS_PER_MINUTE: '1000',
  GOOGLE_ISSUER: issuer,
  GOOGLE_CLIENT_ID: 'nearhand',
  GOOGLE_CLIENT_SECRET: 'a secret of the test',
  FACEBOOK_CLIENT_ID: 'nearhand',
  FACEBOOK_CLIENT_SECRET: 'a secret of the test',
  FACEBOOK_AUTHORIZE_URL: `${facebook}/dialog`,
  FACEBOOK_TOKEN_URL: `${facebook}/token`,
  FACEBOOK_PROFILE_URL: `${facebook}/me?fields=id,name,email`,
});

/** The provider's people, by subject. */
const people: Record<string, { email: string; email_verified: boolean; name: string }> = {
  leila: { email: 'leila@gmail.test', email_verified: true, name: 'Leila Haddad' },
  ines: { email: 'ines@gmail.test', email_verified: true, name: 'Ines' },
  sam: { email: 'sam@gmail.test', email_verified: true, name: 'Sam Okoro' },
  mallory: { email: 'victim@x.test', email_verified: false, name: 'Mallory' },
};
let facebookPerson: Record<string, unknown> = {};

beforeAll(async () => {
  const provider = new OpenIdProvider(issuer, {
    clients: [
      {
        client_id: 'nearhand',
        client_secret: 'a secret of the test',
        redirect_uris: [`${publicUrl}/api/auth/callback/google`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...people[sub] }),
    }),
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['one'] },
  });
  const respond = (request: IncomingMessage): unknown => {
    if (request.url === '/token')
      return { access_token: 'an-access-token', token_type: 'bearer', expires_in: 3600 };
    return request.headers.authorization === 'Bearer an-access-token'
      ? facebookPerson
      : { error: 'no token' };
  };
  servers[0]?.server.on('request', provider.callback());
  servers[1]?.server.on('request', (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(respond(request)));
  });
});
afterAll(() => Promise.all(servers.map(({ server }) => new Promise((resolve) => server.close(resolve)))));

const browser = () => new TestBrowser(app.server, publicUrl);

/** Signs in through Google and returns the final app address. */
async function throughGoogle(login: string | null, page = browser(), returnTo = '/tabs/menu/account') {
  const start = await page.post('/sign-in/social', { provider: 'google', returnTo });
  expect(start.statusCode, start.body).toBe(200);
  const { url: back } = await throughPages(start.json().url, login, publicUrl);
  const response = await page.send('GET', back.pathname + back.search, undefined, { origin: undefined });
  expect(response.statusCode, response.body).toBe(302);
  return { page, landed: new URL(response.headers.location ?? '') };
}

async function throughFacebook(person: Record<string, unknown>, page = browser()) {
  facebookPerson = person;
  const start = await page.post('/sign-in/social', { provider: 'facebook', returnTo: '/' });
  const authorizeUrl = new URL(start.json().url);
  expect(authorizeUrl.origin).toBe(facebook);
  const back = `/api/auth/callback/facebook?code=abc&state=${authorizeUrl.searchParams.get('state')}`;
  const response = await page.send('GET', back, undefined, { origin: undefined });
  return { page, landed: new URL(response.headers.location ?? '') };
}

describe('signing in with Google', () => {
  it('creates a verified account, returns to the original page, and finds the same account next time', async () => {
    const { page, landed } = await throughGoogle('leila', browser(), '/job-desc/1?from=map');
    expect(landed.href).toBe(`${publicUrl}/loading?next=${encodeURIComponent('/job-desc/1?from=map')}`);
    const first = (await page.post('/access-token')).json();
    expect(first.user).toMatchObject({
      email: 'leila@gmail.test',
      emailVerified: true,
      name: 'Leila Haddad',
    });
    expect((await app.apiAs(first.token).accounts.me()).email).toBe('leila@gmail.test');
    const again = await throughGoogle('leila');
    expect((await again.page.post('/access-token')).json().user.id).toBe(first.user.id);
    const identities = await app.db
      .selectFrom('credentials')
      .selectAll()
      .where('accountId', '=', first.user.id)
      .execute();
    expect(identities).toHaveLength(1);
    expect(identities[0]?.accessToken ?? '').not.toContain('.');
  });

  it('gives a new account the language of the page it left, and keeps it', async () => {
    const language = async (accepted: string, login: string) => {
      const page = browser();
      const header = { 'accept-language': accepted };
      const start = await page.post('/sign-in/social', { provider: 'google', returnTo: '/' }, header);
      const { url } = await throughPages(start.json().url, login, publicUrl);
      await page.send('GET', url.pathname + url.search, undefined, {
        origin: undefined,
        'accept-language': 'es',
      });
      const { token } = (await page.post('/access-token')).json();
      return (await app.apiAs(token).accountSettings.get()).language;
    };
    expect(await language('fr', 'ines')).toBe('fr');
    expect(await language('de', 'ines')).toBe('fr');
  });

  it('links to the account with the same verified email', async () => {
    const id = await signUpAccount(app.db, app.clock, {
      email: 'sam@gmail.test',
      name: 'Sam',
      password: 'secret1',
    });
    const { page } = await throughGoogle('sam');
    expect((await page.post('/access-token')).json().user.id).toBe(id);
  });

  it('never takes over an account by an unverified email', async () => {
    await signUpAccount(app.db, app.clock, { email: 'victim@x.test', name: 'Victim', password: 'secret1' });
    const { page, landed } = await throughGoogle('mallory');
    expect(landed.searchParams.get('error')).toBe('auth/account-exists-with-different-credential');
    expect((await page.post('/access-token')).statusCode).toBe(401);
  });

  it('reports a cancelled sign-in and a disabled account', async () => {
    const turned = await throughGoogle(null);
    expect(turned.landed.pathname).toBe('/loading');
    expect(turned.landed.searchParams.get('error')).toBe('auth/user-cancelled');
    const { page } = await throughGoogle('leila');
    const { user } = (await page.post('/access-token')).json();
    await app.db.transaction().execute((tx) => disableAccount(tx, app, user.id));
    const { landed } = await throughGoogle('leila');
    expect(landed.searchParams.get('error')).toBe('auth/user-disabled');
  });

  it('rejects a response for another browser, or for none', async () => {
    const start = await browser().post('/sign-in/social', { provider: 'google', returnTo: '/' });
    const { url: back } = await throughPages(start.json().url, 'leila', publicUrl);
    for (const path of [
      back.pathname + back.search,
      '/api/auth/callback/google',
      '/api/auth/callback/%00?code=1&state=2',
    ]) {
      const response = await browser().send('GET', path, undefined, { origin: undefined });
      expect(response.statusCode).toBe(302);
      expect(response.headers.location).toMatch(/^http:\/\/localhost:22070\/loading\?(.*&)?error=auth%2F/);
      expect(
        response.cookies.some((cookie) => cookie.name.includes('session_token') && cookie.value !== ''),
      ).toBe(false);
    }
  });

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', ''])(
    'does not redirect to %s',
    async (returnTo) => {
      const response = await browser().post('/sign-in/social', { provider: 'google', returnTo });
      expect([response.statusCode, response.json().code]).toEqual([400, 'auth/invalid-continue-uri']);
    },
  );
});

describe('signing in with Facebook', () => {
  it('creates an account with an unverified email', async () => {
    const { page, landed } = await throughFacebook({ id: '4711', name: 'Noor Smit', email: 'noor@x.test' });
    expect(landed.searchParams.get('error')).toBeNull();
    const { user } = (await page.post('/access-token')).json();
    expect(user).toMatchObject({ email: 'noor@x.test', emailVerified: false, name: 'Noor Smit' });
  });

  it('does not link to an account by email alone, and requires an email', async () => {
    await signUpAccount(app.db, app.clock, { email: 'kim@x.test', name: 'Kim', password: 'secret1' });
    const { landed } = await throughFacebook({ id: '1', name: 'Kim', email: 'kim@x.test' });
    expect(landed.searchParams.get('error')).toBe('auth/account-exists-with-different-credential');
    const nameless = await throughFacebook({ id: '2', name: 'Nobody' });
    expect(nameless.landed.searchParams.get('error')).toBe('auth/missing-email');
  });
});

describe('an unreachable provider', () => {
  const without = useTestApp({
    GOOGLE_ISSUER: 'http://127.0.0.1:9',
    GOOGLE_CLIENT_ID: 'x',
    GOOGLE_CLIENT_SECRET: 'y',
  });

  it('fails with a code, and blocks nothing else', async () => {
    const page = new TestBrowser(without.server, without.config.PUBLIC_URL);
    const google = await page.post('/sign-in/social', { provider: 'google', returnTo: '/' });
    expect(google.json().code).toBe('auth/operation-not-allowed');
    const facebook = await page.post('/sign-in/social', { provider: 'facebook', returnTo: '/' });
    expect(facebook.json().code).toBe('auth/operation-not-allowed');
    const other = await page.post('/sign-in/social', { provider: 'myspace', returnTo: '/' });
    expect(other.json().code).toBe('auth/invalid-provider-id');
    expect((await page.post('/sign-up/email', { email: 'a@x.test', password: 'horse6' })).statusCode).toBe(
      200,
    );
  });
});

describe('an account that a stranger moved to the address of someone else', () => {
  people.rogue = { email: 'rogue@gmail.test', email_verified: false, name: 'Mallory' };
  const facebookRogue = { id: '666', name: 'Mallory', email: 'rogue@facebook.test' };

  it.each(mailboxProofs)(
    "no longer opens through the stranger's providers once its owner proves the mailbox: %s",
    async (proof) => {
      app.clock.set(new Date());
      await expectNothingLeft(app, () => throughGoogle('rogue'), proof);
      await expectNothingLeft(app, () => throughFacebook(facebookRogue), proof);
    },
  );

  it("isn't verified by a provider that vouches for it later", async () => {
    const email = 'later@gmail.test';
    people.later = { email: 'first@gmail.test', email_verified: false, name: 'Mallory' };
    const { page } = await throughGoogle('later');
    const { user } = (await page.post('/access-token')).json();
    await page.post('/correct-email', { email });
    people.later = { email, email_verified: true, name: 'Mallory' };
    const again = await throughGoogle('later');
    expect((await again.page.post('/access-token')).json().user).toMatchObject({
      id: user.id,
      email,
      emailVerified: false,
    });
  });
});

describe('an account with a second step', () => {
  it('requires it after Google too, with no session before', async () => {
    people.noor = { email: 'noor@gmail.test', email_verified: true, name: 'Noor Jansen' };
    await signUpAccount(app.db, app.clock, {
      email: 'noor@gmail.test',
      name: 'Noor',
      password: 'correct horse',
    });
    const owner = browser();
    await owner.post('/sign-in/email', { email: 'noor@gmail.test', password: 'correct horse' });
    const { uri } = (await owner.post('/second-step/start', { password: 'correct horse' })).json();
    await owner.post('/second-step/confirm', { code: codeOf(uri, Date.now() - 30_000) });
    const { page, landed } = await throughGoogle('noor', browser(), '/job-desc/1');
    expect([
      landed.pathname,
      landed.searchParams.get('second-step'),
      landed.searchParams.get('next'),
    ]).toEqual(['/login', '1', '/job-desc/1']);
    expect((await page.post('/access-token')).statusCode).toBe(401);
    const answer = { code: codeOf(uri, Date.now()), recovery: false, trustDevice: false };
    const done = await page.post('/sign-in/second-step', answer);
    expect(done.json()).toMatchObject({ user: { email: 'noor@gmail.test' } });
  });
});
