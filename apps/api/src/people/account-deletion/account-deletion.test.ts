import { beforeEach, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { makeBank, payWorker } from '../../money/payouts/payouts.fixtures.ts';
import { withdraw } from '../../money/payouts/withdrawals.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { signUpAccount } from '../accounts/accounts.fixtures.ts';
import { makeBusiness, makeMember } from '../businesses/businesses.fixtures.ts';
import { TestAuthenticator } from '../passkeys/passkeys.fixtures.ts';
import { fillProfile } from '../profiles/profiles.fixtures.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { accountConfirmedNow } from '../sign-in/second-step.fixtures.ts';

const app = useTestApp({ SIGN_INS_PER_MINUTE: '5' });
const password = 'correct horse';
let count = 0;

/** A person with a password, signed in through the provider. */
async function member(options: { emailVerified?: boolean } = {}) {
  const email = `leaver${++count}@example.test`;
  const accountId = await signUpAccount(app.db, app.clock, {
    email,
    name: `Leaver ${count}`,
    password,
    ...options,
  });
  return { accountId, email, ...(await signIn(email)) };
}

async function signIn(email: string) {
  // Gives everyone a different network, because people on one network share a limit.
  const page = new TestBrowser(app.server, app.config.PUBLIC_URL, `10.0.${++count % 250}.${count % 240}`);
  const response = await page.post('/sign-in/email', { email, password });
  expect(response.statusCode, response.body).toBe(200);
  const { token } = response.json() as { token: string };
  return { page, token, api: app.apiAs(token) };
}

// The provider's sessions last 60 days by the real clock, not the test's.
beforeEach(() => app.clock.set('2026-11-21T09:00:00Z'));

const mailsTo = (email: string) =>
  app.mails.filter((mail) => mail.to === email).map(({ subject }) => subject);
/** Every process has rechecked the session after a few seconds. */
const recheck = () => app.clock.forward({ seconds: 6 });
const leaveIn = async (days: number) => {
  app.clock.forward({ days });
  await app.runDue();
};

describe('accountDeletion.get', () => {
  it('returns no planned deletion, and how to confirm one', async () => {
    const { api } = await member({ emailVerified: false });
    expect(await api.accountDeletion.get()).toEqual({
      status: 'none',
      requestedAt: null,
      deleteAt: null,
      obstacles: [],
      mayReturn: [],
      confirmBy: 'password',
      graceDays: 30,
    });
    const { api: social } = await app.person();
    expect((await social.accountDeletion.get()).confirmBy).toBe('code');
  });

  it('lists everything that has to be cleared first', async () => {
    const owner = await app.person();
    const worker = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner), { name: 'Bar Noord' });
    const both = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    await makeEngagement(app.db, both, business.id);
    const task = await makeEngagement(app.db, both, business.id, { kind: 'task' });
    const done = await worker.api.timesheets.deliver({
      engagementId: task.id,
      version: task.version,
      note: 'Done',
      fileIds: [],
    });
    await owner.api.disputes.file({
      engagementId: task.id,
      version: done.version,
      reason: 'Half of it',
      amountMinor: 100,
    });
    const job = await makeJob(app.db, both.recruiter, business.id, { kind: 'task' });
    const application = await makeApplication(app.db, both.worker, job.id);
    await makeOffer(app.db, both.recruiter, application.id);
    await payWorker(app.db, both.worker, worker.accountId, 2_000, { atOnce: true });
    await payWorker(app.db, both.worker, worker.accountId, 300);
    expect((await worker.api.accountDeletion.get()).obstacles).toEqual([
      { kind: 'balance', amountMinor: 2_300, currency: 'EUR' },
      { kind: 'work', count: 1 },
      { kind: 'dispute', count: 1 },
      { kind: 'offer', count: 1 },
    ]);
    expect((await owner.api.accountDeletion.get()).obstacles).toEqual([
      { kind: 'business', businessId: business.id, name: 'Bar Noord' },
    ]);
    // Another owner takes over. An owner who is leaving does not count.
    const second = await member();
    await makeMember(app.db, app.clock, business.id, second.accountId, 'owner');
    expect((await owner.api.accountDeletion.get()).obstacles).toEqual([]);
    await second.api.accountDeletion.request({ password });
    expect((await owner.api.accountDeletion.get()).obstacles).toMatchObject([{ kind: 'business' }]);
  });
});

describe('accountDeletion.sendCode', () => {
  it('mails a code and accepts only the newest one', async () => {
    const { api, email, accountId } = await app.person();
    const { sentTo } = await api.accountDeletion.sendCode();
    expect(sentTo).toBe(email);
    await app.runDue();
    const first = codeTo(email);
    await api.accountDeletion.sendCode();
    await app.runDue();
    const second = codeTo(email);
    if (first !== second)
      expect(await failure(api.accountDeletion.request({ code: first }))).toMatchObject({
        status: 422,
        code: 'account/wrong-code',
        data: { left: 4 },
      });
    expect((await api.accountDeletion.request({ code: second })).status).toBe('scheduled');
    const rows = await app.db
      .selectFrom('account_deletion_codes')
      .selectAll()
      .where('accountId', '=', accountId)
      .execute();
    expect(rows).toEqual([]);
  });

  it('rejects accounts with a password, and more than five a day', async () => {
    const { api } = await member();
    expect(await failure(api.accountDeletion.sendCode())).toMatchObject({ code: 'account/has-password' });
    const { api: social } = await app.person();
    for (let nth = 0; nth < 5; nth += 1) await social.accountDeletion.sendCode();
    expect(await failure(social.accountDeletion.sendCode())).toMatchObject({
      status: 429,
      code: 'account/too-many-codes',
      data: { retryAfterSeconds: 86_400 },
    });
  });

  it('allows five tries and fifteen minutes', async () => {
    const { api, email } = await app.person();
    await api.accountDeletion.sendCode();
    await app.runDue();
    const code = codeTo(email);
    const wrong = code === '000000' ? '111111' : '000000';
    const tries = await Promise.all(
      Array.from({ length: 8 }, () => failure(api.accountDeletion.request({ code: wrong }))),
    );
    expect(tries.map(({ code: refusal }) => refusal)).toEqual(Array(8).fill('account/wrong-code'));
    expect(await failure(api.accountDeletion.request({ code }))).toMatchObject({ data: { left: 0 } });
    await api.accountDeletion.sendCode();
    await app.runDue();
    app.clock.forward({ minutes: 15 });
    expect(await failure(api.accountDeletion.request({ code: codeTo(email) }))).toMatchObject({
      code: 'account/wrong-code',
    });
  });
});

const codeTo = (email: string): string =>
  /^\d{6}/.exec(app.mails.filter((mail) => mail.to === email).at(-1)?.subject ?? '')?.[0] ?? '';

describe('accountDeletion.request', () => {
  it('requires the password and counts attempts per session', async () => {
    const { api } = await member();
    expect(await failure(api.accountDeletion.request({}))).toMatchObject({ code: 'account/wrong-password' });
    for (const wrong of ['wrong', 'x'.repeat(128), '\u2603', ' '])
      expect(await failure(api.accountDeletion.request({ password: wrong }))).toMatchObject({
        status: 422,
        code: 'account/wrong-password',
      });
    // Those were all five attempts.
    expect(await failure(api.accountDeletion.request({ password }))).toMatchObject({
      status: 429,
      code: 'account/too-many-tries',
      data: { retryAfterSeconds: 60 },
    });
    app.clock.forward({ minutes: 1 });
    expect((await api.accountDeletion.request({ password })).status).toBe('scheduled');
  });

  it('accepts a passkey used within ten minutes instead, and removes it with the account', async () => {
    const { page, accountId, ...first } = await member();
    let { api } = first;
    const byPasskey = () => api.accountDeletion.request({ byPasskey: true });
    expect(await failure(byPasskey())).toMatchObject({ status: 403, code: 'session/password-required' });
    await accountConfirmedNow(app, accountId);
    const authenticator = new TestAuthenticator(app.config.PUBLIC_URL);
    const passkey = authenticator.create(await api.passkeys.startAdding());
    await api.passkeys.add({ name: 'Pixel 9', answer: passkey });
    await api.passkeys.confirm({ answer: authenticator.answer(await api.passkeys.startConfirming()) });
    app.clock.forward({ minutes: 11 });
    api = app.apiAs((await page.post('/access-token')).json().token);
    expect((await failure(byPasskey())).code).toBe('session/password-required');
    await api.passkeys.confirm({ answer: authenticator.answer(await api.passkeys.startConfirming()) });
    expect((await byPasskey()).status).toBe('scheduled');
    app.clock.forward({ days: app.config.ACCOUNT_DELETION_DAYS });
    await app.runDue();
    const left = await app.db
      .selectFrom('passkeys')
      .select('id')
      .where('accountId', '=', accountId)
      .execute();
    expect(left).toEqual([]);
  });

  it('rejects while something is open, and changes nothing', async () => {
    const { api, accountId } = await member();
    await makeBusiness(app.db, app.scopeOf({ accountId }));
    expect(await failure(api.accountDeletion.request({ password }))).toMatchObject({
      status: 409,
      code: 'account/cannot-be-deleted',
      data: { obstacles: ['business'] },
    });
    expect((await api.accountDeletion.get()).status).toBe('none');
  });

  it('withdraws applications, hides the profile, ends sessions and mails how to undo it', async () => {
    const owner = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(owner));
    const leaver = await member();
    const job = await makeJob(app.db, app.scopeOf(owner), business.id);
    const application = await makeApplication(app.db, app.scopeOf(leaver), job.id);
    expect((await owner.api.profiles.worker({ workerId: leaver.accountId })).workerId).toBe(leaver.accountId);
    const state = await leaver.api.accountDeletion.request({ password });
    expect(state).toMatchObject({ status: 'scheduled', obstacles: [] });
    expect(new Date(state.deleteAt ?? 0).getTime() - app.clock.now().getTime()).toBe(30 * 86_400_000);
    recheck();
    expect((await failure(leaver.api.accounts.me())).code).toBe('session/expired');
    expect(
      await app.db
        .selectFrom('applications')
        .select('status')
        .where('id', '=', application.id)
        .executeTakeFirst(),
    ).toEqual({ status: 'withdrawn' });
    expect(await failure(owner.api.profiles.worker({ workerId: leaver.accountId }))).toMatchObject({
      code: 'profile/not-found',
    });
    await app.runDue();
    expect(mailsTo(leaver.email).at(-1)).toMatch(/^Your account will be deleted on \d+ \w+ \d{4}$/);
  });

  it('creates one deletion for two concurrent calls', async () => {
    const leaver = await member();
    const other = await signIn(leaver.email);
    const answers = await Promise.allSettled([
      leaver.api.accountDeletion.request({ password }),
      other.api.accountDeletion.request({ password }),
    ]);
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    const rows = await app.db
      .selectFrom('account_deletions')
      .select('status')
      .where('accountId', '=', leaver.accountId)
      .execute();
    expect(rows).toEqual([{ status: 'scheduled' }]);
  });

  it('stops two owners of one business from leaving together', async () => {
    const firstMember = await member();
    const secondMember = await member();
    const business = await makeBusiness(app.db, app.scopeOf(firstMember));
    await makeMember(app.db, app.clock, business.id, secondMember.accountId, 'owner');
    const answers = await Promise.allSettled(
      [firstMember, secondMember].map(({ api }) => api.accountDeletion.request({ password })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('accountDeletion.undo', () => {
  it('keeps the account, which is read-only until then', async () => {
    const leaver = await member();
    await leaver.api.accountDeletion.request({ password });
    const back = await signIn(leaver.email);
    expect((await back.api.accounts.me()).name).toBe(`Leaver ${leaver.email.match(/\d+/)?.[0]}`);
    expect(await failure(back.api.accounts.update({ name: 'New Name' }))).toMatchObject({
      status: 403,
      code: 'account/leaving',
    });
    expect(await back.api.accountDeletion.get()).toMatchObject({ status: 'scheduled' });
    expect(await back.api.accountDeletion.undo()).toMatchObject({ status: 'none', deleteAt: null });
    expect(await back.api.accountDeletion.undo()).toMatchObject({ status: 'none' });
    recheck();
    expect((await back.api.accounts.update({ name: 'New Name' })).name).toBe('New Name');
    await leaveIn(40);
    const again = await signIn(leaver.email);
    expect((await again.api.accounts.me()).name).toBe('New Name');
  });
});

describe('an account that is due', () => {
  it('is removed: sign-in fails, and the address can open a new account', async () => {
    const leaver = await member();
    await fillProfile(app.db, app.scopeOf(leaver), { weekHoursMax: 20, findable: 'named' });
    await leaver.api.accountDeletion.request({ password });
    await leaveIn(29);
    expect(mailsTo(leaver.email)).not.toContain('Your account was deleted');
    await leaveIn(1);
    expect(mailsTo(leaver.email).at(-1)).toBe('Your account was deleted');
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL, '10.1.1.1');
    const old = await page.post('/sign-in/email', { email: leaver.email, password });
    expect([old.statusCode, old.json().code]).toEqual([401, 'auth/invalid-credential']);
    const fresh = await page.post('/sign-up/email', { email: leaver.email, password });
    expect(fresh.statusCode).toBe(200);
    const freshId = fresh.json().user.id;
    expect(freshId).not.toBe(leaver.accountId);
    const columnsOf = async (accountId: string) => {
      const row = app.db.selectFrom('profiles').selectAll().where('accountId', '=', accountId);
      return { ...(await row.executeTakeFirstOrThrow()), accountId: '', version: 0, updatedAt: null };
    };
    await app.db.insertInto('profiles').values({ accountId: freshId, updatedAt: app.clock.now() }).execute();
    // The profile is as empty as one that nobody filled in.
    expect(await columnsOf(leaver.accountId)).toEqual(await columnsOf(freshId));
  });

  it('is postponed with a reason if money arrived, and removed when it is gone', async () => {
    const leaver = await member();
    await leaver.api.accountDeletion.request({ password });
    app.clock.forward({ days: 29 });
    await payWorker(app.db, app.scopeOf(leaver), leaver.accountId, 700, { atOnce: true });
    await leaveIn(1);
    await leaveIn(1);
    expect(
      mailsTo(leaver.email).filter((subject) => subject === "We couldn't delete your account yet"),
    ).toHaveLength(1);
    const mail = app.mails.findLast(({ to }) => to === leaver.email);
    expect(mail?.text).toContain('there is money in your balance');
    const back = await signIn(leaver.email);
    expect(await back.api.accountDeletion.get()).toMatchObject({
      status: 'postponed',
      obstacles: [{ kind: 'balance', amountMinor: 700 }],
    });
    // After the postponement, the obstacle can be removed.
    expect((await back.api.accounts.update({ name: 'Still Here' })).name).toBe('Still Here');
    await payOut(leaver.accountId, 700);
    await leaveIn(1);
    expect(mailsTo(leaver.email).at(-1)).toBe('Your account was deleted');
  });
});

/** Withdraws everything and waits until it is paid. */
async function payOut(accountId: string, amountMinor: number) {
  const scope = app.scopeOf({ accountId });
  const { id: methodId } = await makeBank(app.db, scope);
  app.clock.forward({ days: 4 });
  await app.db
    .transaction()
    .execute((tx) => withdraw(tx, scope, { methodId, amountMinor, speed: 'standard' }));
  for (let day = 0; day < 6; day += 1) await leaveIn(1);
}
