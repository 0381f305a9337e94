import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import {
  type StripeDouble,
  startStripeDouble,
  stripeCards,
} from '../../../test/stripe-double/stripe-double.ts';
import { newId } from '../../platform/ids.ts';
import type { ChargeState, PaymentProvider, PayoutState } from '../../platform/payment-provider.ts';
import { bankToken, cardToken, testCards, testIbans } from '../sandbox/sandbox.fixtures.ts';
import { isSandbox, sandboxTotals } from '../sandbox/sandbox.ts';
import { decideSandboxCharge } from '../sandbox/sandbox-charges.ts';
import { createStripe } from '../stripe/stripe.ts';

/** The port's promises, tested against both providers. */
type World = {
  provider(): PaymentProvider;
  card(
    kind: 'pays' | 'declined' | 'insufficientFunds' | 'expired' | 'confirm' | 'chargedBack',
    expires?: { month: number; year: number },
  ): Promise<string>;
  bank(kind: 'pays' | 'closed' | 'notInstant'): Promise<string>;
  decide(ref: string, approves: boolean): Promise<void>;
  chargeBack(): Promise<void>;
  loseChargeback(charge: ChargeState): Promise<void>;
  arrive(payout: PayoutState): Promise<void>;
  fill(amountMinor: number, currency?: 'EUR' | 'USD'): Promise<void>;
  balance(): Promise<number>;
};

const app = useTestApp();
beforeEach(() => app.clock.set('2026-11-21T09:00:00Z'));

function useSandboxWorld(): World {
  const forward = async (days: number) => {
    app.clock.forward({ days });
    await app.runDue();
  };
  const card: World['card'] = async (kind, expires) => {
    const number = kind === 'chargedBack' ? testCards.chargebackLost : testCards[kind];
    const token = await cardToken(app.provider, number, expires);
    const saved = await app.provider.saveCard({ key: newKey(), token, ownerId: 'a business' });
    return 'ref' in saved ? saved.ref : '';
  };
  return {
    provider: () => app.provider,
    card,
    async bank(kind) {
      const token = await bankToken(app.provider, testIbans[kind]);
      const saved = await app.provider.saveBank({ key: newKey(), token, ownerId: 'a worker' });
      return 'ref' in saved ? saved.ref : '';
    },
    async decide(ref, approves) {
      if (isSandbox(app.provider)) await decideSandboxCharge(app.provider.sandbox, ref, approves);
    },
    chargeBack: () => forward(2),
    loseChargeback: () => forward(5),
    arrive: () => forward(4),
    async fill(amountMinor, currency = 'EUR') {
      await charge(app.provider, await card('pays'), { amountMinor, currency });
    },
    balance: async () =>
      (await sandboxTotals(app.db)).find(({ currency }) => currency === 'EUR')?.balance ?? 0,
  };
}

function useStripeWorld(): World {
  let double: StripeDouble;
  let stripe: PaymentProvider;
  beforeAll(async () => {
    double = await startStripeDouble({ now: app.clock.now });
    stripe = createStripe({
      db: app.db,
      clock: app.clock,
      log: app.scopeOf({ accountId: 'nobody' }).log,
      config: {
        ...app.config,
        STRIPE_SECRET_KEY: double.key,
        STRIPE_WEBHOOK_SECRETS: [double.webhookSecret],
        STRIPE_CURRENCIES: ['EUR', 'USD'],
        STRIPE_COUNTRIES: ['NL'],
        STRIPE_API_URL: double.url,
      },
    });
  });
  afterAll(() => double.close());
  return {
    provider: () => stripe,
    async card(kind, expires) {
      const token = double.saveCard('a business', stripeCards[kind], expires);
      const saved = await stripe.saveCard({ key: newKey(), token, ownerId: 'a business' });
      return 'ref' in saved ? saved.ref : '';
    },
    async bank(kind) {
      const o = { legalName: 'Nadia Haddad', bornOn: '1990-05-05', country: 'NL', address: 'Lindengracht 1' };
      await stripe.checkIdentity({ key: newKey(), ownerId: 'a worker', ...o });
      const account = double.all('v2.core.account')[0]?.id as string;
      await double.onboard(account);
      const token = double.addBank(account, {
        instant: kind !== 'notInstant',
        behaviour: kind === 'closed' ? 'closed' : 'pays',
      });
      const saved = await stripe.saveBank({ key: newKey(), token, ownerId: 'a worker' });
      return 'ref' in saved ? saved.ref : '';
    },
    decide: async (ref, approves) => double.decide(ref, approves),
    chargeBack: async () => {},
    loseChargeback: async ({ chargebacks }) => double.closeDispute(chargebacks[0]?.ref ?? '', 'lost'),
    arrive: async ({ ref }) => double.movePayout(ref.split('/')[1] ?? '', 'paid'),
    fill: async (amountMinor, currency = 'EUR') =>
      double.topUp(amountMinor - Math.min(0, double.available()), currency.toLowerCase()),
    balance: async () => double.total() + double.fees(),
  };
}

const newKey = () => newId(app.clock.now());

const charge = (
  provider: PaymentProvider,
  cardRef: string,
  options: Partial<Parameters<PaymentProvider['charge']>[0]> = {},
) =>
  provider.charge({
    key: newKey(),
    cardRef,
    amountMinor: 11_000,
    currency: 'EUR',
    description: 'Cook on Saturday',
    returnUrl: `${app.config.PUBLIC_URL}/wallet`,
    ...options,
  });

describe.each([
  ['the sandbox', useSandboxWorld],
  ['Stripe', useStripeWorld],
])('the payment port with %s', (_name, use) => {
  const world = use();
  const provider = () => world.provider();
  const chargeCard = (cardRef: string, options = {}) => charge(provider(), cardRef, options);
  const now = async ({ ref }: { ref: string }) => (await provider().getCharge(ref)) as ChargeState;

  it('charges a saved card', async () => {
    const before = await world.balance();
    const charged = await chargeCard(await world.card('pays'));
    expect(charged).toEqual({
      ref: expect.any(String),
      status: 'succeeded',
      amountMinor: 11_000,
      currency: 'EUR',
      failure: null,
      actionUrl: null,
      refundedMinor: 0,
      failedRefunds: [],
      chargebacks: [],
    });
    expect(await now(charged)).toEqual(charged);
    expect(await world.balance()).toBe(before + 11_000);
  });

  it.each([
    ['declined', 'card_declined'],
    ['insufficientFunds', 'insufficient_funds'],
    ['expired', 'card_expired'],
  ] as const)('a card that is %s fails with %s and takes nothing', async (kind, failure) => {
    const before = await world.balance();
    const charged = await chargeCard(await world.card(kind));
    expect(charged).toMatchObject({ status: 'failed', failure });
    expect(await now(charged)).toEqual(charged);
    expect(await world.balance()).toBe(before);
  });

  it('fails for a card that expired after it was saved', async () => {
    const card = await world.card('pays', { month: 11, year: 2026 });
    expect(await chargeCard(card)).toMatchObject({ status: 'succeeded' });
    app.clock.set('2026-12-01T00:00:00Z');
    expect(await chargeCard(card)).toMatchObject({ status: 'failed', failure: 'card_expired' });
  });

  it.each([
    [true, { status: 'succeeded', failure: null }],
    [false, { status: 'failed', failure: 'authentication_failed' }],
  ])("redirects the owner to their bank's page (approves: %s)", async (approves, end) => {
    const asked = await chargeCard(await world.card('confirm'));
    expect(asked).toMatchObject({ status: 'requires_action', actionUrl: expect.stringMatching(/^http/) });
    expect(await now(asked)).toEqual(asked);
    await world.decide(asked.ref, approves);
    expect(await now(asked)).toMatchObject({ ...end, actionUrl: null });
  });

  it('cancels before success and returns the state afterwards', async () => {
    const stop = ({ ref }: ChargeState) => provider().cancelCharge({ key: newKey(), ref });
    const asked = await chargeCard(await world.card('confirm'));
    expect(await stop(asked)).toMatchObject({ status: 'cancelled', actionUrl: null });
    await world.decide(asked.ref, true);
    expect((await now(asked)).status).toBe('cancelled');
    expect(await stop(await chargeCard(await world.card('pays')))).toMatchObject({ status: 'succeeded' });
    expect(await stop(await chargeCard(await world.card('declined')))).toMatchObject({ status: 'failed' });
  });

  it('refunds in parts, never more than the charge', async () => {
    const charged = await chargeCard(await world.card('pays'));
    const refund = (amountMinor: number, key = newKey()) =>
      provider().refund({ key, chargeRef: charged.ref, amountMinor });
    expect(await refund(4_000)).toMatchObject({ refundedMinor: 4_000, status: 'succeeded' });
    await expect(refund(7_001)).rejects.toMatchObject({ problem: 'refund_refused' });
    const key = newKey();
    for (let again = 0; again < 3; again += 1)
      expect(await refund(7_000, key)).toMatchObject({ refundedMinor: 11_000 });
    for (const bad of [0, -1, 0.5, Number.NaN, 2 ** 60])
      await expect(refund(bad)).rejects.toMatchObject({ problem: 'invalid' });
    const failed = await chargeCard(await world.card('declined'));
    await expect(
      provider().refund({ key: newKey(), chargeRef: failed.ref, amountMinor: 1 }),
    ).rejects.toMatchObject({ problem: 'refund_refused' });
  });

  it("a chargeback takes what wasn't refunded, and keeps it when lost", async () => {
    const charged = await chargeCard(await world.card('chargedBack'));
    await world.chargeBack();
    const open = await now(charged);
    expect(open.chargebacks).toEqual([{ ref: expect.any(String), amountMinor: 11_000, status: 'open' }]);
    const refund = () => provider().refund({ key: newKey(), chargeRef: charged.ref, amountMinor: 1 });
    await expect(refund()).rejects.toMatchObject({ problem: 'refund_refused' });
    await world.loseChargeback(open);
    expect(await now(charged)).toMatchObject({ status: 'succeeded', chargebacks: [{ status: 'lost' }] });
    await expect(refund()).rejects.toMatchObject({ problem: 'refund_refused' });
  });

  it('one key is one charge, found by that key, with its current state', async () => {
    const card = await world.card('pays');
    const key = newKey();
    const charged = await chargeCard(card, { key });
    await provider().refund({ key: newKey(), chargeRef: charged.ref, amountMinor: 1 });
    const before = await world.balance();
    expect(await chargeCard(card, { key })).toMatchObject({ ref: charged.ref, refundedMinor: 1 });
    expect(await provider().findCharge(key)).toMatchObject({ ref: charged.ref, refundedMinor: 1 });
    expect(await provider().syncPayoutByKey(key)).toBeNull();
    for (const other of [{ amountMinor: 11_001 }, { currency: 'USD' }, { description: 'other' }])
      await expect(chargeCard(card, { key, ...other })).rejects.toMatchObject({ problem: 'key_reused' });
    await expect(provider().refund({ key, chargeRef: charged.ref, amountMinor: 5 })).rejects.toMatchObject({
      problem: 'key_reused',
    });
    expect(await world.balance()).toBe(before);
  });

  it('a rejected call leaves its key unused', async () => {
    const key = newKey();
    await expect(chargeCard('card_none', { key })).rejects.toMatchObject({ problem: 'not_found' });
    expect(await provider().findCharge(key)).toBeNull();
    expect(await chargeCard(await world.card('pays'), { key })).toMatchObject({ status: 'succeeded' });
  });

  it.each(['', 'a\u0000b', '\ud800', 'ch_none', '🏦', 'x'.repeat(300)])(
    'returns null for %j',
    async (ref) => {
      expect(await provider().getCharge(ref)).toBeNull();
      expect(await provider().findCharge(ref)).toBeNull();
      expect(await provider().syncPayout(ref)).toBeNull();
      expect(await provider().syncPayoutByKey(ref)).toBeNull();
      const problem = 'not_found';
      await expect(chargeCard(ref)).rejects.toMatchObject({ problem });
      await expect(provider().cancelCharge({ key: newKey(), ref })).rejects.toMatchObject({ problem });
      await expect(
        provider().refund({ key: newKey(), chargeRef: ref, amountMinor: 1 }),
      ).rejects.toMatchObject({
        problem,
      });
    },
  );

  it.each(['', 'a\u0000', '\udc00', 'x'.repeat(256)])('rejects the key %j', async (key) => {
    const card = await world.card('pays');
    await expect(chargeCard(card, { key })).rejects.toMatchObject({ problem: 'invalid' });
  });

  it('accepts any description and rejects invalid amounts', async () => {
    const card = await world.card('pays');
    for (const description of ['a\u0000b', '\udfff', 'محل 🏦', 'x'.repeat(10_000)])
      expect(await chargeCard(card, { description })).toMatchObject({ status: 'succeeded' });
    for (const amountMinor of [0, -5, 1.5, Number.NaN, 2 ** 60])
      await expect(chargeCard(card, { amountMinor })).rejects.toMatchObject({ problem: 'invalid' });
  });

  describe('payouts', () => {
    const payOut = (bankRef: string, options: Partial<Parameters<PaymentProvider['payOut']>[0]> = {}) =>
      provider().payOut({
        key: newKey(),
        bankRef,
        amountMinor: 3_000,
        currency: 'EUR',
        speed: 'standard',
        ...options,
      });

    it('arrive, once per key', async () => {
      await world.fill(3_000);
      const before = await world.balance();
      const bank = await world.bank('pays');
      const key = newKey();
      const payout = await payOut(bank, { key });
      expect(payout).toMatchObject({ status: 'in_transit', failure: null, arrivesOn: '2026-11-23' });
      expect(await payOut(bank, { key })).toEqual(payout);
      expect(await provider().syncPayoutByKey(key)).toEqual(payout);
      expect(await world.balance()).toBe(before - 3_000);
      await expect(payOut(bank, { key, amountMinor: 3_001 })).rejects.toMatchObject({
        problem: 'key_reused',
      });
      await world.arrive(payout);
      expect(await provider().syncPayout(payout.ref)).toMatchObject({ status: 'paid', amountMinor: 3_000 });
    });

    it.each([
      ['closed', 'standard', 'account_closed'],
      ['notInstant', 'instant', 'instant_unavailable'],
    ] as const)('to a bank that is %s fail and return the money', async (kind, speed, failure) => {
      await world.fill(3_000);
      const before = await world.balance();
      const key = newKey();
      const failed = await payOut(await world.bank(kind), { key, speed });
      expect(failed).toMatchObject({ status: 'failed', failure, arrivesOn: null, amountMinor: 3_000 });
      expect(await provider().syncPayout(failed.ref)).toEqual(failed);
      expect(await provider().syncPayoutByKey(key)).toEqual(failed);
      expect(await world.balance()).toBe(before);
    });

    it("in a currency other than the bank account's fail", async () => {
      await world.fill(3_000, 'USD');
      const bank = await world.bank('pays');
      const failed = payOut(bank, { currency: 'USD' });
      await expect(failed).resolves.toMatchObject({ status: 'failed', failure: 'bank_rejected' });
    });

    it.each(['', 'a\u0000b', '\ud800', 'po_none'])('to the bank %j are rejected', async (ref) => {
      await expect(payOut(ref)).rejects.toMatchObject({ problem: 'not_found' });
      await expect(payOut(ref, { amountMinor: -1 })).rejects.toMatchObject({ problem: 'invalid' });
    });
  });
});
