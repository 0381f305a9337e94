import { addMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { ProviderEvent } from '../../platform/payment-provider.ts';
import { applyCharge } from '../charges/charge-outcomes.ts';
import { requestCharge } from '../charges/charge-requests.ts';
import { testCards } from '../sandbox/sandbox.fixtures.ts';
import { isSandbox } from '../sandbox/sandbox.ts';
import { webhookSecret } from '../sandbox/sandbox-events.ts';
import { signatureHeader, signWebhook } from '../sandbox/sandbox-signature.ts';
import { makeCard } from '../wallet/wallet.fixtures.ts';
import { compareBooks } from './books.fixtures.ts';
import { reconcile, startReconciliation } from './reconciliation.ts';

const app = useTestApp();
type Sent = { headers: Record<string, string>; body: string };
const heldDeliveries: Sent[] = [];
let holding = false;

beforeEach(() => {
  heldDeliveries.length = 0;
  holding = false;
  if (!isSandbox(app.provider)) throw new Error('the tests run on the sandbox');
  app.provider.sandbox.send = async (headers, body) => {
    if (holding) heldDeliveries.push({ headers, body });
    return holding ? 200 : post({ headers, body });
  };
});

const post = async ({ headers, body }: { headers: Record<string, string>; body: string }) =>
  (await app.raw({ method: 'POST', url: '/api/webhooks/payments', headers, payload: body })).statusCode;
const signed = (event: object, now = app.clock.now()): Sent => {
  const body = JSON.stringify(event);
  return { body, headers: signWebhook(webhookSecret(app.secret), body, now) };
};
const eventOf = ({ body }: Sent) => JSON.parse(body) as ProviderEvent;
const scope = () => ({
  ...app.scopeOf({ accountId: 'nobody' }),
  db: app.db,
  mailer: { send: async () => {} },
});
const books = () => compareBooks(app.db, scope());
const newEvent = (ref: string): ProviderEvent => ({
  id: `ev_${crypto.randomUUID().replaceAll('-', '')}`,
  type: 'charge',
  ref,
  at: app.clock.now().toISOString(),
});

async function cast(number: string = testCards.pays) {
  const owner = await app.person();
  const own = app.scopeOf(owner);
  const { id: businessId } = await makeBusiness(app.db, own, { funded: false });
  const { id: cardId } = await makeCard(app.db, own, businessId, number);
  const begin = async (amountMinor = 5_000) =>
    (await owner.api.wallet.topUp({ businessId, amountMinor, currency: 'EUR', cardId })).id;
  const statusOf = async (chargeId: string) => (await owner.api.charges.get({ chargeId })).status;
  const available = async () => (await owner.api.wallet.get({ businessId })).balances[0]?.availableMinor ?? 0;
  const refOf = async (chargeId: string) =>
    (await app.db.selectFrom('charges').select('providerRef').where('id', '=', chargeId).executeTakeFirst())
      ?.providerRef ?? '';
  return { owner, businessId, cardId, begin, statusOf, available, refOf };
}

describe('POST /webhooks/payments', () => {
  it('accepts signed events, stores each once and responds to repeats alike', async () => {
    const { begin, available } = await cast();
    holding = true;
    await begin();
    await app.runDue();
    const [sent] = heldDeliveries;
    if (!sent) throw new Error('nothing was sent');
    expect([await post(sent), await post(sent), await post(sent)]).toEqual([200, 200, 200]);
    await app.runDue();
    const { id } = eventOf(sent);
    const rows = await app.db.selectFrom('provider_events').selectAll().where('id', '=', id).execute();
    expect(rows).toEqual([expect.objectContaining({ handledAt: app.clock.now() })]);
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('rejects forged, stale, future, changed, unsigned or unreadable ones and stores nothing', async () => {
    const { begin, refOf } = await cast();
    const chargeId = await begin();
    await app.runDue();
    const ref = await refOf(chargeId);
    const before = await app.db.selectFrom('provider_events').select('id').execute();
    const good = signed(newEvent(ref));
    const past = subtractMs(app.clock.now(), 6 * minuteMs);
    const ahead = addMs(app.clock.now(), 6 * minuteMs);
    const forged = JSON.stringify(newEvent(ref));
    const bad: Sent[] = [
      { ...good, headers: signWebhook(Buffer.from('another secret'), good.body, app.clock.now()) },
      { ...good, body: good.body.replace(ref, `${ref.slice(0, -1)}${ref.endsWith('0') ? '1' : '0'}`) },
      { ...good, body: `${good.body} ` },
      { body: forged, headers: { 'content-type': 'application/json' } },
      { body: forged, headers: { [signatureHeader]: 't=1,v1=00' } },
      { body: '', headers: {} },
      signed(newEvent(ref), past),
      signed(newEvent(ref), ahead),
      signed({ id: 'ev_x', type: 'charge' }),
      signed({ ...newEvent(ref), type: 'everything' }),
      signed({ ...newEvent(ref), ref: 'null\u0000byte' }),
      signed([]),
    ];
    for (const body of bad) {
      const answer = await app.raw({
        method: 'POST',
        url: '/api/webhooks/payments',
        headers: body.headers,
        payload: body.body,
      });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'webhook/refused']);
    }
    const url = '/api/webhooks/payments';
    expect((await app.raw({ method: 'POST', url, payload: 'x'.repeat(70_000) })).statusCode).toBe(413);
    expect((await app.raw({ method: 'GET', url })).statusCode).toBe(404);
    const after = await app.db.selectFrom('provider_events').select('id').execute();
    expect(after).toHaveLength(before.length);
    expect(await books()).toEqual([]);
  });

  it('processes 200 copies of one event concurrently', async () => {
    const { begin, available } = await cast();
    holding = true;
    await begin();
    await app.runDue();
    const [sent] = heldDeliveries;
    if (!sent) throw new Error('nothing was sent');
    const answers = await Promise.all(Array.from({ length: 200 }, () => post(sent)));
    expect(new Set(answers)).toEqual(new Set([200]));
    const { rows } = await app.pool.query(
      `select count(*)::int as waiting from graphile_worker.jobs where task_identifier = 'payments.event'`,
    );
    expect(rows[0].waiting).toBeLessThanOrEqual(1);
    await app.runDue();
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('processes 50 outcomes of one charge concurrently', async () => {
    const { begin, available, refOf } = await cast(testCards.late);
    const chargeId = await begin();
    await app.runDue();
    holding = true;
    app.clock.forward({ minutes: 3 });
    await app.runDue();
    const ref = await refOf(chargeId);
    const state = await app.provider.getCharge(ref);
    if (!state) throw new Error('the charge is missing');
    await Promise.all(Array.from({ length: 50 }, () => applyCharge(scope(), chargeId, state)));
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('never goes back when states arrive out of order', async () => {
    const { begin, statusOf, available, refOf } = await cast(testCards.late);
    const chargeId = await begin();
    await app.runDue();
    const early = await app.provider.getCharge(await refOf(chargeId));
    app.clock.forward({ minutes: 3 });
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('succeeded');
    const { getCharge } = app.provider;
    app.provider.getCharge = async () => early;
    try {
      await post(signed(newEvent(early?.ref ?? '')));
      await app.runDue();
    } finally {
      app.provider.getCharge = getCharge;
    }
    expect(await statusOf(chargeId)).toBe('succeeded');
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it("retries an event of a charge whose ref isn't stored yet, and drops foreign events", async () => {
    const { begin, statusOf } = await cast();
    const chargeId = await begin();
    const { charge } = app.provider;
    app.provider.charge = async (o) => {
      const state = await charge(o);
      await app.runDue();
      return state;
    };
    try {
      await app.runDue();
    } finally {
      app.provider.charge = charge;
    }
    expect(await statusOf(chargeId)).toBe('succeeded');
    const foreign = newEvent('ch_of_somebody_else');
    expect(await post(signed(foreign))).toBe(200);
    for (let minutes = 0; minutes < 12; minutes += 1) {
      await app.runDue();
      app.clock.forward({ minutes: 1 });
    }
    const open = await app.db
      .selectFrom('provider_events')
      .select('id')
      .where('handledAt', 'is', null)
      .execute();
    expect(open).toEqual([]);
    expect(await books()).toEqual([]);
  });
});

describe('reconciliation', () => {
  it('finds what no webhook reported', async () => {
    const { begin, statusOf, available } = await cast(testCards.late);
    holding = true;
    const chargeId = await begin();
    await app.runDue();
    app.clock.forward({ minutes: 3 });
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('processing');
    expect(await books()).not.toEqual([]);
    await reconcile(scope());
    expect(await statusOf(chargeId)).toBe('succeeded');
    await app.runDue();
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it('runs every ten minutes, even after a failed run', async () => {
    const { begin, statusOf } = await cast(testCards.late);
    holding = true;
    await startReconciliation(app.db);
    await startReconciliation(app.db);
    const chargeId = await begin();
    await app.runDue();
    const { listEvents } = app.provider;
    app.provider.listEvents = () => Promise.reject(new TypeError('fetch failed'));
    app.clock.forward({ minutes: 10 });
    await app.runDue();
    app.provider.listEvents = listEvents;
    app.clock.forward({ minutes: 10 });
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('succeeded');
    const { rows } = await app.pool.query(
      `select count(*)::int as waiting from graphile_worker.jobs where key = 'payments.reconcile'`,
    );
    expect(rows).toEqual([{ waiting: 1 }]);
  });

  it('finds a charge whose task died before, during or after the call, and charges once', async () => {
    const { begin, statusOf, available } = await cast();
    const { charge } = app.provider;
    const never = await begin(1_000);
    const lost = await begin(2_000);
    const refused = await begin(3_000);
    await app.pool.query(`delete from graphile_worker._private_jobs`);
    let calls = 0;
    app.provider.charge = async (o) => {
      calls += 1;
      if (o.key === lost) await charge(o);
      throw new TypeError('the process died here');
    };
    for (const chargeId of [lost, refused])
      await expect(requestCharge(scope(), chargeId)).rejects.toThrow('died');
    app.provider.charge = charge;
    expect(calls).toBe(2);
    await reconcile(scope());
    for (const chargeId of [never, lost, refused]) expect(await statusOf(chargeId)).toBe('created');
    app.clock.forward({ minutes: 3 });
    await reconcile(scope());
    await reconcile(scope());
    for (const chargeId of [never, lost, refused]) expect(await statusOf(chargeId)).toBe('succeeded');
    await app.runDue();
    expect(await available()).toBe(6_000);
    expect(await books()).toEqual([]);
  });

  it('processes an event whose task gave up', async () => {
    const { begin, available, statusOf } = await cast(testCards.late);
    const chargeId = await begin();
    await app.runDue();
    app.clock.forward({ minutes: 2 });
    holding = true;
    await app.runDue();
    const last = heldDeliveries.at(-1);
    if (!last) throw new Error('nothing was sent');
    await post(last);
    await app.pool.query(`delete from graphile_worker._private_jobs`);
    const at = app.clock.now();
    await app.db
      .updateTable('charges')
      .set({ updatedAt: addMs(at, hourMs) })
      .execute();
    app.clock.forward({ minutes: 3 });
    await reconcile(scope());
    expect(await statusOf(chargeId)).toBe('processing');
    await app.runDue();
    expect(await statusOf(chargeId)).toBe('succeeded');
    expect(await available()).toBe(5_000);
    expect(await books()).toEqual([]);
  });

  it("continues with the rest when one charge can't be settled", async () => {
    const { begin, statusOf } = await cast(testCards.late);
    holding = true;
    const first = await begin(1_000);
    const second = await begin(2_000);
    await app.runDue();
    app.clock.forward({ minutes: 3 });
    await app.runDue();
    const { getCharge } = app.provider;
    const bad = (await app.provider.findCharge(first))?.ref;
    app.provider.getCharge = (ref) =>
      ref === bad ? Promise.reject(new Error('broken there')) : getCharge(ref);
    await reconcile(scope());
    app.provider.getCharge = getCharge;
    expect([await statusOf(first), await statusOf(second)]).toEqual(['processing', 'succeeded']);
    await reconcile(scope());
    expect(await statusOf(first)).toBe('succeeded');
  });

  it('rejects a charge with a different amount at the provider', async () => {
    const { begin, statusOf, refOf } = await cast(testCards.late);
    holding = true;
    const chargeId = await begin();
    await app.runDue();
    const state = await app.provider.getCharge(await refOf(chargeId));
    if (!state) throw new Error('the charge is missing');
    for (const wrong of [{ amountMinor: 4_999 }, { currency: 'USD' as const }, { ref: 'ch_other' }])
      await expect(
        applyCharge(scope(), chargeId, { ...state, status: 'succeeded', ...wrong }),
      ).rejects.toThrow(chargeId);
    expect(await statusOf(chargeId)).toBe('processing');
  });
});
