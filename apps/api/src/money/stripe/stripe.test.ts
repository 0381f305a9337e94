import { addMs } from '@nearhand/contract/durations';
import Stripe from 'stripe';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import {
  type Fault,
  type StripeDouble,
  startStripeDouble,
  stripeCards,
} from '../../../test/stripe-double/stripe-double.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import { type PaymentProvider, ProviderRefusedError } from '../../platform/payment-provider.ts';
import { auditLedger, postEntry } from '../ledger/ledger.ts';
import { reconcile } from '../provider/reconciliation.ts';
import { checkStripe } from './check-stripe.ts';
import { createStripe } from './stripe.ts';
import { walkStripe } from './walk-stripe.ts';

let double: StripeDouble;
let isDelivered = true;
const sent: { headers: Record<string, string>; body: string }[] = [];

const app = useTestApp(async () => {
  double = await startStripeDouble({
    now: () => app.clock.now(),
    send: async (headers, body) => {
      sent.push({ headers, body });
      if (isDelivered) await post({ headers, body });
    },
  });
  return {
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: double.key,
    STRIPE_WEBHOOK_SECRETS: `${double.webhookSecret},whsec_theother0000`,
    STRIPE_CURRENCIES: 'EUR,GBP,JPY',
    STRIPE_COUNTRIES: 'NL,DE',
    STRIPE_API_URL: double.url,
    PAYOUT_METHOD_HOLD_DAYS: '0',
    CLEARING_DAYS: '0',
  };
});
afterAll(() => double.close());
beforeEach(() => {
  isDelivered = true;
  sent.length = 0;
});

const post = async ({ headers, body }: { headers: Record<string, string>; body: string }) =>
  app.raw({ method: 'POST', url: '/api/webhooks/payments', headers, payload: body });
const key = () => newId(app.clock.now());
const config = () => ({ ...app.config });
const anotherServer = (changes: Partial<ReturnType<typeof config>> = {}) =>
  createStripe({
    db: app.db,
    clock: app.clock,
    log: app.scopeOf({ accountId: 'nobody' }).log,
    config: { ...config(), ...changes },
  });
const scope = () => ({
  ...app.scopeOf({ accountId: 'nobody' }),
  db: app.db,
  mailer: { send: async () => {} },
});

const savedCard = async (number: string = stripeCards.pays, ownerId = 'a business') => {
  const token = double.saveCard(ownerId, number);
  const saved = await app.provider.saveCard({ key: key(), token, ownerId });
  return 'ref' in saved ? saved.ref : '';
};
const charge = (
  cardRef: string,
  o: Partial<Parameters<PaymentProvider['charge']>[0]> = {},
  provider = app.provider,
) =>
  provider.charge({
    key: key(),
    cardRef,
    amountMinor: 5_000,
    currency: 'EUR',
    description: 'Work',
    returnUrl: `${app.config.PUBLIC_URL}/wallet`,
    ...o,
  });

async function worker(ownerId: string = crypto.randomUUID()) {
  const details = {
    legalName: 'Leïla Haddad',
    bornOn: '1990-05-05',
    country: 'NL',
    address: 'Lindengracht 1',
  };
  await app.provider.checkIdentity({ key: key(), ownerId, ...details });
  const account = double.all('v2.core.account').at(-1)?.id as string;
  await double.onboard(account);
  const bankRef = `${account}/${double.addBank(account)}`;
  double.topUp(10_000 - Math.min(0, double.available()));
  const payOut = (o: Partial<Parameters<PaymentProvider['payOut']>[0]> = {}, provider = app.provider) =>
    provider.payOut({ key: key(), bankRef, amountMinor: 3_000, currency: 'EUR', speed: 'standard', ...o });
  return { ownerId, account, bankRef, payOut };
}

const madeUnder = (object: string, ours: string) =>
  double.all(object).filter(({ metadata }) => metadata.nearhand_key === ours);

/**
 * Repeats a call as the queue does.
 * @returns how often it failed
 */
async function untilDone<Result>(work: () => Promise<Result>): Promise<{ result: Result; failures: number }> {
  for (let failures = 0; ; failures += 1)
    try {
      return { result: await work(), failures };
    } catch (error) {
      if (failures === 5 || error instanceof ProviderRefusedError) throw error;
    }
}

describe('when Stripe fails', () => {
  const faults: Fault[][] = [
    ['429'],
    // The SDK itself repeats a call once after its connection was cut.
    ['cut', 'cut'],
    ['cut-done', 'cut'],
    ['500'],
    ['500-done'],
  ];

  it.each(faults)('makes a charge once (%s)', async (...next) => {
    const cardRef = await savedCard();
    const ours = key();
    double.fail('POST /v1/payment_intents', ...next);
    await expect(charge(cardRef, { key: ours })).rejects.not.toBeInstanceOf(ProviderRefusedError);
    const { result } = await untilDone(() => charge(cardRef, { key: ours }));
    expect(result.status).toBe('succeeded');
    expect(madeUnder('payment_intent', ours)).toHaveLength(1);
    expect(await app.provider.findCharge(ours)).toEqual(result);
  });

  it.each([['cut-done', 'cut'], ['500-done']] as Fault[][])(
    'finds a charge by its key after a lost response (%s)',
    async (...next) => {
      const cardRef = await savedCard();
      const ours = key();
      double.fail('POST /v1/payment_intents', ...next);
      await expect(charge(cardRef, { key: ours })).rejects.toThrow();
      expect(await app.provider.findCharge(ours)).toMatchObject({ status: 'succeeded', amountMinor: 5_000 });
    },
  );

  it.each(faults)('pays a withdrawal once (%s)', async (...next) => {
    for (const route of ['POST /v1/transfers', 'POST /v1/payouts']) {
      const { payOut, account } = await worker();
      const ours = key();
      double.fail(route, ...next);
      const { result, failures } = await untilDone(() => payOut({ key: ours }));
      expect(failures).toBeGreaterThan(0);
      expect(result).toMatchObject({ status: 'in_transit', amountMinor: 3_000 });
      expect([madeUnder('transfer', ours), madeUnder('payout', ours)]).toMatchObject([[{}], [{}]]);
      expect(double.balanceOf(account)).toBe(0);
    }
  });

  it.each(faults)('makes a refund once (%s)', async (...next) => {
    const { ref } = await charge(await savedCard());
    const ours = key();
    double.fail('POST /v1/refunds', ...next);
    const { result } = await untilDone(() =>
      app.provider.refund({ key: ours, chargeRef: ref, amountMinor: 1_000 }),
    );
    expect(result.refundedMinor).toBe(1_000);
    expect(madeUnder('refund', ours)).toHaveLength(1);
  });

  it('a wrong or revoked key leaves everything open and charges nothing', async () => {
    const cardRef = await savedCard();
    const ours = key();
    const revoked = anotherServer({ STRIPE_SECRET_KEY: 'sk_test_revoked00000000' });
    await expect(charge(cardRef, { key: ours }, revoked)).rejects.not.toBeInstanceOf(ProviderRefusedError);
    await expect(revoked.getCharge('pi_1')).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError);
    expect(madeUnder('payment_intent', ours)).toEqual([]);
    expect(await charge(cardRef, { key: ours })).toMatchObject({ status: 'succeeded' });
  });

  it('continues a confirmation after a crash', async () => {
    const cardRef = await savedCard(stripeCards.confirm);
    const ours = key();
    double.fail('POST /v1/payment_intents/:id/confirm', '429');
    await expect(charge(cardRef, { key: ours })).rejects.toThrow();
    expect(await app.provider.findCharge(ours)).toMatchObject({
      status: 'requires_action',
      actionUrl: expect.stringContaining(double.url),
    });
  });
});

describe('keys', () => {
  it('are remembered after Stripe has forgotten them, and after a restored backup', async () => {
    const cardRef = await savedCard();
    const { payOut, account } = await worker();
    const charged = key();
    const paid = key();
    const before = await charge(cardRef, { key: charged });
    const payout = await payOut({ key: paid });
    for (const isRestored of [false, true]) {
      app.clock.forward({ hours: 25 });
      double.forgetKeys();
      if (isRestored) await app.db.deleteFrom('stripe_calls').where('key', 'in', [charged, paid]).execute();
      expect((await app.provider.findCharge(charged))?.ref).toBe(before.ref);
      expect((await app.provider.syncPayoutByKey(paid))?.ref).toBe(payout.ref);
      expect((await charge(cardRef, { key: charged })).ref).toBe(before.ref);
      expect((await payOut({ key: paid })).ref).toBe(payout.ref);
    }
    expect([madeUnder('payment_intent', charged), madeUnder('transfer', paid)]).toMatchObject([[{}], [{}]]);
    expect(double.balanceOf(account)).toBe(0);
  });

  it('with other content are rejected, by Stripe too', async () => {
    const cardRef = await savedCard();
    const ours = key();
    await charge(cardRef, { key: ours });
    await app.db.deleteFrom('stripe_calls').where('key', '=', ours).execute();
    await expect(charge(cardRef, { key: ours, amountMinor: 5_001 })).rejects.toMatchObject({
      problem: 'key_reused',
    });
  });

  it('create one object when two servers use one concurrently', async () => {
    const cardRef = await savedCard();
    const { payOut, account } = await worker();
    const servers = [app.provider, anotherServer()];
    const charged = key();
    const paid = key();
    const both = (work: (provider: PaymentProvider) => Promise<unknown>) =>
      Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          untilDone(() => work(servers[at % 2] as PaymentProvider)).catch(() => null),
        ),
      );
    await both((provider) => charge(cardRef, { key: charged }, provider));
    await both((provider) => payOut({ key: paid }, provider));
    expect(madeUnder('payment_intent', charged)).toHaveLength(1);
    expect([madeUnder('transfer', paid), madeUnder('payout', paid)]).toMatchObject([[{}], [{}]]);
    expect(double.balanceOf(account)).toBe(0);
  });
});

describe('amounts', () => {
  it.each([
    [30, 'EUR', 'EUR 0.30 is less than Stripe charges, EUR 0.50'],
    [29, 'GBP', 'GBP 0.29 is less than Stripe charges, GBP 0.30'],
    [49, 'JPY', 'JPY 49 is less than Stripe charges, JPY 50'],
    [100_000_000, 'EUR', 'EUR 1000000.00 is more than Stripe charges at once'],
  ] as const)('%s %s is rejected before calling Stripe', async (amountMinor, currency, sentence) => {
    const cardRef = await savedCard();
    const before = double.calls.length;
    await expect(charge(cardRef, { amountMinor, currency })).rejects.toThrow(sentence);
    expect(double.calls).toHaveLength(before);
  });

  it('in an unconfigured currency or country are rejected', async () => {
    await expect(charge(await savedCard(), { currency: 'USD' })).rejects.toThrow('STRIPE_CURRENCIES');
    const { payOut } = await worker();
    await expect(payOut({ currency: 'USD' })).rejects.toThrow('STRIPE_CURRENCIES');
    const abroad = { legalName: 'A B', bornOn: '1990-05-05', country: 'US', address: 'x' };
    const opened = app.provider.checkIdentity({ key: key(), ownerId: 'abroad', ...abroad });
    await expect(opened).rejects.toThrow('STRIPE_COUNTRIES');
  });

  it('are sent in the minor unit of the currency', async () => {
    const { ref } = await charge(await savedCard(), { amountMinor: 1_250, currency: 'JPY' });
    expect(double.object(ref)).toMatchObject({ amount: 1_250, currency: 'jpy' });
  });
});

describe('disputes', () => {
  it('of a partly refunded charge take their amount, and a won one is won', async () => {
    const { ref } = await charge(await savedCard());
    await app.provider.refund({ key: key(), chargeRef: ref, amountMinor: 2_000 });
    const { id } = double.dispute(ref);
    expect(await app.provider.getCharge(ref)).toMatchObject({
      refundedMinor: 2_000,
      chargebacks: [{ ref: id, amountMinor: 3_000, status: 'open' }],
    });
    double.closeDispute(id, 'won');
    double.dispute(ref, { amount: 1_000 });
    expect((await app.provider.getCharge(ref))?.chargebacks).toMatchObject([
      { ref: id, status: 'won' },
      { amountMinor: 1_000, status: 'open' },
    ]);
  });

  it('that are only inquiries take nothing', async () => {
    expect(await charge(await savedCard(stripeCards.inquiry))).toMatchObject({ chargebacks: [] });
  });
});

describe('withdrawals', () => {
  it("wait while the platform or the worker can't be paid, and are paid then", async () => {
    const { payOut, account } = await worker();
    const ours = key();
    await double.onboard(account, 'restricted');
    await expect(payOut({ key: ours })).rejects.toThrow('Stripe needs more from the worker');
    await double.onboard(account);
    double.topUp(-double.available());
    await expect(payOut({ key: ours })).rejects.toThrow("the platform's balance at Stripe does not cover it");
    expect(await app.provider.syncPayoutByKey(ours)).toBeNull();
    double.topUp(3_000);
    expect(await payOut({ key: ours })).toMatchObject({ status: 'in_transit' });
    expect(madeUnder('transfer', ours)).toHaveLength(1);
  });

  it('that fail at the bank return to the platform, even after they were paid', async () => {
    for (const isPaid of [false, true]) {
      const { payOut, account } = await worker();
      const before = double.available();
      const payout = await payOut();
      const id = payout.ref.split('/')[1] ?? '';
      if (isPaid) double.movePayout(id, 'paid');
      double.movePayout(id, 'failed');
      for (let again = 0; again < 2; again += 1)
        expect(await app.provider.syncPayout(payout.ref)).toMatchObject({
          ref: payout.ref,
          status: 'failed',
          failure: 'account_closed',
        });
      expect([double.available(), double.balanceOf(account)]).toEqual([before, 0]);
    }
  });

  it("haven't failed before the money is back", async () => {
    const { payOut, account } = await worker();
    const ours = key();
    const bankRef = `${account}/${double.addBank(account, { behaviour: 'closed' })}`;
    double.fail('POST /v1/transfers/:id/reversals', '429', '429');
    const { result, failures } = await untilDone(() => payOut({ key: ours, bankRef }));
    expect(failures).toBe(2);
    expect(result).toMatchObject({ status: 'failed', failure: 'account_closed' });
    expect(madeUnder('transfer', ours)).toMatchObject([{ reversed: true }]);
  });

  it('to an account that revoked its access are rejected', async () => {
    const { payOut, account } = await worker();
    double.deauthorise(account);
    await expect(payOut()).rejects.toMatchObject({ problem: 'not_found' });
  });

  it('use accounts whose money leaves only by our payouts', async () => {
    const { account } = await worker();
    const settings = double.calls.findLast(({ route }) => route === 'POST /v1/balance_settings');
    expect(settings).toMatchObject({
      account,
      params: { payments: { payouts: { schedule: { interval: 'manual' } } } },
    });
  });
});

describe('POST /webhooks/payments from Stripe', () => {
  async function business() {
    const owner = await app.person();
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
    const token = double.saveCard(businessId);
    const { id: cardId } = await owner.api.cards.add({ businessId, token });
    const topUp = async (amountMinor = 5_000) =>
      (await owner.api.wallet.topUp({ businessId, amountMinor, currency: 'EUR', cardId })).id;
    const balance = async () => (await owner.api.wallet.get({ businessId })).balances[0]?.availableMinor ?? 0;
    const refOf = async (chargeId: string) =>
      (await app.db.selectFrom('charges').select('providerRef').where('id', '=', chargeId).executeTakeFirst())
        ?.providerRef ?? '';
    return { owner, businessId, topUp, balance, refOf };
  }
  const signed = (
    event: object,
    at?: number,
    secret?: string,
  ): { headers: Record<string, string>; body: string } => {
    const body = JSON.stringify(event);
    return {
      body,
      headers: { 'content-type': 'application/json', 'stripe-signature': double.sign(body, at, secret) },
    };
  };
  const run = async () => {
    await double.delivered();
    await app.runDue();
  };
  const seconds = () => Math.floor(app.clock.now().getTime() / 1_000);
  const stored = async () => (await app.db.selectFrom('provider_events').select('id').execute()).length;
  const expectSoundLedger = async () => expect((await auditLedger(app.db, scope())).findings).toEqual([]);

  it('books a top-up, a dispute and its end, for any order and number of events', async () => {
    const { topUp, balance, refOf } = await business();
    const id = await topUp();
    await app.runDue();
    expect(await balance()).toBe(5_000);
    const { id: disputeId } = double.dispute(await refOf(id));
    await run();
    expect(await balance()).toBe(0);
    double.closeDispute(disputeId, 'won');
    await run();
    expect(await balance()).toBe(5_000);
    const before = await stored();
    for (const event of sent.toReversed()) expect((await post(event)).statusCode).toBe(200);
    await app.runDue();
    expect([await balance(), await stored()]).toEqual([5_000, before]);
    await expectSoundLedger();
  });

  it('finds by reconciliation what no webhook reported', async () => {
    isDelivered = false;
    const { topUp, balance, refOf } = await business();
    const id = await topUp();
    await app.runDue();
    await reconcile(scope());
    await app.runDue();
    double.dispute(await refOf(id));
    await app.runDue();
    expect(await balance()).toBe(5_000);
    await reconcile(scope());
    await app.runDue();
    expect(await balance()).toBe(0);
    await expectSoundLedger();
  });

  it('never overwrites a newer state with an older one', async () => {
    const { topUp, balance, owner, refOf } = await business();
    const id = await topUp();
    await app.runDue();
    const intent = { ...double.object(await refOf(id)), status: 'processing' };
    const old = {
      id: 'evt_old',
      object: 'event',
      type: 'payment_intent.processing',
      created: seconds() - 60,
      livemode: false,
      data: { object: intent },
    };
    expect((await post(signed(old))).statusCode).toBe(200);
    await app.runDue();
    expect((await owner.api.charges.get({ chargeId: id })).status).toBe('succeeded');
    expect(await balance()).toBe(5_000);
  });

  it('books nothing for an object in another currency', async () => {
    const { topUp, balance, refOf } = await business();
    double.fail('POST /v1/payment_intents', 'cut-done', 'cut');
    const id = await topUp();
    await app.runDue();
    const intent = double.all('payment_intent').find(({ metadata }) => metadata.nearhand_key === id);
    Object.assign(intent ?? {}, { currency: 'usd' });
    app.clock.forward({ minutes: 30 });
    await reconcile(scope());
    expect([await balance(), await refOf(id)]).toEqual([0, '']);
  });

  it('accepts only the two secrets, for 300 seconds', async () => {
    const event = {
      id: 'evt_1',
      object: 'event',
      type: 'payment_intent.succeeded',
      created: seconds(),
      livemode: false,
      data: { object: { object: 'payment_intent', id: 'pi_none' } },
    };
    const before = await stored();
    const good = signed(event);
    for (const bad of [
      signed(event, seconds(), 'whsec_wrong0000000'),
      signed(event, seconds() - 301),
      { ...good, body: good.body.replace('pi_none', 'pi_more') },
      { ...good, headers: { 'content-type': 'application/json' } },
      { ...good, headers: { 'stripe-signature': 't=1,v1=00' } },
      signed({ ...event, livemode: true }),
      signed({ ...event, object: 'charge' }),
      signed({ ...event, id: 'null\u0000byte' }),
      signed([]),
      { ...good, body: '' },
    ]) {
      const answer = await post(bad);
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'webhook/refused']);
    }
    expect(await stored()).toBe(before);
    expect((await post(signed(event, seconds() - 300))).statusCode).toBe(200);
    expect((await post(signed({ ...event, id: 'evt_2' }, seconds(), 'whsec_theother0000'))).statusCode).toBe(
      200,
    );
    expect(await stored()).toBe(before + 2);
  });

  it('ignores foreign objects', async () => {
    const before = await stored();
    const about = (object: object, more = {}) =>
      signed({
        id: `evt_${newId(app.clock.now()).replaceAll('-', '')}`,
        object: 'event',
        type: 'some.type',
        created: seconds(),
        livemode: false,
        data: { object },
        ...more,
      });
    for (const event of [
      about({ object: 'payout', id: 'po_platform' }),
      about({ object: 'customer', id: 'cus_1' }),
      about({ object: 'payment_intent', id: 'pi_1' }, { account: 'acct_unknown' }),
      about({ object: 'account', id: 'acct_unknown' }, { account: 'acct_unknown' }),
      about({ object: 'charge', id: 'ch_1', payment_intent: null }),
    ])
      expect((await post(event)).statusCode).toBe(200);
    expect(await stored()).toBe(before);
  });

  it('reads thin events and fetches their objects', async () => {
    const { ref } = await charge(await savedCard());
    const { latest_charge } = double.object(ref);
    const thin = (related: object, more = {}) =>
      signed({
        id: `evt_${newId(app.clock.now()).replaceAll('-', '')}`,
        object: 'v2.core.event',
        type: 'v1.something',
        created: app.clock.now().toISOString(),
        livemode: false,
        related_object: related,
        ...more,
      });
    const read = async ({ headers, body }: ReturnType<typeof thin>) =>
      app.provider.readWebhook(headers, body, app.clock.now());
    const { account, ownerId } = await worker();
    expect(await read(thin({ id: account, type: 'v2.core.account', url: '' }))).toMatchObject({
      type: 'identity',
      ref: ownerId,
    });
    expect(await read(thin({ id: ref, type: 'payment_intent', url: '' }))).toMatchObject({
      type: 'charge',
      ref,
    });
    expect(await read(thin({ id: 'po_1', type: 'payout', url: '' }, { context: account }))).toMatchObject({
      type: 'payout',
      ref: `${account}/po_1`,
    });
    const fetched = { id: latest_charge, type: 'charge', url: `/v1/charges/${latest_charge}` };
    expect(await read(thin(fetched))).toMatchObject({ type: 'charge', ref });
    expect(await read(thin({ id: 'x', type: 'other', url: '' }))).toBeNull();
  });

  it('notifies workers when Stripe has checked them, and pays their withdrawal', async () => {
    const leila = await app.person();
    const details = {
      legalName: 'Leïla Haddad',
      bornOn: '1990-05-05',
      countryCode: 'NL',
      address: 'Lindengracht 1',
    };
    expect(await leila.api.payouts.verifyIdentity(details)).toMatchObject({ status: 'pending' });
    const account = double.all('v2.core.account').at(-1)?.id as string;
    await double.onboard(account);
    await run();
    expect(await leila.api.payouts.balance({})).toMatchObject({ identity: { status: 'verified' } });
    const { id: methodId } = await leila.api.payouts.addMethod({
      token: double.addBank(account, { holder: details.legalName }),
    });
    double.topUp(10_000 - Math.min(0, double.available()));
    await app.db.transaction().execute((tx) =>
      postEntry(tx, app.scopeOf({ accountId: 'nobody' }), {
        key: `release/${leila.accountId}`,
        kind: 'release',
        currency: 'EUR',
        about: leila.accountId,
        lines: [
          { account: { kind: 'provider_clearing' }, amountMinor: -10_000 },
          { account: { kind: 'worker_available', ownerId: leila.accountId }, amountMinor: 10_000 },
        ],
      }),
    );
    const ends = [
      ['paid', 7_000],
      ['returned', 10_000],
    ] as const;
    const { id } = await leila.api.payouts.withdraw({ methodId, amountMinor: 3_000, speed: 'standard' });
    app.clock.forward({ minutes: 15 });
    await run();
    const payout = double.all('payout').find(({ metadata }) => metadata.nearhand_key === id)?.id as string;
    for (const [status, left] of ends) {
      double.movePayout(payout, status === 'paid' ? 'paid' : 'failed');
      for (let again = 0; again < 2; again += 1) await run();
      expect(await leila.api.payouts.withdrawal({ withdrawalId: id })).toMatchObject({ status });
      expect((await leila.api.payouts.balance({})).balances).toMatchObject([{ availableMinor: left }]);
    }
    await expectSoundLedger();
  });
});

describe('cards.openPage', () => {
  it('saves a card and returns to the step with its token', async () => {
    const owner = await app.person();
    const business = (await makeBusiness(app.db, app.scopeOf(owner), { funded: false })).id;
    const { url } = await owner.api.cards.openPage({ businessId: business, returnTo: '/create-job?job=7' });
    const here = `${app.config.PUBLIC_URL}/create-job?job=7&savedFor=${business}`;
    expect(await double.press(url, 'Cancel')).toBe(here);
    const back = await double.press(url, 'Continue');
    expect(back).toMatch(`${here}&saved=cs_`);
    const token = new URL(back).searchParams.get('saved') ?? '';
    const card = await owner.api.cards.add({ businessId: business, token });
    expect(card).toMatchObject({ brand: 'Visa', last4: '4242', isDefault: true });
    expect((await owner.api.cards.add({ businessId: business, token })).id).toBe(card.id);
    await owner.api.cards.openPage({ businessId: business });
    expect(
      double.all('customer').filter(({ metadata }) => metadata.nearhand_key?.endsWith(business)),
    ).toHaveLength(1);
    const other = await app.person();
    const { id: otherId } = await makeBusiness(app.db, app.scopeOf(other), { funded: false });
    expect(await failure(other.api.cards.add({ businessId: otherId, token }))).toMatchObject({
      code: 'payment/card-refused',
    });
    expect(await failure(other.api.cards.openPage({ businessId: business }))).toMatchObject({
      code: 'business/not-found',
    });
  });

  it('returns 503 while Stripe is unreachable', async () => {
    const owner = await app.person();
    const { id: businessId } = await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
    double.fail('POST /v1/checkout/sessions', '429');
    expect(await failure(owner.api.cards.openPage({ businessId }))).toMatchObject({
      status: 503,
      code: 'payment/provider-unavailable',
    });
  });
});

describe('payouts.openPage', () => {
  it('asks a worker for missing details and saves their bank account', async () => {
    const leila = await app.person();
    expect(await failure(leila.api.payouts.openPage({}))).toMatchObject({
      code: 'payout/identity-wrong-state',
      data: { status: 'none' },
    });
    await leila.api.payouts.verifyIdentity({
      legalName: 'Leïla Haddad',
      bornOn: '1990-05-05',
      countryCode: 'NL',
      address: 'x',
    });
    await leila.api.accountSettings.update({ language: 'ar' });
    const { url } = await leila.api.payouts.openPage({ returnTo: '/withdraw' });
    expect(double.all('v2.core.account').at(-1)?.defaults.locales).toEqual(['ar-SA']);
    expect(await leila.api.payouts.refresh({})).toMatchObject({ identity: { status: 'pending' }, added: 0 });
    expect(await double.press(url, 'Continue')).toBe(`${app.config.PUBLIC_URL}/withdraw?payee=1`);
    expect(await leila.api.payouts.refresh({})).toMatchObject({ identity: { status: 'verified' }, added: 1 });
    expect(await leila.api.payouts.refresh({})).toMatchObject({ added: 0 });
    expect(await leila.api.payouts.balance({})).toMatchObject({
      tokenUrl: null,
      methods: [{ holderName: 'Leïla Haddad', isDefault: true, currency: 'EUR' }],
    });
  });
});

describe('the payout account of a worker', () => {
  const at = (days: number) => addMs(app.clock.now(), days * 86_400_000).toISOString();

  /** A worker with EUR 50 who set up their account at Stripe. */
  async function payee() {
    const leila = await app.person();
    const of = async () => (await leila.api.payouts.balance({})).account;
    expect(await of()).toMatchObject({ status: 'none', needs: [] });
    const details = { legalName: 'Leila Haddad', bornOn: '1990-05-05', countryCode: 'NL', address: 'x' };
    await leila.api.payouts.verifyIdentity(details);
    const account = double.all('v2.core.account').at(-1)?.id as string;
    expect(await of()).toMatchObject({ status: 'in_progress', needs: ['identity_document', 'bank_account'] });
    const { url } = await leila.api.payouts.openPage({});
    await double.press(url, 'Continue');
    await leila.api.payouts.refresh({});
    expect(await of()).toMatchObject({ status: 'active', needs: [], dueBy: null });
    double.topUp(5_000 - Math.min(0, double.available()));
    await app.db.transaction().execute((tx) =>
      postEntry(tx, app.scopeOf(leila), {
        key: `release/${leila.accountId}`,
        kind: 'release',
        currency: 'EUR',
        about: null,
        lines: [
          { account: { kind: 'provider_clearing' }, amountMinor: -5_000 },
          { account: { kind: 'worker_available', ownerId: leila.accountId }, amountMinor: 5_000 },
        ],
      }),
    );
    await heard();
    const methodId = (await leila.api.payouts.balance({})).methods[0]?.id ?? '';
    const withdraw = (amountMinor = 2_000) =>
      leila.api.payouts.withdraw({ methodId, amountMinor, speed: 'standard' });
    const notices = async () =>
      (
        await app.db
          .selectFrom('notifications')
          .select('data')
          .where('accountId', '=', leila.accountId)
          .where('topic', '=', 'payout-account')
          .orderBy('createdAt')
          .execute()
      ).map(({ data }) => (data as { variant: string }).variant);
    return { ...leila, account, of, withdraw, notices };
  }
  const heard = async () => {
    await double.delivered();
    await app.runDue();
  };
  const documents = 'identity.individual.documents';

  it('notifies of what Stripe needs 14 and 3 days before, once each', async () => {
    const leila = await payee();
    const dueBy = at(20);
    await double.askFor(leila.account, [`${documents}.secondary_verification`], dueBy);
    await heard();
    expect(await leila.of()).toMatchObject({ status: 'more_needed', needs: ['address_proof'], dueBy });
    await reconcile(scope());
    expect(await leila.notices()).toEqual([]);
    const days = async (forward: number) => {
      app.clock.forward({ days: forward });
      await reconcile(scope());
      await reconcile(scope());
      return leila.notices();
    };
    expect(await days(7)).toEqual(['due']);
    expect(await days(9)).toEqual(['due']);
    expect(await days(1.5)).toEqual(['due', 'due']);
    expect(await days(1)).toEqual(['due', 'due']);
    const withdrawal = await leila.withdraw();
    expect(withdrawal.waiting).toBe(false);
    // Stripe receives what it needs.
    await double.onboard(leila.account);
    await heard();
    expect(await leila.of()).toMatchObject({ status: 'active', dueBy: null });
    expect(await leila.notices()).toEqual(['due', 'due']);
  });

  it('is restricted: a withdrawal waits without calling Stripe, can be cancelled, and goes out later', async () => {
    const leila = await payee();
    await double.askFor(leila.account, [`${documents}.primary_verification`]);
    await heard();
    expect(await leila.of()).toMatchObject({ status: 'restricted', needs: ['identity_document'] });
    const sent = await leila.withdraw();
    const other = await leila.withdraw(1_000);
    const state = (withdrawalId: string) => leila.api.payouts.withdrawal({ withdrawalId });
    const asked = double.calls.length;
    app.clock.forward({ minutes: 30 });
    await app.runDue();
    const transfers = double.calls.slice(asked).filter(({ params }) => params.destination === leila.account);
    expect(transfers).toEqual([]);
    expect(await state(sent.id)).toMatchObject({ status: 'requested', waiting: true, actions: ['cancel'] });
    const { version } = await state(other.id);
    expect(await leila.api.payouts.cancel({ withdrawalId: other.id, version })).toMatchObject({
      status: 'cancelled',
      waiting: false,
    });
    await double.onboard(leila.account);
    await heard();
    expect(await state(sent.id)).toMatchObject({ status: 'in_transit', waiting: false });
    expect(await leila.notices()).toEqual(['paused', 'on']);
    expect((await auditLedger(app.db, app.scopeOf({ accountId: 'nobody' }))).findings).toEqual([]);
  });

  it('is restricted without a webhook: the rejected transfer reveals it and the withdrawal survives', async () => {
    const leila = await payee();
    isDelivered = false;
    await double.askFor(leila.account, [`${documents}.primary_verification`]);
    const { id } = await leila.withdraw();
    app.clock.forward({ minutes: 11 });
    await app.runDue();
    expect(await leila.of()).toMatchObject({ status: 'restricted' });
    const state = () => leila.api.payouts.withdrawal({ withdrawalId: id });
    expect(await state()).toMatchObject({ status: 'processing', waiting: true, actions: [] });
    await double.onboard(leila.account);
    // The news about it was lost, so reconciliation has to find it.
    app.clock.forward({ hours: 2 });
    await reconcile(scope());
    await app.runDue();
    expect(await state()).toMatchObject({ status: 'in_transit', waiting: false });
    expect(double.all('transfer').filter(({ transfer_group }) => transfer_group === id)).toHaveLength(1);
  });

  it('is closed: a withdrawal fails and its money returns to the balance', async () => {
    const leila = await payee();
    await double.askFor(leila.account, [`${documents}.primary_verification`]);
    await heard();
    const { id } = await leila.withdraw();
    app.clock.forward({ minutes: 30 });
    double.deauthorise(leila.account);
    await double.onboard(leila.account);
    await heard();
    expect(await leila.of()).toMatchObject({ status: 'closed', needs: [] });
    await app.runDue();
    expect(await leila.api.payouts.withdrawal({ withdrawalId: id })).toMatchObject({ status: 'failed' });
    expect((await leila.api.payouts.balance({})).balances).toMatchObject([{ availableMinor: 5_000 }]);
    expect(await leila.notices()).toEqual(['paused', 'closed']);
  });
});

describe('payouts.refresh', () => {
  it('makes no call for someone without an account at the provider', async () => {
    const stranger = await app.person();
    expect(await stranger.api.payouts.refresh({})).toMatchObject({ identity: { status: 'none' }, added: 0 });
  });
});

describe('npm run providers -- check stripe', () => {
  it('lists what is missing, and nothing once it is there', async () => {
    double.topUp(1, 'gbp');
    double.topUp(1, 'jpy');
    double.topUp(1, 'eur');
    expect(await checkStripe(app.config)).toEqual([
      expect.stringContaining('set its payout schedule to manual'),
      expect.stringMatching(/no snapshot events payment_intent.succeeded, .*: add a destination/),
      expect.stringMatching(/no thin events .*: add a destination/),
    ]);
    double.setUp(`${app.config.PUBLIC_URL}/api/webhooks/payments`);
    expect(await checkStripe(app.config)).toEqual([]);
    expect(await checkStripe({ ...app.config, STRIPE_CURRENCIES: ['CHF'] })).toEqual([
      expect.stringContaining('no balance in CHF'),
    ]);
  });

  it('reports a wrong key once, and that the sandbox needs none', async () => {
    const wrong = { ...app.config, STRIPE_SECRET_KEY: 'sk_test_revoked00000000' };
    expect(await checkStripe(wrong)).toEqual(['Stripe does not accept STRIPE_SECRET_KEY.']);
    expect(await checkStripe({ ...app.config, PAYMENT_PROVIDER: 'sandbox' })).toHaveLength(1);
  });

  it('runs the flows, cleans up, and reports each failing one', async () => {
    const { worked, problems, page } = await walkStripe(app.config, 1);
    expect([worked.length, problems]).toEqual([8, []]);
    expect(double.all('customer').at(-1)).toMatchObject({ deleted: true });
    // A person finishes the page of the account, and the next run pays it.
    await double.press(page ?? '', 'Continue');
    const paying = await walkStripe(app.config, 1);
    expect([paying.worked.slice(-3, -1), paying.problems, paying.page]).toEqual([
      ['pay a worker: transfer and payout', 'take a transfer back'],
      [],
      null,
    ]);
    expect(double.all('v2.core.account').at(-1)).toMatchObject({ closed: true });
    expect(
      double
        .all('payment_intent')
        .filter(({ status, description }) => status === 'requires_action' && description !== 'Work'),
    ).toEqual([]);
    double.fail('POST /v1/refunds', '403');
    double.fail('POST /v2/core/account_links', '403');
    const second = await walkStripe(app.config, 1);
    expect(second.problems).toEqual([
      expect.stringMatching(/^refund it: .* required permissions/),
      expect.stringMatching(/^its page: .* required permissions/),
    ]);
    const live = { ...app.config, STRIPE_SECRET_KEY: 'sk_live_1' };
    expect((await walkStripe(live)).worked).toEqual([]);
  });
});

describe('the stand-in', () => {
  const client = () => {
    const { hostname, port } = new URL(double.url);
    return new Stripe(double.key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0 });
  };
  const refused = async (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: Stripe.errors.StripeError) => `${error.code} ${error.param}`,
    );

  it("rejects what Stripe's types reject", async () => {
    const { transfers, v2 } = client();
    const call = (params: object) => refused(transfers.create(params as Stripe.TransferCreateParams));
    const good = { currency: 'eur', destination: 'acct_none', amount: 1 };
    expect(await call({ ...good, application_fee_amount: 1 })).toBe(
      'parameter_unknown application_fee_amount',
    );
    expect(await call({ currency: 'eur', amount: 1 })).toBe('parameter_missing destination');
    expect(await call({ ...good, amount: 1.5 })).toBe('parameter_invalid amount');
    expect(await call({ ...good, metadata: { a: { b: 1 } } })).toBe('parameter_invalid metadata[a]');
    expect(await call({ ...good, source_type: 'gold' })).toBe('parameter_invalid source_type');
    const account = (params: object) =>
      refused(v2.core.accounts.create(params as Stripe.V2.Core.AccountCreateParams));
    expect(await account({ type: 'express' })).toBe('parameter_unknown type');
    expect(await account({ identity: { individual: { date_of_birth: { day: 1, month: 1 } } } })).toBe(
      'parameter_missing identity[individual][date_of_birth][year]',
    );
  });
});
