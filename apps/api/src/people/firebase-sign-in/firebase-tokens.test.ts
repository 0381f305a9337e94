import { afterAll, describe, expect, it, vi } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { FakeFirebase } from './fake-firebase.fixtures.ts';

const start = '2026-11-21T09:00:00Z';
type Options = Parameters<FakeFirebase['token']>[1];
let count = 0;
const newEmail = () => `token${++count}@example.test`;

describe('the keys of ID tokens', () => {
  const own: { firebase?: FakeFirebase } = {};
  const other = useTestApp(async () => {
    own.firebase = await FakeFirebase.start(other.clock);
    return { ...own.firebase.settings(), SIGN_INS_PER_MINUTE: '10000' };
  });
  afterAll(() => own.firebase?.close());

  it("let nobody in while they can't be fetched, and are refetched later and after a rotation", async () => {
    const google = own.firebase as FakeFirebase;
    const account = google.add({ email: newEmail() });
    const signIn = async () => {
      const page = new TestBrowser(other.server, other.config.PUBLIC_URL);
      const response = await page.post('/firebase/session', { idToken: await google.token(account) });
      return [response.statusCode, response.json().code];
    };
    google.keysDown = true;
    expect(await signIn()).toEqual([503, 'auth/network-request-failed']);
    google.keysDown = false;
    expect(await signIn()).toEqual([200, undefined]);
    expect(await signIn()).toEqual([200, undefined]);
    expect(google.calls.filter((path) => path === '/keys')).toHaveLength(2);
    await google.rotateKeys();
    // The keys are requested at most every 30 seconds.
    expect(await signIn()).toEqual([401, 'auth/invalid-user-token']);
    const later = Date.now() + 31_000;
    const now = vi.spyOn(Date, 'now').mockImplementation(() => later);
    expect(await signIn()).toEqual([200, undefined]);
    now.mockRestore();
    google.down = true;
    expect(await signIn()).toEqual([503, 'auth/network-request-failed']);
  });
});

describe('the emulator', () => {
  const own: { firebase?: FakeFirebase } = {};
  const emulated = useTestApp(async () => {
    own.firebase = await FakeFirebase.start(emulated.clock);
    return { ...own.firebase.settings(), FIREBASE_AUTH_EMULATOR: own.firebase.url };
  });
  afterAll(() => own.firebase?.close());

  it('can send unsigned tokens, for this project only', async () => {
    const fake = own.firebase as FakeFirebase;
    const account = fake.add({ email: newEmail() });
    const post = async (options: Options) => {
      const idToken = await fake.token(account, { key: 'none', ...options });
      const page = new TestBrowser(emulated.server, emulated.config.PUBLIC_URL);
      return (await page.post('/firebase/session', { idToken })).json();
    };
    expect((await post({})).user.email).toBe(account.email);
    expect((await post({ project: 'other-project' })).code).toBe('auth/app-not-authorized');
    expect((await post({ issuedAt: new Date(Date.parse(start) - 3_720_000) })).code).toBe(
      'auth/user-token-expired',
    );
  });
});
