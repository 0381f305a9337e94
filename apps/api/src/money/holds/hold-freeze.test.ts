import { dayMs, hourMs } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { jobInput, makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { closeChargeback, openChargeback } from '../charges/charge-outcomes.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp({ CLEARING_DAYS: '0' });
const start = () => app.clock.set('2026-11-21T09:00:00Z');
beforeEach(start);
const cast = useHiring(app);
const { hirer, worker, fund, balance, available, expectSoundLedger } = cast;

async function disputed(number: string, meanwhile?: () => Promise<unknown>) {
  const card = await makeCard(app.db, hirer(), cast.business.id, number);
  const start = Date.parse(jobInput(app.clock).startsAt ?? '') + 2 * dayMs;
  const job = await makeJob(app.db, hirer(), cast.business.id, {
    headCount: 1,
    startsAt: new Date(start).toISOString(),
    endsAt: new Date(start + 8 * hourMs).toISOString(),
  });
  const { id: applicationId } = await makeApplication(app.db, worker(), job.id);
  const offer = await makeOffer(app.db, hirer(), applicationId, {
    funding: { from: 'card', cardId: card.id },
  });
  await app.runDue();
  const sent = await cast.nadia.api.offers.get({ offerId: offer.id });
  const { engagementId } = await cast.leila.api.offers.accept({ offerId: offer.id, version: sent.version });
  await meanwhile?.();
  app.clock.set(new Date(start + 9 * hourMs));
  await app.runDue();
  const id = engagementId ?? '';
  const { api } = cast.leila;
  const work = await api.engagements.get({ engagementId: id });
  expect(work.funding).toBe('frozen');
  const submitted = await api.timesheets.submitHours({
    engagementId: id,
    version: work.version,
    startsAt: job.startsAt ?? '',
    endsAt: job.endsAt ?? '',
    breakMinutes: 30,
    note: '',
  });
  return { id, version: submitted.version };
}

describe('a hold whose card is disputed', () => {
  it('pays nothing while frozen, and everything once the business has won', async () => {
    const { id, version } = await disputed(testCards.chargebackWon);
    const done = await cast.nadia.api.timesheets.approve({ engagementId: id, version });
    expect(done).toMatchObject({ status: 'completed', releases: [{ state: 'not_funded' }] });
    expect(await available()).toBe(0);
    app.clock.forward({ days: 6 });
    await app.runDue();
    const paid = await cast.nadia.api.engagements.get({ engagementId: id });
    expect(paid).toMatchObject({ funding: 'funded', releases: [{ state: 'released' }] });
    expect(await available()).toBe(13_125);
    await expectSoundLedger();
  });

  it('ends when the business loses; the pay stays owed until it is covered', async () => {
    const { id, version } = await disputed(testCards.chargebackLost);
    await cast.nadia.api.timesheets.approve({ engagementId: id, version });
    app.clock.forward({ days: 6 });
    await app.runDue();
    const api = cast.nadia.api;
    expect(await api.engagements.get({ engagementId: id })).toMatchObject({
      funding: 'not_funded',
      releases: [{ state: 'not_funded' }],
    });
    expect(await available()).toBe(0);
    await fund(20_000);
    const { engagement } = await api.pay.cover({ engagementId: id, funding: { from: 'balance' } });
    expect(engagement).toMatchObject({ funding: 'funded', releases: [{ state: 'released' }] });
    expect(await available()).toBe(13_125);
    await expectSoundLedger();
  });
});

describe('a hold that lost a part to a chargeback', () => {
  /** Offers 144.38 by card; the bank disputes 50.00 and decides. */
  async function offeredAndDisputed(decision: 'won' | 'lost') {
    const { id: cardId } = await makeCard(app.db, hirer(), cast.business.id, testCards.pays);
    const job = await makeJob(app.db, hirer(), cast.business.id, { headCount: 1 });
    const { id: applicationId } = await makeApplication(app.db, worker(), job.id);
    const offer = await makeOffer(app.db, hirer(), applicationId, {
      funding: { from: 'card', cardId },
    });
    await app.runDue();
    const fundingOfOffer = async () => (await cast.leila.api.offers.get({ offerId: offer.id })).funding;
    const charge = await app.db
      .selectFrom('charges')
      .select('id')
      .where('cardId', '=', cardId)
      .executeTakeFirstOrThrow();
    const ref = `cb_${charge.id}`;
    await app.db
      .transaction()
      .execute((tx) => openChargeback(tx, hirer(), { ref, chargeId: charge.id, amountMinor: 5_000 }));
    expect(await fundingOfOffer()).toBe('frozen');
    await app.db.transaction().execute((tx) => closeChargeback(tx, hirer(), ref, decision));
    const { version } = await cast.leila.api.offers.get({ offerId: offer.id });
    return {
      offerId: offer.id,
      version,
      funding: await fundingOfOffer(),
      startsAt: job.startsAt ?? '',
      endsAt: job.endsAt ?? '',
    };
  }

  it('is fully funded again when the business wins', async () => {
    expect(await offeredAndDisputed('won')).toMatchObject({ funding: 'funded' });
    await expectSoundLedger();
  });

  it('appears as partly funded to both sides, before and after acceptance', async () => {
    const offer = await offeredAndDisputed('lost');
    expect(offer.funding).toBe('partly_funded');
    const { engagementId } = await cast.leila.api.offers.accept({
      offerId: offer.offerId,
      version: offer.version,
    });
    const id = engagementId ?? '';
    for (const { api } of [cast.leila, cast.nadia])
      expect((await api.engagements.get({ engagementId: id })).funding).toBe('partly_funded');
    expect((await cast.leila.api.engagements.mine({})).items).toMatchObject([{ funding: 'partly_funded' }]);
    await cast.nadia.api.engagements.cancel({ engagementId: id, version: 1, reason: 'Closed' });
    expect((await cast.leila.api.engagements.get({ engagementId: id })).funding).toBe('not_funded');
    expect(await balance()).toBe(14_438 - 5_000);
    await expectSoundLedger();
  });

  it('pays what it contains; the rest is owed, then paid and funded once added', async () => {
    const offer = await offeredAndDisputed('lost');
    const { engagementId } = await cast.leila.api.offers.accept({
      offerId: offer.offerId,
      version: offer.version,
    });
    const id = engagementId ?? '';
    app.clock.set(new Date(Date.parse(offer.endsAt) + 600_000));
    const theirs = cast.leila.api;
    const recruiter = cast.nadia.api;
    const { version } = await theirs.engagements.get({ engagementId: id });
    const sent = await theirs.timesheets.submitHours({
      engagementId: id,
      version,
      startsAt: offer.startsAt,
      endsAt: offer.endsAt,
      breakMinutes: 30,
      note: '',
    });
    const preview = await recruiter.pay.releasePreview({ engagementId: id });
    expect(preview.missingMinor).toBe(5_000);
    expect(
      await failure(recruiter.timesheets.approve({ engagementId: id, version: sent.version })),
    ).toMatchObject({ code: 'payment/hold-short', data: { missingMinor: 5_000 } });
    app.clock.forward({ hours: 73 });
    await app.runDue();
    const later = cast.nadia.api;
    expect(await later.engagements.get({ engagementId: id })).toMatchObject({
      status: 'completed',
      funding: 'not_funded',
      releases: [
        { state: 'released', amountMinor: 8_580 },
        { state: 'not_funded', amountMinor: 4_545 },
      ],
    });
    await fund(5_000);
    const { engagement } = await later.pay.cover({ engagementId: id, funding: { from: 'balance' } });
    expect(engagement).toMatchObject({
      funding: 'funded',
      releases: [{ state: 'released' }, { state: 'released' }],
    });
    expect(await available()).toBe(13_125);
    await expectSoundLedger();
  });
});

describe('a hold with a few cents left', () => {
  it('keeps an amount too small to pay while pay is owed', async () => {
    await fund(5);
    const request = { businessId: cast.business.id, amountMinor: 5, currency: 'EUR' as const };
    const { id } = await disputed(testCards.chargebackLost, () => cast.nadia.api.charges.refund(request));
    app.clock.forward({ days: 6 });
    await app.runDue();
    const { releases } = await cast.nadia.api.engagements.get({ engagementId: id });
    expect(releases.map(({ state, amountMinor }) => [state, amountMinor])).toEqual([
      ['released', 4],
      ['not_funded', 13_121],
    ]);
    const { rows } = await app.pool.query<{ left: number }>(
      `select balance as left from ledger_accounts where id = (select 'hold:' || id || ':EUR' from holds where engagement_id = $1)`,
      [id],
    );
    expect(rows).toEqual([{ left: 1 }]);
    expect(await balance()).toBe(0);
    await expectSoundLedger();
  });
});
