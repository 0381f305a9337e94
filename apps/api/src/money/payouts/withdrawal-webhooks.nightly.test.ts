import { describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { auditLedger } from '../ledger/ledger.ts';
import { startReconciliation } from '../provider/reconciliation.ts';
import { testIbans } from '../sandbox/sandbox.fixtures.ts';
import { bookFaults, makeBank, payWorker } from './payouts.fixtures.ts';

const ends = [
  { iban: testIbans.pays, status: 'paid', left: 7_000 },
  { iban: testIbans.closed, status: 'failed', left: 10_000 },
  { iban: testIbans.failsLater, status: 'failed', left: 10_000 },
  { iban: testIbans.returned, status: 'returned', left: 10_000 },
  { iban: testIbans.late, status: 'paid', left: 7_000 },
] as const;

/**
 * With lost, doubled and reordered webhooks, our record still ends in the provider's state, and the books
 * agree.
 */
describe.each([
  'copies=1,lost=0%,spread=0s',
  'copies=5,lost=0%,spread=7200s',
  'copies=2,lost=50%,spread=120s',
  'copies=1,lost=100%,spread=0s',
])('withdrawals with webhooks %s', (plan) => {
  const app = useTestApp({ SANDBOX_WEBHOOKS: plan, PAYOUT_METHOD_HOLD_DAYS: '0' });

  it("end in the provider's state", async () => {
    app.clock.set('2026-11-24T09:00:00Z');
    await startReconciliation(app.db);
    const scope = app.scopeOf({ accountId: crypto.randomUUID() });
    const workers: { worker: Person; id: string; end: (typeof ends)[number] }[] = [];
    for (const end of ends)
      for (const speed of ['standard', 'instant'] as const) {
        const worker = await app.person();
        const { id: methodId } = await makeBank(app.db, app.scopeOf(worker), end.iban);
        await payWorker(app.db, app.scopeOf(worker), worker.accountId, 10_000, { atOnce: true });
        const { id } = await worker.api.payouts.withdraw({ methodId, amountMinor: 3_000, speed });
        workers.push({ worker, id, end });
      }
    for (let halfDays = 0; halfDays < 11; halfDays += 1) {
      app.clock.forward({ hours: 12 });
      await app.runDue();
      expect((await auditLedger(app.db, scope)).findings).toEqual([]);
    }
    expect(await bookFaults(app.db, scope)).toEqual([]);
    for (const { worker, id, end } of workers) {
      expect(await worker.api.payouts.withdrawal({ withdrawalId: id })).toMatchObject({ status: end.status });
      const { balances } = await worker.api.payouts.balance({});
      expect(balances).toMatchObject([{ availableMinor: end.left, reservedMinor: 0 }]);
      const topics = (await worker.api.notifications.list({})).items.map(({ topic }) => topic);
      expect(topics.filter((topic) => topic === `withdrawal-${end.status}`)).toHaveLength(1);
    }
  });
});
