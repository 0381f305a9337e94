import { creditDueOn, creditDues } from '@nearhand/contract/money/credit-limits.rules';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';
import { spendableMinor } from '../wallet/wallet.ts';
import { reviewCredit } from './credit-limits.ts';

const app = useTestApp({ CREDIT_ALONE_MINOR: '50000', APPLICATIONS_PER_DAY: '1000' });
const cast = useHiring(app);
const reason = 'Two years of hires, always paid on time.';
const why = { 'x-operator-reason': encodeURIComponent('They asked to pay by invoice.') };
let jonas: Person;
let mila: Person;

const operator = async (name: string, roles?: Parameters<typeof makeOperator>[3]) => {
  const person = await app.person({ name });
  await makeOperator(app.db, app, person, roles);
  return app.working(person, why);
};
beforeAll(async () => {
  jonas = await operator('Jonas Weber', ['finance']);
  mila = await operator('Mila Horvat', ['finance']);
});
beforeEach(() => app.clock.set('2026-12-10T10:00:00Z'));

const set = (limitMinor: number, by = jonas) =>
  by.api.secondApprovals.setCreditLimit({
    businessId: cast.business.id,
    limitMinor,
    currency: 'EUR',
    reason,
  });
const credit = async () => (await cast.nadia.api.creditLimits.get({ businessId: cast.business.id })).credit;
const unused = () => balanceOf(app.db, { kind: 'business_credit', ownerId: cast.business.id }, 'EUR');
const transfer = async (amountMinor: number) => {
  await cast.nadia.api.bankTransfers.makeTest({ businessId: cast.business.id, amountMinor });
  await app.runDue();
};
const daily = () => reviewCredit({ ...cast.hirer(), db: app.db }, cast.business.id);
/** Applies for 7.5 hours at 17.50, which an offer sets `eachMinor` aside for with its fee. */
const applied = async () => {
  const job = await makeJob(app.db, cast.hirer(), cast.business.id, { headCount: 1 });
  const leila = await app.person({ name: 'Leila Haddad' });
  return (await makeApplication(app.db, app.scopeOf(leila), job.id)).id;
};
const eachMinor = 14_438;
const offer = async (applicationId: string) =>
  cast.nadia.api.offers.make({ applicationId, message: '', funding: { from: 'balance' } });
const topics = async () =>
  (await cast.nadia.api.notifications.list({ limit: 100 })).items
    .filter(({ topic }) => topic.startsWith('credit-'))
    .map(({ topic, data }) => [topic, data.variant ?? null, data.amountMinor]);
const refusal = (limitMinor: number, currency: 'EUR' | 'SEK' = 'EUR') =>
  failure(
    jonas.api.secondApprovals.setCreditLimit({ businessId: cast.business.id, limitMinor, currency, reason }),
  );

describe('the dues of a limit', () => {
  it('are at the end of the month after, the oldest paid first', () => {
    expect([creditDueOn('2026-12'), creditDueOn('2027-01')]).toEqual(['2027-01-31', '2027-02-28']);
    const drawn = [
      { month: '2026-12', amountMinor: 50 },
      { month: '2026-10', amountMinor: 30 },
    ];
    expect(creditDues(60, drawn)).toEqual([
      { dueOn: '2026-11-30', amountMinor: 10 },
      { dueOn: '2027-01-31', amountMinor: 50 },
    ]);
    expect([creditDues(0, drawn), creditDues(40, drawn)]).toEqual([
      [],
      [{ dueOn: '2027-01-31', amountMinor: 40 }],
    ]);
    expect(creditDues(90, drawn)[0]).toEqual({ dueOn: '2026-11-30', amountMinor: 40 });
  });
});

describe('secondApprovals.creditLimit', () => {
  it('returns the limit, what one operator may set alone, and the changes', async () => {
    await set(50_000);
    expect(await jonas.api.secondApprovals.creditLimit({ businessId: cast.business.id })).toMatchObject({
      limitMinor: 50_000,
      aloneMinor: 50_000,
      mayRaise: true,
      changes: [{ beforeMinor: 0, limitMinor: 50_000, reason, setBy: 'Jonas Weber', approvedBy: null }],
    });
  });
});

describe('secondApprovals.setCreditLimit', () => {
  it('sets a limit, tells the business why, and keeps the changes', async () => {
    expect(await set(50_000)).toEqual({ state: 'set' });
    expect(await credit()).toEqual({
      currency: 'EUR',
      limitMinor: 50_000,
      availableMinor: 50_000,
      owedMinor: 0,
      dues: [],
      overdueMinor: 0,
      stopsOn: null,
      stopped: false,
      ended: false,
    });
    expect((await topics())[0]).toEqual(['credit-limit-set', 'set', 50_000]);
    await cast.expectSoundLedger();
  });

  it('takes a second operator above the limit of one, and one to lower it', async () => {
    expect(await set(50_001)).toEqual({ state: 'waiting' });
    expect(await credit()).toBeNull();
    expect((await refusal(60_000)).code).toBe('approval/waiting');
    const { items } = await mila.api.cases.list({ limit: 100 });
    const subject = items.find(({ kind, title }) => kind === 'second_approval' && title === 'Credit limit');
    const ref = { kind: 'second_approval' as const, subjectId: subject?.subjectId ?? '' };
    expect((await failure(jonas.api.cases.claim(ref))).code).toBe('operator/own-record');
    await mila.api.cases.claim(ref);
    expect((await mila.api.cases.get(ref)).facts).toMatchObject({
      approval: { kind: 'credit_limit', amountMinor: 50_001, reason },
      recipient: { kind: 'business', id: cast.business.id },
    });
    await mila.api.secondApprovals.decide({ ...ref, decision: 'approve' });
    expect(await credit()).toMatchObject({ limitMinor: 50_001 });
    expect(await set(50_000)).toEqual({ state: 'set' });
    expect(await unused()).toBe(50_000);
  });

  it('refuses bad input', async () => {
    for (const limitMinor of [-1, 0.5, 1_000_000_001])
      expect(await refusal(limitMinor)).toMatchObject({
        code: 'request/invalid',
        data: { issues: [{ path: 'limitMinor' }] },
      });
    expect(await refusal(100, 'SEK')).toMatchObject({ data: { issues: [{ path: 'currency' }] } });
    await app.pool.query("update businesses set status = 'suspended' where id = $1", [cast.business.id]);
    expect(await refusal(100)).toMatchObject({ code: 'business/wrong-state' });
    const support = await operator('Sven Berg', ['support']);
    expect((await failure(set(100, support))).code).toBe('operator/role-required');
    const member = await operator('Ada Lind', ['finance']);
    await makeMember(app.db, app.clock, cast.business.id, member.accountId, 'finance');
    expect((await failure(set(100, member))).code).toBe('operator/own-record');
    expect((await failure(cast.leila.api.creditLimits.get({ businessId: cast.business.id }))).status).toBe(
      404,
    );
  });
});

describe('creditLimits.get', () => {
  it('shows what a hold drew because the balance lacked it, and is repaid first by a transfer, the rest of which stays', async () => {
    await set(50_000);
    await cast.fund(4_438);
    await cast.hire();
    expect([await cast.balance(), await unused()]).toEqual([0, 40_000]);
    expect(await credit()).toMatchObject({
      owedMinor: 10_000,
      availableMinor: 40_000,
      dues: [{ dueOn: '2027-01-31', amountMinor: 10_000 }],
    });
    expect((await refusal(9_999)).code).toBe('credit/below-owed');
    const statement = await cast.nadia.api.statements.forBusiness({ businessId: cast.business.id });
    expect(statement.totals).toMatchObject({ balanceMinor: 0, creditOwedMinor: 10_000 });
    expect(
      statement.items.map(({ kind, amountMinor, balanceMinor }) => [kind, amountMinor, balanceMinor]),
    ).toEqual([
      ['hold', -eachMinor, 0],
      ['credit_drawn', 10_000, eachMinor],
      ['top_up', 4_438, 4_438],
    ]);
    await transfer(4_000);
    expect([await cast.balance(), await unused()]).toEqual([0, 44_000]);
    const december = { businessId: cast.business.id, from: '2026-12-01', to: '2026-12-31' };
    const owedAtEnd = async (days: object) =>
      (await cast.nadia.api.statements.forBusiness({ businessId: cast.business.id, ...days })).totals
        .creditOwedMinor;
    expect([await owedAtEnd(december), await owedAtEnd({ to: '2026-12-01' })]).toEqual([6_000, 0]);
    const { path } = await cast.nadia.api.downloads.businessStatement({ ...december, format: 'csv' });
    const { body } = await app.raw({ url: `/api${path}` });
    const owedAfterLine = body
      .trim()
      .split('\r\n')
      .slice(1)
      .map((row) => row.split(',').at(-1));
    expect(owedAfterLine).toEqual(['0.00', '100.00', '100.00', '100.00', '60.00']);
    await transfer(7_000);
    expect([await cast.balance(), await unused()]).toEqual([1_000, 50_000]);
    await cast.expectSoundLedger();
  });

  it('is never in the way of pay: ending the limit, suspension and a stop leave booked work', async () => {
    await set(eachMinor);
    const work = await cast.hire();
    expect(await set(0)).toEqual({ state: 'set' });
    await app.pool.query("update businesses set status = 'suspended' where id = $1", [cast.business.id]);
    app.clock.set(new Date(Date.parse(work.terms.endsAt ?? '') + 600_000));
    const { version } = await cast.leila.api.timesheets.submitHours({
      engagementId: work.id,
      version: work.version,
      startsAt: work.terms.startsAt ?? '',
      endsAt: work.terms.endsAt ?? '',
      breakMinutes: 30,
      note: '',
    });
    await cast.nadia.api.timesheets.approve({ engagementId: work.id, version });
    expect(await cast.pending()).toBe(13_125);
    expect(await credit()).toMatchObject({ ended: true, availableMinor: 0, owedMinor: eachMinor });
    await transfer(eachMinor);
    await app.pool.query("update businesses set status = 'verified' where id = $1", [cast.business.id]);
    await daily();
    await cast.expectSoundLedger();
  });

  it('lets two holds take the last cent once, and nothing of a business that is not verified', async () => {
    await set(eachMinor);
    const ids = [await applied(), await applied(), await applied()];
    const offers = await Promise.allSettled(ids.map(offer));
    expect(offers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([await cast.balance(), await unused()]).toEqual([0, 0]);
    await cast.expectSoundLedger();
    await transfer(eachMinor);
    const { id: businessId } = cast.business;
    expect(await spendableMinor(app.db, businessId, 'EUR')).toBe(eachMinor);
    await app.pool.query("update businesses set status = 'suspended' where id = $1", [businessId]);
    expect(await credit()).toMatchObject({ owedMinor: 0, availableMinor: 0 });
    expect(await spendableMinor(app.db, businessId, 'EUR')).toBe(0);
  });

  it('is repaid when a hold returns', async () => {
    await set(50_000);
    const sent = await offer(await applied());
    await cast.nadia.api.offers.withdraw({ offerId: sent.id, version: sent.version });
    await app.runDue();
    expect([await cast.balance(), await unused()]).toEqual([0, 50_000]);
  });
});

describe('creditLimits.list', () => {
  it('shows what is overdue, which is asked for, then reminded of, then stops new hires until it is paid', async () => {
    await set(50_000);
    await cast.hire();
    const steps: [string, unknown[]][] = [
      ['2026-12-31', []],
      ['2027-01-01', [['credit-due', null, eachMinor]]],
      ['2027-02-02', []],
      ['2027-02-03', [['credit-overdue', 'reminder', eachMinor]]],
      ['2027-02-04', []],
      ['2027-02-12', [['credit-overdue', 'reminder', eachMinor]]],
      ['2027-02-17', [['credit-overdue', 'reminder', eachMinor]]],
      ['2027-02-18', [['credit-overdue', 'stopped', eachMinor]]],
      ['2027-03-18', []],
    ];
    const before = (await topics()).length;
    let count = before;
    for (const [day, news] of steps) {
      app.clock.set(`${day}T12:00:00Z`);
      await daily();
      const all = await topics();
      expect(all.slice(0, all.length - count), day).toEqual(news);
      count = all.length;
    }
    expect(await credit()).toMatchObject({ overdueMinor: eachMinor, stopped: true, stopsOn: '2027-02-18' });
    const rows = await jonas.api.creditLimits.list({ which: 'overdue' });
    expect(rows.items).toContainEqual({
      businessId: cast.business.id,
      name: cast.business.name,
      currency: 'EUR',
      limitMinor: 50_000,
      owedMinor: eachMinor,
      overdueSince: '2027-01-31',
      stopped: true,
      ended: false,
    });
    const applicationId = await applied();
    expect((await failure(offer(applicationId))).code).toBe('payment/credit-overdue');
    await transfer(eachMinor - 1);
    expect((await failure(offer(applicationId))).code).toBe('payment/credit-overdue');
    await transfer(1);
    expect(await credit()).toMatchObject({ overdueMinor: 0, stopped: false, stopsOn: null });
    await offer(applicationId);
    await cast.expectSoundLedger();
  });

  it('counts what is owed, which cannot go back to a card and keeps the business open', async () => {
    await set(50_000);
    const { id: cardId } = await makeCard(app.db, cast.hirer(), cast.business.id);
    const { id: businessId } = cast.business;
    await cast.nadia.api.wallet.topUp({ businessId, amountMinor: 5_000, currency: 'EUR', cardId });
    await app.runDue();
    const sent = await offer(await applied());
    await cast.nadia.api.offers.withdraw({ offerId: sent.id, version: sent.version });
    // Before the repayment has run, the balance has what was drawn too.
    expect(await cast.balance()).toBe(eachMinor);
    const refund = (amountMinor: number) =>
      cast.nadia.api.charges.refund({ businessId, amountMinor, currency: 'EUR' });
    expect(await failure(refund(5_001))).toMatchObject({
      code: 'payment/balance-short',
      data: { balanceMinor: 5_000 },
    });
    expect((await cast.nadia.api.businesses.closing({ businessId })).money).toMatchObject([
      { owedMinor: eachMinor - 5_000 },
    ]);
    await app.runDue();
    expect(await refund(5_000)).toMatchObject({ refundedMinor: 5_000 });
    await app.runDue();
    expect(await credit()).toMatchObject({ owedMinor: 0 });
    await cast.nadia.api.businesses.close({ businessId, closeJobs: true });
    expect(await unused()).toBe(0);
    await cast.expectSoundLedger();
  });
});
