import { dayMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { logFailure, repairEach } from '../../platform/tasks/repair.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { clearPay, listOverdue } from './clearing.ts';
import { applyIdentity, listPending } from './identities.ts';
import { listWatched, remindOfAccounts } from './payout-accounts.ts';
import { listOpenWithdrawals, listPaid } from './payouts.sql.ts';
import { applyState } from './withdrawal-lifecycle.ts';
import { sendKey, sendWithdrawalTask } from './withdrawal-transitions.ts';

const quietMs = 2 * minuteMs;

/** Checks every open payout and identity quiet for two minutes, reminds of accounts, and clears overdue pay. */
export async function reconcilePayouts(scope: TaskScope): Promise<void> {
  const before = subtractMs(scope.clock.now(), quietMs);
  await repairEach(
    scope,
    'withdrawal',
    (after, limit) => listOpenWithdrawals(scope.db, before, after, limit),
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
  const now = scope.clock.now();
  await repairEach(
    scope,
    'payout account',
    (after, limit) => listWatched(scope.db, now, after, limit),
    (accountId) => accountId,
    (accountId) => applyIdentity(scope, accountId),
  );
  await logFailure(scope, 'reminders of payout accounts', () => remindOfAccounts(scope));
  await repairEach(
    scope,
    'clearing',
    (after, limit) => listOverdue(scope.db, before, after, limit),
    (clearingId) => clearingId,
    (clearingId) => clearPay(scope, clearingId),
  );
}

/** Banks return a payout within a few working days. */
const returnedMs = 14 * dayMs;

/** Rechecks recent payouts, because Stripe reports a returned one only by webhook, which may be lost. */
export async function findReturned(scope: TaskScope): Promise<void> {
  const since = subtractMs(scope.clock.now(), returnedMs);
  await repairEach(
    scope,
    'paid withdrawal',
    (after, limit) => listPaid(scope.db, since, after, limit),
    ({ id }) => id,
    async ({ id, providerRef }) => {
      const state = await scope.provider.syncPayout(providerRef);
      if (state) await applyState(scope, id, state);
    },
  );
}

type Unsettled = Awaited<ReturnType<typeof listOpenWithdrawals>>[number];

async function reconcileWithdrawal(scope: TaskScope, { id, status, providerRef }: Unsettled): Promise<void> {
  const state =
    status === 'requested'
      ? null
      : await (providerRef === null
          ? scope.provider.syncPayoutByKey(id)
          : scope.provider.syncPayout(providerRef));
  if (state) return applyState(scope, id, state);
  if (providerRef === null)
    await scope.db
      .transaction()
      .execute((tx) => enqueue(tx, sendWithdrawalTask, { withdrawalId: id }, { key: sendKey(id) }));
}
