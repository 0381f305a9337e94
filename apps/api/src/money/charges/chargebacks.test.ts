import { addMs, hourMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { ChargeState } from '../../platform/payment-provider.ts';
import { makeOperator } from '../../trust/operators/operators.fixtures.ts';
import { viewEngagement } from '../../work/engagements/engagement-views.ts';
import { workThrough } from '../../work/engagements/engagements.fixtures.ts';
import { approveWork } from '../../work/timesheets/approval.ts';
import type { LedgerAccount } from '../ledger/ledger.rules.ts';
import { auditLedger, balanceOf, postEntry } from '../ledger/ledger.ts';
import { compareBooks } from '../provider/books.fixtures.ts';
import { reconcile } from '../provider/reconciliation.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';
import { applyCharge } from './charge-outcomes.ts';

const app = useTestApp({ OFFER_HOURS: '168' });
const EUR = 'EUR' as const;
const scope = () => ({
  ...app.scopeOf({ accountId: 'nobody' }),
  db: app.db,
  mailer: { send: async () => {} },
});
const books = () => compareBooks(app.db, scope());
const minor = (account: LedgerAccount) => balanceOf(app.db, account, EUR);
const losses = () => minor({ kind: 'platform_losses' });

async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    app.clock.forward({ hours: 1 });
    await app.runDue();
  }
}

async function cast() {
  const owner = await app.person();
  const own = app.scopeOf(owner);
  const { id: businessId } = await makeBusiness(app.db, own, { funded: false });
  const lossesBefore = await losses();
  const topUp = async (amountMinor: number, number: string) => {
    const { id: cardId } = await makeCard(app.db, own, businessId, number);
    const { id } = await owner.api.wallet.topUp({ businessId, amountMinor, currency: EUR, cardId });
    await app.runDue();
    return id;
  };
  return {
    owner,
    own,
    businessId,
    topUp,
    available: () => minor({ kind: 'business_balance', ownerId: businessId }),
    lost: async () => lossesBefore - (await losses()),
    chargeback: async (chargeId: string) =>
      (await app.db.selectFrom('charges').select('chargeback').where('id', '=', chargeId).executeTakeFirst())
        ?.chargeback,
    notified: async () =>
      (await owner.api.notifications.list({})).items
        .filter(({ topic }) => topic.startsWith('chargeback'))
        .map(({ topic, data, path }) => [topic, data.amountMinor, data.variant, path]),
  };
}
type Cast = Awaited<ReturnType<typeof cast>>;

/** Offers a four-hour shift, tomorrow by default; the hold is paid by this card. */
async function offered({ own, businessId }: Cast, number: string, inHours = 26) {
  const worker = await app.person();
  const { id: cardId } = await makeCard(app.db, own, businessId, number);
  const startsAt = addMs(app.clock.now(), inHours * hourMs);
  const job = await makeJob(app.db, own, businessId, {
    startsAt: startsAt.toISOString(),
    endsAt: addMs(startsAt, 4 * hourMs).toISOString(),
    breakMinutes: 0,
  });
  const application = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const offer = await makeOffer(app.db, own, application.id, { funding: { from: 'card', cardId } });
  await app.runDue();
  const hold = await app.db
    .selectFrom('holds')
    .selectAll()
    .where('offerId', '=', offer.id)
    .executeTakeFirstOrThrow();
  const seen = async () => {
    const row = await app.db
      .selectFrom('holds')
      .innerJoin('offers', 'offers.id', 'holds.offerId')
      .leftJoin('engagements', 'engagements.id', 'holds.engagementId')
      .select(['holds.status', 'holds.frozen', 'offers.funding as offer', 'engagements.funding as work'])
      .where('holds.id', '=', hold.id)
      .executeTakeFirstOrThrow();
    return { ...row, minor: await minor({ kind: 'hold', ownerId: hold.id }) };
  };
  const accept = async () => {
    const { version } = await app.db
      .selectFrom('offers')
      .select('version')
      .where('id', '=', offer.id)
      .executeTakeFirstOrThrow();
    const { engagementId } = await worker.api.offers.accept({ offerId: offer.id, version });
    return viewEngagement(app.db, own, engagementId ?? '');
  };
  const paid = async () =>
    (await minor({ kind: 'worker_pending', ownerId: worker.accountId })) +
    (await minor({ kind: 'worker_available', ownerId: worker.accountId }));
  const amount = hold.payMinor + hold.feeMinor;
  return { worker, offer, hold, amount, seen, accept, paid };
}

const spend = (businessId: string, amountMinor: number) =>
  app.db.transaction().execute((tx) =>
    postEntry(tx, scope(), {
      key: `spent/${businessId}`,
      kind: 'bonus',
      currency: EUR,
      about: null,
      lines: [
        { account: { kind: 'business_balance', ownerId: businessId }, amountMinor: -amountMinor },
        { account: { kind: 'platform_fees' }, amountMinor },
      ],
    }),
  );

async function work({ own }: Cast, { worker, accept }: Awaited<ReturnType<typeof offered>>) {
  const engagement = await accept();
  const at = (side: 'worker' | 'recruiter', moment: Date) => ({
    ...(side === 'worker' ? app.scopeOf(worker) : own),
    clock: { now: () => moment },
  });
  const submitted = await workThrough(app.db, at, engagement, 'submitted');
  const approve = () =>
    app.db
      .transaction()
      .execute((tx) => approveWork(tx, own, { engagementId: submitted.id, version: submitted.version }));
  return { submitted, approve };
}

describe('a chargeback of a top-up', () => {
  it('takes the money from the balance at once, and returns it when won', async () => {
    const { topUp, available, lost, chargeback, notified } = await cast();
    await topUp(2_000, testCards.pays);
    const chargeId = await topUp(5_000, testCards.chargebackWon);
    await pass(49);
    expect(await chargeback(chargeId)).toBe('open');
    expect([await available(), await lost()]).toEqual([2_000, 0]);
    expect(await books()).toEqual([]);
    await pass(5 * 24);
    expect(await chargeback(chargeId)).toBe('won');
    expect([await available(), await lost()]).toEqual([7_000, 0]);
    expect(await notified()).toEqual([
      ['chargeback-closed', 5_000, 'won', '/merchant-transaction'],
      ['chargeback-opened', 5_000, 'open', '/merchant-transaction'],
    ]);
    expect(await books()).toEqual([]);
  });

  it('opens a case for operators while it is pending', async () => {
    const { businessId, topUp } = await cast();
    const operator = await app.person({ name: 'Jonas Weber' });
    await makeOperator(app.db, app, operator);
    const { api } = app.working(operator);
    const chargeId = await topUp(5_000, testCards.chargebackWon);
    const caseRef = { kind: 'chargeback', subjectId: chargeId } as const;
    expect(await failure(api.cases.get(caseRef))).toMatchObject({ code: 'case/not-found' });
    await pass(49);
    expect((await api.cases.get(caseRef)).facts).toMatchObject({
      chargeback: { business: { id: businessId } },
    });
    await pass(5 * 24);
    expect((await api.cases.list({ kind: 'chargeback' })).items).toEqual([]);
  });

  it('is covered by the platform for spent money, until the balance grows', async () => {
    const { owner, businessId, topUp, available, lost, chargeback } = await cast();
    const first = await topUp(4_000, testCards.pays);
    const chargeId = await topUp(5_000, testCards.chargebackLost);
    await app.db
      .updateTable('charges')
      .set({ createdAt: new Date('2027-01-01') })
      .where('id', '=', first)
      .execute();
    await owner.api.charges.refund({ businessId, amountMinor: 4_000, currency: EUR });
    await app.runDue();
    expect(await available()).toBe(5_000);
    await spend(businessId, 3_500);
    await pass(49);
    expect([await available(), await lost()]).toEqual([0, 3_500]);
    expect(await books()).toEqual([]);
    await topUp(1_000, testCards.pays);
    await pass(5 * 24);
    expect(await chargeback(chargeId)).toBe('lost');
    expect([await available(), await lost()]).toEqual([0, 2_500]);
    expect(await books()).toEqual([]);
  });

  it("can't be refunded while it is open or after a loss", async () => {
    const { owner, businessId, topUp, available } = await cast();
    await topUp(5_000, testCards.chargebackLost);
    app.clock.forward({ minutes: 1 });
    await topUp(1_000, testCards.pays);
    await pass(49);
    const request = { businessId, amountMinor: 1_000, currency: EUR };
    expect(await available()).toBe(1_000);
    expect(await owner.api.charges.refund(request)).toMatchObject({ refundedMinor: 1_000 });
    await app.runDue();
    expect(await books()).toEqual([]);
  });

  it('reverses a refund that the provider did not execute', async () => {
    const { owner, businessId, topUp, available, lost } = await cast();
    await topUp(5_000, testCards.chargebackLost);
    app.clock.forward({ hours: 47, minutes: 59 });
    const { refund } = app.provider;
    app.provider.refund = () => Promise.reject(new TypeError('fetch failed'));
    await owner.api.charges.refund({ businessId, amountMinor: 2_000, currency: EUR });
    await app.runDue();
    app.clock.forward({ minutes: 2 });
    await app.runDue();
    app.provider.refund = refund;
    await pass(2);
    // The whole charge was disputed before the refund ran, so the refund is reversed.
    expect([await available(), await lost()]).toEqual([2_000, 2_000]);
    await pass(5 * 24);
    expect([await available(), await lost()]).toEqual([0, 0]);
    expect(await books()).toEqual([]);
  });

  it('books everything or nothing when all of it is reported together', async () => {
    const { topUp, available, lost, chargeback, notified } = await cast();
    const { sandbox } = app.provider as unknown as { sandbox: { send: unknown } };
    const send = sandbox.send;
    sandbox.send = async () => 200;
    const chargeId = await topUp(5_000, testCards.chargebackLost);
    await pass(8 * 24);
    sandbox.send = send;
    expect(await chargeback(chargeId)).toBe(null);
    await reconcile(scope());
    await app.runDue();
    expect(await chargeback(chargeId)).toBe('lost');
    expect([await available(), await lost()]).toEqual([0, 0]);
    expect((await notified()).map(([topic]) => topic)).toEqual(['chargeback-closed', 'chargeback-opened']);
    expect(await books()).toEqual([]);
  });

  it('arriving before its charge has succeeded, is applied after the success', async () => {
    const { topUp, available, lost, chargeback } = await cast();
    const { charge } = app.provider;
    const { sandbox } = app.provider as unknown as { sandbox: { send: unknown } };
    const send = sandbox.send;
    sandbox.send = async () => 200;
    app.provider.charge = async (o) => {
      await charge(o);
      throw new TypeError('connection reset');
    };
    const chargeId = await topUp(5_000, testCards.chargebackLost);
    await app.pool.query(`delete from graphile_worker._private_jobs where key like 'payments.charge/%'`);
    app.provider.charge = charge;
    await pass(49);
    expect([await chargeback(chargeId), await available()]).toEqual([null, 0]);
    await reconcile(scope());
    await app.runDue();
    sandbox.send = send;
    expect([await chargeback(chargeId), await available(), await lost()]).toEqual(['open', 0, 0]);
    expect(await books()).toEqual([]);
  });
});

describe('a chargeback of a hold', () => {
  it('freezes the hold and unfreezes it when won', async () => {
    const actors = await cast();
    const place = await offered(actors, testCards.chargebackWon);
    expect(await place.seen()).toMatchObject({ status: 'held', offer: 'funded', minor: place.amount });
    await place.accept();
    await pass(49);
    expect(await place.seen()).toMatchObject({ frozen: true, work: 'frozen', minor: place.amount });
    expect([await actors.available(), await actors.lost()]).toEqual([0, place.amount]);
    expect(await books()).toEqual([]);
    await pass(5 * 24);
    expect(await actors.lost()).toBe(0);
    expect(await place.seen()).toMatchObject({ frozen: false });
    expect(await books()).toEqual([]);
  });

  it('takes the held money when lost, and marks the work as unfunded', async () => {
    const actors = await cast();
    const place = await offered(actors, testCards.chargebackLost);
    await place.accept();
    await pass(49);
    expect(await place.seen()).toMatchObject({ frozen: true });
    await pass(5 * 24);
    expect(await place.seen()).toMatchObject({ work: 'not_funded', minor: 0, frozen: false });
    expect([await actors.available(), await actors.lost(), await place.paid()]).toEqual([0, 0, 0]);
    expect(await books()).toEqual([]);
  });

  it('pays the worker what was approved in the meantime, once won', async () => {
    const actors = await cast();
    const place = await offered(actors, testCards.chargebackWon);
    const { approve } = await work(actors, place);
    await pass(49);
    expect(await place.seen()).toMatchObject({ frozen: true });
    await approve();
    expect(await place.paid()).toBe(0);
    expect(await books()).toEqual([]);
    await pass(5 * 24);
    expect(await place.paid()).toBe(place.hold.payMinor);
    expect(await actors.lost()).toBe(0);
    expect(await books()).toEqual([]);
  });

  it('leaves earlier pay with the worker, and takes it from the balance', async () => {
    const actors = await cast();
    const place = await offered(actors, testCards.chargebackLost);
    const { approve } = await work(actors, place);
    await pass(32);
    await approve();
    await actors.topUp(1_000, testCards.pays);
    expect(await place.paid()).toBe(place.hold.payMinor);
    const had = await actors.available();
    await pass(17);
    expect(await place.paid()).toBe(place.hold.payMinor);
    expect([await actors.available(), await actors.lost()]).toEqual([0, place.amount - had]);
    expect(await books()).toEqual([]);
    await pass(5 * 24);
    expect([await actors.available(), await actors.lost()]).toEqual([0, place.amount - had]);
    expect(await books()).toEqual([]);
  });

  it('for an offer that ended, returns nothing until it is decided', async () => {
    for (const [number, back] of [
      [testCards.chargebackWon, true],
      [testCards.chargebackLost, false],
    ] as const) {
      const actors = await cast();
      const place = await offered(actors, number, 300);
      await pass(49);
      const { version } = await app.db
        .selectFrom('offers')
        .select('version')
        .where('id', '=', place.offer.id)
        .executeTakeFirstOrThrow();
      await actors.owner.api.offers.withdraw({ offerId: place.offer.id, version });
      expect(await place.seen()).toMatchObject({ frozen: true, minor: place.amount });
      expect(await actors.available()).toBe(0);
      await pass(5 * 24);
      expect(await place.seen()).toMatchObject({ frozen: false });
      const left = (await actors.available()) + (await minor({ kind: 'hold', ownerId: place.hold.id }));
      expect([left, await actors.lost()]).toEqual([back ? place.amount : 0, 0]);
      expect(await books()).toEqual([]);
    }
  });
});

describe('a card declined for a hold', () => {
  it('notifies once, with a link to pay another way', async () => {
    const actors = await cast();
    const place = await offered(actors, testCards.declined);
    const { items } = await actors.owner.api.notifications.list({});
    const notices = items.filter(({ topic }) => topic === 'payment-failed');
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({
      path: expect.stringMatching(/^\/job-applicants\/.+\?applicant=.+/),
      data: { variant: 'card_declined', amountMinor: place.amount, by: expect.any(String) },
    });
    expect(await books()).toEqual([]);
  });
});

describe('a charge that succeeds after its checkout expired', () => {
  it('lands in the balance', async () => {
    const actors = await cast();
    const { charge } = app.provider;
    app.provider.charge = async (o) => {
      await charge(o);
      throw new TypeError('connection reset');
    };
    const { sandbox } = app.provider as unknown as { sandbox: { send: unknown } };
    const send = sandbox.send;
    sandbox.send = async () => 200;
    const place = await offered(actors, testCards.pays);
    expect(await place.seen()).toMatchObject({ status: 'authorising' });
    app.clock.forward({ minutes: 16 });
    await app.pool.query(`delete from graphile_worker._private_jobs where key like 'payments.charge/%'`);
    app.provider.charge = charge;
    await app.runDue();
    await app.runDue();
    sandbox.send = send;
    expect(await place.seen()).toMatchObject({ status: 'expired', minor: 0 });
    expect(await actors.available()).toBe(place.amount);
    expect(await books()).toEqual([]);
  });

  it('is cancelled if possible', async () => {
    const actors = await cast();
    const place = await offered(actors, testCards.confirm);
    expect(await place.seen()).toMatchObject({ status: 'authorising' });
    app.clock.forward({ minutes: 16 });
    await app.runDue();
    await app.runDue();
    const { status } = await app.db
      .selectFrom('charges')
      .select('status')
      .where('subjectId', '=', place.hold.id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('cancelled');
    expect(await place.seen()).toMatchObject({ status: 'expired' });
    expect(await actors.available()).toBe(0);
    expect(await books()).toEqual([]);
  });
});

describe('a second chargeback of a charge', () => {
  async function report(chargeId: string, ...chargebacks: ChargeState['chargebacks'][number][]) {
    const state = await app.provider.findCharge(chargeId);
    if (!state) throw new Error(`there is no charge ${chargeId}`);
    await applyCharge(scope(), chargeId, { ...state, chargebacks });
  }
  const amounts = { first: 3_000, second: 5_000 };
  const first = (status: 'open' | 'won' | 'lost') => ({
    ref: 'cb_first',
    amountMinor: amounts.first,
    status,
  });
  const second = (status: 'open' | 'won' | 'lost') => ({
    ref: 'cb_second',
    amountMinor: amounts.second,
    status,
  });

  it('is booked after a first one was won, and outdated events of the first change nothing', async () => {
    const { topUp, available, lost, chargeback, notified } = await cast();
    const chargeId = await topUp(5_000, testCards.pays);
    await report(chargeId, first('open'));
    await report(chargeId, first('won'));
    expect([await available(), await chargeback(chargeId)]).toEqual([5_000, 'won']);
    await report(chargeId, first('won'), second('open'));
    await report(chargeId, first('won'));
    await report(chargeId, first('open'));
    expect([await available(), await chargeback(chargeId)]).toEqual([0, 'open']);
    const finance = await app.person();
    await makeOperator(app.db, app, finance, ['finance']);
    const api = (await app.working(finance)).api;
    const facts = (await api.cases.get({ kind: 'chargeback', subjectId: chargeId })).facts;
    expect(facts).toMatchObject({ chargeback: { chargebackMinor: 5_000, borneMinor: 5_000 } });
    await report(chargeId, first('won'), second('lost'));
    expect([await available(), await lost(), await chargeback(chargeId)]).toEqual([0, 0, 'lost']);
    expect((await notified()).map(([topic, minor, variant]) => [topic, minor, variant])).toEqual([
      ['chargeback-closed', 5_000, 'lost'],
      ['chargeback-opened', 5_000, 'open'],
      ['chargeback-closed', 3_000, 'won'],
      ['chargeback-opened', 3_000, 'open'],
    ]);
  });

  it('is booked with the decision of the first when both arrive together', async () => {
    const { topUp, available, chargeback } = await cast();
    const chargeId = await topUp(5_000, testCards.pays);
    await report(chargeId, { ...first('won'), ref: 'cb_a' }, { ...second('won'), ref: 'cb_b' });
    expect([await available(), await chargeback(chargeId)]).toEqual([5_000, 'won']);
    expect((await auditLedger(app.db, scope())).findings).toEqual([]);
  });
});
