import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Fault, stripeCards } from '../../../test/stripe-double/stripe-double.ts';
import { useStripe } from '../../../test/stripe-double/use-stripe.ts';
import { lastAudits } from '../../platform/audits.ts';
import { auditLedger, balanceOf } from '../ledger/ledger.ts';
import { auditProvider, compareWithProvider, readBookings } from '../provider/provider-books.ts';
import { reconcile } from '../provider/reconciliation.ts';

const stripe = useStripe({ WITHDRAWALS_PER_DAY: '100', TOP_UP_DAY_MINOR: '100000000' });
const { app, webhooks, post, scope, settle } = stripe;

let owner: Awaited<ReturnType<typeof stripe.payer>>;
let leila: Awaited<ReturnType<typeof stripe.payee>>;

beforeAll(async () => {
  const { pays, paysAtOnce, declined, chargedBack, confirm } = stripeCards;
  owner = await stripe.payer(pays, paysAtOnce, declined, chargedBack, confirm);
  leila = await stripe.payee();
});

/** Pay from the balance of the business, which doesn't involve Stripe. */
const pay = (amountMinor: number) => stripe.move(owner.account, leila.account, amountMinor);

const compare = async () => (await compareWithProvider(scope())).findings;
const held = async () => -(await balanceOf(app.db, { kind: 'provider_clearing' }, 'EUR'));

describe("the provider's books", () => {
  it("match ours to the cent, including fees and the company's money", async () => {
    await owner.topUp(20_000);
    await owner.topUp(5_000, 3);
    await settle();
    await owner.refund(2_000);
    await pay(6_000);
    app.clock.forward({ days: 3 });
    const { id } = await leila.withdraw(4_000);
    await settle();
    const payout = stripe.double.all('payout').find(({ metadata }) => metadata.nearhand_key === id);
    stripe.double.movePayout(payout?.id, 'paid');
    stripe.double.topUp(1_234);
    await settle();
    expect(await compare()).toEqual([]);
    expect(await held()).toBe(stripe.double.total());
    expect(await balanceOf(app.db, { kind: 'provider_fees' }, 'EUR')).toBe(-stripe.double.fees());
    expect(await balanceOf(app.db, { kind: 'provider_funds' }, 'EUR')).toBe(1_234);
    expect((await auditLedger(app.db, app.scopeOf({ accountId: 'nobody' }))).findings).toEqual([]);
    expect(await readBookings(scope())).toBe(0);
  });

  it('report each line that differs, to operators and as a metric, until it agrees', async () => {
    const error = vi.spyOn(scope().log, 'error').mockImplementation(() => {});
    // Someone paid a worker in the dashboard.
    const account = stripe.double.all('v2.core.account')[0]?.id as string;
    stripe.double.stray('transfer', account, 700);
    expect(await compare()).toEqual([]);
    app.clock.forward({ hours: 2 });
    await auditProvider(scope());
    const [audit] = (await lastAudits(app.db)).filter(({ name }) => name === 'provider');
    expect(audit).toMatchObject({
      findings: 1,
      first: ['payout of nothing of ours: EUR 0 in our books, -700 at the provider'],
    });
    // A charge that our record has as failed.
    const { rows } = await app.pool.query(
      `update charges set status = 'failed' where id = (select id from charges where status = 'succeeded' order by id limit 1)
       returning provider_ref, amount_minor`,
    );
    const [{ provider_ref: ref, amount_minor: amount }] = rows;
    expect(await compare()).toContain(`charge ${ref}: EUR 0 in our books, ${amount} at the provider`);
    await app.pool.query(`update charges set status = 'succeeded' where provider_ref = $1`, [ref]);
    // A booking that Stripe's list never showed.
    await app.pool.query(
      `delete from provider_bookings where ref = (select ref from provider_bookings where kind = 'own' limit 1)`,
    );
    expect(await compare()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^EUR: the provider has \d+, its bookings sum to \d+$/)]),
    );
    await app.pool.query(`delete from provider_cursors where provider = 'stripe/books'`);
    stripe.double.stray('transfer', account, -700);
    app.clock.forward({ hours: 2 });
    expect(await compare()).toEqual([]);
    error.mockRestore();
  });
});

const commands = 500;
const seed = process.env.SEED ?? '0';

describe('a model run', () => {
  it(`agrees to the cent after ${commands} random commands with faults (SEED=${seed})`, async () => {
    let step = 0;
    const dice = (sides: number) => {
      step += 1;
      return createHash('sha256').update(`${seed} books ${step}`).digest().readUInt32BE() % sides;
    };
    const pick = <Item>(items: readonly Item[]) => items[dice(items.length)] as Item;
    const faults: Fault[][] = [['429'], ['cut', 'cut'], ['cut-done', 'cut'], ['500'], ['500-done']];
    const routes = [
      'POST /v1/payment_intents',
      'POST /v1/refunds',
      'POST /v1/transfers',
      'POST /v1/payouts',
      'GET /v1/payment_intents/:id',
    ];
    const open = (status: string) => stripe.double.all('payout').filter((row) => row.status === status);
    const moves: [weight: number, name: string, run: () => Promise<unknown>][] = [
      [6, 'topUp', () => owner.topUp(500 + dice(20_000), dice(owner.cards.length))],
      [2, 'refund', () => owner.refund(1 + dice(3_000))],
      [4, 'pay', () => pay(1 + dice(4_000))],
      [4, 'withdraw', () => leila.withdraw(500 + dice(3_000))],
      [
        2,
        'payout',
        async () => {
          const row = pick(open('in_transit'));
          if (row) stripe.double.movePayout(row.id, dice(4) === 0 ? 'failed' : 'paid');
        },
      ],
      [
        1,
        'payout comes back',
        async () => {
          const row = pick(open('paid'));
          if (row) stripe.double.movePayout(row.id, 'failed');
        },
      ],
      [
        1,
        'dispute',
        async () => {
          const row = pick(
            stripe.double.all('charge').filter((each) => !each.disputed && each.amount_refunded === 0),
          );
          if (row) stripe.double.dispute(row.payment_intent);
        },
      ],
      [
        1,
        'dispute closes',
        async () => {
          const row = pick(stripe.double.all('dispute').filter((each) => each.status === 'needs_response'));
          if (row) stripe.double.closeDispute(row.id, dice(2) === 0 ? 'won' : 'lost');
        },
      ],
      [
        1,
        'owner answers',
        async () => {
          const row = pick(
            stripe.double.all('payment_intent').filter((each) => each.status === 'requires_action'),
          );
          if (row) stripe.double.decide(row.id, dice(3) > 0);
        },
      ],
      [2, 'fault', async () => stripe.double.fail(pick(routes), ...pick(faults))],
      [
        1,
        'webhooks on or off',
        async () => {
          webhooks.areDelivered = !webhooks.areDelivered;
        },
      ],
      [
        1,
        'late webhooks',
        async () => void (await Promise.all(webhooks.undelivered.splice(0).toReversed().map(post))),
      ],
      [2, 'time', async () => app.clock.forward({ minutes: 1 + dice(2_000) })],
      [3, 'tasks', () => app.runDue()],
      [1, 'reconcile', () => reconcile(scope())],
    ];
    const bag = moves.flatMap(([weight, ...rest]) => Array.from({ length: weight }, () => rest));
    const done: string[] = [];
    const quiet = vi.spyOn(scope().log, 'error').mockImplementation(() => {});
    for (let count = 0; count < commands; count += 1) {
      const [name, run] = pick(bag);
      // Refusals are expected: no balance, a wrong state, Stripe unreachable.
      const result = await run().then(
        () => 'done',
        () => 'refused',
      );
      done.push(`${name} ${result}`);
    }
    stripe.double.forgetFaults();
    webhooks.areDelivered = true;
    for (const event of webhooks.undelivered.splice(0)) await post(event);
    for (const row of open('in_transit')) stripe.double.movePayout(row.id, 'paid');
    // Stripe's pending balance must become available.
    stripe.double.topUp(Math.max(0, 50_000 - stripe.double.available()));
    app.clock.forward({ days: 8 });
    await settle();
    for (const row of open('in_transit')) stripe.double.movePayout(row.id, 'paid');
    await settle();
    quiet.mockRestore();
    const scene = `SEED=${seed}\n${done.join('\n')}`;
    expect(await compare(), scene).toEqual([]);
    expect((await auditLedger(app.db, app.scopeOf({ accountId: 'nobody' }))).findings, scene).toEqual([]);
    expect(await held(), scene).toBe(stripe.double.total());
    // The control: a cent that moved at Stripe alone is found.
    stripe.double.stray('transfer', stripe.double.all('v2.core.account')[0]?.id as string, 1);
    app.clock.forward({ hours: 2 });
    expect(await compare()).toHaveLength(1);
  }, 1_200_000);
});
