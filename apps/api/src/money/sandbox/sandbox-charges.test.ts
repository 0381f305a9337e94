import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import type { ChargeState } from '../../platform/payment-provider.ts';
import { cardToken, testCards } from './sandbox.fixtures.ts';
import { isSandbox, sandboxTotals } from './sandbox.ts';
import { advanceCharge } from './sandbox-charges.ts';

describe('sandbox charges', () => {
  const app = useTestApp();
  let step = 0;
  const key = (name: string) => {
    step += 1;
    return `${name}/${step}`;
  };
  const cardOf = async (number: string, expires?: { month: number; year: number }) => {
    const token = await cardToken(app.provider, number, expires);
    const saved = await app.provider.saveCard({ key: key('card'), token, ownerId: 'a business' });
    if ('failure' in saved) throw new Error(saved.failure);
    return saved.ref;
  };
  const chargeCard = (cardRef: string, options: Partial<Parameters<typeof app.provider.charge>[0]> = {}) =>
    app.provider.charge({
      key: key('charge'),
      cardRef,
      amountMinor: 11_000,
      currency: 'EUR' as const,
      description: 'Cook on Saturday',
      returnUrl: `${app.config.PUBLIC_URL}/wallet`,
      ...options,
    });
  const chargeNumber = async (number: string) => chargeCard(await cardOf(number));
  const now = async (charge: ChargeState) => (await app.provider.getCharge(charge.ref)) as ChargeState;
  const forward = async (duration: Parameters<typeof app.clock.forward>[0]) => {
    app.clock.forward(duration);
    await app.runDue();
  };
  const chargeRow = async () => {
    for (const row of await sandboxTotals(app.db)) expect(row.balance).toBe(row.expected);
  };
  beforeEach(() => app.clock.set('2026-11-21T09:00:00Z'));

  it.each([testCards.pays, testCards.paysMastercard])('%s succeeds at once', async (number) => {
    const charge = await chargeNumber(number);
    expect(charge).toMatchObject({
      status: 'succeeded',
      amountMinor: 11_000,
      currency: 'EUR',
      failure: null,
      actionUrl: null,
      refundedMinor: 0,
      failedRefunds: [],
      chargebacks: [],
    });
    await forward({ days: 30 });
    expect(await now(charge)).toEqual(charge);
    await chargeRow();
  });

  it.each([
    [testCards.declined, 'card_declined'],
    [testCards.insufficientFunds, 'insufficient_funds'],
    [testCards.expired, 'card_expired'],
    ['4000056655665556', 'card_declined'],
  ])('%s fails with %s and takes nothing', async (number, failure) => {
    const before = await sandboxTotals(app.db);
    expect(await chargeNumber(number)).toMatchObject({ status: 'failed', failure });
    expect(await sandboxTotals(app.db)).toEqual(before);
  });

  it('settles late, or fails late', async () => {
    const late = await chargeNumber(testCards.late);
    const failing = await chargeNumber(testCards.lateFailure);
    expect(late.status).toBe('processing');
    await forward({ seconds: 119 });
    expect((await now(late)).status).toBe('processing');
    await forward({ seconds: 1 });
    expect(await now(late)).toMatchObject({ status: 'succeeded', failure: null });
    expect(await now(failing)).toMatchObject({ status: 'failed', failure: 'card_declined' });
    await chargeRow();
  });

  it.each([
    [testCards.chargebackLost, 'lost'],
    [testCards.chargebackWon, 'won'],
  ])('%s is charged back after 2 days, and that is %s after 5 more', async (number, end) => {
    const charge = await chargeNumber(number);
    await app.provider.refund({ key: key('refund'), chargeRef: charge.ref, amountMinor: 1_000 });
    await forward({ days: 1, hours: 23 });
    expect((await now(charge)).chargebacks).toEqual([]);
    await forward({ hours: 1 });
    expect((await now(charge)).chargebacks[0]).toMatchObject({ amountMinor: 10_000, status: 'open' });
    await chargeRow();
    const refund = () => app.provider.refund({ key: key('refund'), chargeRef: charge.ref, amountMinor: 1 });
    await expect(refund()).rejects.toMatchObject({ problem: 'refund_refused' });
    await forward({ days: 5 });
    expect(await now(charge)).toMatchObject({ status: 'succeeded', chargebacks: [{ status: end }] });
    if (end === 'lost') await expect(refund()).rejects.toMatchObject({ problem: 'refund_refused' });
    else expect(await refund()).toMatchObject({ refundedMinor: 1_001 });
    await chargeRow();
  });

  it('catches up on everything due, with an event each', async () => {
    const charge = await chargeNumber(testCards.chargebackWon);
    const { cursor } = await app.provider.listEvents(null);
    await forward({ days: 30 });
    expect((await now(charge)).chargebacks[0]?.status).toBe('won');
    const { events } = await app.provider.listEvents(cursor);
    expect(events.filter(({ ref }) => ref === charge.ref)).toHaveLength(2);
  });

  it('does nothing when a task runs early, and runs again on time', async () => {
    if (!isSandbox(app.provider)) throw new Error('the tests run on the sandbox');
    app.clock.set('2020-01-01T00:00:00Z');
    const charge = await chargeNumber(testCards.late);
    for (let again = 0; again < 3; again += 1) await advanceCharge(app.provider.sandbox, charge.ref);
    expect(await now(charge)).toEqual(charge);
    const { rows } = await sql<{ late: boolean }>`select run_at > now() as late from graphile_worker.jobs
      where key = ${`sandbox/${charge.ref}`}`.execute(app.db);
    expect(rows).toEqual([{ late: true }]);
  });

  it('skips the chargeback after a full refund', async () => {
    const charge = await chargeNumber(testCards.chargebackLost);
    await app.provider.refund({ key: key('refund'), chargeRef: charge.ref, amountMinor: 11_000 });
    await forward({ days: 30 });
    expect(await now(charge)).toMatchObject({ refundedMinor: 11_000, chargebacks: [] });
  });

  it('refunds in parts, never more than the charge', async () => {
    const charge = await chargeNumber(testCards.pays);
    const refund = (amountMinor: number) =>
      app.provider.refund({ key: key('refund'), chargeRef: charge.ref, amountMinor });
    expect(await refund(4_000)).toMatchObject({ refundedMinor: 4_000, status: 'succeeded' });
    await expect(refund(7_001)).rejects.toMatchObject({ problem: 'refund_refused' });
    expect(await refund(7_000)).toMatchObject({ refundedMinor: 11_000 });
    for (const bad of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
      await expect(refund(bad)).rejects.toMatchObject({ problem: 'invalid' });
    await chargeRow();
    const failed = await chargeNumber(testCards.declined);
    await expect(
      app.provider.refund({ key: key('refund'), chargeRef: failed.ref, amountMinor: 1 }),
    ).rejects.toMatchObject({ problem: 'refund_refused' });
  });

  it('20 concurrent refunds of a tenth each refund ten', async () => {
    const charge = await chargeNumber(testCards.pays);
    const done = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        app.provider.refund({ key: key('refund'), chargeRef: charge.ref, amountMinor: 1_100 }),
      ),
    );
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await now(charge)).refundedMinor).toBe(11_000);
    await chargeRow();
  });

  it('cancels before success and returns the state afterwards', async () => {
    const stop = (charge: ChargeState) => app.provider.cancelCharge({ key: key('cancel'), ref: charge.ref });
    for (const number of [testCards.late, testCards.confirm]) {
      const charge = await chargeNumber(number);
      expect(await stop(charge)).toMatchObject({ status: 'cancelled', actionUrl: null });
      await forward({ minutes: 5 });
      expect((await now(charge)).status).toBe('cancelled');
    }
    expect(await stop(await chargeNumber(testCards.pays))).toMatchObject({ status: 'succeeded' });
    expect(await stop(await chargeNumber(testCards.declined))).toMatchObject({ status: 'failed' });
    await chargeRow();
  });
});
