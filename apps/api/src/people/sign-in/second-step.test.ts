import { peopleLimits } from '@nearhand/contract/people/limits';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { TestBrowser } from './browser.fixtures.ts';
import { codeOf } from './second-step.fixtures.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000' });
const password = 'correct horse';
let count = 0;
const browser = () => new TestBrowser(app.server, app.config.PUBLIC_URL);
const answer = (response: { statusCode: number; json(): { code?: string } }) => [
  response.statusCode,
  response.json().code,
];
// The library reads the real clock.
const codeNow = (uri: string, awayMs = 0) => codeOf(uri, Date.now() + awayMs);
/** The code of the previous half minute, which also works: turning the step on uses up the current one. */
const codeBefore = (uri: string) => codeNow(uri, -30_000);
const wrong = (uri: string) => String((Number(codeNow(uri)) + 500_000) % 1_000_000).padStart(6, '0');

async function signedIn(options: { emailVerified?: boolean } = {}) {
  const email = `step${++count}@example.test`;
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password, ...options });
  const page = browser();
  const token = (await page.post('/sign-in/email', { email, password })).json().token as string;
  return { id, email, page, token, api: app.apiAs(token) };
}

/** A person whose second step is on. */
async function withStep() {
  const person = await signedIn();
  const started = (await person.page.post('/second-step/start', { password })).json() as {
    uri: string;
    recoveryCodes: string[];
  };
  const confirmed = await person.page.post('/second-step/confirm', { code: codeBefore(started.uri) });
  expect(confirmed.statusCode, confirmed.body).toBe(200);
  return { ...person, ...started, token: confirmed.json().token as string };
}

const firstStep = (page: TestBrowser, email: string, typed = password) =>
  page.post('/sign-in/email', { email, password: typed });
const second = (page: TestBrowser, code: string, more: { recovery?: boolean; trustDevice?: boolean } = {}) =>
  page.post('/sign-in/second-step', { code, recovery: false, trustDevice: false, ...more });

describe('signIn.secondStep', () => {
  it('returns whether it is on, and whether the account has a password', async () => {
    const { api } = await signedIn();
    expect(await api.signIn.secondStep()).toEqual({ on: false, hasPassword: true });
    expect(await (await app.person()).api.signIn.secondStep()).toEqual({ on: false, hasPassword: false });
    expect(await app.apiAs((await withStep()).token).signIn.secondStep()).toMatchObject({ on: true });
    expect((await failure(app.apiAs(null).signIn.secondStep())).status).toBe(401);
  });
});

describe('turning the second step on', () => {
  it('requires the password and a correct code, and stores nothing readable', async () => {
    const { id, email, page, api } = await signedIn();
    expect(answer(await page.post('/second-step/start', { password: 'wrong horse' }))).toEqual([
      401,
      'auth/wrong-password',
    ]);
    const started = await page.post('/second-step/start', { password });
    const { uri, recoveryCodes } = started.json();
    expect(uri).toMatch(/^otpauth:\/\/totp\/Nearhand/);
    expect(recoveryCodes).toHaveLength(peopleLimits.recoveryCodes);
    expect(answer(await page.post('/second-step/confirm', { code: wrong(uri) }))).toEqual([
      401,
      'auth/invalid-verification-code',
    ]);
    expect(await api.signIn.secondStep()).toMatchObject({ on: false });
    const confirmed = await page.post('/second-step/confirm', {
      code: `${codeNow(uri).slice(0, 3)} ${codeNow(uri).slice(3)}`,
    });
    expect(confirmed.statusCode, confirmed.body).toBe(200);
    const own = app.apiAs(confirmed.json().token);
    expect(await own.signIn.secondStep()).toMatchObject({ on: true });
    expect((await own.sessions.history({})).items[0]).toMatchObject({ kind: 'second-step-on' });
    await app.runDue();
    const mails = app.mails.filter(({ to }) => to === email).map(({ subject }) => subject);
    expect(mails).toContain('The second step was turned on');
    const row = await app.db
      .selectFrom('second_factors')
      .selectAll()
      .where('accountId', '=', id)
      .executeTakeFirst();
    const secret = new URL(uri).searchParams.get('secret') ?? '';
    for (const plain of [secret, ...recoveryCodes]) expect(JSON.stringify(row)).not.toContain(plain);
    expect(answer(await page.post('/second-step/start', { password }))).toEqual([
      400,
      'auth/second-factor-already-in-use',
    ]);
  });

  it('hides codes once it is on', async () => {
    const { page, uri } = await withStep();
    for (const code of [codeNow(uri), wrong(uri)])
      expect(answer(await page.post('/second-step/confirm', { code }))).toEqual([
        400,
        'auth/second-factor-already-in-use',
      ]);
  });

  it('rejects guests, unverified accounts, accounts without a password and nonsense', async () => {
    expect(answer(await browser().post('/second-step/start', { password }))).toEqual([
      401,
      'auth/user-token-expired',
    ]);
    const { page } = await signedIn({ emailVerified: false });
    expect(answer(await page.post('/second-step/start', { password }))).toEqual([
      400,
      'auth/unverified-email',
    ]);
    const { id, page: social } = await signedIn();
    await app.db.deleteFrom('credentials').where('accountId', '=', id).execute();
    expect((await social.post('/second-step/start', { password })).statusCode).toBe(401);
    for (const odd of [{}, [], { password: '' }, { password: {} }])
      expect((await page.post('/second-step/start', odd)).statusCode).toBeGreaterThanOrEqual(400);
    for (const code of ['', '   ', 'x'.repeat(21), 123456, null])
      expect((await page.post('/second-step/confirm', { code })).statusCode).toBe(400);
  });
});

describe('signing in with a second step', () => {
  it('opens no session before the code', async () => {
    const { email, uri } = await withStep();
    const page = browser();
    expect(answer(await firstStep(page, email))).toEqual([401, 'auth/multi-factor-auth-required']);
    expect([...page.cookies.keys()].filter((name) => name.includes('session'))).toEqual([]);
    expect(answer(await page.post('/access-token'))).toEqual([401, 'auth/user-token-expired']);
    const done = await second(page, codeNow(uri));
    expect(done.json()).toMatchObject({ token: expect.any(String), user: { email } });
    expect((await app.apiAs(done.json().token).accounts.me()).email).toBe(email);
    expect((await page.post('/access-token')).statusCode).toBe(200);
  });

  it('rejects wrong codes, codes without a first step, and a used step', async () => {
    const { email, uri, token } = await withStep();
    expect(answer(await second(browser(), codeNow(uri)))).toEqual([401, 'auth/invalid-multi-factor-session']);
    const page = browser();
    await firstStep(page, email);
    expect(answer(await second(page, wrong(uri)))).toEqual([401, 'auth/invalid-verification-code']);
    expect(answer(await second(page, codeNow(uri, -10 * 60_000)))).toEqual([
      401,
      'auth/invalid-verification-code',
    ]);
    const savedCookies = new Map(page.cookies);
    expect((await second(page, codeNow(uri))).statusCode).toBe(200);
    page.cookies.clear();
    for (const [name, value] of savedCookies) page.cookies.set(name, value);
    expect(answer(await second(page, codeNow(uri)))).toEqual([401, 'auth/invalid-multi-factor-session']);
    await app.runDue();
    const kinds = (await app.apiAs(token).sessions.history({})).items.map(({ kind, tries }) => [kind, tries]);
    expect(kinds).toContainEqual(['failed', 2]);
  });

  it('ends after five wrong codes, and locks the account after ten', async () => {
    const { email, uri } = await withStep();
    const page = browser();
    await firstStep(page, email);
    const tries: unknown[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) tries.push(answer(await second(page, wrong(uri)))[1]);
    expect(tries).toEqual([
      ...Array(5).fill('auth/invalid-verification-code'),
      'auth/invalid-multi-factor-session',
    ]);
    await firstStep(page, email);
    for (let attempt = 0; attempt < 5; attempt += 1) await second(page, wrong(uri));
    await firstStep(page, email);
    expect(answer(await second(page, codeNow(uri)))).toEqual([429, 'auth/too-many-requests']);
  });

  it('mails the owner about several wrong codes, once a day', async () => {
    const { email, uri } = await withStep();
    const mails = async () => {
      await app.runDue();
      return app.mails.filter(({ to, subject }) => to === email && subject.includes('wrong codes'));
    };
    const page = browser();
    await firstStep(page, email);
    for (let attempt = 0; attempt < 4; attempt += 1) await second(page, wrong(uri));
    expect(await mails()).toEqual([]);
    await second(page, wrong(uri));
    expect(await mails()).toHaveLength(1);
    await firstStep(page, email);
    await second(page, wrong(uri));
    expect(await mails()).toHaveLength(1);
  });

  it('signs in the account of the first step, even while someone else is signed in', async () => {
    const theirs = await withStep();
    const mine = await signedIn();
    const page = browser();
    await firstStep(page, theirs.email);
    for (const [name, value] of mine.page.cookies) page.cookies.set(name, value);
    expect(answer(await second(page, wrong(theirs.uri)))).toEqual([401, 'auth/invalid-verification-code']);
    expect((await second(page, codeNow(theirs.uri))).json()).toMatchObject({ user: { email: theirs.email } });
  });

  it('trusts only a device that opted in', async () => {
    const { email, uri } = await withStep();
    const page = browser();
    await firstStep(page, email);
    await second(page, codeNow(uri), { trustDevice: true });
    expect((await firstStep(page, email)).statusCode).toBe(200);
    expect(answer(await firstStep(browser(), email))).toEqual([401, 'auth/multi-factor-auth-required']);
    // Signing in as another person does not help.
    const other = await withStep();
    expect(answer(await firstStep(page, other.email))).toEqual([401, 'auth/multi-factor-auth-required']);
  });

  it.each(['endOthers', 'end', 'sign-out'])('is required again on every device after %s', async (what) => {
    const { email, uri, token } = await withStep();
    const page = browser();
    await firstStep(page, email);
    await second(page, codeNow(uri), { trustDevice: true });
    expect((await firstStep(page, email)).statusCode).toBe(200);
    const api = app.apiAs(token);
    if (what === 'endOthers') await api.sessions.endOthers();
    else if (what === 'sign-out') await page.post('/sign-out');
    else {
      const other = (await api.sessions.list()).find(({ current }) => !current);
      await api.sessions.end({ sessionId: other?.id ?? '' });
    }
    expect(answer(await firstStep(page, email))).toEqual([401, 'auth/multi-factor-auth-required']);
  });

  it('accepts each recovery code once, even concurrently', async () => {
    const { id, email, recoveryCodes, token } = await withStep();
    const [code = '', other = ''] = recoveryCodes;
    const pages = [browser(), browser()];
    for (const page of pages) await firstStep(page, email);
    // Both calls have found the code before either uses it up.
    const holder = await app.pool.connect();
    await holder.query('begin');
    await holder.query('select 1 from second_factors where account_id = $1 for update', [id]);
    const answers = Promise.all(pages.map((page) => second(page, code, { recovery: true })));
    const waiting = 'select 1 from pg_locks where not granted';
    await expect
      .poll(async () => (await holder.query(waiting)).rowCount, { timeout: 20_000 })
      .toBe(2)
      .finally(() => holder.query('commit'));
    holder.release();
    const both = (await answers).map((response) => (response.statusCode === 200 ? 200 : answer(response)));
    expect(both).toHaveLength(2);
    expect(both).toContain(200);
    expect(both).toContainEqual([400, 'auth/code-expired']);
    const page = browser();
    await firstStep(page, email);
    expect(answer(await second(page, code, { recovery: true }))).toEqual([
      401,
      'auth/invalid-verification-code',
    ]);
    expect((await second(page, other, { recovery: true })).statusCode).toBe(200);
    const kinds = (await app.apiAs(token).sessions.history({})).items.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'recovery-code-used')).toHaveLength(2);
  });

  it('is required after a password reset too, even on a trusted device', async () => {
    // The library reads the real clock, and the link is made by ours.
    app.clock.set(new Date());
    const { email, uri } = await withStep();
    const page = browser();
    await firstStep(page, email);
    await second(page, codeNow(uri), { trustDevice: true });
    await page.post('/request-password-reset', { email });
    await app.runDue();
    const link = app.mails.findLast(({ to }) => to === email)?.text.match(/https?:\S+/)?.[0] ?? '';
    const reset = { token: new URL(link).searchParams.get('reset'), newPassword: 'battery staple' };
    expect((await page.post('/reset-password', reset)).statusCode).toBe(200);
    expect(answer(await firstStep(page, email, reset.newPassword))).toEqual([
      401,
      'auth/multi-factor-auth-required',
    ]);
    expect((await second(page, codeNow(uri, 30_000))).statusCode).toBe(200);
  });

  it('accepts each code once, even concurrently', async () => {
    const { email, uri, token } = await withStep();
    const pages = [browser(), browser()];
    for (const page of pages) await firstStep(page, email);
    const code = codeNow(uri);
    const both = await Promise.all(pages.map((page) => second(page, code)));
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
    expect(answer(both.find(({ statusCode }) => statusCode === 400) ?? (both[0] as never))).toEqual([
      400,
      'auth/code-expired',
    ]);
    // The refused device continues with the next code, because the code that turned the step on is used up too.
    const refused = pages[both.findIndex(({ statusCode }) => statusCode === 400)] ?? browser();
    expect(answer(await second(refused, codeBefore(uri)))).toEqual([400, 'auth/code-expired']);
    expect((await second(refused, codeNow(uri, 30_000))).statusCode).toBe(200);
    await app.runDue();
    const events = (await app.apiAs(token).sessions.history({})).items;
    expect(events.filter(({ kind }) => kind === 'failed').map(({ tries }) => tries)).toEqual([2]);
  });

  it('accepts a correct code again after another step failed', async () => {
    const { email, uri } = await withStep();
    const page = browser();
    await firstStep(page, email);
    for (let attempt = 0; attempt < 5; attempt += 1) await second(page, wrong(uri));
    expect((await second(page, codeNow(uri))).json()).toMatchObject({
      code: 'auth/invalid-multi-factor-session',
    });
    await firstStep(page, email);
    expect((await second(page, codeNow(uri))).statusCode).toBe(200);
  });

  it('rejects nonsense', async () => {
    const { email } = await withStep();
    const page = browser();
    await firstStep(page, email);
    for (const odd of [
      {},
      [],
      { code: 1 },
      { code: '123456' },
      { code: 'x'.repeat(30), recovery: true, trustDevice: 1 },
    ])
      expect((await page.post('/sign-in/second-step', odd)).statusCode).toBe(400);
    page.cookies.set('nearhand.two_factor', 'made-up.signature');
    expect(answer(await second(page, '123456'))).toEqual([401, 'auth/invalid-multi-factor-session']);
  });
});

describe('turning the second step off', () => {
  it('requires the password and ends trusted devices', async () => {
    const { email, uri, page, id } = await withStep();
    const trusted = browser();
    await firstStep(trusted, email);
    await second(trusted, codeNow(uri), { trustDevice: true });
    expect(answer(await page.post('/second-step/stop', { password: 'wrong horse' }))).toEqual([
      401,
      'auth/wrong-password',
    ]);
    const stopped = await page.post('/second-step/stop', { password });
    expect(stopped.statusCode, stopped.body).toBe(200);
    expect(await app.apiAs(stopped.json().token).signIn.secondStep()).toMatchObject({ on: false });
    expect((await firstStep(browser(), email)).statusCode).toBe(200);
    const links = await app.db.selectFrom('verifications').select('id').where('value', '=', id).execute();
    expect(links).toEqual([]);
    expect((await browser().post('/second-step/stop', { password })).statusCode).toBe(401);
  });
});

describe('new recovery codes', () => {
  it('replace the old ones and require the password', async () => {
    const { email, page, recoveryCodes: old } = await withStep();
    expect(answer(await page.post('/second-step/recovery-codes', { password: 'wrong horse' }))).toEqual([
      401,
      'auth/wrong-password',
    ]);
    const codes = (await page.post('/second-step/recovery-codes', { password })).json()
      .recoveryCodes as string[];
    expect(codes).toHaveLength(peopleLimits.recoveryCodes);
    const other = browser();
    await firstStep(other, email);
    expect((await second(other, old[0] ?? '', { recovery: true })).statusCode).toBe(401);
    expect((await second(other, codes[0] ?? '', { recovery: true })).statusCode).toBe(200);
    const without = await signedIn();
    expect(answer(await without.page.post('/second-step/recovery-codes', { password }))).toEqual([
      400,
      'auth/multi-factor-info-not-found',
    ]);
  });
});
