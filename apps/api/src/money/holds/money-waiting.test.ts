import { hourMs, minuteMs } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { offerToWaitlist } from '../../hiring/waitlist/waitlist.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import type { Jobs } from '../../platform/tables.gen.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeBank, payWorker } from '../payouts/payouts.fixtures.ts';
import { testCards, testIbans } from '../sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../wallet/wallet.fixtures.ts';

// Money notices that request an action end with that action, opened or not (ADR 16).
const app = useTestApp({ CLEARING_DAYS: '0', PAYOUT_METHOD_HOLD_DAYS: '0' });
let owner: Person;
let businessId: string;
const own = () => app.scopeOf(owner);
const as = async (person: Person) => app.apiAs(await signAccessToken(app.secret, app.clock, person));
const notices = async (person: Person) =>
  (await (await as(person)).notifications.list({ waiting: 'true', limit: 100 })).items;
const waiting = async (person: Person) => (await notices(person)).map(({ topic }) => topic).toSorted();
const fund = (amountMinor: number) => fundBusiness(app.db, own(), businessId, { amountMinor });
const declined = async () => (await makeCard(app.db, own(), businessId, testCards.declined)).id;

beforeEach(async () => {
  app.clock.set('2026-11-24T09:00:00Z');
  owner = await app.person({ name: 'Nadia Brandt' });
  businessId = (await makeBusiness(app.db, own(), { funded: false })).id;
});

describe('a declined card', () => {
  async function refusedOffer() {
    const worker = await app.person();
    const job = await makeJob(app.db, own(), businessId);
    const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    const cardId = await declined();
    const offer = await makeOffer(app.db, own(), id, { funding: { from: 'card', cardId } });
    await app.runDue();
    expect(await waiting(owner)).toContain('payment-failed');
    const hold = await app.db
      .selectFrom('holds')
      .select('id')
      .where('offerId', '=', offer.id)
      .executeTakeFirst();
    return hold?.id ?? '';
  }

  it("for an offer is pending until it is paid another way; viewing it doesn't count", async () => {
    const holdId = await refusedOffer();
    const [notice] = (await notices(owner)).filter(({ topic }) => topic === 'payment-failed');
    await owner.api.notifications.open({ notificationId: notice?.id ?? '' });
    expect(await waiting(owner)).toContain('payment-failed');
    await fund(20_000);
    await owner.api.holds.pay({ holdId, funding: { from: 'balance' } });
    expect(await waiting(owner)).not.toContain('payment-failed');
  });

  it('that was settled is no longer unread', async () => {
    const holdId = await refusedOffer();
    const inbox = async () => {
      const { items, unread } = await owner.api.notifications.list({ limit: 100 });
      const decline = items.find(({ topic }) => topic === 'payment-failed');
      return { unread, read: decline?.readAt !== null };
    };
    const before = await inbox();
    expect(before.read).toBe(false);
    await fund(20_000);
    await owner.api.holds.pay({ holdId, funding: { from: 'balance' } });
    expect(await inbox()).toEqual({ read: true, unread: before.unread - 1 });
    expect((await owner.api.accounts.me()).unreadNotifications).toBe(before.unread - 1);
  });

  it('for an offer is no longer pending after its 15 minutes', async () => {
    await refusedOffer();
    app.clock.forward({ minutes: 16 });
    await app.runDue();
    expect(await waiting(owner)).not.toContain('payment-failed');
  });

  it('twice for one offer is pending once', async () => {
    const holdId = await refusedOffer();
    app.clock.forward({ seconds: 1 });
    await owner.api.holds.pay({ holdId, funding: { from: 'card', cardId: await declined() } });
    await app.runDue();
    const { items } = await owner.api.notifications.list({ limit: 100 });
    expect(items.filter(({ topic }) => topic === 'payment-failed')).toHaveLength(2);
    expect((await waiting(owner)).filter((topic) => topic === 'payment-failed')).toHaveLength(1);
  });

  it('for the balance is pending until a top-up with another card', async () => {
    const topUp = async (cardId: string) => {
      await owner.api.wallet.topUp({ businessId, amountMinor: 2_000, currency: 'EUR', cardId });
      await app.runDue();
    };
    await topUp(await declined());
    expect(await waiting(owner)).toEqual(['payment-failed']);
    app.clock.forward({ seconds: 1 });
    await topUp((await makeCard(app.db, own(), businessId, testCards.pays)).id);
    expect(await waiting(owner)).toEqual([]);
  });
});

describe('money notices that link to one screen', () => {
  const topUps = async (number: string) => {
    const { id: cardId } = await makeCard(app.db, own(), businessId, number);
    for (const amountMinor of [2_000, 3_000]) {
      app.clock.forward({ seconds: 1 });
      await owner.api.wallet.topUp({ businessId, amountMinor, currency: 'EUR', cardId });
      await app.runDue();
    }
  };

  it.each([
    ['payment-failed', testCards.declined],
    ['payment-needs-confirmation', testCards.confirm],
  ])('are pending separately: %s', async (topic, number) => {
    await topUps(number);
    const both = await notices(owner);
    expect(both.map((notice) => notice.topic)).toEqual([topic, topic]);
    expect(new Set(both.map(({ path }) => path)).size).toBe(1);
  });
});

describe('owed pay', () => {
  it('is pending with each declined card until it is covered, and a declined tip until one is sent', async () => {
    const worker = await app.person();
    await fund(14_438);
    const sides = { worker: app.scopeOf(worker), recruiter: own() };
    const {
      id: engagementId,
      version,
      terms,
    } = await makeEngagement(app.db, sides, businessId, { headCount: 1 });
    const end = Date.parse(terms.endsAt ?? '');
    app.clock.set(new Date(end + 70 * minuteMs));
    await (await as(worker)).timesheets.submitHours({
      engagementId,
      version,
      note: '',
      breakMinutes: terms.breakMinutes,
      startsAt: terms.startsAt ?? '',
      endsAt: new Date(end + hourMs).toISOString(),
    });
    const cover = async (funding: Parameters<typeof owner.api.pay.cover>[0]['funding']) => {
      await (await as(owner)).pay.cover({ engagementId, funding });
      await app.runDue();
    };
    await cover({ from: 'card', cardId: await declined() });
    expect(await waiting(owner)).toEqual(['hours-submitted', 'payment-failed']);
    app.clock.forward({ hours: 73 });
    await app.runDue();
    const { dispute } = await (await as(owner)).engagements.get({ engagementId });
    await (await as(owner)).disputes.answer({
      disputeId: dispute?.id ?? '',
      version: dispute?.version ?? 0,
      note: 'They stayed an hour longer.',
      amountMinor: 14_875,
    });
    await app.runDue();
    expect((await (await as(owner)).engagements.get({ engagementId })).funding).toBe('funded');
    expect(await waiting(owner)).toEqual(['payment-failed', 'payment-missing']);
    await fund(5_000);
    await cover({ from: 'balance' });
    expect(await waiting(owner)).toEqual([]);

    const tip = async (funding: Parameters<typeof cover>[0]) => {
      await (await as(owner)).pay.tip({ engagementId, amountMinor: 500, funding });
      await app.runDue();
    };
    await tip({ from: 'card', cardId: await declined() });
    expect(await waiting(owner)).toEqual(['payment-failed']);
    app.clock.forward({ minutes: 1 });
    await tip({ from: 'balance' });
    expect(await waiting(owner)).toEqual([]);
  });
});

describe('an instant-hire spot', () => {
  it('is pending until it is funded or closed', async () => {
    await fund(14_438);
    const job = await makeJob(app.db, own(), businessId, { instantHire: true, headCount: 1 });
    await app.db.updateTable('jobs').set({ headCount: 2 }).where('id', '=', job.id).execute();
    const freed = () => app.db.transaction().execute((tx) => offerToWaitlist(tx, own(), job.id));
    await freed();
    expect(await waiting(owner)).toEqual(['spot-unfunded']);
    const set = (status: Jobs['status']) =>
      app.db.updateTable('jobs').set({ status }).where('id', '=', job.id).execute();
    await set('paused');
    expect(await waiting(owner)).toEqual([]);
    await set('open');
    expect(await waiting(owner)).toEqual(['spot-unfunded']);
    await fund(14_438);
    await freed();
    expect(await waiting(owner)).toEqual([]);
  });
});

describe('a returned withdrawal', () => {
  it('is pending until its money is withdrawn again', async () => {
    const worker = await app.person();
    const scope = app.scopeOf(worker);
    const { id: closed } = await makeBank(app.db, scope, testIbans.closed);
    const { id: good } = await makeBank(app.db, scope);
    await payWorker(app.db, scope, worker.accountId, 10_000, { atOnce: true });
    await worker.api.payouts.withdraw({ methodId: closed, amountMinor: 3_000, speed: 'standard' });
    for (let minutes = 0; minutes < 4; minutes += 1) {
      app.clock.forward({ minutes: 11 });
      await app.runDue();
    }
    expect(await waiting(worker)).toEqual(['withdrawal-failed']);
    const again = await (await as(worker)).payouts.withdraw({
      methodId: good,
      amountMinor: 3_000,
      speed: 'standard',
    });
    expect(await waiting(worker)).toEqual([]);
    await (await as(worker)).payouts.cancel({ withdrawalId: again.id, version: again.version });
    expect(await waiting(worker)).toEqual(['withdrawal-failed']);
  });
});
