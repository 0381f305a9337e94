import type { Currency } from '@nearhand/contract/currencies';
import { dayMs } from '@nearhand/contract/durations';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.service.ts';
import { findEntryByKey, type LedgerScope, postEntry, reverseEntry } from '../ledger/ledger.service.ts';
import { deleteClearing, insertClearing, lockClearing, markCleared } from './clearings.sql.ts';
import { findIdentity } from './identities.sql.ts';
import { clear, clearKey } from './payouts.timers.ts';

/** Where pay goes if it is paid now: which account of the worker, and when it becomes available if not right away. */
export type Credit = { account: 'worker_available' | 'worker_pending'; clearsAt: Date | null };

/**
 * Pay is available right away to a worker with a verified payout identity, otherwise after CLEARING_DAYS (product.md, Constants). Anything posted to
 * `worker_pending` needs `scheduleClearing` in the same transaction.
 */
export async function creditOf(
  db: Db,
  scope: Pick<Scope, 'clock' | 'config'>,
  workerId: string,
): Promise<Credit> {
  const days = scope.config.CLEARING_DAYS;
  if (days === 0 || (await findIdentity(db, workerId))?.status === 'verified')
    return { account: 'worker_available', clearsAt: null };
  return { account: 'worker_pending', clearsAt: new Date(scope.clock.now().getTime() + days * dayMs) };
}

/**
 * Makes pay that was posted to `worker_pending` available at `clearsAt`; null is a no-op. Minor units. A repeat with the same id is a no-op.
 * @param pay.id of the release or tip /
 */
export async function scheduleClearing(
  tx: Tx,
  _scope: Pick<Scope, 'clock'>,
  pay: { id: string; workerId: string; amountMinor: number; currency: Currency; clearsAt: Date | null },
): Promise<void> {
  if (pay.clearsAt === null) return;
  await insertClearing(tx, {
    id: pay.id,
    account_id: pay.workerId,
    amount_minor: pay.amountMinor,
    currency: pay.currency,
    clears_at: pay.clearsAt,
  });
  await enqueue(tx, clear, { clearingId: pay.id }, { runAt: pay.clearsAt, key: clearKey(pay.id) });
}

/**
 * Before pay is reversed: what has cleared is pending again, and what has not never clears.
 * @param payId of the release or tip
 * @throws LedgerShort when the worker has spent it
 */
export async function undoClearing(tx: Tx, scope: LedgerScope, payId: string): Promise<void> {
  const row = await lockClearing(tx, payId);
  if (!row) return;
  if (row.cleared_at === null) {
    await cancelTask(tx, clearKey(payId));
    return deleteClearing(tx, row);
  }
  const entryId = await findEntryByKey(tx, `clear/${payId}`);
  if (entryId) await reverseEntry(tx, scope, { key: `clear-undone/${payId}`, entryId });
}

/** For the runner: makes cleared pay available. Too early it sets itself again; already done, it is a no-op. */
export async function runClearing(scope: TaskScope, clearingId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockClearing(tx, clearingId);
    if (!row || row.cleared_at !== null) return;
    const now = scope.clock.now();
    if (now < row.clears_at)
      return enqueue(tx, clear, { clearingId }, { runAt: row.clears_at, key: clearKey(clearingId) });
    const ownerId = row.account_id;
    await postEntry(tx, scope, {
      key: `clear/${row.id}`,
      kind: 'clear',
      currency: row.currency,
      about: row.id,
      lines: [
        { account: { kind: 'worker_pending', ownerId }, amountMinor: -row.amount_minor },
        { account: { kind: 'worker_available', ownerId }, amountMinor: row.amount_minor },
      ],
    });
    await markCleared(tx, row.id, now);
    await notify(tx, scope, {
      accountId: ownerId,
      topic: 'money-cleared',
      data: { amountMinor: row.amount_minor, currency: row.currency },
      path: '/withdraw',
      dedupeKey: `money-cleared/${row.id}`,
    });
  });
}
