import { minuteMs } from '@nearhand/contract/durations';
import { repairEach } from '../../platform/tasks/repair.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { listOverdue, runClearing } from './clearing.ts';
import { send, sendKey } from './held-withdrawals.ts';
import { applyIdentity, listPending } from './identities.ts';
import { applyState } from './withdrawal-states.ts';
import { listUnsettled } from './withdrawal-transitions.ts';

const quietMs = 2 * minuteMs;

/**
 * For reconciliation: asks the provider about every payout and identity that is not over and has been quiet for two minutes, and repairs what a crash or a lost
 * webhook left behind. Overdue pay is cleared. Payouts returned after they were paid are found through the provider's events instead.
 */
export async function reconcilePayouts(scope: TaskScope): Promise<void> {
  const before = new Date(scope.clock.now().getTime() - quietMs);
  await repairEach(
    scope,
    'withdrawal',
    (after, limit) => listUnsettled(scope.db, before, after, limit),
    ({ id }) => id,
    (row) => reconcileWithdrawal(scope, row),
  );
  await repairEach(
    scope,
    'identity',
    (after, limit) => listPending(scope.db, before, after, limit),
    (accountId) => accountId,
    (accountId) => applyIdentity(scope, accountId),
  );
  // A task gives up after failing for days; clear the pay here.
  await repairEach(
    scope,
    'clearing',
    (after, limit) => listOverdue(scope.db, before, after, limit),
    (clearingId) => clearingId,
    (clearingId) => runClearing(scope, clearingId),
  );
}

type Unsettled = Awaited<ReturnType<typeof listUnsettled>>[number];

async function reconcileWithdrawal(scope: TaskScope, { id, status, providerRef }: Unsettled): Promise<void> {
  const state =
    status === 'requested'
      ? null
      : await (providerRef === null ? scope.provider.findPayout(id) : scope.provider.getPayout(providerRef));
  if (state) return applyState(scope, id, state);
  // Unknown to the provider, so its task was lost. The key makes sending it again safe.
  if (providerRef === null)
    await scope.db
      .transaction()
      .execute((tx) => enqueue(tx, send, { withdrawalId: id }, { key: sendKey(id) }));
}
