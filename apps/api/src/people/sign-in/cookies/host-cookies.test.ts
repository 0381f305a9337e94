import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../../test/harness.ts';
import { nativeSessionHeader } from '../../../platform/native-apps/native-apps.ts';
import { signUpAccount } from '../../accounts/accounts.fixtures.ts';
import { TestBrowser } from '../browser.fixtures.ts';
import { asHostCookie } from './host-cookies.ts';

const phone = 'https://localhost';
const app = useTestApp({
  PUBLIC_URL: 'https://nearhand.example',
  NATIVE_ORIGINS: phone,
  SIGN_INS_PER_MINUTE: '10000',
});
/** A server in development mode, which uses plain HTTP. */
const plain = useTestApp({ SIGN_INS_PER_MINUTE: '10000' });

const password = 'correct horse';
let count = 0;

async function signedIn(on = app) {
  const email = `cookies${++count}@example.test`;
  await signUpAccount(on.db, on.clock, { email, name: 'Leila Haddad', password });
  const page = new TestBrowser(on.server, on.config.PUBLIC_URL);
  const answer = await page.post('/sign-in/email', { email, password });
  expect(answer.statusCode, answer.body).toBe(200);
  return { email, page, answer };
}

const sessionOf = (page: TestBrowser, name: string) => `${name}=${page.cookies.get(name)}`;
const renew = async (cookie: string, on = app) => {
  const nobody = new TestBrowser(on.server, on.config.PUBLIC_URL);
  const answer = await nobody.post('/access-token', {}, { cookie });
  return answer.statusCode === 200 ? (answer.json().user.email as string) : answer.json().code;
};

describe('cookies over HTTPS', () => {
  const name = '__Host-nearhand.session_token';

  it('have the required prefix and attributes, all of them', async () => {
    const { answer, page } = await signedIn();
    const question = await page.post('/sign-in/passkey/options');
    const set = [answer, question].flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat());
    expect(set.map((cookie) => cookie.split('=')[0]).toSorted()).toEqual([
      '__Host-nearhand.devices',
      '__Host-nearhand.passkey',
      name,
    ]);
    for (const cookie of set) {
      expect(cookie).toMatch(/; Path=\/(;|$)/);
      expect(cookie).toMatch(/; Secure(;|$)/);
      expect(cookie).toMatch(/; HttpOnly(;|$)/);
      expect(cookie).toMatch(/; SameSite=(Lax|Strict)(;|$)/);
      expect(cookie.match(/; *Path=/gi)).toHaveLength(1);
      expect(cookie).not.toMatch(/Domain/i);
    }
  });

  it('renew the access token, open nothing else, and are deleted on sign-out', async () => {
    const { email, page } = await signedIn();
    const cookie = sessionOf(page, name);
    expect(await renew(cookie)).toBe(email);
    const mine = await app.raw({ url: '/api/accounts/me', headers: { cookie } });
    expect(mine.statusCode).toBe(401);
    const left = await page.post('/sign-out');
    const ended = [left.headers['set-cookie'] ?? []].flat().find((cookie) => cookie.startsWith(`${name}=;`));
    expect(ended).toMatch(/Max-Age=0;.*Path=\/; Secure$/);
    expect(await renew(cookie)).toBe('auth/user-token-expired');
  });

  it('resist cookies of a hostile subdomain', async () => {
    const victim = await signedIn();
    const attacker = await signedIn();
    const planted = attacker.page.cookies.get(name);
    for (const other of ['nearhand.session_token', '__Secure-nearhand.session_token']) {
      const forced = `${other}=${planted}`;
      expect(await renew(forced)).toBe('auth/user-token-expired');
      expect(await renew(`${forced}; ${sessionOf(victim.page, name)}`)).toBe(victim.email);
      expect(await renew(`${sessionOf(victim.page, name)}; ${forced}`)).toBe(victim.email);
    }
  });

  it('sign nobody in when two share a name', async () => {
    const victim = await signedIn();
    const attacker = await signedIn();
    const [own, planted] = [victim, attacker].map(({ page }) => sessionOf(page, name));
    expect(await renew(`${planted}; ${own}`)).toBe('auth/user-token-expired');
    expect(await renew(`${own}; ${planted}`)).toBe('auth/user-token-expired');
    expect(await renew(`${own}; ${own}`)).toBe(victim.email);
  });

  it("keep the plain name in a native app's jar", async () => {
    const { email } = await signedIn();
    const post = (path: string, payload: object, kept?: string) =>
      app.raw({
        method: 'POST',
        url: `/api/auth${path}`,
        payload,
        headers: { origin: phone, ...(kept ? { [nativeSessionHeader]: kept } : {}) },
      });
    const answer = await post('/sign-in/email', { email, password });
    const nativeSession = String(answer.headers[nativeSessionHeader]);
    expect(nativeSession).toMatch(/^nearhand\.session_token=/);
    const renewed = await post('/access-token', {}, nativeSession);
    expect(renewed.json().user, renewed.body).toMatchObject({ email });
  });
});

describe('cookies over plain HTTP', () => {
  const name = 'nearhand.session_token';

  it('are limited to the sign-in routes, and two of one name sign nobody in', async () => {
    const victim = await signedIn(plain);
    const attacker = await signedIn(plain);
    expect(victim.answer.cookies.find((cooky) => cooky.name === name)).toMatchObject({ path: '/api/auth' });
    const [own, planted] = [victim, attacker].map(({ page }) => sessionOf(page, name));
    expect(await renew(String(own), plain)).toBe(victim.email);
    expect(await renew(`${planted}; ${own}`, plain)).toBe('auth/user-token-expired');
  });
});

it('change no other part of a cookie', () => {
  expect(asHostCookie('a=b%3D; Max-Age=5; Path=/api/auth; HttpOnly; SameSite=Lax; Domain=x.test')).toBe(
    '__Host-a=b%3D; Max-Age=5; HttpOnly; SameSite=Lax; Path=/; Secure',
  );
});
