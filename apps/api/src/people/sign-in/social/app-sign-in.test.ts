import OpenIdProvider from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../../test/harness.ts';
import { nativeSessionHeader } from '../../../platform/native-apps/native-apps.ts';
import { signUpAccount } from '../../accounts/accounts.fixtures.ts';
import { codeOf } from '../second-step.fixtures.ts';
import { freshServer, throughPages } from './openid.fixtures.ts';

const { server, port } = await freshServer();
const issuer = `http://127.0.0.1:${port}`;
const publicUrl = 'http://localhost:22072';
const phone = 'capacitor://localhost';

const app = useTestApp({
  PUBLIC_URL: publicUrl,
  NATIVE_ORIGINS: phone,
  SIGN_INS_PER_MINUTE: '1000',
  OPENID_NAME: 'Harbour ID',
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: 'nearhand',
  OPENID_CLIENT_SECRET: 'a secret of the test',
});

beforeAll(() => {
  const provider = new OpenIdProvider(issuer, {
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, email: `${sub}@relay.test`, email_verified: true, name: 'Sam Okoro' }),
    }),
    features: { devInteractions: { enabled: true } },
    cookies: { keys: ['one'] },
    clients: [
      {
        client_id: 'nearhand',
        client_secret: 'a secret of the test',
        redirect_uris: [`${publicUrl}/api/auth/callback/openid`],
      },
    ],
  });
  server.on('request', provider.callback());
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** A phone's app: it stores the header's cookies as `native-cookie-store.ts` does. */
function newPhone(origin = phone) {
  let session = '';
  return {
    kept: () => session,
    async post(path: string, payload: object = {}) {
      const answer = await app.raw({
        method: 'POST',
        url: `/api/auth${path}`,
        payload,
        headers: { origin, ...(session === '' ? {} : { [nativeSessionHeader]: session }) },
      });
      const newSession = answer.headers[nativeSessionHeader];
      if (typeof newSession === 'string') session = newSession;
      return answer;
    },
  };
}
type Phone = ReturnType<typeof newPhone>;

/**
 * Completes the provider's pages in the phone's browser, which lacks the app's cookies, up to the page that hands the
 * response over.
 */
async function throughBrowser(on: Phone, login: string | null) {
  const begun = await on.post('/sign-in/social', { provider: 'openid', returnTo: '/toc' });
  expect(begun.statusCode, begun.body).toBe(200);
  const { url } = await throughPages(begun.json().url, login, publicUrl);
  const landed = await app.raw({ url: url.pathname + url.search });
  expect(landed.headers).not.toHaveProperty('set-cookie');
  const page = new URL(String(landed.headers.location));
  expect(page.origin + page.pathname).toBe(`${publicUrl}/loading`);
  return Object.fromEntries(new URLSearchParams(page.searchParams.get('app') ?? '')) as Record<
    string,
    string
  >;
}

const finish = (on: Phone, answer: object) => on.post('/sign-in/social/answer', answer);

describe('signing in by a provider inside an app', () => {
  it("goes through the phone's browser and ends in the app", async () => {
    const mine = newPhone();
    const answer = await throughBrowser(mine, 'sam');
    expect(answer).toMatchObject({ provider: 'openid', code: expect.any(String), state: expect.any(String) });
    const done = await finish(mine, answer);
    expect(done.statusCode, done.body).toBe(200);
    expect(done.json().user).toMatchObject({ email: 'sam@relay.test', emailVerified: true });
    expect(done.headers).not.toHaveProperty('set-cookie');
    expect(mine.kept()).toContain('session_token=');
    expect((await mine.post('/access-token')).statusCode).toBe(200);
  });

  it('is useless to another app that intercepts the response, or to a browser', async () => {
    const mine = newPhone();
    const answer = await throughBrowser(mine, 'sam');
    const thief = newPhone();
    // This includes an app that has started its own sign-in.
    await thief.post('/sign-in/social', { provider: 'openid', returnTo: '/' });
    const stolen = await finish(thief, answer);
    expect([stolen.statusCode, stolen.json().code]).toEqual([400, 'auth/invalid-auth-event']);
    expect(thief.kept()).not.toContain('session_token=');
    const fromPage = await finish(newPhone(publicUrl), answer);
    expect(fromPage.json().code).toBe('auth/operation-not-allowed');
  });

  it("rejects someone else's response, and a second use", async () => {
    const mallory = newPhone();
    const theirs = await throughBrowser(mallory, 'mallory');
    const mine = newPhone();
    await mine.post('/sign-in/social', { provider: 'openid', returnTo: '/' });
    expect((await finish(mine, theirs)).json().code).toBe('auth/invalid-auth-event');
    const answer = await throughBrowser(mine, 'sam');
    expect((await finish(mine, answer)).statusCode).toBe(200);
    expect((await finish(mine, answer)).json().code).toBe('auth/invalid-auth-event');
  });

  it('reports the cancellation', async () => {
    const mine = newPhone();
    const answer = await throughBrowser(mine, null);
    expect((await finish(mine, answer)).json().code).toBe('auth/user-cancelled');
  });

  it('requires the second step in the app', async () => {
    const password = 'correct horse';
    const email = 'careful@relay.test';
    const id = await signUpAccount(app.db, app.clock, { email, name: 'Careful', password });
    const mine = newPhone();
    await mine.post('/sign-in/email', { email, password });
    const { uri } = (await mine.post('/second-step/start', { password })).json() as { uri: string };
    // The library reads the real clock, and a code works once, so confirming takes the previous half minute's code.
    const confirmed = await mine.post('/second-step/confirm', { code: codeOf(uri, Date.now() - 30_000) });
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    const other = newPhone();
    const answer = await throughBrowser(other, 'careful');
    expect((await finish(other, answer)).json().code).toBe('auth/multi-factor-auth-required');
    expect(other.kept()).not.toContain('session_token=');
    const step = { code: codeOf(uri, Date.now()), recovery: false, trustDevice: false };
    const done = await other.post('/sign-in/second-step', step);
    expect(done.statusCode, done.body).toBe(200);
    expect(done.json().user).toMatchObject({ id });
  });

  it.each([
    [{}, 'auth/invalid-provider-id'],
    [{ provider: 'openid' }, 'auth/invalid-auth-event'],
    [{ provider: 'openid', code: 'c'.repeat(5_000) }, 'auth/argument-error'],
    [{ provider: 'openid', state: 7 }, 'auth/argument-error'],
  ])('rejects %j', async (answer, code) => {
    expect((await finish(newPhone(), answer)).json().code).toBe(code);
  });
});
