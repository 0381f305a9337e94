import { engagementPath } from '@nearhand/contract/app-paths';
import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { setLimit } from '../../money/credit-limits/credit-limits.ts';
import { reconcileCheckouts } from '../../money/holds/holds.ts';
import { testCards } from '../../money/sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../../money/wallet/wallet.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeSanction } from '../../trust/sanctions/sanctions.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let businessId: string;
let balanceMinor: () => Promise<number>;

beforeEach(async () => {
  nadia = await app.person({ name: 'Nadia' });
  const scope = app.scopeOf(nadia);
  ({ id: businessId } = await makeBusiness(app.db, scope, { name: 'Zilverlinde', funded: false }));
  balanceMinor = async () => {
    const { balances } = await nadia.api.wallet.get({ businessId });
    return balances[0]?.availableMinor ?? 0;
  };
});

async function topUp(amountMinor: number): Promise<void> {
  const scope = app.scopeOf(nadia);
  const card = await fundBusiness(app.db, scope, businessId, { amountMinor });
  await nadia.api.cards.remove({ cardId: card.id });
}

/** Shifts of five hours at twenty euros, from `firstInDays` on, and a worker who applied for all. */
async function applied({ shifts = 3, firstInDays = 2, everyDays = 7 } = {}) {
  const startsAt = Math.ceil(app.clock.now().getTime() / dayMs + firstInDays) * dayMs + 8 * hourMs;
  const draft = await makeJob(app.db, app.scopeOf(nadia), businessId, {
    status: 'draft',
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + 5 * hourMs).toISOString(),
    breakMinutes: 0,
    payMinor: 2_000,
    headCount: 1,
  });
  const alsoOn = Array.from({ length: shifts - 1 }, (_, index) =>
    new Date(startsAt + (index + 1) * everyDays * dayMs).toISOString().slice(0, 10),
  );
  const { dates } = await nadia.api.jobs.publish({ jobId: draft.id, alsoOn });
  const [jobId = '', ...alsoFor] = dates.map((date) => date.jobId);
  const leila = await app.person({ name: 'Leila' });
  await leila.api.applications.submit({ jobId, alsoFor });
  const applications = (await leila.api.applications.mine({})).items;
  const applicationIds = [jobId, ...alsoFor].map(
    (id) => applications.find((application) => application.job.id === id)?.id ?? '',
  );
  return { leila, jobIds: [jobId, ...alsoFor], applicationIds };
}

async function hired(options: Parameters<typeof applied>[0] = {}) {
  const { leila, jobIds, applicationIds } = await applied(options);
  const [applicationId = '', ...alsoFor] = applicationIds;
  await nadia.api.offers.make({ applicationId, alsoFor });
  const offers = (await leila.api.offers.mine({})).items.toSorted((one, other) =>
    (one.terms.startsAt ?? '') < (other.terms.startsAt ?? '') ? -1 : 1,
  );
  const refs = offers.map(({ id, version }) => ({ offerId: id, version }));
  const [first = { offerId: '', version: 0 }, ...others] = refs;
  await leila.api.offers.accept({ ...first, alsoFor: others });
  const ids: string[] = [];
  for (const { id } of offers) ids.push((await leila.api.offers.get({ offerId: id })).engagementId ?? '');
  const work = () => Promise.all(ids.map((engagementId) => leila.api.engagements.get({ engagementId })));
  return { leila, jobIds, offers, work };
}

async function moveTo(at: string | Date) {
  app.clock.set(new Date(at));
  await app.runDue();
}
const noticesOf = async (person: Person) =>
  (await person.api.notifications.list({ limit: 100 })).items.flatMap(({ topic, data }) =>
    topic === 'pay-not-set-aside' ? [data.variant] : [],
  );

describe('the pay of a series', () => {
  it('is set aside with the offer for what starts within a week, and a week ahead for the rest', async () => {
    await topUp(25_000);
    const { offers, work, leila } = await hired();
    expect(offers.map(({ funding }) => funding)).toEqual(['funded', 'planned', 'planned']);
    const second = offers[1]?.terms;
    const at = subtractMs(new Date(second?.startsAt ?? ''), 7 * dayMs);
    const { balances } = await nadia.api.wallet.get({ businessId });
    expect(balances).toMatchObject([
      {
        availableMinor: 14_000,
        heldMinor: 11_000,
        holds: 1,
        plannedMinor: 22_000,
        plannedHolds: 2,
        plannedFrom: at.toISOString(),
      },
    ]);
    expect(second?.plannedFunding).toEqual({
      at: at.toISOString(),
      by: addMs(at, 5 * dayMs).toISOString(),
    });
    await moveTo(at);
    expect((await work()).map(({ funding }) => funding)).toEqual(['funded', 'funded', 'planned']);
    expect(await balanceMinor()).toBe(3_000);
    expect(await noticesOf(leila)).toEqual([]);
  });

  it('that never comes ends the booking without a mark, after both sides were warned', async () => {
    await topUp(11_000);
    const { leila, offers, work, jobIds } = await hired({ shifts: 2 });
    const { at = '', by = '' } = offers[1]?.terms.plannedFunding ?? {};
    await moveTo(at);
    expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual([['failed'], []]);
    await moveTo(addMs(new Date(at), 7 * hourMs));
    expect(await noticesOf(nadia)).toEqual(['failed']);
    await moveTo(subtractMs(new Date(by), 48 * hourMs));
    expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual([['soon', 'failed'], ['soon']]);
    const before = await leila.api.reliability.mine({});
    await moveTo(by);
    expect((await work())[1]).toMatchObject({ status: 'cancelled_by_merchant', funding: 'not_funded' });
    expect(await noticesOf(leila)).toEqual(['over', 'soon']);
    expect(await leila.api.reliability.mine({})).toEqual(before);
    expect(await nadia.api.jobs.get({ jobId: jobIds[1] ?? '' })).toMatchObject({ member: { hired: 0 } });
    expect(await balanceMinor()).toBe(0);
  });

  it('is set aside when the balance or a card can pay it, or a recruiter pays it early', async () => {
    await topUp(11_000);
    const { leila, offers, work } = await hired({ shifts: 4 });
    const holdOf = async (index: number) =>
      (await nadia.api.offers.get({ offerId: offers[index]?.id ?? '' })).hold;
    const { at = '' } = offers[1]?.terms.plannedFunding ?? {};
    expect(await holdOf(1)).toMatchObject({ status: 'created', fundAt: at });
    await moveTo(at);
    await topUp(11_000);
    await moveTo(addMs(new Date(at), 6 * hourMs));
    expect((await work())[1]?.funding).toBe('funded');
    const card = await makeCard(app.db, app.scopeOf(nadia), businessId, testCards.pays);
    await moveTo(offers[2]?.terms.plannedFunding?.at ?? '');
    await app.runDue();
    expect((await work())[2]?.funding).toBe('funded');
    expect(await holdOf(2)).toMatchObject({ status: 'held', source: 'card' });
    const last = await holdOf(3);
    await nadia.api.holds.pay({ holdId: last?.id ?? '', funding: { from: 'card', cardId: card.id } });
    await app.runDue();
    expect(await holdOf(3)).toMatchObject({ status: 'held', remainingMinor: 11_000 });
    expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual([['failed'], []]);
  });

  describe('on a credit limit', () => {
    const setCredit = (limitMinor: number) =>
      app.db.transaction().execute((tx) =>
        setLimit(tx, app.scopeOf(nadia), {
          id: crypto.randomUUID(),
          businessId,
          limitMinor,
          currency: 'EUR',
          reason: 'They pay by invoice.',
          setBy: nadia.accountId,
          approvedBy: null,
        }),
      );
    const owedMinor = async () => (await nadia.api.creditLimits.get({ businessId })).credit?.owedMinor;

    it('is drawn even while a late payment stops new offers', async () => {
      await setCredit(22_000);
      const { leila, offers, work } = await hired({ shifts: 2 });
      expect(await owedMinor()).toBe(11_000);
      await app.pool.query(
        "update credit_limits set overdue_since = '2020-01-31', stopped_at = now() where business_id = $1",
        [businessId],
      );
      await moveTo(offers[1]?.terms.plannedFunding?.at ?? '');
      expect((await work())[1]?.funding).toBe('funded');
      expect(await owedMinor()).toBe(22_000);
      expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual([[], []]);
    });

    it('is told to be missing once the limit has ended, and comes from a transfer before the debt is paid', async () => {
      await setCredit(22_000);
      const { offers, work } = await hired({ shifts: 2 });
      await setCredit(0);
      const at = new Date(offers[1]?.terms.plannedFunding?.at ?? '');
      await moveTo(at);
      expect(await noticesOf(nadia)).toEqual(['failed']);
      await nadia.api.bankTransfers.makeTest({ businessId, amountMinor: 12_000 });
      await app.runDue();
      expect([await balanceMinor(), await owedMinor()]).toEqual([11_000, 10_000]);
      await moveTo(addMs(at, 6 * hourMs));
      expect((await work())[1]?.funding).toBe('funded');
      expect([await balanceMinor(), await owedMinor()]).toEqual([0, 10_000]);
    });
  });

  it('needs the bank’s confirmation on the page of the booking, and no card just before the deadline', async () => {
    await topUp(11_000);
    const { offers, work } = await hired({ shifts: 3 });
    await makeCard(app.db, app.scopeOf(nadia), businessId, testCards.confirm);
    await moveTo(offers[1]?.terms.plannedFunding?.at ?? '');
    const notices = (await nadia.api.notifications.list({ limit: 100 })).items;
    expect(notices.find(({ topic }) => topic === 'payment-needs-confirmation')?.path).toBe(
      engagementPath((await work())[1]?.id ?? '', 'business'),
    );
    const { by = '' } = offers[2]?.terms.plannedFunding ?? {};
    await moveTo(subtractMs(new Date(by), 5 * minuteMs));
    const { hold } = await nadia.api.offers.get({ offerId: offers[2]?.id ?? '' });
    expect(hold).toMatchObject({ status: 'created', charge: null });
  });

  it('is missing while a payment is under way: both sides are warned, and the balance pays at the deadline', async () => {
    await topUp(11_000);
    const { leila, offers, work } = await hired({ shifts: 2 });
    const { at = '', by = '' } = offers[1]?.terms.plannedFunding ?? {};
    const card = await makeCard(app.db, app.scopeOf(nadia), businessId, testCards.confirm);
    const { hold } = await nadia.api.offers.get({ offerId: offers[1]?.id ?? '' });
    await moveTo(subtractMs(new Date(at), dayMs));
    await nadia.api.holds.payBooked({
      holdId: hold?.id ?? '',
      funding: { from: 'card', cardId: card.id },
    });
    // A bank debit may take longer than the deadline allows.
    await app.db
      .updateTable('holds')
      .set({ payBy: addMs(new Date(by), dayMs) })
      .where('id', '=', hold?.id ?? '')
      .execute();
    await moveTo(subtractMs(new Date(by), 48 * hourMs));
    expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual([['soon'], ['soon']]);
    await topUp(11_000);
    await moveTo(by);
    expect((await work())[1]).toMatchObject({ status: 'booked', funding: 'funded' });
    expect(await balanceMinor()).toBe(0);
  });

  describe('holds.payBooked', () => {
    it('is open to an owner suspended from hiring', async () => {
      await topUp(22_000);
      const { offers, work } = await hired({ shifts: 2 });
      const { hold } = await nadia.api.offers.get({ offerId: offers[1]?.id ?? '' });
      await makeSanction(app.db, app.scopeOf(await app.person()), {
        target: { kind: 'account', id: nadia.accountId },
        measure: 'suspension',
        scope: 'hiring',
      });
      // A session is cached for some seconds.
      app.clock.forward({ seconds: 6 });
      const payment = { holdId: hold?.id ?? '', funding: { from: 'balance' } as const };
      expect(await failure(nadia.api.holds.pay(payment))).toMatchObject({ code: 'account/suspended' });
      await nadia.api.holds.payBooked(payment);
      expect((await work())[1]?.funding).toBe('funded');
    });
  });

  it('is tried again after a declined card, once a day', async () => {
    await topUp(11_000);
    const { leila, offers, work } = await hired({ shifts: 2 });
    await makeCard(app.db, app.scopeOf(nadia), businessId, testCards.declined);
    const at = new Date(offers[1]?.terms.plannedFunding?.at ?? '');
    const charges = () =>
      app.db
        .selectFrom('charges')
        .select('id')
        .where('purpose', '=', 'hold')
        .where('businessId', '=', businessId)
        .execute();
    for (const hours of [0, 1, 7, 13]) await moveTo(addMs(at, hours * hourMs));
    expect(await charges()).toHaveLength(1);
    expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual([['failed'], []]);
    for (const hours of [25, 26]) await moveTo(addMs(at, hours * hourMs));
    expect(await charges()).toHaveLength(2);
    expect((await work())[1]).toMatchObject({ status: 'booked', funding: 'planned' });
  });

  it('follows edits: more pay needs no money yet, and a date within the week does', async () => {
    await topUp(12_000);
    const { leila, offers, work, jobIds } = await hired({ shifts: 3 });
    const update = async (index: number, change: object) => {
      const jobId = jobIds[index] ?? '';
      const { version } = await nadia.api.jobs.get({ jobId });
      return nadia.api.jobs.update({ jobId, version, ...change });
    };
    await update(1, { payMinor: 2_200 });
    expect((await work())[1]).toMatchObject({ funding: 'planned', terms: { holdMinor: 12_100 } });
    expect(await balanceMinor()).toBe(1_000);
    const moved = (index: number, days: number) => {
      const { startsAt, endsAt } = offers[index]?.terms ?? {};
      return {
        startsAt: addMs(new Date(startsAt ?? ''), days * dayMs).toISOString(),
        endsAt: addMs(new Date(endsAt ?? ''), days * dayMs).toISOString(),
      };
    };
    expect(await failure(update(1, moved(1, -3)))).toMatchObject({ code: 'payment/balance-short' });
    await update(2, moved(2, 1));
    const third = (await work())[2];
    await leila.api.engagements.answerChange({
      engagementId: third?.id ?? '',
      changeId: third?.change?.id ?? '',
      answer: 'accept',
    });
    const at = addMs(new Date(offers[2]?.terms.plannedFunding?.at ?? ''), dayMs).toISOString();
    expect((await work())[2]?.terms.plannedFunding?.at).toBe(at);
    expect((await nadia.api.offers.get({ offerId: offers[2]?.id ?? '' })).hold?.fundAt).toBe(at);
  });

  it('is missing as one sum for all shifts that an edit moves into the week', async () => {
    await topUp(12_000);
    const { jobIds, offers } = await hired({ firstInDays: 10, everyDays: 1 });
    const jobId = jobIds[0] ?? '';
    const { version } = await nadia.api.jobs.get({ jobId });
    const sooner = (at: string | null | undefined) => subtractMs(new Date(at ?? ''), 6 * dayMs).toISOString();
    const { startsAt, endsAt } = offers[0]?.terms ?? {};
    const times = { startsAt: sooner(startsAt), endsAt: sooner(endsAt) };
    expect(await failure(nadia.api.jobs.update({ jobId, version, reach: 'all', ...times }))).toMatchObject({
      code: 'payment/balance-short',
      data: { missingMinor: 21_000 },
    });
  });

  it('moves with a shift that a colleague takes while the card is charged', async () => {
    await topUp(11_000);
    const { leila, offers, work } = await hired({ shifts: 2 });
    const noor = await app.person({ name: 'Noor' });
    const earlier = await makeJob(app.db, app.scopeOf(nadia), businessId, { kind: 'task' });
    await noor.api.applications.submit({ jobId: earlier.id });
    const { id: poolId } = await nadia.api.pools.create({ businessId, name: 'Regulars' });
    await nadia.api.pools.add({ poolId, workerIds: [noor.accountId] });
    const engagementId = (await work())[1]?.id ?? '';
    const offer = await leila.api.giveaways.offer({ engagementId, audience: 'colleagues' });
    const card = await makeCard(app.db, app.scopeOf(nadia), businessId, testCards.pays);
    const { hold } = await nadia.api.offers.get({ offerId: offers[1]?.id ?? '' });
    const payment = { holdId: hold?.id ?? '', funding: { from: 'card', cardId: card.id } } as const;
    expect((await nadia.api.holds.payBooked(payment)).status).toBe('authorising');
    const { id: giveawayId, version } = await noor.api.giveaways.take({ giveawayId: offer.id });
    await nadia.api.giveaways.approve({ giveawayId, version });
    const taken = await noor.api.giveaways.get({ giveawayId });
    const funding = async () =>
      (await noor.api.engagements.get({ engagementId: taken.engagementId ?? '' })).funding;
    expect(await funding()).toBe('planned');
    await app.runDue();
    expect(await funding()).toBe('funded');
  });

  it('is set aside already for a shift that hires at once', async () => {
    await topUp(11_000);
    const { jobIds, applicationIds } = await applied({ shifts: 2 });
    const jobId = jobIds[1] ?? '';
    const { version } = await nadia.api.jobs.get({ jobId });
    await nadia.api.jobs.update({ jobId, version, instantHire: true });
    expect(await balanceMinor()).toBe(0);
    expect(await nadia.api.offers.make({ applicationId: applicationIds[1] ?? '' })).toMatchObject({
      funding: 'funded',
      terms: { plannedFunding: null },
    });
  });

  it('that never comes expires an open offer, after its recruiters were warned', async () => {
    await topUp(11_000);
    const { leila, applicationIds } = await applied({ shifts: 2 });
    const [applicationId = '', ...alsoFor] = applicationIds;
    await nadia.api.offers.make({ applicationId, alsoFor });
    const { items } = await leila.api.offers.mine({});
    const offer = items.find(({ funding }) => funding === 'planned');
    const first = items.find(({ funding }) => funding === 'funded');
    await leila.api.offers.accept({ offerId: first?.id ?? '', version: first?.version ?? 0 });
    const { at = '', by = '' } = offer?.terms.plannedFunding ?? {};
    // An interview agreed on can extend an offer this far.
    await app.db
      .updateTable('offers')
      .set({ expiresAt: addMs(new Date(by), dayMs) })
      .where('id', '=', offer?.id ?? '')
      .execute();
    await app.pool.query("delete from graphile_worker._private_jobs where key = 'offers.expire/' || $1", [
      offer?.id,
    ]);
    for (const time of [at, subtractMs(new Date(by), 48 * hourMs)]) await moveTo(time);
    expect([await noticesOf(nadia), await noticesOf(leila)]).toEqual([['offer-soon', 'offer-failed'], []]);
    const waiting = async () =>
      (await nadia.api.notifications.list({ waiting: 'true' })).items.filter(
        ({ topic }) => topic === 'pay-not-set-aside',
      ).length;
    expect(await waiting()).toBe(1);
    await nadia.api.jobs.pause({ jobId: offer?.jobId ?? '' });
    await moveTo(by);
    const expiries = async (person: Person) =>
      (await person.api.notifications.list({ limit: 100 })).items.flatMap(({ topic, data }) =>
        topic === 'offer-expired' ? [[data.variant, data.side === 'business' ? data.spotProblem : null]] : [],
      );
    expect([await expiries(nadia), await expiries(leila)]).toEqual([
      [['unfunded', 'hidden']],
      [['unfunded', null]],
    ]);
    expect(await waiting()).toBe(0);
  });

  it('is tried again by reconciliation only if its task was lost', async () => {
    await topUp(11_000);
    const { offers, work } = await hired({ shifts: 2 });
    const at = new Date(offers[1]?.terms.plannedFunding?.at ?? '');
    await moveTo(at);
    await topUp(11_000);
    app.clock.set(addMs(at, hourMs));
    const tasks = { ...app.scopeOf(nadia), db: app.db, provider: app.provider };
    const sweep = () => reconcileCheckouts(tasks as never, app.clock.now());
    await sweep();
    expect((await work())[1]?.funding).toBe('planned');
    await app.pool.query("delete from graphile_worker._private_jobs where key like 'holds.fund/%'");
    await sweep();
    expect((await work())[1]?.funding).toBe('funded');
  });

  it('lets nobody start, and nothing is owed, while it is missing', async () => {
    await topUp(11_000);
    const { leila, offers, work } = await hired({ shifts: 2 });
    const second = (await work())[1];
    const startsAt = second?.terms.startsAt ?? '';
    app.clock.set(startsAt);
    const evidence = { engagementId: second?.id ?? '', at: startsAt, sentAt: startsAt };
    const { lat, lng } = second?.terms.place ?? { lat: 0, lng: 0 };
    const position = { lat, lng, accuracyM: 5 };
    expect(await failure(leila.api.attendance.checkIn({ ...evidence, position }))).toMatchObject({
      code: 'engagement/not-funded',
    });
    await app.runDue();
    expect((await work())[1]?.status).toBe('cancelled_by_merchant');
    expect(await noticesOf(leila)).toEqual(['over']);
    expect(offers).toHaveLength(2);
  });

  it('ends with an offer that is declined', async () => {
    await topUp(11_000);
    const { leila, applicationIds } = await applied({ shifts: 2 });
    const [applicationId = '', ...alsoFor] = applicationIds;
    await nadia.api.offers.make({ applicationId, alsoFor });
    const [planned] = (await leila.api.offers.mine({})).items.filter(({ funding }) => funding === 'planned');
    const holdId = (await nadia.api.offers.get({ offerId: planned?.id ?? '' })).hold?.id ?? '';
    const early = nadia.api.holds.payBooked({ holdId, funding: { from: 'balance' } });
    expect(await failure(early)).toMatchObject({ code: 'payment/wrong-state' });
    await leila.api.offers.decline({ offerId: planned?.id ?? '', version: planned?.version ?? 0 });
    const { hold } = await nadia.api.offers.get({ offerId: planned?.id ?? '' });
    expect(hold?.status).toBe('expired');
    await moveTo(planned?.terms.plannedFunding?.at ?? '');
    expect(await noticesOf(nadia)).toEqual([]);
  });
});
