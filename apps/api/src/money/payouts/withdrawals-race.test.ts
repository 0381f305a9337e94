import { describe, expect, it } from 'vitest';
import { failure, useTestApp } from '../../../test/harness.ts';
import { bookFaults, makeBank, payWorker } from './payouts.fixtures.ts';

const app = useTestApp({ WITHDRAWALS_PER_DAY: '100', PAYOUT_METHOD_HOLD_DAYS: '0' });

/** How many of 50 concurrent withdrawals of 30.00 succeed from 100.00; the experiment `withdrawals` is the long form. */
describe('50 withdrawals of 30.00 at once from 100.00', () => {
  it.each([1, 2, 3])('succeed exactly three times (%i)', async () => {
    const worker = await app.person();
    const scope = app.scopeOf(worker.accountId);
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

  it('respect the daily limit, too', async () => {
    const worker = await app.person();
    const scope = app.scopeOf(worker.accountId);
    const { id: methodId } = await makeBank(app.db, scope);
    await payWorker(app.db, scope, worker.accountId, 100_000, { atOnce: true });
    const request = { methodId, amountMinor: 500, speed: 'standard' } as const;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 110 }, () => worker.api.payouts.withdraw(request)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(100);
  });
});
