import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { useHiring } from '../../../test/use-hiring.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { fundBusiness, makeCard } from '../wallet/wallet.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000' });
const cast = useHiring(app);
const { hirer, fund, balance, expectSoundLedger } = cast;

async function applied(options: Parameters<typeof makeJob>[3] = {}) {
  const job = await makeJob(app.db, hirer(), cast.business.id, { headCount: 1, ...options });
  const worker = await app.person({ name: 'Leila Haddad' });
  const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  return { job, worker, applicationId };
}
const spots = (jobId: string) =>
  app.db
    .selectFrom('jobs')
    .select(['hiredCount', 'offeredCount'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
const holdMinor = 14_438;
const payMinor = 13_125;

describe('an offer from the balance', () => {
  it('is sent at once with a hold, and returns it on a decline', async () => {
    await fund(20_000);
    const { applicationId, worker } = await applied();
    const offer = await cast.nadia.api.offers.make({ applicationId });
    expect(offer).toMatchObject({
      status: 'sent',
      funding: 'funded',
      hold: {
        status: 'held',
        payMinor,
        feeMinor: 1_313,
        amountMinor: holdMinor,
        remainingMinor: holdMinor,
        source: 'balance',
        frozen: false,
        payBy: null,
        charge: null,
        engagementId: null,
      },
    });
    expect(await balance()).toBe(20_000 - holdMinor);
    expect(await worker.api.offers.get({ offerId: offer.id })).toMatchObject({
      funding: 'funded',
      hold: null,
    });
    await worker.api.offers.decline({ offerId: offer.id, version: offer.version });
    expect(await balance()).toBe(20_000);
    expect(await cast.nadia.api.offers.get({ offerId: offer.id })).toMatchObject({
      status: 'declined',
      funding: 'not_funded',
      hold: { status: 'refunded', remainingMinor: 0 },
    });
    await expectSoundLedger();
  });

  it("is rejected when the balance doesn't cover it, and writes nothing", async () => {
    await fund(14_437);
    const { applicationId, job } = await applied();
    expect(
      await failure(cast.nadia.api.offers.make({ applicationId, funding: { from: 'balance' } })),
    ).toMatchObject({
      status: 422,
      code: 'payment/balance-short',
      data: { missingMinor: 1, currency: 'EUR' },
    });
    expect(await spots(job.id)).toEqual({ hiredCount: 0, offeredCount: 0 });
    expect(await balance()).toBe(14_437);
  });

  it("takes a coordinator's hire from a balance that they don't see", async () => {
    const coordinator = await app.person({ name: 'Cor Bakker' });
    await makeMember(app.db, app.clock, cast.business.id, coordinator.accountId, 'coordinator');
    await fund(14_437);
    const { applicationId } = await applied();
    const make = () => coordinator.api.offers.make({ applicationId, funding: { from: 'balance' } });
    const refusal = await failure(make());
    expect(refusal).toMatchObject({ code: 'payment/balance-short' });
    expect(refusal.data).toEqual({ currency: 'EUR' });
    const { id: cardId } = await makeCard(app.db, app.scopeOf(cast.nadia), cast.business.id);
    const byCard = coordinator.api.offers.make({ applicationId, funding: { from: 'card', cardId } });
    expect(await failure(byCard)).toMatchObject({ code: 'payment/card-not-found' });
    expect(await failure(coordinator.api.offers.make({ applicationId }))).toMatchObject({
      code: 'payment/balance-short',
    });
    await fund(20_000);
    expect(await make()).toMatchObject({ funding: 'funded' });
  });

  it('is funded once when the balance covers one of two concurrent offers', async () => {
    await fund(20_000);
    const first = await applied();
    const second = await applied();
    const tries = await Promise.allSettled(
      [first, second].map(({ applicationId }) =>
        cast.nadia.api.offers.make({ applicationId, funding: { from: 'balance' } }),
      ),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await balance()).toBe(20_000 - holdMinor);
    await expectSoundLedger();
  });

  it('requires a card or a balance', async () => {
    const { applicationId } = await applied();
    expect(await failure(cast.nadia.api.offers.make({ applicationId }))).toMatchObject({
      status: 422,
      code: 'payment/method-missing',
    });
    const otherBusiness = await makeBusiness(app.db, app.scopeOf(await app.person()), { funded: false });
    const stranger = await app.person();
    const theirs = await makeBusiness(app.db, app.scopeOf(stranger), { funded: false });
    const card = await makeCard(app.db, app.scopeOf(stranger), theirs.id);
    expect(otherBusiness.id).not.toBe(theirs.id);
    expect(
      await failure(
        cast.nadia.api.offers.make({ applicationId, funding: { from: 'card', cardId: card.id } }),
      ),
    ).toMatchObject({ status: 404, code: 'payment/card-not-found' });
  });
});

describe('an offer from a card', () => {
  it('stays hidden until it is funded, then is sent; its 48 hours begin then', async () => {
    const card = await makeCard(app.db, hirer(), cast.business.id);
    const { applicationId, worker, job } = await applied();
    const offer = await cast.nadia.api.offers.make({ applicationId });
    expect(offer).toMatchObject({
      status: 'funding',
      funding: 'not_funded',
      sentAt: null,
      hold: { status: 'authorising', payBy: expect.any(String), charge: { status: 'created' } },
    });
    expect(await spots(job.id)).toEqual({ hiredCount: 0, offeredCount: 1 });
    expect(await failure(worker.api.offers.get({ offerId: offer.id }))).toMatchObject({ status: 404 });
    expect((await worker.api.offers.mine({})).items).toEqual([]);
    expect(await failure(cast.nadia.api.offers.make({ applicationId }))).toMatchObject({ status: 409 });
    app.clock.forward({ minutes: 3 });
    await app.runDue();
    const sent = await cast.nadia.api.offers.get({ offerId: offer.id });
    expect(sent).toMatchObject({
      status: 'sent',
      funding: 'funded',
      sentAt: app.clock.now().toISOString(),
      hold: { status: 'held', source: 'card', remainingMinor: holdMinor, charge: { status: 'succeeded' } },
    });
    expect((await worker.api.offers.mine({})).items).toMatchObject([{ id: offer.id, status: 'sent' }]);
    expect(await balance()).toBe(0);
    expect(card.isDefault).toBe(true);
    const done = await worker.api.offers.accept({ offerId: offer.id, version: sent.version });
    expect(done).toMatchObject({ status: 'accepted' });
    expect(await cast.nadia.api.holds.get({ holdId: sent.hold?.id ?? '' })).toMatchObject({
      engagementId: done.engagementId,
      status: 'held',
    });
    await expectSoundLedger();
  });

  describe('holds.pay', () => {
    it('accepts another card or the balance after a declined card', async () => {
      const bad = await makeCard(app.db, hirer(), cast.business.id, testCards.declined);
      const good = await makeCard(app.db, hirer(), cast.business.id);
      const application = await applied();
      const offer = await cast.nadia.api.offers.make({
        applicationId: application.applicationId,
        funding: { from: 'card', cardId: bad.id },
      });
      await app.runDue();
      const waits = await cast.nadia.api.offers.get({ offerId: offer.id });
      expect(waits).toMatchObject({
        status: 'funding',
        hold: { status: 'authorising', charge: { status: 'failed', failure: 'card_declined' } },
      });
      const { cards } = await cast.nadia.api.wallet.get({ businessId: cast.business.id });
      const declined = (id: string) => cards.find((card) => card.id === id)?.declined;
      expect([declined(bad.id), declined(good.id)]).toEqual([true, false]);
      const holdId = waits.hold?.id ?? '';
      expect(await failure(cast.nadia.api.holds.pay({ holdId, funding: { from: 'balance' } }))).toMatchObject(
        {
          code: 'payment/balance-short',
          data: { missingMinor: holdMinor },
        },
      );
      await cast.nadia.api.holds.pay({ holdId, funding: { from: 'card', cardId: good.id } });
      await cast.nadia.api.holds.pay({ holdId, funding: { from: 'card', cardId: good.id } });
      await app.runDue();
      expect(await cast.nadia.api.holds.get({ holdId })).toMatchObject({ status: 'held' });
      const { rows } = await app.pool.query(
        'select count(*)::int as charges from charges where subject_id = $1',
        [holdId],
      );
      expect(rows[0]).toEqual({ charges: 2 });
      expect(
        await cast.nadia.api.holds.pay({ holdId, funding: { from: 'card', cardId: good.id } }),
      ).toMatchObject({ status: 'held' });

      const two = await applied();
      const second = await cast.nadia.api.offers.make({
        applicationId: two.applicationId,
        funding: { from: 'card', cardId: bad.id },
      });
      await app.runDue();
      await fundBusiness(app.db, hirer(), cast.business.id, { amountMinor: 20_000, card: good });
      const paid = await cast.nadia.api.holds.pay({
        holdId: second.hold?.id ?? '',
        funding: { from: 'balance' },
      });
      expect(paid).toMatchObject({ status: 'held', source: 'balance' });
      expect((await two.worker.api.offers.mine({})).items).toMatchObject([{ id: second.id }]);
      expect(await balance()).toBe(20_000 - holdMinor);
      await expectSoundLedger();
    });
  });

  it('expires after 15 unpaid minutes, frees the spot and moves late money to the balance', async () => {
    const card = await makeCard(app.db, hirer(), cast.business.id, testCards.confirm);
    const { applicationId, worker, job } = await applied();
    const offer = await cast.nadia.api.offers.make({ applicationId });
    await app.runDue();
    const hold = (await cast.nadia.api.offers.get({ offerId: offer.id })).hold;
    expect(hold?.charge).toMatchObject({ status: 'requires_action', actionUrl: expect.any(String) });
    app.clock.forward({ minutes: 14 });
    await app.runDue();
    expect(await cast.nadia.api.offers.get({ offerId: offer.id })).toMatchObject({ status: 'funding' });
    app.clock.forward({ minutes: 1 });
    await app.runDue();
    expect(await cast.nadia.api.offers.get({ offerId: offer.id })).toMatchObject({
      status: 'expired',
      hold: { status: 'expired', charge: { status: 'cancelled' } },
    });
    expect(await spots(job.id)).toEqual({ hiredCount: 0, offeredCount: 0 });
    expect((await worker.api.applications.mine({ limit: 10 })).items).toMatchObject([
      { status: 'submitted' },
    ]);
    expect(
      (await cast.nadia.api.notifications.list({ limit: 50 })).items.map(({ topic }) => topic),
    ).toContain('hold-unpaid');
    expect(
      await failure(
        cast.nadia.api.holds.pay({ holdId: hold?.id ?? '', funding: { from: 'card', cardId: card.id } }),
      ),
    ).toMatchObject({ status: 409, code: 'payment/wrong-state' });
    expect(await cast.nadia.api.offers.make({ applicationId })).toMatchObject({ status: 'funding' });
    await expectSoundLedger();
  });

  it('returns from the bank to the applicant, in the app through a deep link', async () => {
    const card = await makeCard(app.db, hirer(), cast.business.id, testCards.confirm);
    const { applicationId, job } = await applied();
    const page = `/job-applicants/${job.id}?applicant=${applicationId}`;
    const fromApp = `/loading?back=${encodeURIComponent(page)}`;
    const fromCard = (inApp?: boolean) => ({ from: 'card' as const, cardId: card.id, inApp });
    const answerBank = async (offerId: string) => {
      await app.runDue();
      const { hold } = await cast.nadia.api.offers.get({ offerId });
      const response = await app.raw({
        method: 'POST',
        url: new URL(hold?.charge?.actionUrl ?? '').pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'decision=refuse',
      });
      await app.runDue();
      expect(response.headers.location).toContain(hold?.charge?.id);
      return { holdId: hold?.id ?? '', wayBack: response.headers.location };
    };
    const offer = await cast.nadia.api.offers.make({ applicationId, funding: fromCard(true) });
    const { holdId, wayBack } = await answerBank(offer.id);
    expect(wayBack).toContain(`${app.config.PUBLIC_URL}${fromApp}&charge=`);
    await cast.nadia.api.holds.pay({ holdId, funding: fromCard() });
    expect((await answerBank(offer.id)).wayBack).toContain(`${app.config.PUBLIC_URL}${page}&charge=`);
    await cast.nadia.api.holds.pay({ holdId, funding: fromCard(true) });
    expect((await answerBank(offer.id)).wayBack).toContain(`${app.config.PUBLIC_URL}${fromApp}&charge=`);
    const { items } = await cast.nadia.api.notifications.list({ limit: 50 });
    expect(items.filter(({ topic }) => topic === 'payment-failed').map(({ path }) => path)).toContain(page);
    await expectSoundLedger();
  });

  it('ends when the applicant is rejected', async () => {
    await makeCard(app.db, hirer(), cast.business.id, testCards.confirm);
    const { applicationId, job } = await applied();
    const offer = await cast.nadia.api.offers.make({ applicationId });
    await app.runDue();
    await cast.nadia.api.applicants.reject({ applicationId, reason: 'others', note: '' });
    await app.runDue();
    expect(await cast.nadia.api.offers.get({ offerId: offer.id })).toMatchObject({
      status: 'expired',
      hold: { status: 'expired', charge: { status: 'cancelled' } },
    });
    expect(await spots(job.id)).toEqual({ hiredCount: 0, offeredCount: 0 });
    await expectSoundLedger();
  });

  it('costs nothing when withdrawn unpaid, and moves late money to the balance', async () => {
    await makeCard(app.db, hirer(), cast.business.id, testCards.late);
    const { applicationId, worker } = await applied();
    const offer = await cast.nadia.api.offers.make({ applicationId });
    await app.runDue();
    const gone = await cast.nadia.api.offers.withdraw({ offerId: offer.id, version: offer.version });
    expect(gone).toMatchObject({ status: 'withdrawn', hold: { status: 'expired' } });
    app.clock.forward({ minutes: 10 });
    await app.runDue();
    const charge = (await cast.nadia.api.offers.get({ offerId: offer.id })).hold?.charge;
    expect(await balance()).toBe(charge?.status === 'succeeded' ? holdMinor : 0);
    expect((await worker.api.offers.mine({})).items).toEqual([]);
    expect((await worker.api.notifications.list({ limit: 50 })).items).toEqual([]);
    await expectSoundLedger();
  });

  describe('holds.get', () => {
    it('allows only members of its business who can spend', async () => {
      const card = await makeCard(app.db, hirer(), cast.business.id, testCards.declined);
      const { applicationId, worker } = await applied();
      const offer = await cast.nadia.api.offers.make({ applicationId });
      const holdId = offer.hold?.id ?? '';
      const finance = await app.person();
      await makeMember(app.db, app.clock, cast.business.id, finance.accountId, 'finance');
      const funding = { from: 'card' as const, cardId: card.id };
      expect(await finance.api.holds.get({ holdId })).toMatchObject({ id: holdId });
      expect(await failure(finance.api.holds.pay({ holdId, funding }))).toMatchObject({
        status: 403,
        code: 'payment/not-allowed',
      });
      for (const person of [worker, await app.person()]) {
        expect(await failure(person.api.holds.get({ holdId }))).toMatchObject({ status: 404 });
        expect(await failure(person.api.holds.pay({ holdId, funding }))).toMatchObject({
          status: 404,
        });
      }
      expect(await failure(app.apiAs(null).holds.get({ holdId }))).toMatchObject({ status: 401 });
      expect(await failure(app.apiAs(null).holds.pay({ holdId, funding }))).toMatchObject({
        status: 401,
      });
      const unverified = await app.person({ verified: false });
      expect(await failure(unverified.api.holds.pay({ holdId, funding }))).toMatchObject({
        status: 403,
      });
      const key = { 'idempotency-key': crypto.randomUUID() };
      const api = app.apiAs(await signAccessToken(app.secret, app.clock, cast.nadia), key);
      await app.runDue();
      const first = await api.holds.pay({ holdId, funding });
      expect(await api.holds.pay({ holdId, funding })).toEqual(first);
      expect(await failure(api.holds.pay({ holdId, funding: { from: 'balance' } }))).toMatchObject({
        code: 'idempotency/key-reused',
      });
    });
  });
});
