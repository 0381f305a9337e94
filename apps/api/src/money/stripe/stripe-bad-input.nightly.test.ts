import { addMs, hourMs } from '@nearhand/contract/durations';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { failure } from '../../../test/harness.ts';
import { startStripeDouble, stripeIban } from '../../../test/stripe-double/stripe-double.ts';
import { useStripe } from '../../../test/stripe-double/use-stripe.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { StartRefusedError } from '../../platform/start-refused.ts';
import { failRefund } from '../charges/charge-outcomes.ts';
import { lockCharge, lockChargeWork } from '../charges/charges.ts';
import { sendRefund } from '../charges/refunds.ts';
import { auditLedger } from '../ledger/ledger.ts';
import { auditProvider, compareWithProvider } from '../provider/provider-books.ts';
import { reconcile } from '../provider/reconciliation.ts';
import { checkStripe } from './check-stripe.ts';
import { createStripe, requireSameAccount } from './stripe.ts';

const stripe = useStripe({
  STRIPE_CURRENCIES: 'EUR,CZK',
  STRIPE_METHODS: 'sepa_debit,ideal,bancontact',
  WITHDRAWALS_PER_DAY: '100',
});
const { app, webhooks, post, scope, settle } = stripe;

beforeEach(() => {
  webhooks.areDelivered = true;
});
afterEach(async () => {
  stripe.double.outage(null);
  stripe.double.forgetFaults();
  expect((await auditLedger(app.db, scope())).findings).toEqual([]);
});

const chargesMadeFor = (id: string) =>
  stripe.double.all('payment_intent').filter(({ metadata }) => metadata.nearhand_key === id);
const transfersMadeFor = (id: string) =>
  stripe.double.all('transfer').filter(({ transfer_group }) => transfer_group === id);
const differences = async () => (await compareWithProvider(scope())).findings;
const minutes = async (count: number) => {
  app.clock.forward({ minutes: count });
  await app.runDue();
  await reconcile(scope());
  // An event on its way would be processed later, when a test has stopped the deliveries.
  await stripe.double.delivered();
  await app.runDue();
};

/** A business whose money has reached the worker, as far as Stripe and our ledger know. */
async function payment(amountMinor = 20_000) {
  const owner = await stripe.payer();
  const leila = await stripe.payee();
  await owner.topUp(amountMinor);
  await settle();
  await stripe.move(owner.account, leila.account, amountMinor / 2);
  app.clock.forward({ days: 3 });
  return { owner, leila };
}

describe('keys', () => {
  it('of another account stop the start, before all our objects look deleted', async () => {
    const config = { ...app.config };
    await requireSameAccount({ ...scope(), config });
    await requireSameAccount({ ...scope(), config });
    const other = await startStripeDouble({ now: app.clock.now, account: 'acct_other' });
    const wrong = { ...config, STRIPE_API_URL: other.url };
    const start = requireSameAccount({ ...scope(), config: wrong });
    await expect(start).rejects.toThrow(StartRefusedError);
    await expect(start).rejects.toThrow('acct_other');
    const modes = app.db.selectFrom('stripe_calls').select('key').where('operation', '=', 'mode');
    await app.db.deleteFrom('stripe_calls').where('operation', '=', 'mode').execute();
    await expect(requireSameAccount({ ...scope(), config: wrong })).rejects.toThrow('acct_other');
    expect(await modes.execute()).toEqual([]);
    await requireSameAccount({ ...scope(), config });
    expect(await modes.execute()).toEqual([{ key: 'mode/test' }]);
    await other.close();
    // The server starts if Stripe does not answer.
    const warn = vi.spyOn(scope().log, 'warn').mockImplementation(() => {});
    await requireSameAccount({ ...scope(), config: wrong });
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  it('of the other mode, or after the sandbox, stop the start, since play money would be withdrawn', async () => {
    const start = (key: string) =>
      requireSameAccount({ ...scope(), config: { ...app.config, STRIPE_SECRET_KEY: key } });
    await start(stripe.double.key);
    const live = await startStripeDouble({ now: app.clock.now, key: 'rk_live_1' });
    const startLive = () =>
      requireSameAccount({
        ...scope(),
        config: { ...app.config, STRIPE_SECRET_KEY: live.key, STRIPE_API_URL: live.url },
      });
    // A start that made nothing at Stripe leaves the mode open.
    await startLive();
    await start(stripe.double.key);
    await stripe.payer();
    await expect(startLive()).rejects.toThrow('made in test mode');
    await live.close();
    await expect(start('rk_live_1')).rejects.toThrow(
      'STRIPE_SECRET_KEY is of live mode, but the payments in this database were made in test mode',
    );
    const at = app.clock.now();
    await app.pool.query(
      `insert into sandbox_cards values ('card_1', 'x', 'Visa', '4242', 12, 2030, 'f', 'pays', $1)`,
      [at],
    );
    await app.pool.query(
      `insert into sandbox_charges (ref, card_ref, amount_minor, currency, description, return_url, behaviour, status, created_at)
        values ('ch_1', 'card_1', 100, 'EUR', 'Work', '/', 'pays', 'succeeded', $1)`,
      [at],
    );
    await expect(start(stripe.double.key)).rejects.toThrow('made with the sandbox');
    await app.pool.query('delete from sandbox_charges');
  });

  it('without a permission lose nothing: blocked calls wait and the rest continues', async () => {
    const { owner, leila } = await payment();
    // Reconciliation asks for a charge once more, right after its task.
    stripe.double.fail('POST /v1/payment_intents', '403', '403');
    stripe.double.fail('POST /v1/transfers', '403');
    stripe.double.fail('GET /v1/events', '403');
    const { id: topUp } = await owner.topUp(3_000);
    const { id: withdrawal } = await leila.withdraw(2_000);
    await minutes(11);
    expect([chargesMadeFor(topUp), transfersMadeFor(withdrawal)]).toEqual([[], []]);
    await minutes(11);
    expect(await owner.api.charges.get({ chargeId: topUp })).toMatchObject({ status: 'succeeded' });
    expect(await leila.api.payouts.withdrawal({ withdrawalId: withdrawal })).toMatchObject({
      status: 'in_transit',
    });
    for (const route of ['GET /v1/transfers', 'GET /v1/events']) stripe.double.fail(route, '403');
    expect(await checkStripe(app.config)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('may not read transfers'),
        expect.stringContaining('may not read events'),
      ]),
    );
  });
});

describe('Stripe out of reach', () => {
  it.each(['429', '500', 'silent'] as const)(
    'for an hour (%s): nothing fails, and everything runs once afterwards',
    async (fault) => {
      const { owner, leila } = await payment();
      const patient = { ...app.provider };
      // A call without an answer would last half a minute.
      if (fault === 'silent')
        Object.assign(app.provider, createStripe({ ...scope(), config: app.config, timeoutMs: 20 }));
      stripe.double.outage(fault);
      const { id: topUp } = await owner.topUp(3_000);
      const { id: withdrawal } = await leila.withdraw(2_000);
      await owner.refund(1_000);
      for (let times = 0; times < 6; times += 1) await minutes(10);
      const status = async () => [
        (await owner.api.charges.get({ chargeId: topUp })).status,
        (await leila.api.payouts.withdrawal({ withdrawalId: withdrawal })).status,
      ];
      expect(await status()).toEqual(['created', 'processing']);
      stripe.double.outage(null);
      Object.assign(app.provider, patient);
      for (let times = 0; times < 2; times += 1) await minutes(10);
      expect(await status()).toEqual(['succeeded', 'in_transit']);
      expect([chargesMadeFor(topUp), transfersMadeFor(withdrawal)]).toMatchObject([[{}], [{}]]);
      expect(await owner.balance()).toBe(10_000 + 3_000 - 1_000);
      await settle();
      expect(await differences()).toEqual([]);
    },
  );

  it('without a response: a call times out and its outcome stays open', async () => {
    const { owner } = await payment();
    const quick = createStripe({ ...scope(), config: app.config, timeoutMs: 50 });
    const { id } = await owner.topUp(3_000);
    const { cardRef } = await app.db
      .selectFrom('charges')
      .innerJoin('cards', 'cards.id', 'charges.cardId')
      .select('cards.providerRef as cardRef')
      .where('charges.id', '=', id)
      .executeTakeFirstOrThrow();
    stripe.double.outage('silent');
    const order = { key: id, cardRef, amountMinor: 3_000, currency: 'EUR' as const };
    const call = () =>
      quick.charge({ ...order, description: 'Work', returnUrl: 'https://nearhand.example/' });
    await expect(call()).rejects.toMatchObject({ type: 'StripeConnectionError' });
    await expect(quick.findCharge(id)).rejects.toMatchObject({ type: 'StripeConnectionError' });
    stripe.double.outage(null);
    expect(await call()).toMatchObject({ status: 'succeeded' });
    expect(chargesMadeFor(id)).toHaveLength(1);
    await app.db.deleteFrom('stripe_calls').where('key', '=', id).execute();
    await minutes(10);
  });
});

describe('events', () => {
  it('about an object of another account change nothing', async () => {
    const { leila } = await payment();
    const other = await stripe.payee();
    const { id } = await leila.withdraw(2_000);
    await minutes(11);
    const payout = stripe.double.all('payout').find(({ metadata }) => metadata.nearhand_key === id);
    webhooks.areDelivered = false;
    stripe.double.movePayout(payout?.id, 'failed');
    await stripe.double.delivered();
    const event = JSON.parse(webhooks.undelivered.at(-1)?.body ?? '');
    const body = JSON.stringify({ ...event, account: other.stripeAccount });
    const headers = { 'content-type': 'application/json', 'stripe-signature': stripe.double.sign(body) };
    expect((await post({ headers, body })).statusCode).toBe(200);
    await app.runDue();
    const status = async () => (await leila.api.payouts.withdrawal({ withdrawalId: id })).status;
    expect(await status()).toBe('in_transit');
    await minutes(10);
    expect(await status()).toBe('failed');
  });

  it('all missing for a returned payout: the daily check finds it', async () => {
    const { leila } = await payment();
    const before = await leila.balance();
    const { id } = await leila.withdraw(2_000);
    await minutes(11);
    const payout = stripe.double.all('payout').find(({ metadata }) => metadata.nearhand_key === id);
    stripe.double.movePayout(payout?.id, 'paid');
    await minutes(10);
    const status = async () => (await leila.api.payouts.withdrawal({ withdrawalId: id })).status;
    expect(await status()).toBe('paid');
    webhooks.areDelivered = false;
    app.clock.forward({ days: 3 });
    stripe.double.movePayout(payout?.id, 'failed');
    await minutes(10);
    expect(await status()).toBe('paid');
    await auditProvider(scope());
    expect(await status()).toBe('returned');
    expect(await leila.balance()).toBe(before);
    expect(transfersMadeFor(id)).toMatchObject([{ reversed: true }]);
  });

  it('processed by two servers concurrently count once', async () => {
    const { owner } = await payment();
    webhooks.areDelivered = false;
    const { id } = await owner.topUp(5_000);
    await app.runDue();
    stripe.double.dispute(chargesMadeFor(id)[0]?.id);
    const before = await owner.balance();
    await stripe.double.delivered();
    const another = await app.another();
    const both = [scope(), { ...scope(), db: another.db }];
    await Promise.all([...both, ...both].map((each) => reconcile(each)));
    await Promise.all(webhooks.undelivered.splice(0).map(post));
    await minutes(10);
    expect(await owner.balance()).toBe(before - 5_000);
    await settle();
    expect(await differences()).toEqual([]);
  });
});

describe('disputes', () => {
  it.each(['won', 'lost'] as const)('of a partly refunded charge move the ledger once (%s)', async (end) => {
    const { owner } = await payment();
    const { id } = await owner.topUp(5_000);
    await settle();
    // Refunds go to the newest charge first.
    await owner.refund(2_000);
    await settle();
    const before = await owner.balance();
    const [intent] = chargesMadeFor(id);
    const dispute = stripe.double.dispute(intent?.id);
    expect(dispute.amount).toBe(3_000);
    await settle();
    expect(await owner.balance()).toBe(before - 3_000);
    stripe.double.closeDispute(dispute.id, end);
    for (let again = 0; again < 2; again += 1) await settle();
    expect(await owner.balance()).toBe(end === 'won' ? before : before - 3_000);
    expect(await differences()).toEqual([]);
  });

  it('during a refund: the refund is reversed, and the dispute takes its part once', async () => {
    const { owner } = await payment();
    const { id } = await owner.topUp(5_000);
    await settle();
    const before = await owner.balance();
    webhooks.areDelivered = false;
    stripe.double.dispute(chargesMadeFor(id)[0]?.id);
    await owner.refund(2_000);
    expect(await owner.balance()).toBe(before - 2_000);
    await settle();
    expect(await owner.balance()).toBe(before - 5_000);
    expect(
      stripe.double.all('refund').filter((row) => row.payment_intent === chargesMadeFor(id)[0]?.id),
    ).toEqual([]);
    expect(await differences()).toEqual([]);
  });
});

describe('payments by bank', () => {
  it.each(['ideal', 'bancontact'])(
    "by %s are approved at the bank, and don't become the default",
    async (name) => {
      const owner = await stripe.payer();
      const { businessId } = owner;
      expect((await owner.api.wallet.get({ businessId })).bankMethods).toEqual(['ideal', 'bancontact']);
      const method = await owner.api.cards.add({ businessId, token: `method/${name}` });
      expect(method).toMatchObject({ last4: '', isDefault: false });
      const pay = () =>
        owner.api.wallet.topUp({ businessId, amountMinor: 2_000, currency: 'EUR', cardId: method.id });
      for (const [button, status] of [
        ['Cancel', 'failed'],
        ['Continue', 'succeeded'],
      ] as const) {
        const { id: chargeId } = await pay();
        await app.runDue();
        const { actionUrl } = await owner.api.charges.get({ chargeId });
        const way = await stripe.double.press(actionUrl ?? '', button);
        expect(way).toContain(`charge=${chargeId}`);
        await settle();
        expect(await owner.api.charges.get({ chargeId })).toMatchObject({ status });
      }
      expect(await owner.balance()).toBe(2_000);
      await owner.refund(2_000);
      await settle();
      expect(await differences()).toEqual([]);
      await owner.api.cards.remove({ cardId: method.id });
      expect(await owner.api.cards.add({ businessId, token: `method/${name}` })).toMatchObject({
        id: method.id,
      });
    },
  );

  it('by disabled methods are rejected', async () => {
    const owner = await stripe.payer();
    const request = { businessId: owner.businessId, token: 'method/klarna' };
    expect(await failure(owner.api.cards.add(request))).toMatchObject({ code: 'payment/card-refused' });
  });

  /** An offer whose pay is debited from a bank account. */
  async function debitedOffer() {
    const owner = await stripe.payer(stripeIban);
    const { businessId } = owner;
    const at = (hours: number) => addMs(app.clock.now(), hours * hourMs).toISOString();
    const times = { startsAt: at(240), endsAt: at(248) };
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, times);
    const worker = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(worker), job.id);
    const cardId = owner.cards[0] ?? '';
    const { hold, id: offerId } = await owner.api.offers.make({
      applicationId,
      funding: { from: 'card', cardId },
    });
    const holdId = hold?.id ?? '';
    await app.runDue();
    const days = async (count: number) => {
      for (let hour = 0; hour < count * 24; hour += 8) await minutes(8 * 60);
    };
    const offer = async () => (await owner.api.offers.get({ offerId })).status;
    const state = () => owner.api.holds.get({ holdId });
    const intent = chargesMadeFor((await state()).charge?.id ?? '')[0]?.id as string;
    return { owner, state, offer, intent, days };
  }

  it('by debit take days: the hold shows it, and the offer is sent when the money arrives', async () => {
    const { state, offer, intent, days } = await debitedOffer();
    const processing = { status: 'authorising', charge: { status: 'processing', cardBrand: 'SEPA' } };
    expect(await state()).toMatchObject(processing);
    await days(2);
    expect(await state()).toMatchObject(processing);
    expect(await offer()).toBe('funding');
    stripe.double.finishDebit(intent, true);
    await minutes(20);
    expect(await state()).toMatchObject({ status: 'held', charge: { status: 'succeeded' } });
    expect(await offer()).toBe('sent');
  });

  it('by debit that fail late leave the offer unpaid', async () => {
    const { owner, state, offer, intent, days } = await debitedOffer();
    await days(2);
    stripe.double.finishDebit(intent, false);
    await minutes(20);
    expect(await state()).toMatchObject({ charge: { status: 'failed', failure: 'bank_rejected' } });
    await days(1);
    expect(await state()).toMatchObject({ status: 'expired' });
    expect(await offer()).not.toBe('sent');
    expect(await owner.balance()).toBe(0);
  });

  it('by debit for an expired offer go to the balance', async () => {
    const { owner, state, intent, days } = await debitedOffer();
    await days(12);
    expect(await state()).toMatchObject({ status: 'expired' });
    stripe.double.finishDebit(intent, true);
    await settle();
    expect(await owner.balance()).toBeGreaterThan(0);
    expect(await differences()).toEqual([]);
  });
});

describe('refunds', () => {
  it('that fail days later at the bank return to the business once, with a notice', async () => {
    const owner = await stripe.payer();
    await owner.topUp(6_000);
    await settle();
    await owner.refund(2_000);
    await settle();
    expect(await owner.balance()).toBe(4_000);
    app.clock.forward({ days: 3 });
    const error = vi.spyOn(scope().log, 'error').mockImplementation(() => {});
    const [row] = stripe.double.all('refund').slice(-1);
    stripe.double.failRefund(row?.id);
    await settle();
    await Promise.all(webhooks.sent.slice(-2).map(post));
    await settle();
    expect(await owner.balance()).toBe(6_000);
    const notices = await app.db
      .selectFrom('notifications')
      .select('id')
      .where('accountId', '=', owner.accountId)
      .where('topic', '=', 'payment-refund-failed')
      .execute();
    expect(notices).toHaveLength(1);
    expect(error.mock.calls.filter(([, text]) => /^a refund failed/.test(String(text)))).toHaveLength(1);
    error.mockRestore();
    expect(await differences()).toEqual([]);
    // It can be refunded again.
    await owner.refund(6_000);
    await settle();
    expect(await owner.balance()).toBe(0);
  });
});

describe('a refused refund', () => {
  it('and news of its charge lock in one order', async () => {
    const owner = await stripe.payer();
    webhooks.areDelivered = false;
    const { id: chargeId } = await owner.topUp(6_000);
    await app.runDue();
    await owner.refund(2_000);
    const { id: refundId } = await app.db
      .selectFrom('card_refunds')
      .select('id')
      .where('chargeId', '=', chargeId)
      .executeTakeFirstOrThrow();
    // Stripe refuses the refund of a disputed charge.
    stripe.double.dispute(chargesMadeFor(chargeId)[0]?.id);
    let sending: Promise<void> | undefined;
    const isWaiting = async () =>
      (
        await app.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rowCount !== 0;
    await app.db.transaction().execute(async (tx) => {
      await lockChargeWork(tx, chargeId);
      await lockCharge(tx, chargeId);
      sending = sendRefund(scope(), refundId);
      await expect.poll(isWaiting).toBe(true);
      await failRefund(tx, scope(), refundId);
    });
    await sending;
    expect(await owner.balance()).toBe(6_000);
    await settle();
    expect(await owner.balance()).toBe(0);
  });
});

describe('amounts', () => {
  it("below Stripe's minimum are rejected with the minimum", async () => {
    const owner = await stripe.payer();
    const tooLittle = owner.api.wallet.topUp({
      businessId: owner.businessId,
      amountMinor: 1_000,
      currency: 'CZK',
      cardId: owner.cards[0] ?? '',
    });
    expect(await failure(tooLittle)).toMatchObject({
      status: 422,
      code: 'payment/too-little',
      data: { minMinor: 1_500, currency: 'CZK' },
    });
  });
});

describe("yesterday's backup", () => {
  /**
   * Backs up every row.
   * @returns a function that restores them
   */
  async function backUp(): Promise<() => Promise<void>> {
    const address = new URL(inject('testServer').superuserUrl);
    address.pathname = new URL(app.directUrl).pathname;
    const client = new pg.Client(address.href);
    await client.connect();
    const { rows: tables } = await client.query<{ name: string; copy: string; columns: string }>(`
      select format('%I.%I', nspname, relname) as name, format('backup.%I', nspname || '.' || relname) as copy,
        (select string_agg(quote_ident(attname), ', ') from pg_attribute
          where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and nspname in ('public', 'graphile_worker')`);
    await client.query('create schema backup');
    for (const { name, copy, columns } of tables)
      await client.query(`create table ${copy} as select ${columns} from ${name}`);
    return async () => {
      // Disables the triggers that guard the ledger.
      await client.query('set session_replication_role = replica');
      for (const { name, copy, columns } of tables) {
        await client.query(`delete from ${name}`);
        await client.query(
          `insert into ${name} (${columns}) overriding system value select ${columns} from ${copy}`,
        );
      }
      await client.query('drop schema backup cascade');
      await client.end();
    };
  }

  it('catches up with Stripe without repeating calls', async () => {
    const { owner, leila } = await payment();
    const disputed = await owner.topUp(5_000);
    await settle();
    const open = await owner.topUp(3_000);
    const withdrawal = await leila.withdraw(2_000);
    const restore = await backUp();

    await minutes(11);
    const payout = stripe.double
      .all('payout')
      .find(({ metadata }) => metadata.nearhand_key === withdrawal.id);
    stripe.double.movePayout(payout?.id, 'paid');
    stripe.double.dispute(chargesMadeFor(disputed.id)[0]?.id);
    const unknown = await owner.topUp(4_000);
    await settle();
    const counts = () =>
      ['payment_intent', 'transfer', 'payout', 'refund'].map((kind) => stripe.double.all(kind).length);
    const before = counts();

    app.clock.forward({ hours: 25 });
    stripe.double.forgetKeys();
    await restore();
    for (let times = 0; times < 2; times += 1) await settle();
    expect(counts()).toEqual(before);
    expect(await owner.api.charges.get({ chargeId: open.id })).toMatchObject({ status: 'succeeded' });
    expect(await leila.api.payouts.withdrawal({ withdrawalId: withdrawal.id })).toMatchObject({
      status: 'paid',
    });
    expect(await owner.balance()).toBe(10_000 + 3_000);
    const [lost] = chargesMadeFor(unknown.id);
    expect(await differences()).toEqual([`charge ${lost?.id}: EUR 0 in our books, 4000 at the provider`]);
  });
});
