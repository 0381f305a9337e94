import { addMs, dayMs } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import { describe, expect, it } from 'vitest';
import { workingHeaders } from '../../../test/contract-operations.ts';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { TestAuthenticator } from '../passkeys/passkeys.fixtures.ts';
import { signAccessToken } from '../sign-in/access-tokens.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { accountConfirmedNow } from '../sign-in/second-step.fixtures.ts';
import { purgeHistoryTask, recordSignIn } from './sessions.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000' });
const password = 'correct horse';
const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0';
let count = 0;

async function known() {
  const email = `device${++count}@example.test`;
  const id = await signUpAccount(app.db, app.clock, { email, name: 'Leila Haddad', password });
  return { id, email };
}
const tried = (email: string, typed: string, agent: string) =>
  new TestBrowser(app.server, app.config.PUBLIC_URL).post(
    '/sign-in/email',
    { email, password: typed },
    { 'user-agent': agent },
  );
async function signIn(email: string, agent = chrome) {
  const response = await tried(email, password, agent);
  expect(response.statusCode, response.body).toBe(200);
  return app.apiAs(response.json().token);
}
/** Another device on which the person is signed in. */
async function secondDevice({ accountId }: Person) {
  const sessionId = crypto.randomUUID();
  await app.db
    .insertInto('sessions')
    .values({
      id: sessionId,
      accountId,
      tokenHash: sessionId,
      userAgent: firefox,
      expiresAt: addMs(app.clock.now(), dayMs),
    })
    .execute();
  return { sessionId, token: await signAccessToken(app.secret, app.clock, { sessionId, accountId }) };
}
const history = async (api: Person['api']) => (await api.sessions.history({})).items;

describe('sessions.list', () => {
  it("lists only the caller's devices, last used first, without address or place", async () => {
    const { email } = await known();
    await signIn((await known()).email);
    await signIn(email, firefox);
    const api = await signIn(email, chrome);
    const list = await api.sessions.list();
    expect(list.map(({ device, current }) => [device, current])).toEqual([
      ['Chrome on Android', true],
      ['Firefox on Linux', false],
    ]);
    expect(Object.keys(list[0] ?? {}).sort()).toEqual([
      'current',
      'device',
      'id',
      'lastUsedAt',
      'signedInAt',
    ]);
  });

  it('returns when a device was last used, to within an hour', async () => {
    const { email } = await known();
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const token = (await page.post('/sign-in/email', { email, password })).json().token as string;
    const before = new Date('2026-11-01T09:00:00Z');
    const [session] = await app.apiAs(token).sessions.list();
    await app.db
      .updateTable('sessions')
      .set({ updatedAt: before })
      .where('id', '=', session?.id ?? '')
      .execute();
    await page.post('/access-token');
    expect((await app.apiAs(token).sessions.list())[0]?.lastUsedAt).toBe(app.clock.now().toISOString());
  });

  it('rejects guests', async () => {
    expect(await failure(app.apiAs(null).sessions.list())).toMatchObject({ status: 401 });
  });
});

describe('sessions.end', () => {
  it('signs out only the selected device within seconds, with its socket', async () => {
    const person = await app.person();
    const lost = await secondDevice(person);
    const socket = await app.socket(person);
    const lostSocket = await app.socket(lost);
    expect((await person.api.sessions.list()).map(({ id }) => id)).toContain(lost.sessionId);
    expect(await person.api.sessions.end({ sessionId: lost.sessionId })).toEqual({ ended: 1 });
    await lostSocket.ended();
    expect(await failure(person.api.sessions.end({ sessionId: lost.sessionId }))).toMatchObject({
      status: 404,
      code: 'session/not-found',
    });
    app.clock.forward({ seconds: peopleLimits.sessionRecheckMs / 1_000 + 1 });
    expect(await failure(app.apiAs(lost.token).accounts.me())).toMatchObject({ status: 401 });
    expect((await person.api.accounts.me()).id).toBe(person.accountId);
    expect(socket.ends).toEqual([]);
  });

  it("returns 404 for another account's session, which stays", async () => {
    const mine = await app.person();
    const theirs = await app.person();
    expect(await failure(mine.api.sessions.end({ sessionId: theirs.sessionId }))).toMatchObject({
      status: 404,
      code: 'session/not-found',
    });
    expect(await theirs.api.sessions.list()).toHaveLength(1);
  });
});

describe('sessions.endOthers', () => {
  it('rejects later writes from the others, so nothing that opens the account remains', async () => {
    app.clock.set(new Date());
    const { id, email } = await known();
    const other = await signIn(email, firefox);
    await accountConfirmedNow(app, id);
    const question = await other.passkeys.startAdding();
    const api = await signIn(email);
    await api.sessions.endOthers();
    const answer = new TestAuthenticator(app.config.PUBLIC_URL).create(question);
    for (const write of [
      () => other.passkeys.add({ name: 'Pixel 9', answer }),
      () => other.devices.add({ kind: 'android', token: 'a token', label: 'Pixel 9' }),
      () => other.sessions.endOthers(),
    ])
      expect(await failure(write())).toMatchObject({ status: 401, code: 'session/expired' });
    expect(await api.passkeys.list()).toEqual([]);
    expect(await api.sessions.list()).toHaveLength(1);
  });

  it('signs out every other device, and none the second time', async () => {
    const { email } = await known();
    const others = [await signIn(email, firefox), await signIn(email, firefox)];
    const api = await signIn(email);
    expect(await api.sessions.endOthers()).toEqual({ ended: 2 });
    app.clock.forward({ seconds: peopleLimits.sessionRecheckMs / 1_000 + 1 });
    for (const other of others) expect((await failure(other.accounts.me())).status).toBe(401);
    expect(await api.sessions.endOthers()).toEqual({ ended: 0 });
    expect(await api.sessions.list()).toHaveLength(1);
  });
});

describe('sessions.endOf', () => {
  it('lets an operator sign someone out everywhere, with a reason in the log', async () => {
    const operator = await app.person();
    await makeOperator(app.db, app, operator, ['trust']);
    const person = await app.person();
    const other = await secondDevice(person);
    const calendar = await person.api.calendar.newFeed();
    const { accountId } = person;
    const working = app.apiAs(operator.token, workingHeaders);
    expect(await working.sessions.endOf({ accountId })).toEqual({ ended: 2 });
    app.clock.forward({ seconds: peopleLimits.sessionRecheckMs / 1_000 + 1 });
    for (const api of [person.api, app.apiAs(other.token)])
      expect(await failure(api.accounts.me())).toMatchObject({ status: 401, code: 'session/expired' });
    expect((await app.raw({ url: new URL(calendar.url).pathname })).statusCode).toBe(404);
    expect(await working.sessions.endOf({ accountId })).toEqual({ ended: 0 });
    expect((await operator.api.accounts.me()).id).toBe(operator.accountId);
    const { rows } = await app.pool.query(
      `select operation, reason from operator_log where account_id = $1 order by no limit 1`,
      [operator.accountId],
    );
    expect(rows).toEqual([
      { operation: 'POST /operators/accounts/{accountId}/end-sessions', reason: expect.any(String) },
    ]);
  });

  it('allows only operators with a reason', async () => {
    const person = await app.person();
    const operator = await app.person();
    const input = { accountId: operator.accountId };
    expect(await failure(person.api.sessions.endOf(input))).toMatchObject({ code: 'operator/required' });
    await makeOperator(app.db, app, operator, ['support']);
    const supporter = app.apiAs(operator.token, workingHeaders);
    expect(await failure(supporter.sessions.endOf(input))).toMatchObject({ code: 'operator/role-required' });
    await makeOperator(app.db, app, person, ['trust']);
    const bare = await app.raw({
      method: 'POST',
      url: `/api/operators/accounts/${operator.accountId}/end-sessions`,
      headers: { authorization: `Bearer ${person.token}`, 'idempotency-key': crypto.randomUUID() },
      payload: {},
    });
    expect(bare.json()).toMatchObject({ code: 'operator/reason-required' });
    const unknown = await failure(
      app.apiAs(person.token, workingHeaders).sessions.endOf({ accountId: 'nobody' }),
    );
    expect(unknown).toMatchObject({ status: 400, code: 'request/invalid' });
  });
});

describe('sessions.history', () => {
  it('lists sign-ins, new devices, failed attempts by the hour and password changes', async () => {
    const { email } = await known();
    await signIn(email, firefox);
    app.clock.forward({ minutes: 1 });
    for (const typed of ['wrong horse', 'wronger horse', 'x'.repeat(200)]) await tried(email, typed, firefox);
    await app.runDue();
    app.clock.forward({ minutes: 1 });
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const signedIn = await page.post('/sign-in/email', { email, password }, { 'user-agent': chrome });
    app.clock.forward({ minutes: 1 });
    const changed = await page.post(
      '/change-password',
      { currentPassword: password, newPassword: 'another horse' },
      { 'user-agent': chrome },
    );
    expect([signedIn.statusCode, changed.statusCode]).toEqual([200, 200]);
    const items = await history(app.apiAs(changed.json().token));
    expect(items.map(({ kind, device, tries, newDevice }) => [kind, device, tries, newDevice])).toEqual([
      ['password-changed', 'Chrome on Android', 1, false],
      ['signed-in', 'Chrome on Android', 1, true],
      ['failed', 'Firefox on Linux', 3, false],
      ['signed-in', 'Firefox on Linux', 1, false],
    ]);
  });

  it('mails once about a new device, but not about the first sign-in or a known device', async () => {
    const { email } = await known();
    const about = () =>
      app.mails.filter(({ to, subject }) => to === email && subject.startsWith('New sign-in'));
    await signIn(email, firefox);
    await signIn(email, firefox);
    await app.runDue();
    expect(about()).toEqual([]);
    const page = () => tried(email, password, chrome);
    const both = await Promise.all([page(), page()]);
    expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    await app.runDue();
    await signIn(email, chrome);
    await tried(email, 'wrong horse', 'Mozilla/5.0 (Macintosh) Version/17.0 Safari/605.1');
    await app.runDue();
    expect(about()).toHaveLength(1);
    const { text = '', key } = about()[0] ?? {};
    expect(key).toMatch(/^new-device-/);
    expect(text).toContain('Chrome on Android');
    expect(text).toContain('/account-settings');
  });

  it('records nothing for an unknown address', async () => {
    const before = await app.db.selectFrom('sign_in_events').select('id').execute();
    await tried('nobody-at-all@example.test', 'wrong horse', chrome);
    await app.runDue();
    expect(await app.db.selectFrom('sign_in_events').select('id').execute()).toHaveLength(before.length);
  });

  it('pages newest first, and rejects guests and foreign cursors', async () => {
    const { api, accountId } = await app.person();
    for (let day = 0; day < 5; day += 1) {
      app.clock.forward({ days: 1 });
      await app.db
        .transaction()
        .execute((tx) => recordSignIn(tx, app, { accountId, kind: 'password-changed', userAgent: chrome }));
    }
    const first = await api.sessions.history({ limit: 3 });
    const second = await api.sessions.history({ limit: 3, cursor: first.nextCursor ?? '' });
    const times = [...first.items, ...second.items].map(({ happenedAt }) => happenedAt);
    expect(times).toHaveLength(5);
    expect(times).toEqual([...times].sort().reverse());
    expect(second.nextCursor).toBeNull();
    expect(await failure(api.sessions.history({ cursor: 'e30' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
    expect((await failure(app.apiAs(null).sessions.history({}))).status).toBe(401);
  });

  it('goes back 90 days and is capped', async () => {
    const { api, accountId } = await app.person();
    const rows = (many: number, at: Date) =>
      Array.from({ length: many }, () => ({
        id: crypto.randomUUID(),
        accountId,
        kind: 'failed',
        device: 'Chrome',
        happenedAt: at,
      }));
    const old = app.clock.now();
    app.clock.forward({ days: peopleLimits.signInHistoryDays, minutes: 1 });
    await app.db
      .insertInto('sign_in_events')
      .values([...rows(1, old), ...rows(peopleLimits.signInEventsMax + 5, app.clock.now())])
      .execute();
    expect((await api.sessions.history({ limit: 100 })).items.at(-1)?.happenedAt).not.toBe(old.toISOString());
    await app.db
      .transaction()
      .execute((tx) => recordSignIn(tx, app, { accountId, kind: 'password-changed', userAgent: '' }));
    const events = await app.db
      .selectFrom('sign_in_events')
      .select('happenedAt')
      .where('accountId', '=', accountId)
      .execute();
    expect(events).toHaveLength(peopleLimits.signInEventsMax);
    app.clock.forward({ days: peopleLimits.signInHistoryDays, minutes: 1 });
    await purgeHistoryTask.run({ db: app.db, clock: app.clock } as unknown as TaskScope, {});
    const left = await app.db
      .selectFrom('sign_in_events')
      .select('id')
      .where('accountId', '=', accountId)
      .execute();
    expect([purgeHistoryTask.daily, left]).toEqual([true, []]);
  });
});
