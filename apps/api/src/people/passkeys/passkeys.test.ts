import { passkeyLimits } from '@nearhand/contract/people/passkeys.rules';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { disableAccount } from '../sign-in/credentials.ts';
import { accountConfirmedNow, codeOf } from '../sign-in/second-step.fixtures.ts';
import { keepPasskey, TestAuthenticator } from './passkeys.fixtures.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000' });
const password = 'correct horse';
let count = 0;
const browser = () => new TestBrowser(app.server, app.config.PUBLIC_URL);
const authenticator = () => new TestAuthenticator(app.config.PUBLIC_URL);
const answerOf = (response: { statusCode: number; json(): { code?: string } }) => [
  response.statusCode,
  response.json().code,
];

async function signedIn() {
  const email = `passkey${++count}@example.test`;
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
  const page = browser();
  const token = (await page.post('/sign-in/email', { email, password })).json().token as string;
  await accountConfirmedNow(app, id);
  return { id, email, page, token, api: app.apiAs(token) };
}
type Api = Person['api'];

async function added(api: Api, held = authenticator(), name = 'Chrome on Android') {
  const passkey = await api.passkeys.add({ name, answer: held.create(await api.passkeys.startAdding()) });
  return { held, passkey };
}
async function withPasskey() {
  const person = await signedIn();
  return { ...person, ...(await added(person.api)) };
}
/** Signs in with a passkey in a fresh browser, or this one. */
async function signInWith(held: TestAuthenticator, page = browser()) {
  const options = await page.post('/sign-in/passkey/options');
  expect(options.statusCode, options.body).toBe(200);
  return page.post('/sign-in/passkey', { answer: held.answer(options.json()) });
}
const history = async (api: Api) => (await api.sessions.history({})).items.map(({ kind }) => kind);
/** Returns the page's session after its sign-in has become too old. */
async function later(page: TestBrowser): Promise<Api> {
  // The session is dated by the real clock, which is ahead of the test's on a slow machine.
  app.clock.forward({ minutes: passkeyLimits.proofMinutes + 1 });
  return app.apiAs((await page.post('/access-token')).json().token);
}

// The library dates sessions by the real clock.
beforeEach(() => app.clock.set(new Date()));

describe('passkeys.add', () => {
  it('adds a passkey that then signs in, with a mail and a line in the history', async () => {
    const { api, email, held, passkey } = await withPasskey();
    expect(passkey).toMatchObject({ name: 'Chrome on Android', lastUsedAt: null, synced: false });
    await app.runDue();
    const mail = app.mails.findLast(({ to }) => to === email);
    expect(mail?.subject).toBe('A passkey was added to your account');
    expect(mail?.text).toContain('Chrome on Android');
    const done = await signInWith(held);
    expect(done.json()).toMatchObject({ token: expect.any(String), user: { email } });
    expect((await app.apiAs(done.json().token).accounts.me()).email).toBe(email);
    expect((await api.passkeys.list())[0]?.lastUsedAt).toBe(app.clock.now().toISOString());
    expect(await history(api)).toEqual(['signed-in', 'passkey-added', 'signed-in']);
  });

  it("rejects an old challenge, a used one and another session's", async () => {
    const { api } = await signedIn();
    const late = authenticator().create(await api.passkeys.startAdding());
    app.clock.forward({ minutes: passkeyLimits.questionMinutes, seconds: 1 });
    expect((await failure(api.passkeys.add({ name: 'x', answer: late }))).code).toBe('passkey/expired');
    const question = await api.passkeys.startAdding();
    await api.passkeys.add({ name: 'x', answer: authenticator().create(question) });
    const again = api.passkeys.add({ name: 'x', answer: authenticator().create(question) });
    expect(await failure(again)).toMatchObject({ status: 409, code: 'passkey/expired' });
    const other = await signedIn();
    const theirs = authenticator().create(await other.api.passkeys.startAdding());
    expect((await failure(api.passkeys.add({ name: 'x', answer: theirs }))).code).toBe('passkey/expired');
  });

  it("rejects another site, a device that didn't check its owner, and a tampered response", async () => {
    const { api } = await signedIn();
    const attempt = async (change: (held: TestAuthenticator) => void) => {
      const passkeys = authenticator();
      change(passkeys);
      const answer = passkeys.create(await api.passkeys.startAdding());
      return (await failure(api.passkeys.add({ name: 'x', answer }))).code;
    };
    expect(
      await attempt((held) => {
        held.origin = 'https://nearhand.evil.example';
      }),
    ).toBe('passkey/wrong-site');
    expect(
      await attempt((held) => {
        held.verifies = false;
      }),
    ).toBe('passkey/refused');
    const question = await api.passkeys.startAdding();
    const answer = authenticator().create({ ...question, rp: { name: 'x', id: 'evil.example' } });
    expect((await failure(api.passkeys.add({ name: 'x', answer }))).code).toBe('passkey/refused');
    expect(await api.passkeys.list()).toEqual([]);
  });

  it('rejects a credential of any account, and more than the limit', async () => {
    const { held } = await withPasskey();
    const other = await signedIn();
    const answer = held.create(await other.api.passkeys.startAdding());
    expect(await failure(other.api.passkeys.add({ name: 'x', answer }))).toMatchObject({
      status: 409,
      code: 'passkey/already-added',
    });
    const question = await other.api.passkeys.startAdding();
    for (let count = 0; count < passkeyLimits.perAccount; count += 1)
      await keepPasskey(app.db, app, other.id);
    expect(await failure(other.api.passkeys.startAdding())).toMatchObject({
      code: 'passkey/too-many',
      data: { limit: passkeyLimits.perAccount },
    });
    const extra = other.api.passkeys.add({ name: 'x', answer: authenticator().create(question) });
    expect((await failure(extra)).code).toBe('passkey/too-many');
  });

  it('rejects guests, empty names and nonsense', async () => {
    const { api } = await signedIn();
    const answer = authenticator().create(await api.passkeys.startAdding());
    expect((await failure(app.apiAs(null).passkeys.add({ name: 'x', answer }))).status).toBe(401);
    expect((await failure(api.passkeys.add({ name: '  ', answer }))).status).toBe(400);
    const odd = { ...answer, response: { ...answer.response, clientDataJSON: 'bm9uc2Vuc2U' } };
    expect((await failure(api.passkeys.add({ name: 'x', answer: odd }))).code).toBe('passkey/refused');
  });
});

describe('passkeys.startAdding', () => {
  it('returns this site, the account and its passkeys', async () => {
    const { api, id, email, held } = await withPasskey();
    expect(await api.passkeys.startAdding()).toMatchObject({
      rp: { id: new URL(app.config.PUBLIC_URL).hostname },
      user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: 'Leila Haddad' },
      excludeCredentials: [{ id: held.id, transports: ['internal'] }],
    });
  });

  it('reauthenticates after ten minutes, by password or passkey', async () => {
    const { page, email, held } = await withPasskey();
    let api = await later(page);
    expect(await failure(api.passkeys.startAdding())).toMatchObject({ code: 'session/password-required' });
    await page.post('/verify-password', { email, password });
    await added(api);
    api = await later(page);
    expect((await failure(api.passkeys.startAdding())).code).toBe('session/password-required');
    await api.passkeys.confirm({ answer: held.answer(await api.passkeys.startConfirming()) });
    await added(api);
    expect(await api.passkeys.list()).toHaveLength(3);
  });

  it('rejects guests and unverified accounts', async () => {
    expect((await failure(app.apiAs(null).passkeys.startAdding())).status).toBe(401);
    const unverified = await app.person({ verified: false });
    expect((await failure(unverified.api.passkeys.startAdding())).status).toBe(403);
  });
});

describe('passkeys.list', () => {
  it("returns only the caller's, newest first", async () => {
    const { api } = await withPasskey();
    await withPasskey();
    app.clock.forward({ minutes: 1 });
    await added(api, authenticator(), 'Second');
    expect((await api.passkeys.list()).map(({ name }) => name)).toEqual(['Second', 'Chrome on Android']);
    expect((await failure(app.apiAs(null).passkeys.list())).status).toBe(401);
  });
});

describe('passkeys.rename', () => {
  it("renames the caller's, and returns 404 for others", async () => {
    const { api, passkey } = await withPasskey();
    const renamed = await api.passkeys.rename({ passkeyId: passkey.id, name: '  Blue   key ' });
    expect(renamed.name).toBe('Blue key');
    const other = await signedIn();
    const stolen = other.api.passkeys.rename({ passkeyId: passkey.id, name: 'Mine' });
    expect(await failure(stolen)).toMatchObject({ status: 404, code: 'passkey/not-found' });
  });
});

describe('passkeys.remove', () => {
  it("removes a passkey, which then can't sign in", async () => {
    const { api, email, held, passkey } = await withPasskey();
    expect(await api.passkeys.remove({ passkeyId: passkey.id })).toBeNull();
    expect(await api.passkeys.list()).toEqual([]);
    expect(answerOf(await signInWith(held))).toEqual([400, 'auth/no-such-provider']);
    await app.runDue();
    expect(app.mails.findLast(({ to }) => to === email)?.subject).toBe(
      'A passkey was removed from your account',
    );
    expect((await history(api))[0]).toBe('passkey-removed');
    expect((await failure(api.passkeys.remove({ passkeyId: passkey.id }))).code).toBe('passkey/not-found');
  });

  it('keeps the last way to sign in, even for two concurrent removals', async () => {
    const { api, id, passkey } = await withPasskey();
    const { passkey: second } = await added(api);
    await app.db.deleteFrom('credentials').where('accountId', '=', id).execute();
    const ends = await Promise.allSettled(
      [passkey, second].map(({ id: passkeyId }) => api.passkeys.remove({ passkeyId })),
    );
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [left] = await api.passkeys.list();
    expect(await failure(api.passkeys.remove({ passkeyId: left?.id ?? '' }))).toMatchObject({
      status: 409,
      code: 'passkey/last-way',
    });
  });

  it("reauthenticates, and hides other users' passkeys", async () => {
    const { page, passkey } = await withPasskey();
    const other = await signedIn();
    expect((await failure(other.api.passkeys.remove({ passkeyId: passkey.id }))).status).toBe(404);
    const api = await later(page);
    expect((await failure(api.passkeys.remove({ passkeyId: passkey.id }))).code).toBe(
      'session/password-required',
    );
  });
});

describe('passkeys.confirm', () => {
  it("rejects another account's passkey, an unknown one, a copy and a second use", async () => {
    const mine = await withPasskey();
    const theirs = await withPasskey();
    const confirm = async (held: TestAuthenticator) =>
      (
        await failure(
          mine.api.passkeys.confirm({ answer: held.answer(await mine.api.passkeys.startConfirming()) }),
        )
      ).code;
    expect(await confirm(theirs.held)).toBe('passkey/other-account');
    expect(await confirm(authenticator())).toBe('passkey/unknown');
    const answer = mine.held.answer(await mine.api.passkeys.startConfirming());
    expect(await mine.api.passkeys.confirm({ answer })).toBeNull();
    expect((await failure(mine.api.passkeys.confirm({ answer }))).code).toBe('passkey/expired');
    mine.held.counter = 0;
    expect(await confirm(mine.held)).toBe('passkey/refused');
  });
});

describe('passkeys.startConfirming', () => {
  it('requires a passkey', async () => {
    const { api } = await signedIn();
    expect(await failure(api.passkeys.startConfirming())).toMatchObject({
      status: 409,
      code: 'passkey/none',
    });
    expect((await failure(app.apiAs(null).passkeys.startConfirming())).status).toBe(401);
  });
});

describe('signing in with a passkey', () => {
  it('accepts a response once, from the same browser, within five minutes', async () => {
    const { held } = await withPasskey();
    const page = browser();
    const question = (await page.post('/sign-in/passkey/options')).json();
    const answer = held.answer(question);
    expect(answerOf(await browser().post('/sign-in/passkey', { answer }))).toEqual([
      400,
      'auth/invalid-auth-event',
    ]);
    const savedCookies = new Map(page.cookies);
    expect((await page.post('/sign-in/passkey', { answer })).statusCode).toBe(200);
    for (const [name, value] of savedCookies) page.cookies.set(name, value);
    expect(answerOf(await page.post('/sign-in/passkey', { answer }))).toEqual([
      400,
      'auth/invalid-auth-event',
    ]);
    const slow = (await page.post('/sign-in/passkey/options')).json();
    app.clock.forward({ minutes: passkeyLimits.questionMinutes, seconds: 1 });
    expect(answerOf(await page.post('/sign-in/passkey', { answer: held.answer(slow) }))).toEqual([
      400,
      'auth/invalid-auth-event',
    ]);
  });

  it('accepts one of two parallel responses to a challenge', async () => {
    const { held } = await withPasskey();
    const page = browser();
    const question = (await page.post('/sign-in/passkey/options')).json();
    const both = await Promise.all(
      [held.answer(question), held.answer(question)].map((answer) =>
        page.post('/sign-in/passkey', { answer }),
      ),
    );
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('rejects other sites, counters that go back and disabled accounts', async () => {
    const { id, held } = await withPasskey();
    held.origin = 'http://localhost:1';
    expect(answerOf(await signInWith(held))).toEqual([403, 'auth/unauthorized-domain']);
    held.origin = app.config.PUBLIC_URL;
    held.counter = 40;
    expect((await signInWith(held)).statusCode).toBe(200);
    held.counter = 20;
    expect(answerOf(await signInWith(held))).toEqual([400, 'auth/rejected-credential']);
    held.verifies = false;
    held.counter = 60;
    expect(answerOf(await signInWith(held))).toEqual([400, 'auth/rejected-credential']);
    held.verifies = true;
    await app.db.transaction().execute((tx) => disableAccount(tx, app, id));
    expect(answerOf(await signInWith(held))).toEqual([403, 'auth/user-disabled']);
  });

  it('rejects nonsense and requests of other origins', async () => {
    const page = browser();
    await page.post('/sign-in/passkey/options');
    for (const odd of [{}, [], { answer: 1 }, { answer: { id: '' } }])
      expect((await page.post('/sign-in/passkey', odd)).statusCode).toBe(400);
    const foreign = { origin: 'https://evil.example' };
    expect((await page.post('/sign-in/passkey/options', {}, foreign)).statusCode).toBe(403);
  });
});

describe('a passkey as second step', () => {
  /** A person with a passkey, at the second step. */
  async function pending() {
    const person = await withPasskey();
    const { uri } = (await person.page.post('/second-step/start', { password })).json();
    const code = codeOf(uri, Date.now());
    expect((await person.page.post('/second-step/confirm', { code })).statusCode).toBe(200);
    const page = browser();
    expect(answerOf(await page.post('/sign-in/email', { email: person.email, password }))).toEqual([
      401,
      'auth/multi-factor-auth-required',
    ]);
    return { ...person, page };
  }
  const step = '/sign-in/second-step';

  it('replaces the code, once', async () => {
    const { page, held, email } = await pending();
    expect((await page.post(`${step}/methods`)).json()).toEqual({ passkey: true });
    const savedCookies = new Map(page.cookies);
    const answer = held.answer((await page.post(`${step}/passkey/options`)).json());
    const done = await page.post(`${step}/passkey`, { answer });
    expect(done.json()).toMatchObject({ user: { email } });
    expect(page.cookies.has('nearhand.two_factor')).toBe(false);
    for (const [name, value] of savedCookies) page.cookies.set(name, value);
    expect(answerOf(await page.post(`${step}/passkey/options`))).toEqual([
      401,
      'auth/invalid-multi-factor-session',
    ]);
  });

  it("rejects another account's passkey, and requires no code after a passkey alone", async () => {
    const mine = await pending();
    const theirs = await withPasskey();
    const question = (await mine.page.post(`${step}/passkey/options`)).json();
    const answer = theirs.held.answer(question);
    expect(answerOf(await mine.page.post(`${step}/passkey`, { answer }))).toEqual([
      400,
      'auth/user-mismatch',
    ]);
    expect((await signInWith(mine.held)).statusCode).toBe(200);
  });

  it('is missing without a passkey or a first step', async () => {
    const { page, passkey } = await pending();
    await app.db.deleteFrom('passkeys').where('id', '=', passkey.id).execute();
    expect((await page.post(`${step}/methods`)).json()).toEqual({ passkey: false });
    expect(answerOf(await page.post(`${step}/passkey/options`))).toEqual([
      400,
      'auth/multi-factor-info-not-found',
    ]);
    expect((await browser().post(`${step}/methods`)).json()).toEqual({ passkey: false });
    expect(answerOf(await browser().post(`${step}/passkey/options`))).toEqual([
      401,
      'auth/invalid-multi-factor-session',
    ]);
  });
});
