import { sumOf } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, minuteMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { describe, expect, it } from 'vitest';
import { type Client, failure, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeEngagement } from '../engagements/engagements.fixtures.ts';

const app = useTestApp({ CLEARING_DAYS: '5' });
const cast = useHiring(app);
const { hirer, fund, hire, balance, pending, expectSoundLedger } = cast;
const holdOf = async (engagementId: string) =>
  (
    await app.pool.query<{ id: string; status: string; added_minor: number; left: number }>(
      `select hold.id, status, added_minor::int, coalesce((select sum(amount) from ledger_postings
        where account_id = 'hold:' || hold.id || ':EUR'), 0)::int as left from holds hold where engagement_id = $1`,
      [engagementId],
    )
  ).rows[0];
const at = (from: string | null, minutes: number) => new Date(Date.parse(from ?? '') + minutes * minuteMs);

/** 7.5 hours at 17.50: 131.25 plus 10%. */
const holdMinor = 14_438;
const payMinor = 13_125;

async function hired(options: Partial<JobDraft> = {}, fundsMinor = 50_000): Promise<Engagement> {
  if (fundsMinor > 0) await fund(fundsMinor);
  return hire(options);
}
async function submitted(work: Engagement, more = 0): Promise<Engagement> {
  app.clock.set(at(work.terms.endsAt, more + 10));
  return cast.leila.api.timesheets.submitHours({
    engagementId: work.id,
    version: work.version,
    startsAt: work.terms.startsAt ?? '',
    endsAt: at(work.terms.endsAt, more).toISOString(),
    breakMinutes: work.terms.breakMinutes,
    note: '',
  });
}
async function agreed(work: Engagement, amountMinor: number): Promise<Engagement> {
  const { dispute } = await cast.leila.api.disputes.file({
    ...refOf(work),
    reason: 'I stayed.',
    amountMinor,
  });
  const { id = '', version = 0 } = dispute ?? {};
  return cast.nadia.api.disputes.answer({ disputeId: id, version, note: 'Right.', amountMinor });
}
const refOf = (work: Engagement) => ({ engagementId: work.id, version: work.version });

describe('an approval', () => {
  describe('pay.releasePreview', () => {
    it('pays worker and fee from the hold, previews it, and pays nothing twice', async () => {
      const work = await submitted(await hired());
      expect(await cast.nadia.api.pay.releasePreview({ engagementId: work.id })).toEqual({
        engagementId: work.id,
        currency: 'EUR',
        heldMinor: holdMinor,
        alreadyPaidMinor: 0,
        payMinor,
        workerGetsMinor: payMinor,
        feeMinor: 1_313,
        businessFeeBasisPoints: 1_000,
        workerFeeBasisPoints: 0,
        backMinor: 0,
        missingMinor: 0,
        balanceCovers: false,
        clearsAt: addMs(app.clock.now(), 5 * dayMs).toISOString(),
      });
      expect(
        await cast.nadia.api.pay.releasePreview({ engagementId: work.id, payMinor: 10_000 }),
      ).toMatchObject({ payMinor: 10_000, feeMinor: 1_000, backMinor: 3_438 });
      const tries = await Promise.allSettled(
        [1, 2, 3].map(() => cast.nadia.api.timesheets.approve(refOf(work))),
      );
      expect(tries.some(({ status }) => status === 'fulfilled')).toBe(true);
      const done = await cast.nadia.api.engagements.get({ engagementId: work.id });
      expect(done).toMatchObject({
        status: 'completed',
        funding: 'funded',
        releases: [{ kind: 'rest', state: 'released', amountMinor: payMinor, workerGetsMinor: payMinor }],
      });
      expect(await pending()).toBe(payMinor);
      expect(await balance()).toBe(50_000 - holdMinor);
      expect(await holdOf(work.id)).toMatchObject({ status: 'released', left: 0 });
      expect(await failure(cast.nadia.api.pay.releasePreview({ engagementId: work.id }))).toMatchObject({
        status: 409,
        code: 'engagement/wrong-state',
      });
      await expectSoundLedger();
    });
  });

  it('returns what the hours did not use', async () => {
    const work = await submitted(await hired(), -60);
    await cast.nadia.api.timesheets.approve(refOf(work));
    expect(await pending()).toBe(11_375);
    expect(await balance()).toBe(50_000 - 11_375 - 1_138);
    expect(await holdOf(work.id)).toMatchObject({ status: 'released', left: 0 });
    await expectSoundLedger();
  });

  describe('pay.cover', () => {
    it('requires cover above the hold, and covers once', async () => {
      const work = await submitted(await hired(), 60);
      const short = await failure(cast.nadia.api.timesheets.approve(refOf(work)));
      const missingMinor = 14_875 + 1_488 - holdMinor;
      expect(short).toMatchObject({ status: 422, code: 'payment/hold-short', data: { missingMinor } });
      expect(await pending()).toBe(0);
      expect(await cast.nadia.api.pay.releasePreview({ engagementId: work.id })).toMatchObject({
        missingMinor,
        balanceCovers: true,
      });
      const cover = () => cast.nadia.api.pay.cover({ engagementId: work.id, funding: { from: 'balance' } });
      const both = await Promise.allSettled([cover(), cover()]);
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(await failure(cover())).toMatchObject({ status: 409, code: 'payment/nothing-missing' });
      await cast.nadia.api.timesheets.approve(refOf(work));
      expect(await pending()).toBe(14_875);
      expect(await balance()).toBe(50_000 - 14_875 - 1_488);
      await expectSoundLedger();
    });
  });

  it('adds what is missing from the balance and approves in one step, up to the amount agreed to', async () => {
    const work = await submitted(await hired(), 60);
    const missingMinor = 14_875 + 1_488 - holdMinor;
    const approve = (addMinor: number) => cast.nadia.api.timesheets.approve({ ...refOf(work), addMinor });
    expect(await failure(approve(missingMinor - 1))).toMatchObject({ code: 'payment/hold-short' });
    expect(await balance()).toBe(50_000 - holdMinor);
    expect(await approve(missingMinor)).toMatchObject({ status: 'completed' });
    expect(await approve(missingMinor)).toMatchObject({ status: 'completed' });
    expect(await pending()).toBe(14_875);
    expect(await balance()).toBe(50_000 - 14_875 - 1_488);
    await expectSoundLedger();
  });

  it('covers by card when the charge succeeds', async () => {
    const work = await submitted(await hired({}, 15_000), 60);
    const card = await makeCard(app.db, hirer(), cast.business.id, testCards.paysMastercard);
    const funding = { from: 'card' as const, cardId: card.id };
    expect(
      await failure(cast.nadia.api.pay.cover({ engagementId: work.id, funding: { from: 'balance' } })),
    ).toMatchObject({ code: 'payment/balance-short' });
    expect(
      await failure(cast.nadia.api.timesheets.approve({ ...refOf(work), addMinor: 1_925 })),
    ).toMatchObject({ code: 'payment/balance-short' });
    expect(await cast.nadia.api.pay.releasePreview({ engagementId: work.id })).toMatchObject({
      balanceCovers: false,
    });
    const first = await cast.nadia.api.pay.cover({ engagementId: work.id, funding });
    expect(first.charge).toMatchObject({ purpose: 'cover', status: 'created', amountMinor: 1_925 });
    const again = await cast.nadia.api.pay.cover({ engagementId: work.id, funding });
    expect(again.charge?.id).toBe(first.charge?.id);
    await app.runDue();
    await cast.nadia.api.timesheets.approve(refOf(work));
    expect(await pending()).toBe(14_875);
    await expectSoundLedger();
  });
});

describe('overtime', () => {
  it("isn't paid by silence: the plan is, and the rest becomes a dispute", async () => {
    const work = await submitted(await hired(), 60);
    expect(work.next).toMatchObject({ kind: 'review', amountMinor: payMinor });
    app.clock.forward({ hours: 73 });
    await app.runDue();
    const disputed = await cast.nadia.api.engagements.get({ engagementId: work.id });
    expect(disputed).toMatchObject({
      status: 'disputed',
      releases: [{ kind: 'undisputed', state: 'released', amountMinor: payMinor }],
      dispute: { why: 'beyond-plan', workerAmountMinor: 14_875, businessAmountMinor: null },
    });
    expect(await balance()).toBe(50_000 - holdMinor);
    app.clock.forward({ days: 31 });
    await app.runDue();
    expect(await cast.nadia.api.engagements.get({ engagementId: work.id })).toMatchObject({
      status: 'completed',
      amountMinor: payMinor,
      dispute: { status: 'settled', settledMinor: payMinor },
    });
    expect(await balance()).toBe(50_000 - holdMinor);
    await expectSoundLedger();
  });

  it('agreed in a dispute takes up to a quarter of the plan from the balance; the rest is owed, then paid when covered', async () => {
    // Seven more hours make 253.75 in total; the plan plus a quarter of it is 164.06.
    const done = await agreed(await submitted(await hired(), 7 * 60), 25_375);
    expect(done.releases.map(({ state, amountMinor }) => [state, amountMinor])).toEqual([
      ['released', 16_406],
      ['not_funded', 25_375 - 16_406],
    ]);
    expect(
      (await cast.nadia.api.notifications.list({ limit: 50 })).items.map(({ topic }) => topic),
    ).toContain('payment-missing');
    expect(await pending()).toBe(16_406);
    expect(await holdOf(done.id)).toMatchObject({ left: 0 });
    const missingMinor = 25_375 + 2_538 - 16_406 - 1_641;
    expect(await cast.nadia.api.pay.releasePreview({ engagementId: done.id })).toMatchObject({
      payMinor: 0,
      missingMinor,
    });
    const paid = await cast.nadia.api.pay.cover({ engagementId: done.id, funding: { from: 'balance' } });
    expect(paid.engagement.releases.map(({ state }) => state)).toEqual(['released', 'released']);
    expect(await balance()).toBe(50_000 - 25_375 - 2_538);
    expect(await pending()).toBe(25_375);
    await expectSoundLedger();
  });

  it('that is agreed takes what the balance has', async () => {
    const done = await agreed(await submitted(await hired({}, holdMinor + 500), 60), 14_875);
    expect(done.releases.map(({ state }) => state)).toEqual(['released', 'not_funded']);
    expect(sumOf(done.releases, ({ amountMinor }) => amountMinor)).toBe(14_875);
    // A remainder too small to pay stays on the balance.
    expect(await balance()).toBeLessThan(2);
    await expectSoundLedger();
  });
});

describe('other ends', () => {
  it('pays the undisputed part at once; a dispute ends with a split and returns the rest', async () => {
    const work = await submitted(await hired());
    const less = await cast.nadia.api.timesheets.counter({
      ...refOf(work),
      startsAt: work.terms.startsAt ?? '',
      endsAt: at(work.terms.endsAt, -120).toISOString(),
      breakMinutes: 30,
      note: 'You left early.',
    });
    expect(await pending()).toBe(9_625);
    expect(await holdOf(work.id)).toMatchObject({ status: 'partly_released' });
    const argued = await cast.leila.api.disputes.file({
      ...refOf(less),
      reason: 'I did not.',
      amountMinor: payMinor,
    });
    expect(await holdOf(work.id)).toMatchObject({ status: 'disputed' });
    const disputeId = argued.dispute?.id ?? '';
    const answered = await cast.nadia.api.disputes.answer({
      disputeId,
      version: argued.dispute?.version ?? 0,
      note: 'You did.',
      amountMinor: 9_625,
    });
    const proposed = await cast.leila.api.disputes.propose({
      disputeId,
      version: answered.dispute?.version ?? 0,
      note: '',
      amountMinor: 11_000,
    });
    await cast.nadia.api.disputes.acceptProposal({
      disputeId,
      version: proposed.dispute?.version ?? 0,
    });
    expect(await pending()).toBe(11_000);
    expect(await holdOf(work.id)).toMatchObject({ status: 'split', left: 0 });
    expect(await balance()).toBe(50_000 - 12_100);
    await expectSoundLedger();
  });

  it('pays the compensation of a late cancellation from the hold without a fee, and returns the rest', async () => {
    const work = await hired();
    app.clock.set(at(work.terms.startsAt, -60));
    await cast.nadia.api.engagements.cancel({ ...refOf(work), reason: 'Water damage' });
    expect(await pending()).toBe(6_563);
    expect(await balance()).toBe(50_000 - 6_563);
    expect(await holdOf(work.id)).toMatchObject({ status: 'released', left: 0 });
    await expectSoundLedger();
  });

  it('returns everything on a timely cancellation and shows nothing as funded', async () => {
    const work = await hired();
    const gone = await cast.leila.api.engagements.cancel({ ...refOf(work), reason: 'I am ill' });
    expect(gone).toMatchObject({ funding: 'not_funded', releases: [] });
    expect(await balance()).toBe(50_000);
    expect(await holdOf(work.id)).toMatchObject({ status: 'refunded', left: 0 });
    await expectSoundLedger();
  });

  it('returns the hold of a no-show uncontested for a day, but not of a contested one', async () => {
    for (const contests of [false, true]) {
      const worker = await app.person();
      await fund(20_000);
      const work = await makeEngagement(
        app.db,
        { worker: app.scopeOf(worker), recruiter: hirer() },
        cast.business.id,
        { headCount: 1 },
      );
      app.clock.set(at(work.terms.startsAt, 70));
      const reported = await cast.nadia.api.engagements.reportNoShow(refOf(work));
      app.clock.forward({ hours: 23 });
      await app.runDue();
      expect(await holdOf(work.id)).toMatchObject({ status: 'held', left: holdMinor });
      if (contests) await worker.api.engagements.contest({ ...refOf(reported), note: 'I was there.' });
      app.clock.forward({ hours: 2 });
      await app.runDue();
      expect(await holdOf(work.id)).toMatchObject(
        contests ? { status: 'held', left: holdMinor } : { status: 'refunded', left: 0 },
      );
    }
    await expectSoundLedger();
  });
});

describe('those who may not', () => {
  const calls: [string, (api: Client, engagementId: string) => Promise<unknown>][] = [
    ['releasePreview', (api, engagementId) => api.pay.releasePreview({ engagementId })],
    ['cover', (api, engagementId) => api.pay.cover({ engagementId, funding: { from: 'balance' } })],
    ['tip', (api, engagementId) => api.pay.tip({ engagementId, amountMinor: 500 })],
  ];

  it.each(calls)('get a rejection for %s', async (_name, call) => {
    const work = await hired();
    expect(await failure(call(app.apiAs(null), work.id))).toMatchObject({ status: 401 });
    expect(await failure(call((await app.person()).api, work.id))).toMatchObject({ status: 404 });
    expect(await failure(call(cast.leila.api, work.id))).toMatchObject({
      status: 403,
      code: 'engagement/not-allowed',
    });
    const unverified = await app.person({ verified: false });
    expect(await failure(call(unverified.api, work.id))).toMatchObject({ status: 403 });
    expect(await failure(call(cast.nadia.api, crypto.randomUUID()))).toMatchObject({ status: 404 });
    expect(await failure(call(cast.nadia.api, 'x'))).toMatchObject({ status: 400 });
  });

  it("can't use another business's card or impossible amounts", async () => {
    const work = await submitted(await hired(), 60);
    const stranger = await app.person();
    const theirs = await makeBusiness(app.db, app.scopeOf(stranger), { funded: false });
    const card = await makeCard(app.db, app.scopeOf(stranger), theirs.id);
    expect(
      await failure(
        cast.nadia.api.pay.cover({ engagementId: work.id, funding: { from: 'card', cardId: card.id } }),
      ),
    ).toMatchObject({ status: 404, code: 'payment/card-not-found' });
    for (const amount of [-1, 1.5, 1e15])
      expect(
        await failure(cast.nadia.api.pay.releasePreview({ engagementId: work.id, payMinor: amount })),
      ).toMatchObject({ status: 400 });
  });
});
