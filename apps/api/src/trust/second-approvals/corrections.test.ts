import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import type { LedgerAccount } from '../../money/ledger/ledger.rules.ts';
import { balanceOf, postEntry } from '../../money/ledger/ledger.ts';
import { compareBooks } from '../../money/provider/books.fixtures.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp();
const reason = 'The business approved the wrong engagement, and the worker agrees.';
const why = { 'x-operator-reason': encodeURIComponent('The business asked about a payment.') };
let nadia: Person;
let leila: Person;
let first: Person;
let second: Person;
let businessId: string;

const operator = async (name: string, roles?: Parameters<typeof makeOperator>[3]) => {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, roles);
  return app.working(person);
};

beforeAll(async () => {
  first = await operator('Jonas Weber', ['finance']);
  second = await operator('Mila Horvat', ['finance']);
});
beforeEach(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});

async function paid({ cleared = false } = {}) {
  const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
  const { id: engagementId } = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the fence',
    payMinor: 12_000,
  });
  const { version } = await leila.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
  await nadia.api.timesheets.approve({ engagementId, version });
  if (cleared) app.clock.forward({ days: 6 });
  await app.runDue();
  const { rows } = await app.pool.query(
    `select entry_id from releases where engagement_id = $1 and state = 'released'`,
    [engagementId],
  );
  return { engagementId, entryId: rows[0].entry_id as string };
}
const balanceIn = (kind: 'worker_available' | 'worker_pending' | 'business_balance', ownerId: string) =>
  balanceOf(app.db, { kind, ownerId } satisfies LedgerAccount, 'EUR');
const balances = async () => ({
  available: await balanceIn('worker_available', leila.accountId),
  pending: await balanceIn('worker_pending', leila.accountId),
  business: await balanceIn('business_balance', businessId),
  fees: await balanceOf(app.db, { kind: 'platform_fees' }, 'EUR'),
});
const propose = (entryId: string, person = first) =>
  person.api.secondApprovals.proposeCorrection({ entryId, reason });
const decide = async (id: string, decision: 'approve' | 'refuse' = 'approve') => {
  const caseRef = { kind: 'correction' as const, subjectId: id };
  await second.api.cases.claim(caseRef);
  return second.api.secondApprovals.decide({ ...caseRef, decision, note: 'Checked.' });
};
const books = () => compareBooks(app.db, app.scopeOf(nadia));

describe('secondApprovals.entry', () => {
  it('returns an entry with its accounts and the effect of a reversal', async () => {
    const { entryId, engagementId } = await paid();
    const entry = await first.api.secondApprovals.entry({ entryId });
    expect(entry.correction).toMatchObject({
      engagementId,
      workerLosesMinor: 12_000,
      businessGetsMinor: 13_200,
      problem: null,
      worker: { name: 'Leila Haddad' },
    });
    expect(entry.entry.lines.map(({ account, owner }) => [account, owner?.name ?? null])).toEqual(
      expect.arrayContaining([
        ['worker_pending', 'Leila Haddad'],
        ['hold', 'Paint the fence'],
        ['platform_fees', null],
      ]),
    );
    expect(entry.approval).toBeNull();
  });

  it('requires a case or a reason, the role, and an existing entry', async () => {
    const { entryId } = await paid();
    const bare = app.apiAs(first.token);
    expect(await failure(bare.secondApprovals.entry({ entryId }))).toMatchObject({
      code: 'operator/reason-required',
    });
    expect(await failure(first.api.secondApprovals.entry({ entryId: leila.accountId }))).toMatchObject({
      status: 404,
      code: 'entry/not-found',
    });
    const trust = await operator('Ada Lind', ['trust']);
    expect(await failure(app.apiAs(trust.token, why).secondApprovals.entry({ entryId }))).toMatchObject({
      code: 'operator/role-required',
    });
  });
});

describe('secondApprovals.proposeCorrection', () => {
  for (const cleared of [false, true])
    it(`reverses a payment once a second operator approves, ${cleared ? 'after' : 'before'} it cleared`, async () => {
      const start = await balances();
      const { entryId, engagementId } = await paid({ cleared });
      const { business } = await balances();
      const { id } = await propose(entryId);
      expect(await failure(first.api.cases.claim({ kind: 'correction', subjectId: id }))).toMatchObject({
        code: 'operator/own-record',
      });
      expect((await balances()).business).toBe(business);
      expect(await decide(id)).toMatchObject({ state: 'approved' });
      expect(await balances()).toEqual({ ...start, business: business + 13_200, fees: start.fees });
      const { releases } = await leila.api.engagements.get({ engagementId });
      expect(releases).toMatchObject([{ state: 'reversed', amountMinor: 12_000 }]);
      for (const person of [leila, nadia])
        expect(
          (await person.api.notifications.list({ limit: 100 })).items.filter(
            ({ topic }) => topic === 'payment-reversed',
          ),
        ).toHaveLength(1);
      app.clock.forward({ days: 10 });
      await app.runDue();
      expect(await balances()).toMatchObject({ available: start.available, pending: start.pending });
      expect(await books()).toEqual([]);
      expect(await failure(propose(entryId))).toMatchObject({
        status: 409,
        code: 'correction/not-possible',
        data: { problem: 'reversed' },
      });
    });

  it('rejects when the worker has spent it, while work goes on, and for other entries', async () => {
    const { entryId } = await paid({ cleared: true });
    const { id } = await propose(entryId);
    await app.db.transaction().execute(async (tx) => {
      await postEntry(tx, app.scopeOf(leila), {
        key: `spent/${entryId}`,
        kind: 'reserve',
        currency: 'EUR',
        about: null,
        lines: [
          { account: { kind: 'worker_available', ownerId: leila.accountId }, amountMinor: -1 },
          { account: { kind: 'worker_reserved', ownerId: leila.accountId }, amountMinor: 1 },
        ],
      });
    });
    const before = await balances();
    expect(await failure(decide(id))).toMatchObject({
      code: 'correction/not-possible',
      data: { problem: 'spent' },
    });
    expect(await balances()).toEqual(before);
    const { rows } = await app.pool.query(
      `select id from ledger_entries where kind = 'fund' order by id desc limit 1`,
    );
    expect(await failure(propose(rows[0].id))).toMatchObject({ data: { problem: 'not-a-payment' } });
    expect(await failure(propose(leila.accountId))).toMatchObject({ code: 'entry/not-found' });
    for (const short of ['', 'Too short', 'x'.repeat(1_001)])
      expect(
        await failure(first.api.secondApprovals.proposeCorrection({ entryId, reason: short })),
      ).toMatchObject({ status: 400 });
  });

  it('rejects operators on one of the sides, and a second pending one', async () => {
    const { entryId } = await paid();
    const member = await operator('Ada Lind', ['finance']);
    await makeMember(app.db, app.clock, businessId, member.accountId, 'finance');
    expect(await failure(propose(entryId, member))).toMatchObject({ code: 'operator/own-record' });
    const tries = await Promise.allSettled([propose(entryId), propose(entryId, second)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('moves once when it is approved twice concurrently', async () => {
    const { entryId } = await paid();
    const { business } = await balances();
    const { id } = await propose(entryId);
    const caseRef = { kind: 'correction' as const, subjectId: id };
    await second.api.cases.claim(caseRef);
    const approve = () => second.api.secondApprovals.decide({ ...caseRef, decision: 'approve' });
    await Promise.allSettled([approve(), approve()]);
    expect((await balances()).business).toBe(business + 13_200);
    const { rows } = await app.pool.query(
      'select count(*)::int as count from ledger_entries where reverses = $1',
      [entryId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });
});

describe('corrections of rewards and card tips', () => {
  async function tipped(number?: string) {
    const { engagementId } = await paid();
    const { id: cardId } = await makeCard(app.db, app.scopeOf(nadia), businessId, number);
    await nadia.api.pay.tip({ engagementId, amountMinor: 2_000, funding: { from: 'card', cardId } });
    await app.runDue();
    const { rows } = await app.pool.query(
      `select entry.id from ledger_entries entry join tips on tips.id = entry.about
       where tips.engagement_id = $1 and entry.kind = 'tip'`,
      [engagementId],
    );
    return { entryId: rows[0].id as string, engagementId };
  }

  it('move a card tip to the balance, from where it can be refunded, and the books agree', async () => {
    const { entryId } = await tipped();
    const start = await balances();
    expect((await first.api.secondApprovals.entry({ entryId })).correction).toMatchObject({
      kind: 'tip',
      workerLosesMinor: 2_000,
      businessGetsMinor: 2_000,
      problem: null,
    });
    await decide((await propose(entryId)).id);
    expect(await balances()).toMatchObject({
      business: start.business + 2_000,
      pending: start.pending - 2_000,
    });
    expect(await books()).toEqual([]);
    await nadia.api.charges.refund({ businessId, amountMinor: start.business + 2_000, currency: 'EUR' });
    await app.runDue();
    expect(await balanceIn('business_balance', businessId)).toBe(0);
    expect(await books()).toEqual([]);
    expect(await failure(propose(entryId))).toMatchObject({ data: { problem: 'reversed' } });
  });

  it('reject a card tip that was charged back, and what moved at the provider', async () => {
    const { entryId } = await tipped(testCards.chargebackLost);
    app.clock.forward({ days: 2, hours: 1 });
    await app.runDue();
    await app.runDue();
    expect(await failure(propose(entryId))).toMatchObject({ data: { problem: 'charged-back' } });
    const { rows } = await app.pool.query(
      `select entry.id from ledger_entries entry where kind in ('top_up', 'chargeback') order by id desc limit 1`,
    );
    expect(await failure(propose(rows[0].id))).toMatchObject({
      code: 'correction/not-possible',
      data: { problem: 'at-provider' },
    });
  });

  it('take a reward back once: its account is notified, its inviter sees it, and Nearhand has the money', async () => {
    const { entryId, rewardId } = await rewarded();
    const marketing = await balanceOf(app.db, { kind: 'platform_marketing' }, 'EUR');
    expect((await first.api.secondApprovals.entry({ entryId })).correction).toMatchObject({
      kind: 'reward',
      engagementId: null,
      business: null,
      workerLosesMinor: 1_000,
      problem: null,
    });
    const { id } = await propose(entryId);
    expect(await failure(app.working(leila).api.cases.list({}))).toMatchObject({ status: 403 });
    await decide(id);
    expect(await balanceOf(app.db, { kind: 'platform_marketing' }, 'EUR')).toBe(marketing + 1_000);
    expect(await balanceIn('worker_available', leila.accountId)).toBe(0);
    const notices = (await leila.api.notifications.list({ limit: 50 })).items;
    expect(notices.filter(({ topic }) => topic === 'referral-reversed')).toMatchObject([
      { data: { amountMinor: 1_000, reason } },
    ]);
    const { items } = await leila.api.referrals.list({});
    expect(items).toMatchObject([{ state: 'unpaid', unpaidReason: 'reversed', amountMinor: null }]);
    expect((await leila.api.referrals.mine({})).earned).toEqual([]);
    expect(await failure(propose(entryId))).toMatchObject({ data: { problem: 'reversed' } });
    app.clock.forward({ days: 30 });
    await app.runDue();
    expect(await balanceIn('worker_available', leila.accountId)).toBe(0);
    expect(rewardId).toBeTruthy();
  });

  it('reject a spent reward', async () => {
    const { entryId } = await rewarded();
    const { id } = await propose(entryId);
    await app.db.transaction().execute((tx) =>
      postEntry(tx, app.scopeOf(leila), {
        key: `spent/${entryId}`,
        kind: 'reserve',
        currency: 'EUR',
        about: null,
        lines: [
          { account: { kind: 'worker_available', ownerId: leila.accountId }, amountMinor: -1 },
          { account: { kind: 'worker_reserved', ownerId: leila.accountId }, amountMinor: 1 },
        ],
      }),
    );
    expect(await failure(decide(id))).toMatchObject({ data: { problem: 'spent' } });
    expect(await failure(propose(leila.accountId))).toMatchObject({ code: 'entry/not-found' });
  });
});

async function rewarded() {
  const invited = await app.person({ name: 'Sam Reed' });
  const { code } = await leila.api.referrals.mine({});
  await app.pool.query('update accounts set created_at = $2 where id = $1', [
    invited.accountId,
    app.clock.now(),
  ]);
  await invited.api.referrals.claim({ code });
  const sides = { worker: app.scopeOf(invited), recruiter: app.scopeOf(nadia) };
  const { id: engagementId } = await makeEngagement(app.db, sides, businessId, {
    kind: 'task',
    title: 'Paint the gate',
    payMinor: 12_000,
  });
  const { version } = await invited.api.timesheets.deliver({ engagementId, version: 1, note: 'Done.' });
  await nadia.api.timesheets.approve({ engagementId, version });
  await app.runDue();
  app.clock.forward({ days: 7, minutes: 1 });
  await app.runDue();
  const { rows } = await app.pool.query(
    `select id, entry_id from referral_rewards where account_id = $1 and side = 'inviter'`,
    [leila.accountId],
  );
  return { entryId: rows[0].entry_id as string, rewardId: rows[0].id as string };
}
