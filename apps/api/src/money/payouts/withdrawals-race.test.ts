import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { bookFaults, makeBank, payWorker } from './payouts.fixtures.ts';

const app = useTestApp({ WITHDRAWALS_PER_DAY: '100', PAYOUT_METHOD_HOLD_DAYS: '0' });

/** A short form of the experiment `withdrawals`. */
describe('50 withdrawals of 30.00 at once from 100.00', () => {
  it.each([1, 2, 3])('succeed exactly three times (%i)', async () => {
    const worker = await app.person();
    const scope = app.scopeOf(worker);
    const { id: methodId } = await makeBank(app.db, scope);
    await payWorker(app.db, scope, worker.accountId, 10_000, { atOnce: true });
    const request = { methodId, amountMinor: 3_000, speed: 'standard' } as const;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () =>
        worker.api.payouts.withdraw(request).then(
          () => 'reserved',
          async (error) => (await failure(Promise.reject(error))).code,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'reserved')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'payout/balance-short')).toHaveLength(47);
    const { balances } = await worker.api.payouts.balance({});
    expect(balances).toMatchObject([{ availableMinor: 1_000, reservedMinor: 9_000 }]);
    expect((await worker.api.payouts.withdrawals({})).items).toHaveLength(3);
    expect(await bookFaults(app.db, scope)).toEqual([]);
  });

  it('respect the daily limit too', async () => {
    const worker = await app.person();
    const scope = app.scopeOf(worker);
    const { id: methodId } = await makeBank(app.db, scope);
    await payWorker(app.db, scope, worker.accountId, 100_000, { atOnce: true });
    const request = { methodId, amountMinor: 500, speed: 'standard' } as const;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 110 }, () => worker.api.payouts.withdraw(request)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  });
});

describe('a withdrawal cancelled many times at once', () => {
  it('is cancelled once, in any order of calls', async () => {
    const worker = await app.person();
    const scope = app.scopeOf(worker);
    const { id: methodId } = await makeBank(app.db, scope);
    await payWorker(app.db, scope, worker.accountId, 10_000, { atOnce: true });
    const request = { methodId, amountMinor: 10_000, speed: 'standard' } as const;
    const { id: withdrawalId } = await worker.api.payouts.withdraw(request);
    const cancels = Array.from({ length: 25 }, () =>
      worker.api.payouts.cancel({ withdrawalId, version: 1 }).then(({ status }) => status as string),
    );
    const again = Array.from({ length: 25 }, () =>
      worker.api.payouts.withdraw(request).then(
        () => 'reserved',
        async (error) => (await failure(Promise.reject(error))).code,
      ),
    );
    const outcomes = Object.groupBy(await Promise.all([...cancels, ...again]), (outcome) => outcome);
    expect(outcomes.cancelled).toHaveLength(25);
    expect(outcomes.reserved?.length ?? 0).toBeLessThanOrEqual(1);
    expect(outcomes['payout/balance-short']).toHaveLength(25 - (outcomes.reserved?.length ?? 0));
    const moves = await app.db
      .selectFrom('withdrawal_moves')
      .select('action')
      .where('withdrawalId', '=', withdrawalId)
      .where('action', '=', 'cancel')
      .execute();
    expect(moves).toHaveLength(1);
    const { balances } = await worker.api.payouts.balance({});
    const [balance] = balances;
    expect([balance?.availableMinor, balance?.reservedMinor]).toEqual(
      outcomes.reserved ? [0, 10_000] : [10_000, 0],
    );
    expect(await bookFaults(app.db, scope)).toEqual([]);
  });
});
