import { peopleLimits } from '@nearhand/contract/people/limits';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../../people/accounts/accounts.fixtures.ts';
import { TestAuthenticator } from '../../people/passkeys/passkeys.fixtures.ts';
import { TestBrowser } from '../../people/sign-in/browser.fixtures.ts';
import { codeOf } from '../../people/sign-in/second-step.fixtures.ts';
import { appoint } from './operators.fixtures.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000' });
const password = 'correct horse';
const byHand = { 'nearhand-present': '1' };
let count = 0;

// The library reads the real clock, and a code is checked at its time.
beforeEach(() => app.clock.set(new Date()));

const codeNow = (uri: string) => codeOf(uri, Date.now());
/** An unused code. Waiting half a minute is not possible, because the library reads the real clock. */
async function codeOfLater(uri: string): Promise<string> {
  await app.db.deleteFrom('second_step_codes').execute();
  return codeNow(uri);
}
const wrong = (uri: string) => String((Number(codeNow(uri)) + 500_000) % 1_000_000).padStart(6, '0');
const answer = (response: { statusCode: number; json(): { code?: string } }) => [
  response.statusCode,
  response.json().code,
];
const queue = async (token: string, headers: Record<string, string> = {}) =>
  app.apiAs(token, headers).cases.list({});
const away = { status: 403, code: 'operator/confirm-again' };

async function operator({ step = true } = {}) {
  const email = `staff${++count}@example.test`;
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Jonas Weber', password });
  await appoint(app.db, app, { email });
  const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
  const token = (await page.post('/sign-in/email', { email, password })).json().token as string;
  const api = app.apiAs(token);
  if (!step) return { id, email, page, token, api, uri: '', recoveryCodes: [] as string[] };
  const { uri, recoveryCodes } = (await page.post('/second-step/start', { password })).json() as {
    uri: string;
    recoveryCodes: string[];
  };
  const sessionToken = (await page.post('/second-step/confirm', { code: await codeOfLater(uri) })).json()
    .token as string;
  return { id, email, page, token: sessionToken, api: app.apiAs(sessionToken), uri, recoveryCodes };
}

async function trusted(person: Awaited<ReturnType<typeof operator>>) {
  const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
  const { email, uri } = person;
  await page.post('/sign-in/email', { email, password });
  await page.post('/sign-in/second-step', {
    code: await codeOfLater(uri),
    recovery: false,
    trustDevice: true,
  });
  const again = await page.post('/sign-in/email', { email, password });
  expect(again.statusCode, again.body).toBe(200);
  return { page, token: again.json().token as string };
}

const check = (page: TestBrowser, code: string, recovery = false) =>
  page.post('/second-step/check', { code, recovery });
const renewed = async (page: TestBrowser) => (await page.post('/access-token')).json().token as string;

describe('operators.session', () => {
  it('returns what is missing: a second factor, or confirming it', async () => {
    const without = await operator({ step: false });
    expect(await without.api.operators.session()).toEqual({
      name: 'Jonas Weber',
      email: without.email,
      roles: ['owner'],
      secondFactors: [],
      present: false,
    });
    expect(await failure(queue(without.token))).toMatchObject(away);
    const person = await operator();
    expect(await person.api.operators.session()).toMatchObject({ secondFactors: ['code'], present: true });
    const other = await trusted(person);
    expect(await app.apiAs(other.token).operators.session()).toMatchObject({
      secondFactors: ['code'],
      present: false,
    });
  });

  it('allows only operators', async () => {
    expect(await failure((await app.person()).api.operators.session())).toMatchObject({
      status: 403,
      code: 'operator/required',
    });
    expect(await failure(app.apiAs(null).operators.session())).toMatchObject({ status: 401 });
  });
});

describe('an operator', () => {
  it('works after a sign-in with a code, but not from a trusted device alone', async () => {
    const person = await operator();
    expect(await queue(person.token)).toEqual({ items: [], nextCursor: null });
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
    await page.post('/sign-in/email', { email: person.email, password });
    const done = await page.post('/sign-in/second-step', {
      code: await codeOfLater(person.uri),
      recovery: false,
      trustDevice: false,
    });
    expect(await queue(done.json().token)).toEqual({ items: [], nextCursor: null });
    const other = await trusted(person);
    expect(await failure(queue(other.token))).toMatchObject(away);
    const confirmed = await check(other.page, await codeOfLater(person.uri));
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    expect(await queue(confirmed.json().token)).toEqual({ items: [], nextCursor: null });
  });

  it("confirms again after a pause, which background refreshes don't shorten", async () => {
    const { page } = await operator();
    for (let minute = 0; minute < peopleLimits.operatorIdleMinutes - 1; minute += 1) {
      app.clock.forward({ minutes: 1 });
      await queue(await renewed(page));
    }
    app.clock.forward({ minutes: 1, seconds: 5 });
    const token = await renewed(page);
    expect(await failure(queue(token))).toMatchObject(away);
    // Returning does not extend an expired session.
    expect(await failure(queue(token, byHand))).toMatchObject(away);
    expect(await failure(queue(token))).toMatchObject(away);
  });

  it('stays active by reading and writing, up to half a day', async () => {
    const person = await operator();
    const { page } = person;
    const pause = { minutes: peopleLimits.operatorIdleMinutes - 1 };
    app.clock.forward(pause);
    await queue(await renewed(page), byHand);
    app.clock.forward(pause);
    const text = 'Payments may be late today.';
    await app.apiAs(await renewed(page)).operators.postServiceMessage({ text });
    app.clock.forward(pause);
    await queue(await renewed(page));
    for (let minutes = 0; minutes < peopleLimits.operatorConfirmHours * 60; minutes += 14) {
      const token = await renewed(page);
      if ((await app.apiAs(token).operators.session()).present) await queue(token, byHand);
      app.clock.forward(pause);
    }
    expect(await failure(queue(await renewed(page), byHand))).toMatchObject(away);
    const again = await check(page, codeOf(person.uri, Date.now()));
    expect(await queue(again.json().token)).toMatchObject({ items: [] });
  });

  it('loses a call that races the end of the pause', async () => {
    const { page } = await operator();
    app.clock.forward({ minutes: peopleLimits.operatorIdleMinutes, seconds: -1 });
    const token = await renewed(page);
    await queue(token);
    // The server caches the session for some seconds; the count of minutes is exact.
    app.clock.forward({ seconds: 2 });
    expect(await failure(queue(token, byHand))).toMatchObject(away);
  });

  it('acts as a regular user while away', async () => {
    const { id, page } = await operator();
    expect(
      await failure(
        app.apiAs(await renewed(page)).disputes.decide({
          disputeId: id,
          version: 1,
          amountMinor: 1,
          note: 'x',
        }),
      ),
    ).toMatchObject({ code: 'case/claim-required' });
    app.clock.forward({ minutes: peopleLimits.operatorIdleMinutes + 1 });
    const api = app.apiAs(await renewed(page));
    expect(
      await failure(api.disputes.decide({ disputeId: id, version: 1, amountMinor: 1, note: 'x' })),
    ).toMatchObject(away);
    expect((await api.accounts.me()).id).toBe(id);
  });

  it('loses access when the second step is turned off', async () => {
    const person = await operator();
    const other = await trusted(person);
    const confirmed = await check(other.page, await codeOfLater(person.uri));
    const stopped = await person.page.post('/second-step/stop', { password });
    expect(await failure(queue(stopped.json().token))).toMatchObject(away);
    app.clock.forward({ seconds: 10 });
    expect(await failure(queue(confirmed.json().token))).toMatchObject(away);
  });
});

describe('confirming the second step again', () => {
  it('rejects wrong codes and ends the session after five', async () => {
    const person = await operator();
    const { page, token } = await trusted(person);
    for (let attempt = 0; attempt < peopleLimits.secondStepTriesOfSession; attempt += 1)
      expect(answer(await check(page, wrong(person.uri)))).toEqual([401, 'auth/invalid-verification-code']);
    expect(answer(await check(page, await codeOfLater(person.uri)))).toEqual([
      401,
      'auth/invalid-multi-factor-session',
    ]);
    expect(answer(await page.post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
    app.clock.forward({ seconds: 10 });
    expect(await failure(queue(token))).toMatchObject({ status: 401 });
    // Other sessions continue, but ten wrong codes also lock the account's codes at sign-in.
    const second = await trusted(person).catch(() => null);
    expect(second).not.toBeNull();
  });

  it("locks the account's codes after ten, across concurrent sessions", async () => {
    const person = await operator();
    const pages = [await trusted(person), await trusted(person), await trusted(person)];
    for (let attempt = 0; attempt < 4; attempt += 1)
      await Promise.all(pages.map(({ page }) => check(page, wrong(person.uri))));
    expect(answer(await check(person.page, await codeOfLater(person.uri)))).toEqual([
      429,
      'auth/too-many-requests',
    ]);
    const fresh = new TestBrowser(app.server, app.config.PUBLIC_URL);
    await fresh.post('/sign-in/email', { email: person.email, password });
    const step = { code: await codeOfLater(person.uri), recovery: false, trustDevice: false };
    expect(answer(await fresh.post('/sign-in/second-step', step))).toEqual([429, 'auth/too-many-requests']);
    app.clock.forward({ minutes: peopleLimits.secondStepLockMinutes + 1 });
    expect((await check(person.page, await codeOfLater(person.uri))).statusCode).toBe(200);
  });

  it('accepts a recovery code once', async () => {
    const person = await operator();
    const { page } = await trusted(person);
    const [code = ''] = person.recoveryCodes;
    const done = await check(page, code, true);
    expect(await queue(done.json().token)).toMatchObject({ items: [] });
    expect(answer(await check(page, code, true))).toEqual([401, 'auth/invalid-verification-code']);
    const { items } = await app.apiAs(done.json().token).sessions.history({});
    expect(items.map(({ kind }) => kind)).toContain('recovery-code-used');
  });

  it('rejects guests, accounts without a second step, and nonsense', async () => {
    const guest = new TestBrowser(app.server, app.config.PUBLIC_URL);
    expect(answer(await check(guest, '123456'))).toEqual([401, 'auth/user-token-expired']);
    const without = await operator({ step: false });
    expect(answer(await check(without.page, '123456'))).toEqual([400, 'auth/multi-factor-info-not-found']);
    // A confirmation for something else does not complete an unfinished set-up.
    const started = (await without.page.post('/second-step/start', { password })).json() as { uri: string };
    expect(answer(await check(without.page, await codeOfLater(started.uri)))).toEqual([
      400,
      'auth/multi-factor-info-not-found',
    ]);
    const { page } = await operator();
    for (const odd of [{}, [], { code: 1 }, { code: '123456' }, { code: '', recovery: false }])
      expect((await page.post('/second-step/check', odd)).statusCode).toBe(400);
  });
});

describe("an operator's passkey", () => {
  type Api = ReturnType<typeof app.apiAs>;
  async function addPasskey({ api, page, email }: Awaited<ReturnType<typeof operator>>) {
    await page.post('/verify-password', { email, password });
    const held = new TestAuthenticator(app.config.PUBLIC_URL);
    const answer = held.create(await api.passkeys.startAdding());
    return { held, passkey: await api.passkeys.add({ name: 'Key', answer }) };
  }
  const confirm = async (api: Api, held: TestAuthenticator) =>
    api.passkeys.confirm({ answer: held.answer(await api.passkeys.startConfirming()) });

  it('opens the console at sign-in, and again after a pause', async () => {
    const person = await operator({ step: false });
    const { held } = await addPasskey(person);
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const options = (await page.post('/sign-in/passkey/options')).json();
    const done = await page.post('/sign-in/passkey', { answer: held.answer(options) });
    expect(await app.apiAs(done.json().token).operators.session()).toMatchObject({
      secondFactors: ['passkey'],
      present: true,
    });
    expect(await queue(done.json().token)).toMatchObject({ items: [] });
    app.clock.forward({ minutes: peopleLimits.operatorIdleMinutes, seconds: 5 });
    const token = await renewed(page);
    expect(await failure(queue(token))).toMatchObject(away);
    await confirm(app.apiAs(token), held);
    expect(await queue(await renewed(page))).toMatchObject({ items: [] });
  });

  it('confirms a session that signed in with the password alone, until it is removed', async () => {
    const person = await operator({ step: false });
    const { held, passkey } = await addPasskey(person);
    expect(await failure(queue(await renewed(person.page)))).toMatchObject(away);
    const other = await operator();
    const stranger = await addPasskey(other);
    expect(await failure(confirm(person.api, stranger.held))).toMatchObject({
      code: 'passkey/other-account',
    });
    expect(await failure(queue(await renewed(person.page)))).toMatchObject(away);
    await confirm(person.api, held);
    const token = await renewed(person.page);
    expect(await queue(token)).toMatchObject({ items: [] });
    await app.apiAs(token).passkeys.remove({ passkeyId: passkey.id });
    expect(await failure(queue(await renewed(person.page)))).toMatchObject(away);
  });

  it("requires the account's second factor: a password alone adds and replaces none", async () => {
    const person = await operator();
    const { held, passkey } = await addPasskey(person);
    const { page, token } = await trusted(person);
    const api = app.apiAs(token);
    await page.post('/verify-password', { email: person.email, password });
    expect(await failure(api.passkeys.startAdding())).toMatchObject(away);
    expect(await failure(api.passkeys.remove({ passkeyId: passkey.id }))).toMatchObject(away);
    for (const path of ['start', 'stop', 'recovery-codes'])
      expect(answer(await page.post(`/second-step/${path}`, { password }))).toEqual([
        400,
        'auth/requires-recent-login',
      ]);
    await confirm(api, held);
    const after = app.apiAs(await renewed(page));
    expect((await after.passkeys.startAdding()).excludeCredentials).toHaveLength(1);
    expect((await page.post('/second-step/stop', { password })).statusCode).toBe(200);
  });
});
