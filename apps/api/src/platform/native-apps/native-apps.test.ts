import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../../people/accounts/accounts.fixtures.ts';
import { codeOf } from '../../people/sign-in/second-step.fixtures.ts';
import { readConfig } from '../config/config.ts';
import { nativeSessionHeader } from './native-apps.ts';

const fingerprint = Array(32).fill('AB').join(':');
const app = useTestApp({
  NATIVE_ORIGINS: 'https://localhost, capacitor://localhost',
  ANDROID_CERTIFICATES: fingerprint.toLowerCase(),
  IOS_APP_IDS: 'ABCDE12345.com.nearhand.app',
});
const plain = useTestApp();

const phone = 'https://localhost';
const elsewhere = 'https://elsewhere.example';
const password = 'correct horse';
let count = 0;

async function known() {
  const email = `phone${++count}@example.test`;
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
  return { id, email };
}

type Options = { origin?: string; session?: string; cookie?: string; on?: typeof app };

const post = (path: string, payload: object, { origin = phone, session, cookie, on = app }: Options = {}) =>
  on.raw({
    method: 'POST',
    url: `/api/auth${path}`,
    payload,
    headers: {
      origin,
      'sec-fetch-site': 'cross-site',
      ...(session === undefined ? {} : { [nativeSessionHeader]: session }),
      ...(cookie === undefined ? {} : { cookie }),
    },
  });

describe('the API for native apps', () => {
  const preflight = (origin: string, on = app) =>
    on.raw({
      method: 'OPTIONS',
      url: '/api/jobs/nearby',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, idempotency-key',
      },
    });

  it('allows the preflight of an app, and of no other origin', async () => {
    for (const origin of [phone, 'capacitor://localhost']) {
      const answer = await preflight(origin);
      expect(answer.statusCode).toBe(204);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization, idempotency-key',
        vary: 'origin',
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
    }
    for (const origin of [elsewhere, 'null', 'http://localhost', 'https://localhost.elsewhere.example']) {
      const answer = await preflight(origin);
      expect(answer.statusCode).toBe(404);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expect((await preflight(phone, plain)).headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('lets an app read responses and errors', async () => {
    const url = '/api/notifications';
    const refused = await app.raw({ url, headers: { origin: phone } });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['access-control-allow-origin']).toBe(phone);
    expect(refused.headers['access-control-expose-headers']).toContain(nativeSessionHeader);
    const foreign = await app.raw({ url, headers: { origin: elsewhere } });
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('lets an app check whether it can reach the server', async () => {
    const answer = await app.raw({ url: '/health/live', headers: { origin: phone } });
    expect(answer.headers['access-control-allow-origin']).toBe(phone);
    expect(answer.json()).toEqual({ status: 'live' });
    const foreign = await app.raw({ url: '/health/live', headers: { origin: elsewhere } });
    expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('lets pages embed files only when apps are configured', async () => {
    const url = '/api/files/01a1fbbc-d019-79f0-8086-994049deb373';
    const policy = 'cross-origin-resource-policy';
    expect((await app.raw({ url })).headers[policy]).toBe('cross-origin');
    expect((await app.raw({ url: '/api/notifications' })).headers[policy]).toBe('same-origin');
    expect((await plain.raw({ url })).headers[policy]).toBe('same-origin');
  });
});

describe('sessions of native apps', () => {
  const signIn = async () => {
    const { email } = await known();
    const answer = await post('/sign-in/email', { email, password });
    expect(answer.statusCode, answer.body).toBe(200);
    return { email, answer, session: String(answer.headers[nativeSessionHeader]) };
  };

  it('travel in a header instead of a cookie, renew the access token, and end', async () => {
    const { answer, session } = await signIn();
    expect(answer.headers).not.toHaveProperty('set-cookie');
    const [, secret = ''] = /nearhand\.session_token=([^;.]+)/.exec(session) ?? [];
    expect(secret.length).toBeGreaterThan(20);
    expect(answer.body).not.toContain(secret);
    const renewed = await post('/access-token', {}, { session });
    expect(renewed.statusCode).toBe(200);
    const { token } = renewed.json() as { token: string };
    const mine = await app.raw({
      url: '/api/accounts/me',
      headers: { origin: phone, authorization: `Bearer ${token}` },
    });
    expect(mine.statusCode, mine.body).toBe(200);
    const left = await post('/sign-out', {}, { session });
    expect(left.statusCode).toBe(200);
    // The known-device cookie stays, as in a browser.
    expect(String(left.headers[nativeSessionHeader])).not.toContain('session_token=');
    const over = await post('/access-token', {}, { session });
    expect([over.statusCode, over.json().code]).toEqual([401, 'auth/user-token-expired']);
  });

  it('are available to apps only', async () => {
    const { email, session } = await signIn();
    for (const origin of [elsewhere, 'null', 'https://localhost:8443']) {
      const answer = await post('/sign-in/email', { email, password }, { origin });
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'auth/unauthorized-domain']);
      expect(answer.headers).not.toHaveProperty(nativeSessionHeader);
    }
    const own = app.config.PUBLIC_URL;
    const headers = { origin: own, 'sec-fetch-site': 'same-origin', [nativeSessionHeader]: session };
    const fromPage = await app.raw({ method: 'POST', url: '/api/auth/access-token', payload: {}, headers });
    expect(fromPage.statusCode).toBe(401);
    const atPlain = await post('/access-token', {}, { session, on: plain });
    expect(atPlain.json().code).toBe('auth/unauthorized-domain');
  });

  it('require the second step as in a browser, and remember a trusted phone', async () => {
    const { email, session } = await signIn();
    const started = await post('/second-step/start', { password }, { session });
    const { uri } = started.json() as { uri: string };
    // The library reads the real clock, and a code works once, so confirming takes the previous half minute's code.
    const confirmed = await post(
      '/second-step/confirm',
      { code: codeOf(uri, Date.now() - 30_000) },
      { session },
    );
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    const signedIn = await post('/sign-in/email', { email, password });
    expect(signedIn.json().code).toBe('auth/multi-factor-auth-required');
    const pending = String(signedIn.headers[nativeSessionHeader]);
    expect(pending).toContain('two_factor=');
    expect(pending).not.toContain('session_token=');
    expect((await post('/access-token', {}, { session: pending })).statusCode).toBe(401);
    const answer = { code: codeOf(uri, Date.now()), recovery: false, trustDevice: true };
    const done = await post('/sign-in/second-step', answer, { session: pending });
    expect(done.statusCode, done.body).toBe(200);
    const trusted = String(done.headers[nativeSessionHeader]);
    expect(trusted).not.toContain('two_factor=');
    expect((await post('/sign-in/email', { email, password }, { session: trusted })).statusCode).toBe(200);
  });

  it('never come from a cookie, and forged ones fail', async () => {
    const { session } = await signIn();
    const both = await post('/access-token', {}, { cookie: session });
    expect(both.json().code).toBe('auth/unauthorized-domain');
    const [name = '', value = ''] =
      session
        .split('; ')
        .find((cookie) => cookie.includes('session_token'))
        ?.split('=') ?? [];
    expect(value).not.toBe('');
    for (const forged of [`${name}=${value.slice(0, -3)}`, 'session=1', '=', 'x'.repeat(5_000), `${name}=`])
      expect((await post('/access-token', {}, { session: forged })).statusCode).toBe(401);
  });
});

describe('files that name the apps', () => {
  it('come from the configuration', async () => {
    const android = await app.raw({ url: '/.well-known/assetlinks.json' });
    expect(android.headers['content-type']).toContain('application/json');
    expect(android.json()).toEqual([
      {
        relation: ['delegate_permission/common.handle_all_urls'],
        target: {
          namespace: 'android_app',
          package_name: 'com.nearhand.app',
          sha256_cert_fingerprints: [fingerprint],
        },
      },
    ]);
    const ios = await app.raw({ url: '/.well-known/apple-app-site-association' });
    expect(ios.headers['content-type']).toContain('application/json');
    const [details] = ios.json().applinks.details;
    expect(details.appIDs).toEqual(['ABCDE12345.com.nearhand.app']);
    expect(details.components[0]).toEqual({ '/': '/api/*', exclude: true });
    expect(details.components.at(-1)).toEqual({ '/': '*' });
  });

  it("don't exist without it", async () => {
    for (const file of ['assetlinks.json', 'apple-app-site-association'])
      expect((await plain.raw({ url: `/.well-known/${file}` })).statusCode).toBe(404);
  });

  it.each([
    ['NATIVE_ORIGINS', '*'],
    ['NATIVE_ORIGINS', 'null'],
    ['NATIVE_ORIGINS', 'https://localhost/app'],
    ['ANDROID_CERTIFICATES', 'AB:CD'],
    ['ANDROID_APP_ID', 'nearhand'],
    ['IOS_APP_IDS', 'com.nearhand.app'],
  ])('reject a configuration with %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });
});
