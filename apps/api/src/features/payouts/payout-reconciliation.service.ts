import { minuteMs } from '@nearhand/contract/durations';
import { enqueue, type TaskScope } from '../../platform/tasks.ts';
import { runClearing } from './clearing.service.ts';
import { listOverdue } from './clearings.sql.ts';
import { applyIdentity } from './identities.service.ts';
import { listPending } from './identities.sql.ts';
import { send, sendKey } from './payouts.timers.ts';
import { applyState } from './withdrawal-states.service.ts';
import { listUnsettled } from './withdrawals.sql.ts';

const quietMs = 2 * minuteMs;
const pageSize = 200;

/**
 * For other slices: asks the provider about every payout and identity of ours that is not over and has been quiet for two minutes, and repairs what a crash or a
 * lost webhook left behind; pay that should have cleared by then is cleared. What came back after it was paid is not among them; the provider's list of events tells that. One that fails stops no other.
 */
export async function reconcilePayouts(scope: TaskScope): Promise<void> {
  const before = new Date(scope.clock.now().getTime() - quietMs);
  await eachPage(
    (after) => listUnsettled(scope.db, before, after, pageSize),
    (row) => row.id,
    (row) => trying(scope, row.id, () => reconcileWithdrawal(scope, row)),
  );
  await eachPage(
    (after) => listPending(scope.db, before, after, pageSize),
    (accountId) => accountId,
    (accountId) => trying(scope, accountId, () => applyIdentity(scope, accountId)),
  );
  // A task gives up after some days of failing; pay must not wait for ever because of it.
  await eachPage(
    (after) => listOverdue(scope.db, before, after, pageSize),
    (clearingId) => clearingId,
    (clearingId) => trying(scope, clearingId, () => runClearing(scope, clearingId)),
  );
}

type Unsettled = Awaited<ReturnType<typeof listUnsettled>>[number];

async function reconcileWithdrawal(scope: TaskScope, { id, status, provider_ref }: Unsettled): Promise<void> {
  const state =
    status === 'requested'
      ? null
      : await (provider_ref === null
          ? scope.provider.findPayout(id)
          : scope.provider.getPayout(provider_ref));
  if (state) return applyState(scope, id, state);
  // The provider knows nothing of it: the task was lost or gave up. Sent again under the same key it is paid once, and too early it waits.
  if (provider_ref === null)
    await scope.db
      .transaction()
      .execute((tx) => enqueue(tx, send, { withdrawalId: id }, { key: sendKey(id) }));
}

async function eachPage<Row>(
  page: (after: string | null) => Promise<Row[]>,
  idOf: (row: Row) => string,
  work: (row: Row) => Promise<void>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const rows: Row[] = await page(after);
    for (const row of rows) await work(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageSize) return;
    after = idOf(last);
  }
}

async function trying(scope: TaskScope, id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    scope.log.error({ err: error, id }, 'reconciling a payout failed');
  }
}
