import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { ProviderRefusedError } from '../../platform/payment-provider.ts';
import { compareBooks } from '../provider/books.fixtures.ts';
import { reconcile } from '../provider/reconciliation.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';
import { chooseFunding } from '../wallet/wallet.ts';
import { requestCharge, stopCharge } from './charge-requests.ts';
import { updateCharge } from './charges.ts';

const app = useTestApp();
const EUR = 'EUR' as const;
const scope = () => ({
  ...app.scopeOf({ accountId: 'nobody' }),
  db: app.db,
  mailer: { send: async () => {} },
});
const books = () => compareBooks(app.db, scope());

async function cast(number: string = testCards.pays) {
  const owner = await app.person();
  const own = app.scopeOf(owner);
  const { id: businessId } = await makeBusiness(app.db, own, { funded: false });
  const { id: cardId } = await makeCard(app.db, own, businessId, number);
  const begin = async () =>
    (await owner.api.wallet.topUp({ businessId, amountMinor: 5_000, currency: EUR, cardId })).id;
  const statusOf = async (chargeId: string) => (await owner.api.charges.get({ chargeId })).status;
  const giveUp = (chargeId: string) =>
    app.db.transaction().execute((tx) => updateCharge(tx, chargeId, { cancelAt: app.clock.now() }));
  const available = async () => (await owner.api.wallet.get({ businessId })).balances[0]?.availableMinor ?? 0;
  return { owner, own, businessId, cardId, begin, statusOf, giveUp, available };
}

describe('what the provider rejects', () => {
  it('ends in ours too: the charge fails and a rejected refund returns to the balance', async () => {
    const { begin, statusOf, available, owner, businessId } = await cast();
    const { charge, refund } = app.provider;
    app.provider.charge = app.provider.refund = () =>
      Promise.reject(new ProviderRefusedError('invalid', 'as it is'));
    const refused = await begin();
    await app.runDue();
    app.provider.charge = charge;
    expect(await statusOf(refused)).toBe('failed');
    await begin();
    await app.runDue();
    await owner.api.charges.refund({ businessId, amountMinor: 2_000, currency: EUR });
    expect(await available()).toBe(3_000);
    await app.runDue();
    app.provider.refund = refund;
    expect(await available()).toBe(5_000);
    await reconcile(scope());
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });
});

describe('a charge that is no longer wanted', () => {
  it('is never sent if it was still queued', async () => {
    const { begin, giveUp, statusOf } = await cast();
    const chargeId = await begin();
    await giveUp(chargeId);
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('cancelled');
    expect(await app.provider.findCharge(chargeId)).toBe(null);
    await stopCharge(scope(), chargeId);
    await requestCharge(scope(), chargeId);
    expect(await app.provider.findCharge(chargeId)).toBe(null);
    expect(await books()).toEqual([]);
  });

  it('is cancelled at the provider unless it ended there', async () => {
    const { begin, giveUp, statusOf, available } = await cast(testCards.late);
    const chargeId = await begin();
    await app.runDue();
    await giveUp(chargeId);
    await stopCharge(scope(), chargeId);
    expect(await statusOf(chargeId)).toBe('cancelled');
    app.clock.forward({ minutes: 5 });
    await app.runDue();
    expect(await available()).toBe(0);
    expect(await books()).toEqual([]);
  });

  it('waits for a call in progress, then ends, and keeps money that arrives anyway', async () => {
    const { begin, giveUp, statusOf, available } = await cast();
    const chargeId = await begin();
    const { charge } = app.provider;
    const arrived = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    app.provider.charge = async (o) => {
      called.resolve();
      await arrived.promise;
      return charge(o);
    };
    const slow = requestCharge(scope(), chargeId);
    await called.promise;
    app.provider.charge = charge;
    await giveUp(chargeId);
    await stopCharge(scope(), chargeId);
    expect(await statusOf(chargeId)).toBe('created');
    app.clock.forward({ minutes: 6 });
    await stopCharge(scope(), chargeId);
    expect(await statusOf(chargeId)).toBe('cancelled');
    arrived.resolve();
    await slow;
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('succeeded');
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('that was paid in the meantime goes to the balance', async () => {
    const { begin, giveUp, statusOf, available } = await cast();
    const chargeId = await begin();
    const { charge } = app.provider;
    app.provider.charge = async (o) => {
      await charge(o);
      await giveUp(chargeId);
      throw new TypeError('connection reset');
    };
    await app.runDue();
    app.provider.charge = charge;
    app.clock.forward({ minutes: 3 });
    await reconcile(scope());
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('succeeded');
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('fails when the provider has deleted its card', async () => {
    const { begin, statusOf, cardId } = await cast();
    const chargeId = await begin();
    await app.db
      .updateTable('cards')
      .set({ providerRef: `gone/${cardId}` })
      .where('id', '=', cardId)
      .execute();
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('failed');
  });
});

describe('chooseFunding', () => {
  it('prefers a sufficient balance, otherwise the default card, and returns what is missing', async () => {
    const { owner, businessId, cardId, begin } = await cast();
    const choose = (amountMinor: number, funding?: Parameters<typeof chooseFunding>[2]['funding']) =>
      app.db
        .transaction()
        .execute((tx) =>
          chooseFunding(tx, app.scopeOf(owner), { businessId, amountMinor, currency: EUR, funding }),
        );
    await begin();
    await app.runDue();
    expect(await choose(5_000)).toEqual({ from: 'balance' });
    expect(await choose(5_001)).toEqual({ from: 'card', cardId });
    expect(await choose(1, { from: 'card', cardId })).toEqual({ from: 'card', cardId });
    const lack = { balanceMinor: 5_000, missingMinor: 1, currency: EUR };
    await expect(choose(5_001, { from: 'balance' })).rejects.toMatchObject({
      code: 'payment/balance-short',
      data: lack,
    });
    await owner.api.cards.remove({ cardId });
    await expect(choose(5_001)).rejects.toMatchObject({ code: 'payment/method-missing', data: lack });
    await expect(choose(1, { from: 'card', cardId })).rejects.toMatchObject({
      code: 'payment/card-not-found',
    });
  });
});
