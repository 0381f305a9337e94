import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { auditLedger, balanceOf } from '../../money/ledger/ledger.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';

const app = useTestApp({ GOODWILL_ALONE_MINOR: '5000' });
const reason = 'We paid your last shift four days late.';
const why = { 'x-operator-reason': encodeURIComponent('They wrote about a late payment.') };
let first: Person;
let second: Person;
let owner: Person;
let nadia: Person;
let leila: Person;
let businessId: string;

const operator = async (name: string, roles?: Parameters<typeof makeOperator>[3]) => {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, roles);
  return app.working(person, why);
};

beforeAll(async () => {
  first = await operator('Jonas Weber', ['finance']);
  second = await operator('Mila Horvat', ['finance']);
  owner = await operator('Ada Lind', ['owner']);
});
beforeEach(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});

const leilas = () => ({ kind: 'person' as const, recipientId: leila.accountId });
const give = (
  by: Person,
  amountMinor: number,
  to: { kind: 'person' | 'business'; recipientId: string } = leilas(),
) => by.api.secondApprovals.giveGoodwill({ ...to, amountMinor, currency: 'EUR', reason });
const available = () => balanceOf(app.db, { kind: 'worker_available', ownerId: leila.accountId }, 'EUR');
const losses = () => balanceOf(app.db, { kind: 'platform_losses' }, 'EUR');
const waiting = async (subjectId: string) => {
  const { rows } = await app.pool.query(
    "select id from second_approvals where subject_id = $1 and state = 'waiting'",
    [subjectId],
  );
  return { kind: 'second_approval' as const, subjectId: rows[0]?.id as string };
};

describe('secondApprovals.giveGoodwill', () => {
  it('pays to the cent within the limit of 30 days, and notifies the user of the reason', async () => {
    const before = await losses();
    expect(await give(first, 4_999)).toEqual({ state: 'paid' });
    expect([await available(), (await losses()) - before]).toEqual([4_999, -4_999]);
    expect(await first.api.secondApprovals.goodwill(leilas())).toMatchObject({
      currency: 'EUR',
      aloneMinor: 1,
    });
    const { items } = await leila.api.statements.mine({ currency: 'EUR' });
    expect(items).toMatchObject([{ kind: 'goodwill', amountMinor: 4_999, status: 'paid' }]);
    expect((await leila.api.notifications.list({})).items).toMatchObject([
      { topic: 'goodwill-paid', data: { amountMinor: 4_999, currency: 'EUR', reason } },
    ]);
    app.clock.forward({ days: 31 });
    expect(await first.api.secondApprovals.goodwill(leilas())).toMatchObject({ aloneMinor: 5_000 });
    expect(await auditLedger(app.db, app.scopeOf(first))).toMatchObject({ findings: [] });
  });

  it('waits for another operator above the limit, even in parts and for concurrent payments', async () => {
    const outcomes = await Promise.all([give(first, 3_000), give(second, 2_001)]);
    expect(outcomes.map(({ state }) => state).sort()).toEqual(['paid', 'waiting']);
    const log = async (result: 'done' | 'asked') =>
      (await owner.api.operatorLog.search({ subjectId: leila.accountId, what: 'actions', result })).items;
    expect([await log('done'), await log('asked')]).toMatchObject([
      [{ asksApproval: false }],
      [{ asksApproval: true }],
    ]);
    const paidMinor = await available();
    expect(await failure(give(first, 4_000))).toMatchObject({ status: 409, code: 'approval/waiting' });
    const subject = await waiting(leila.accountId);
    const asker = paidMinor === 3_000 ? second : first;
    const approver = asker === first ? second : first;
    expect(await failure(asker.api.cases.claim(subject))).toMatchObject({ code: 'operator/own-record' });
    await approver.api.cases.claim(subject);
    const { facts } = await approver.api.cases.get(subject);
    expect(facts).toMatchObject({
      kind: 'second_approval',
      approval: { kind: 'goodwill', reason },
      recipient: { kind: 'person', id: leila.accountId, name: 'Leila Haddad' },
      earlierGoodwill: [{ amountMinor: paidMinor, reason }],
    });
    const { goodwill } = await owner.api.staffSearch.get({ kind: 'person', id: leila.accountId });
    expect(goodwill).toMatchObject({
      waiting: { amountMinor: 5_001 - paidMinor, requestedBy: { id: asker.accountId } },
      paid: [{ amountMinor: paidMinor, paidBy: approver === first ? 'Jonas Weber' : 'Mila Horvat' }],
    });
    const approve = { ...subject, decision: 'approve' as const };
    for (const _time of [1, 2])
      expect(await approver.api.secondApprovals.decide(approve)).toMatchObject({ state: 'approved' });
    expect(await available()).toBe(5_001);
    expect(await auditLedger(app.db, app.scopeOf(first))).toMatchObject({ findings: [] });
  });

  it('counts what was given in other currencies', async () => {
    const setCurrency = (currency: string) =>
      app.pool.query('update businesses set currency = $2 where id = $1', [businessId, currency]);
    const to = { kind: 'business' as const, recipientId: businessId };
    await setCurrency('SEK');
    expect(await first.api.secondApprovals.goodwill(to)).toMatchObject({
      currency: 'SEK',
      aloneMinor: 55_000,
    });
    const input = { ...to, amountMinor: 44_000, currency: 'SEK' as const, reason };
    expect(await first.api.secondApprovals.giveGoodwill(input)).toEqual({ state: 'paid' });
    await setCurrency('EUR');
    expect(await first.api.secondApprovals.goodwill(to)).toMatchObject({
      currency: 'EUR',
      aloneMinor: 1_000,
    });
  });

  it('rejects more than one payment can be, and says that limit', async () => {
    const { maxMinor } = await first.api.secondApprovals.goodwill(leilas());
    expect(await failure(give(first, maxMinor + 1))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'amountMinor' }] },
    });
    expect(await give(first, maxMinor)).toEqual({ state: 'waiting' });
  });

  it('moves nothing when it is rejected', async () => {
    expect(await give(first, 5_001)).toEqual({ state: 'waiting' });
    const subject = await waiting(leila.accountId);
    await second.api.cases.claim(subject);
    await second.api.secondApprovals.decide({ ...subject, decision: 'refuse', note: 'Too much' });
    expect(await available()).toBe(0);
  });

  it('gives a business credit for hires', async () => {
    const to = { kind: 'business' as const, recipientId: businessId };
    expect(await give(first, 5_000, to)).toEqual({ state: 'paid' });
    expect(await balanceOf(app.db, { kind: 'business_promo', ownerId: businessId }, 'EUR')).toBe(5_000);
    await app.pool.query("update businesses set status = 'closed' where id = $1", [businessId]);
    expect(await failure(give(first, 1, to))).toMatchObject({ status: 404, code: 'search/not-found' });
  });

  it("rejects invalid amounts, other currencies, other roles and the operator's own account", async () => {
    for (const amountMinor of [0, -1, 1.5, Number.MAX_SAFE_INTEGER])
      expect(await failure(give(first, amountMinor))).toMatchObject({
        code: 'request/invalid',
        data: { issues: [{ path: 'amountMinor' }] },
      });
    const input = { ...leilas(), amountMinor: 100, currency: 'SEK' as const, reason };
    expect(await failure(first.api.secondApprovals.giveGoodwill(input))).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'currency' }] },
    });
    const short = { ...input, currency: 'EUR' as const, reason: 'Sorry' };
    expect(await failure(first.api.secondApprovals.giveGoodwill(short))).toMatchObject({
      data: { issues: [{ path: 'reason' }] },
    });
    const support = await operator('Sven Berg', ['support']);
    expect(await failure(give(support, 100))).toMatchObject({ code: 'operator/role-required' });
    expect(await failure(give(first, 100, { kind: 'person', recipientId: first.accountId }))).toMatchObject({
      code: 'operator/own-record',
    });
    expect(await available()).toBe(0);
  });
});

describe('secondApprovals.goodwill', () => {
  it('returns 404 for accounts that are removed or about to be', async () => {
    await app.db
      .insertInto('account_deletions')
      .values({
        id: crypto.randomUUID(),
        accountId: leila.accountId,
        status: 'scheduled',
        requestedAt: app.clock.now(),
        deleteAt: app.clock.now(),
      })
      .execute();
    expect(await failure(give(first, 100))).toMatchObject({ status: 404, code: 'search/not-found' });
    await app.db.deleteFrom('account_deletions').where('accountId', '=', leila.accountId).execute();
    expect(await first.api.secondApprovals.goodwill(leilas())).toMatchObject({ currency: 'EUR' });
    await app.pool.query('update accounts set disabled_at = now() where id = $1', [leila.accountId]);
    expect(await failure(first.api.secondApprovals.goodwill(leilas()))).toMatchObject({
      code: 'search/not-found',
    });
  });
});
