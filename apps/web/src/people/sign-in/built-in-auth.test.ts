import { minuteMs } from '@nearhand/contract/durations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AuthError } from '../../lib/api/auth-provider.ts';
import { endOfToken } from '../../lib/api/session-refresh.ts';
import { accessTokenKey, session, userKey } from '../../lib/session.ts';
import { createBuiltInAuth } from './built-in-auth.ts';

const user = { id: 'a', email: 'leila@x.test', emailVerified: true, name: 'Leila' };
const tokenUntil = (exp: number) => `h.${btoa(JSON.stringify({ exp })).replace(/=+$/, '')}.s`;
const grant = (minutes = 10, who = user) => ({
  token: tokenUntil(Math.floor(Date.now() / 1000) + minutes * 60),
  expiresAt: '',
  user: who,
});

const calls: { path: string; body: unknown }[] = [];
const languages: (string | null)[] = [];
let answers: Record<string, () => Response | Promise<Response>>;
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });
const failing = (code: string, status = 400) => json({ code }, status);

beforeEach(() => {
  vi.useFakeTimers();
  calls.length = 0;
  languages.length = 0;
  answers = {};
  session.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/login');
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    calls.push({ path, body: JSON.parse(String(init.body)) });
    languages.push(new Headers(init.headers).get('accept-language'));
    return (answers[path.replace('/api/auth', '')] ?? (() => json({})))();
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'no failure',
    (failure: unknown) => (failure instanceof AuthError ? failure.code : `not an AuthError: ${failure}`),
  );

describe('the built-in sign-in', () => {
  it("creates a new account in the page's language, not the browser’s", async () => {
    answers['/sign-up/email'] = () => json(grant());
    document.documentElement.lang = 'nl';
    await createBuiltInAuth().createAccount('leila@x.test', 'a quiet harbour 7');
    document.documentElement.lang = 'en';
    expect(languages).toEqual(['nl']);
  });

  it('keeps user and token on the device, and sign-out removes both', async () => {
    answers['/sign-in/email'] = () => json(grant());
    const auth = createBuiltInAuth();
    expect(await auth.signIn('leila@x.test', 'secret1')).toEqual(user);
    expect(JSON.parse(localStorage.getItem(userKey) ?? '')).toEqual(user);
    expect(localStorage.getItem(accessTokenKey)).toBe(session.accessToken());
    await auth.signOut();
    expect([localStorage.getItem(userKey), localStorage.getItem(accessTokenKey)]).toEqual([null, null]);
    expect(auth.currentUser()).toBeNull();
  });

  it("clears the device at sign-out without a network, and shows that the server wasn't notified", async () => {
    answers['/sign-in/email'] = () => json(grant());
    answers['/sign-out'] = () => Promise.reject(new TypeError('failed to fetch'));
    const auth = createBuiltInAuth();
    await auth.signIn('leila@x.test', 'secret1');
    expect(await codeOf(auth.signOut())).toBe('auth/network-request-failed');
    expect([localStorage.getItem(userKey), localStorage.getItem(accessTokenKey)]).toEqual([null, null]);
    expect(auth.currentUser()).toBeNull();
  });

  it('maps every failure to a code of the table', async () => {
    const auth = createBuiltInAuth();
    const signIn = () => codeOf(auth.signIn('a@x.test', 'x'));
    answers['/sign-in/email'] = () => failing('auth/invalid-credential', 401);
    expect(await signIn()).toBe('auth/invalid-credential');
    answers['/sign-in/email'] = () => failing('auth/something-new');
    expect(await signIn()).toBe('auth/internal-error');
    answers['/sign-in/email'] = () => new Response('<html>', { status: 500 });
    expect(await signIn()).toBe('auth/internal-error');
    answers['/sign-in/email'] = () => new Response('<html>', { status: 502 });
    expect(await signIn()).toBe('auth/network-request-failed');
    answers['/sign-in/email'] = () => Promise.reject(new TypeError('failed to fetch'));
    expect(await signIn()).toBe('auth/network-request-failed');
  });

  it('renews the token before it ends, once for concurrent callers', async () => {
    answers['/sign-in/email'] = () => json(grant());
    answers['/access-token'] = () => json(grant());
    const auth = createBuiltInAuth();
    await auth.signIn('leila@x.test', 'secret1');
    const first = session.accessToken();
    await vi.advanceTimersByTimeAsync(9 * minuteMs + 1_000);
    expect(calls.filter((call) => call.path.endsWith('/access-token'))).toHaveLength(1);
    expect(session.accessToken()).not.toBe(first);
    await Promise.all([auth.idToken({ fresh: true }), auth.idToken({ fresh: true })]);
    expect(calls.filter((call) => call.path.endsWith('/access-token'))).toHaveLength(2);
  });

  it('ends when the server ended the session, and stays without a network', async () => {
    answers['/sign-in/email'] = () => json(grant());
    const auth = createBuiltInAuth();
    await auth.signIn('leila@x.test', 'secret1');
    answers['/access-token'] = () => Promise.reject(new TypeError('failed to fetch'));
    expect(await codeOf(auth.idToken({ fresh: true }))).toBe('auth/network-request-failed');
    expect(auth.currentUser()).toEqual(user);
    answers['/access-token'] = () => failing('auth/user-token-expired', 401);
    expect(await auth.idToken({ fresh: true })).toBeNull();
    expect(auth.currentUser()).toBeNull();
  });

  it('changes a password only after proving the current one', async () => {
    answers['/sign-in/email'] = () => json(grant());
    answers['/change-password'] = () => json(grant());
    const auth = createBuiltInAuth();
    await auth.signIn('leila@x.test', 'secret1');
    expect(await codeOf(auth.updatePassword('secret2'))).toBe('auth/requires-recent-login');
    await auth.reauthenticate('leila@x.test', 'secret1');
    await auth.updatePassword('secret2');
    expect(calls.at(-1)?.body).toEqual({ currentPassword: 'secret1', newPassword: 'secret2' });
    expect(await codeOf(auth.updatePassword('secret3'))).toBe('auth/requires-recent-login');
  });

  it('finishes a redirect sign-in, fails with its code, and ignores a plain visit', async () => {
    answers['/access-token'] = () => json(grant());
    history.replaceState(null, '', '/loading?next=%2Ftoc');
    expect(await createBuiltInAuth().ready()).toBeNull();
    sessionStorage.setItem('nearhand-redirect-sign-in', '1');
    expect(await createBuiltInAuth().ready()).toEqual(user);
    history.replaceState(null, '', '/loading?error=auth%2Fuser-cancelled');
    expect(await codeOf(createBuiltInAuth().ready())).toBe('auth/user-cancelled');
  });

  it('reads the expiry of a token and handles any other text', () => {
    expect(endOfToken(tokenUntil(12))).toBe(12_000);
    for (const odd of ['', 'a', 'a.b.c', 'a.e30.c']) expect(endOfToken(odd)).toBe(0);
  });
});
