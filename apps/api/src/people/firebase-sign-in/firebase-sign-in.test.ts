import { createHash } from 'node:crypto';
import { subtractMs } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { newResetToken } from '../sign-in/credentials.ts';
import { accountConfirmedNow, codeOf } from '../sign-in/second-step.fixtures.ts';
import { FakeFirebase } from './fake-firebase.fixtures.ts';

const start = '2026-11-21T09:00:00Z';
let firebase: FakeFirebase;
const app = useTestApp(async () => {
  firebase = await FakeFirebase.start(app.clock);
  return { ...firebase.settings(), SIGN_INS_PER_MINUTE: '10000' };
});
afterAll(() => firebase.close());
beforeEach(() => app.clock.set(start));

let count = 0;
const newEmail = () => `firebase${++count}@example.test`;
const browser = () => new TestBrowser(app.server, app.config.PUBLIC_URL);
type Options = Parameters<FakeFirebase['token']>[1];
type Account = ReturnType<FakeFirebase['add']>;

/** Sends an account's ID token from a browser. */
async function send(account: Account, options: Options = {}, page = browser()) {
  const idToken = await firebase.token(account, options);
  const response = await page.post('/firebase/session', { idToken });
  return { page, response, status: response.statusCode, body: response.json() };
}

/** A person who has signed in. */
async function member(options: Partial<Account> = {}) {
  const account = firebase.add({ email: newEmail(), emailVerified: true, ...options });
  const { page, body, status } = await send(account);
  expect(status, JSON.stringify(body)).toBe(200);
  await accountConfirmedNow(app, body.user.id);
  return { account, page, id: body.user.id as string, api: app.apiAs(body.token), token: body.token };
}
const ago = (minutes: number) => subtractMs(app.clock.now(), minutes * 60_000);
const refusal = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const linkOf = (accountId: string) =>
  app.db.selectFrom('firebase_identities').selectAll().where('accountId', '=', accountId).executeTakeFirst();

describe('an ID token', () => {
  it.each([
    ['before its session is opened', 'before'],
    ['just after', 'after'],
  ])('opens nothing for an account that is removed %s', async (_when, when) => {
    const { account, id } = await member();
    await app.pool.query(`
      create function test_remove_account() returns trigger language plpgsql as $$
        begin update accounts set disabled_at = now() where id = new.account_id; return new; end $$;
      create trigger test_removed ${when === 'before' ? 'after update on firebase_identities' : 'after insert on sessions'}
        for each row execute function test_remove_account()`);
    const answer = await send(account).finally(() =>
      app.pool.query('drop function test_remove_account() cascade'),
    );
    expect(refusal(answer)).toEqual([403, 'auth/user-disabled']);
    expect(
      await app.db.selectFrom('sessions').select('id').where('accountId', '=', id).execute(),
    ).toHaveLength(when === 'before' ? 1 : 2);
    expect((await answer.page.post('/access-token')).statusCode).toBe(401);
  });

  it('opens a session for a new account, and for the same one next time', async () => {
    const account = firebase.add({ email: newEmail(), displayName: 'Sam Okoro' });
    const first = await send(account);
    expect(first.body.user).toMatchObject({ email: account.email, emailVerified: false, name: 'Sam Okoro' });
    expect((await app.apiAs(first.body.token).accounts.me()).email).toBe(account.email);
    const again = await send(account);
    expect(again.body.user.id).toBe(first.body.user.id);
    expect((await app.apiAs(again.body.token).signIn.secondStep()).hasPassword).toBe(true);
  });

  it('gives a new account the language of the page, which a later sign-in keeps', async () => {
    const account = firebase.add({ email: newEmail(), emailVerified: true });
    const language = async (accepted: string) => {
      const idToken = await firebase.token(account);
      const header = { 'accept-language': accepted };
      const { token } = (await browser().post('/firebase/session', { idToken }, header)).json();
      return (await app.apiAs(token).accountSettings.get()).language;
    };
    expect(await language('ar')).toBe('ar');
    expect(await language('de')).toBe('ar');
  });

  it('of Facebook creates an account with an unverified address, so guarded screens stay closed', async () => {
    const account = firebase.add({ email: newEmail(), password: null, providers: ['facebook.com'] });
    const { body } = await send(account, { provider: 'facebook.com' });
    expect(body.user).toMatchObject({ email: account.email, emailVerified: false });
    expect(await failure(app.apiAs(body.token).conversations.unread({}))).toMatchObject({
      status: 403,
      code: 'session/email-not-verified',
    });
  });

  it('of two concurrent first sign-ins creates one account', async () => {
    const account = firebase.add({ email: newEmail() });
    const both = await Promise.all([send(account), send(account)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both[0].body.user.id).toBe(both[1].body.user.id);
  });

  it("refreshes the browser's session when the address is verified", async () => {
    const account = firebase.add({ email: newEmail() });
    const { page, body } = await send(account);
    account.emailVerified = true;
    const after = await send(account, {}, page);
    expect(after.body.user).toMatchObject({ id: body.user.id, emailVerified: true });
    expect((await page.post('/access-token')).statusCode).toBe(200);
  });

  it.each<[string, Options, number, string]>([
    ['expired', { issuedAt: new Date(Date.parse(start) - 3_720_000) }, 401, 'auth/user-token-expired'],
    ['unsigned', { key: 'none' }, 401, 'auth/invalid-user-token'],
    ['signed by a stranger', { key: 'stranger' }, 401, 'auth/invalid-user-token'],
    ['of another project', { project: 'other-project' }, 403, 'auth/app-not-authorized'],
    ['for nobody', { claims: { sub: '', auth_time: 'x' } }, 401, 'auth/invalid-user-token'],
    [
      'from ten minutes ahead',
      { issuedAt: new Date(Date.parse(start) + 600_000), signedInAt: new Date(Date.parse(start) + 600_000) },
      401,
      'auth/invalid-user-token',
    ],
    [
      'whose sign-in lies ahead',
      { signedInAt: new Date(Date.parse(start) + 600_000) },
      401,
      'auth/invalid-user-token',
    ],
  ])('%s is refused', async (_name, options, status, code) => {
    const account = firebase.add({ email: newEmail(), emailVerified: true });
    const sent = await send(account, options);
    expect(refusal(sent)).toEqual([status, code]);
    expect(sent.page.cookies.size).toBe(0);
  });

  it('tolerates clock skew: half a minute ahead of ours and ten minutes behind', async () => {
    const account = firebase.add({ email: newEmail() });
    const ahead = new Date(Date.parse(start) + 30_000);
    expect((await send(account, { issuedAt: ahead, signedInAt: ahead })).status).toBe(200);
    expect((await send(account, { issuedAt: ago(10), signedInAt: ago(10) })).status).toBe(200);
  });

  it('rejects other input: text, an empty body, one that is too long', async () => {
    for (const body of [{}, { idToken: 7 }, { idToken: 'x'.repeat(9_000) }, null])
      expect((await browser().post('/firebase/session', body)).json().code).toBe('auth/argument-error');
    expect((await browser().post('/firebase/session', { idToken: 'a.b.c' })).json().code).toBe(
      'auth/invalid-user-token',
    );
  });

  it('of an account that was disabled, removed or signed out since is rejected', async () => {
    const account = firebase.add({ email: newEmail(), validSince: Date.parse(start) / 1_000 });
    expect(refusal(await send(account, { signedInAt: ago(2) }))).toEqual([401, 'auth/user-token-expired']);
    account.disabled = true;
    expect(refusal(await send(account))).toEqual([403, 'auth/user-disabled']);
    firebase.accounts.delete(account.localId);
    expect(refusal(await send(account))).toEqual([401, 'auth/user-not-found']);
  });
});

describe('an account of ours with the same address', () => {
  const existing = async (emailVerified = true) => {
    const email = newEmail();
    const options = { email, name: 'Noor', password: 'correct horse', emailVerified };
    return { email, id: await signUpAccount(app.db, app.clock, options) };
  };

  it("doesn't open with a password at Firebase, verified or not", async () => {
    const { email, id } = await existing();
    for (const emailVerified of [false, true]) {
      const account = firebase.add({ email, emailVerified, localId: `copy-${email}` });
      const sent = await send(account);
      expect(refusal(sent)).toEqual([409, 'auth/account-exists-with-different-credential']);
      expect(sent.page.cookies.size).toBe(0);
    }
    expect(await linkOf(id)).toBeUndefined();
  });

  it('is linked by Google, which proves the mailbox, and then loses its password here', async () => {
    const { email, id } = await existing();
    const account = firebase.add({ email, emailVerified: true, providers: ['google.com'] });
    const { body } = await send(account, { provider: 'google.com' });
    expect(body.user.id).toBe(id);
    const left = await app.db.selectFrom('credentials').select('id').where('accountId', '=', id).execute();
    expect(left).toEqual([]);
  });

  it("doesn't open with Facebook, whatever it claims about the address, and keeps its password", async () => {
    const { email, id } = await existing();
    for (const emailVerified of [false, true]) {
      const account = firebase.add({
        email,
        emailVerified,
        providers: ['facebook.com'],
        localId: `f-${email}`,
      });
      const sent = await send(account, { provider: 'facebook.com' });
      expect(refusal(sent)).toEqual([409, 'auth/account-exists-with-different-credential']);
      expect(sent.page.cookies.size).toBe(0);
    }
    expect(await linkOf(id)).toBeUndefined();
    const credentials = await app.db
      .selectFrom('credentials')
      .select('id')
      .where('accountId', '=', id)
      .execute();
    expect(credentials).toHaveLength(1);
  });

  it('is linked in a browser that is signed in to it', async () => {
    const email = newEmail();
    const { page, id, account } = await member({ email });
    // Simulates an older account: its link was deleted, and Firebase has another one.
    await app.db.deleteFrom('firebase_identities').where('accountId', '=', id).execute();
    firebase.accounts.delete(account.localId);
    const fresh = firebase.add({ email, emailVerified: true, localId: `fresh-${id}` });
    expect(refusal(await send(fresh))).toEqual([409, 'auth/account-exists-with-different-credential']);
    expect((await send(fresh, {}, page)).body.user.id).toBe(id);
  });

  it('that never verified it is not linked', async () => {
    const { email } = await existing(false);
    const account = firebase.add({ email, emailVerified: true, providers: ['google.com'] });
    expect(refusal(await send(account, { provider: 'google.com' }))).toEqual([
      409,
      'auth/account-exists-with-different-credential',
    ]);
  });
});

describe('where money moves', () => {
  const move = (api: Awaited<ReturnType<typeof member>>['api']) =>
    failure(api.payouts.makeMethodDefault({ methodId: crypto.randomUUID() }));

  it('checks with Firebase again: a disabled account ends at once, and reads check nothing', async () => {
    const { api, account, page } = await member();
    expect((await move(api)).code).toBe('payout/method-not-found');
    account.disabled = true;
    const callsBefore = firebase.calls.length;
    await api.accounts.me();
    expect(firebase.calls).toHaveLength(callsBefore);
    expect(await move(api)).toMatchObject({ status: 401, code: 'session/expired' });
    expect((await page.post('/access-token')).json().code).toBe('auth/user-token-expired');
  });

  it('ends a revoked session and rejects everything without a response', async () => {
    const { api, account } = await member();
    firebase.down = true;
    expect(await move(api)).toMatchObject({ status: 503, code: 'request/unavailable' });
    firebase.down = false;
    expect((await move(api)).code).toBe('payout/method-not-found');
    account.validSince = Math.floor(Date.now() / 1_000) + 120;
    expect((await move(api)).code).toBe('session/expired');
  });

  it('renews a token only for accounts in good standing, even without a response', async () => {
    const { account, page } = await member();
    firebase.down = true;
    expect((await page.post('/access-token')).statusCode).toBe(200);
    firebase.down = false;
    firebase.accounts.delete(account.localId);
    expect((await page.post('/access-token')).json().code).toBe('auth/user-token-expired');
  });
});

describe('the socket of someone who signed in at Firebase', () => {
  it('closes with its token and reopens only with a new one', async () => {
    const { account, page, token } = await member();
    app.clock.forward({ minutes: peopleLimits.accessTokenMinutes, seconds: -1 });
    const socket = await app.socket({ token });
    expect(socket.socket.connected).toBe(true);
    expect(await socket.ended()).toBe('transport close');
    expect(socket.signals).toEqual([]);
    const renewed = await page.post('/access-token');
    const next = await app.socket({ token: renewed.json().token });
    account.disabled = true;
    expect((await page.post('/access-token')).json().code).toBe('auth/user-token-expired');
    await next.received({ kind: 'session-ended' });
  });
});

describe('a password at Firebase', () => {
  it('signs in through the server, for the console, with the same errors', async () => {
    const { account, id } = await member({ password: 'correct horse' });
    const signIn = async (password: string) =>
      (await browser().post('/sign-in/email', { email: account.email, password })).json();
    expect((await signIn('correct horse')).user.id).toBe(id);
    expect((await signIn('wrong horse')).code).toBe('auth/invalid-credential');
    account.disabled = true;
    expect((await signIn('correct horse')).code).toBe('auth/user-disabled');
  });

  it('accepts only a recent proof of the same user', async () => {
    const firstMember = await member();
    const secondMember = await member();
    const prove = async (account: Account, options?: Options) => {
      const idToken = await firebase.token(account, options);
      return (await firstMember.page.post('/firebase/proof', { idToken })).json().code;
    };
    expect(await prove(secondMember.account)).toBe('auth/user-mismatch');
    expect(await prove(firstMember.account, { signedInAt: ago(6) })).toBe('auth/requires-recent-login');
    expect(await prove(firstMember.account)).toBeUndefined();
    const typed = { email: firstMember.account.email, password: 'nope' };
    expect((await firstMember.page.post('/verify-password', typed)).json().code).toBe('auth/wrong-password');
    expect((await browser().post('/firebase/proof', { idToken: 'x' })).json().code).toBe(
      'auth/user-token-expired',
    );
  });

  it('is compared with the common ones in the browser, which sends two letters of its hash', async () => {
    const ask = (body: unknown) => browser().post('/firebase/common-passwords', body);
    const hash = createHash('sha256').update('password').digest('hex');
    const { hashes } = (await ask({ prefix: hash.slice(0, 2) })).json() as { hashes: string[] };
    expect(hashes).toContain(hash);
    expect(hashes.every((storedHash) => storedHash.startsWith(hash.slice(0, 2)))).toBe(true);
    expect(hashes.length).toBeGreaterThan(10);
    for (const prefix of ['', 'a', 'abc', 'zz', 7, null])
      expect((await ask({ prefix })).json().code).toBe('auth/argument-error');
  });

  it('ends every other session and notifies the owner when it changes', async () => {
    const { account, page, id } = await member();
    const elsewhere = await send(account);
    const idToken = await firebase.token(account);
    const changed = await page.post('/firebase/password-changed', { idToken });
    expect(changed.json().user.id).toBe(id);
    expect((await page.post('/access-token')).statusCode).toBe(200);
    expect((await elsewhere.page.post('/access-token')).statusCode).toBe(401);
    await app.runDue();
    expect(app.mails.some(({ to }) => to === account.email)).toBe(true);
  });

  it('supports our second step, required in the next browser', async () => {
    const { page, account } = await member();
    expect((await page.post('/second-step/start', { password: 'nope' })).json().code).toBe(
      'auth/wrong-password',
    );
    const { uri } = (await page.post('/second-step/start', { password: account.password })).json();
    const confirmed = await page.post('/second-step/confirm', { code: codeOf(uri, Date.now() - 30_000) });
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    const next = await send(account);
    expect(refusal(next)).toEqual([401, 'auth/multi-factor-auth-required']);
    expect((await next.page.post('/access-token')).statusCode).toBe(401);
    const answer = { code: codeOf(uri, Date.now()), recovery: false, trustDevice: false };
    expect((await next.page.post('/sign-in/second-step', answer)).statusCode).toBe(200);
  });

  it.each(['/sign-up/email', '/request-password-reset', '/change-password', '/sign-in/social'])(
    "isn't changed by %s of the built-in provider",
    async (path) => expect((await browser().post(path)).json().code).toBe('auth/operation-not-allowed'),
  );
});

describe('links of mails', () => {
  const stranger = async () => {
    const account = firebase.add({ email: newEmail(), password: 'the stranger' });
    const { page, body } = await send(account);
    await page.post('/send-verification-email');
    return { account, page, id: body.user.id as string, code: `verify-${account.localId}` };
  };

  it('verify the address in the browser that signed up, and keep its password', async () => {
    const { account, page, code } = await stranger();
    expect((await page.post('/verify-email', { token: code })).json()).toEqual({});
    expect((await page.post('/access-token')).json().user.emailVerified).toBe(true);
    expect(account.password).toBe('the stranger');
    expect((await page.post('/verify-email', { token: code })).json().code).toBe('auth/invalid-action-code');
  });

  it('verify it in another browser, lock the first person out and require a new password', async () => {
    const { account, page, code } = await stranger();
    const { resetToken } = (await browser().post('/verify-email', { token: code })).json();
    expect((await page.post('/access-token')).statusCode).toBe(401);
    expect(account.password).not.toBe('the stranger');
    const set = (newPassword: string) =>
      browser().post('/reset-password', { token: resetToken, newPassword });
    expect((await set('password')).json().code).toBe('auth/password-does-not-meet-requirements');
    expect((await set('a new horse')).statusCode).toBe(200);
    expect(account.password).toBe('a new horse');
    expect((await set('another horse')).json().code).toBe('auth/invalid-action-code');
  });

  /** An attacker's Facebook account at Firebase, changed to another person's address. */
  const hijacker = async () => {
    const account = firebase.add({ email: newEmail(), password: null, providers: ['facebook.com'] });
    const { page, body } = await send(account, { provider: 'facebook.com' });
    const email = newEmail();
    expect((await page.post('/correct-email', { email })).statusCode).toBe(200);
    return { account, page, email, id: body.user.id as string };
  };
  /** Firebase's own link to choose a password proves the mailbox too. */
  const resetAtFirebase = (account: Account) =>
    Object.assign(account, {
      password: 'the owner',
      emailVerified: true,
      providers: ['facebook.com', 'password'],
    });

  it("that set a password at Firebase remove everything of the account's earlier user", async () => {
    const { account, page, id } = await hijacker();
    resetAtFirebase(account);
    const owner = await send(account);
    expect(owner.body.user).toMatchObject({ id, emailVerified: true });
    expect(account).toMatchObject({ providers: ['password'], password: 'the owner' });
    expect((await page.post('/access-token')).statusCode).toBe(401);
    expect((await owner.page.post('/access-token')).statusCode).toBe(200);
  });

  it("that set a password at Firebase are useless to the account's earlier user", async () => {
    const { account, id } = await hijacker();
    resetAtFirebase(account);
    const sent = await send(account, { provider: 'facebook.com' });
    expect(refusal(sent)).toEqual([409, 'auth/account-exists-with-different-credential']);
    expect(account.providers).toEqual(['password']);
    expect((await send(account)).body.user).toMatchObject({ id, emailVerified: true });
  });

  it('of ours, to choose a password, remove an earlier Facebook account', async () => {
    const { account, id } = await hijacker();
    const token = await app.db.transaction().execute((tx) => newResetToken(tx, app, id));
    const set = await browser().post('/reset-password', { token, newPassword: 'a new horse' });
    expect(set.statusCode, set.body).toBe(200);
    expect(account).toMatchObject({ providers: [], password: 'a new horse', emailVerified: true });
  });

  it('of a user unknown here let nobody in with the chosen password', async () => {
    const account = firebase.add({ email: newEmail(), password: 'the stranger' });
    firebase.codes.set(`verify-${account.localId}`, account.localId);
    const answer = await browser().post('/verify-email', { token: `verify-${account.localId}` });
    expect(answer.json()).toEqual({});
    expect(account.password).not.toBe('the stranger');
  });

  it('go to a corrected address, in the same session', async () => {
    const { account, page } = await stranger();
    const email = newEmail();
    const usedEmail = (await member()).account.email;
    expect((await page.post('/correct-email', { email })).json().code).toBe('auth/requires-recent-login');
    const proof = { email: account.email, password: 'the stranger' };
    expect((await page.post('/verify-password', proof)).statusCode).toBe(200);
    expect((await page.post('/correct-email', { email: usedEmail })).json().code).toBe(
      'auth/email-already-in-use',
    );
    const there = firebase.add({ email: newEmail() }).email;
    expect((await page.post('/correct-email', { email: there })).json().code).toBe(
      'auth/email-already-in-use',
    );
    expect(account.email).not.toBe(there);
    expect((await page.post('/correct-email', { email })).statusCode).toBe(200);
    expect(account).toMatchObject({ email, emailVerified: false });
    expect((await page.post('/access-token')).json().user).toMatchObject({ email, emailVerified: false });
  });

  it("are rejected for an account that Firebase doesn't have", async () => {
    const { accountId } = await app.person();
    const token = await app.db.transaction().execute((tx) => newResetToken(tx, app, accountId));
    const answer = await browser().post('/reset-password', { token, newPassword: 'a new horse' });
    expect(answer.json().code).toBe('auth/invalid-action-code');
  });
});

describe('changes of an account', () => {
  it('apply an address that was changed at Firebase, which our own link has to verify', async () => {
    const { account, id } = await member();
    const takenEmail = (await member()).account.email;
    account.email = newEmail();
    const own = account.email;
    for (let time = 0; time < 2; time += 1)
      expect((await send(account)).body.user).toMatchObject({ id, email: own, emailVerified: false });
    expect(account.emailVerified).toBe(false);
    account.email = takenEmail;
    expect((await send(account)).body.user).toMatchObject({ id, email: own, emailVerified: false });
  });

  it('apply an address that Google vouches for, and remove what was added before', async () => {
    const { account, id, page } = await member({ providers: ['password', 'google.com', 'facebook.com'] });
    account.email = newEmail();
    const { body } = await send(account, { provider: 'google.com' });
    expect(body.user).toMatchObject({ id, email: account.email, emailVerified: true });
    expect(account.providers).toEqual(['password', 'google.com']);
    expect(account.password).not.toBe('correct horse');
    expect((await page.post('/access-token')).statusCode).toBe(401);
  });

  /** The token in the newest mail to an address. */
  const link = async (email: string, action: 'confirm' | 'undo' = 'confirm') => {
    await app.runDue();
    const mail = app.mails.findLast(({ to, text }) => to === email && text.includes(`?${action}=`));
    return new URL(mail?.text.match(/https?:\S+/)?.[0] ?? '').searchParams.get(action) ?? '';
  };
  /** A person who confirmed a new address on both sides; Firebase gets it with the next tasks. */
  async function moved(options: Partial<Account> = {}) {
    const person = await member(options);
    const from = person.account.email;
    const to = newEmail();
    await person.api.emailChange.start({ newEmail: to });
    const tokens = [await link(from), await link(to)];
    await app.apiAs(null).emailChange.confirm({ token: tokens[0] ?? '' });
    await person.api.emailChange.confirm({ token: tokens[1] ?? '' });
    return { ...person, from, to };
  }
  const emailOf = async (page: TestBrowser) => (await page.post('/access-token')).json().user.email;

  it('go to Firebase: a new address, in the same session', async () => {
    const { account, page, id, to } = await moved();
    // The person signed in before the task ran: the old address at Firebase reverts nothing.
    expect((await send(account)).body.user.email).toBe(to);
    await app.runDue();
    expect(account).toMatchObject({ email: to, emailVerified: true });
    expect((await page.post('/access-token')).json().user).toMatchObject({ id, email: to });
  });

  it("go to Firebase: an undone address, and the other person's credentials fail", async () => {
    const { account, page, id, from } = await moved({ providers: ['password', 'google.com'] });
    const token = await link(from, 'undo');
    const { email, resetToken } = await app.apiAs(null).emailChange.undo({ token });
    expect(email).toBe(from);
    const before = await firebase.token(account);
    app.clock.forward({ seconds: 2 });
    await app.runDue();
    expect(account).toMatchObject({ email: from, emailVerified: true, providers: ['password'] });
    expect(account.password).not.toBe('correct horse');
    expect((await page.post('/access-token')).statusCode).toBe(401);
    expect((await browser().post('/firebase/session', { idToken: before })).json().code).toBe(
      'auth/user-token-expired',
    );
    const set = await browser().post('/reset-password', { token: resetToken, newPassword: 'a new horse' });
    expect(set.statusCode, set.body).toBe(200);
    const back = await browser().post('/sign-in/email', { email: from, password: 'a new horse' });
    expect(back.json().user).toMatchObject({ id, email: from });
  });

  it('of an address that another account verified at Firebase are reverted, and the user is notified', async () => {
    const { account, page, id, from, to } = await moved();
    const other = firebase.add({ email: to, emailVerified: true });
    await app.runDue();
    await app.runDue();
    expect(account).toMatchObject({ email: from, password: 'correct horse' });
    expect(other.email).toBe(to);
    expect(await emailOf(page)).toBe(from);
    const mail = app.mails.findLast((mail) => mail.to === from);
    expect(mail?.subject).toBe('Your email address was not changed');
    expect(mail?.text).toContain(
      `Another account already signs in with ${to}, so your account keeps this address.`,
    );
    expect((await send(account)).body.user).toMatchObject({ id, email: from });
    expect(refusal(await send(other))).toEqual([200, undefined]);
  });

  it('free an address that someone took at Firebase without proof', async () => {
    const { account, page, to } = await moved();
    const squatter = firebase.add({ email: to });
    await app.runDue();
    expect(account).toMatchObject({ email: to, emailVerified: true });
    expect(firebase.accounts.has(squatter.localId)).toBe(false);
    expect(await emailOf(page)).toBe(to);
  });

  it('that are undone free the address at Firebase, or let nobody in when an account of ours has it', async () => {
    const person = await moved();
    await app.runDue();
    const squatter = firebase.add({ email: person.from, emailVerified: true });
    await app.apiAs(null).emailChange.undo({ token: await link(person.from, 'undo') });
    await app.runDue();
    expect(person.account.email).toBe(person.from);
    expect(firebase.accounts.has(squatter.localId)).toBe(false);

    const two = await moved();
    const secondMember = await member();
    await app.runDue();
    // Firebase has the other member's new address; here it is still reserved.
    secondMember.account.email = two.from;
    await app.apiAs(null).emailChange.undo({ token: await link(two.from, 'undo') });
    await app.runDue();
    expect(two.account).toMatchObject({ email: two.to, disabled: true });
    expect(two.account.password).not.toBe('correct horse');
    expect(refusal(await send(two.account))).toEqual([403, 'auth/user-disabled']);
  });

  it('go to Firebase: the removal of the account', async () => {
    const { account, api, id } = await member({ password: null, providers: ['google.com'] });
    await api.accountDeletion.sendCode();
    await app.runDue();
    const code = app.mails.findLast(({ to }) => to === account.email)?.text.match(/\b\d{6}\b/)?.[0] ?? '';
    await api.accountDeletion.request({ code });
    app.clock.forward({ days: 31 });
    await app.runDue();
    expect(firebase.accounts.has(account.localId)).toBe(false);
    expect(await linkOf(id)).toBeUndefined();
  });
});

describe('signIn.options with Firebase', () => {
  beforeAll(() => app.clock.set(start));
  it('returns the project and its buttons', async () => {
    expect(await app.apiAs(null).signIn.options()).toMatchObject({
      provider: 'firebase',
      google: true,
      facebook: false,
      firebase: { projectId: 'nearhand-test', apiKey: 'a-web-api-key', emulator: null },
    });
  });
});
