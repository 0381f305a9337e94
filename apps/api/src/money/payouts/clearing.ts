import type { Currency } from '@nearhand/contract/currencies';
import { addMs, dayMs } from '@nearhand/contract/durations';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope, ClockScope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Clearings } from '../../platform/tables.gen.ts';
import { cancelTask, defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { findEntryByKey, type LedgerScope, postEntry, reverseEntry } from '../ledger/ledger.ts';
import { findPayoutIdentity } from './identities.ts';

/** The worker's account that pay goes to, and when it becomes available if not right away. */
export type Credit = { account: 'worker_available' | 'worker_pending'; clearsAt: Date | null };

/**
 * Pay clears at once with a verified identity, otherwise after CLEARING_DAYS. The caller also calls
 * `scheduleClearing` in the same tx.
 */
export async function creditOf(db: Db, scope: ClockConfigScope, workerId: string): Promise<Credit> {
  const days = scope.config.CLEARING_DAYS;
  if (days === 0 || (await findPayoutIdentity(db, workerId))?.status === 'verified')
    return { account: 'worker_available', clearsAt: null };
  return { account: 'worker_pending', clearsAt: addMs(scope.clock.now(), days * dayMs) };
}

/** Makes pay in `worker_pending` available at `clearsAt`; null is a no-op. Minor units. Idempotent by `pay.id`. */
export async function scheduleClearing(
  tx: Tx,
  _scope: ClockScope,
  pay: { id: string; workerId: string; amountMinor: number; currency: Currency; clearsAt: Date | null },
): Promise<void> {
  if (pay.clearsAt === null) return;
  await insertClearing(tx, {
    id: pay.id,
    accountId: pay.workerId,
    amountMinor: pay.amountMinor,
    currency: pay.currency,
    clearsAt: pay.clearsAt,
  });
  await enqueue(tx, clearPayTask, { clearingId: pay.id }, { runAt: pay.clearsAt, key: clearKey(pay.id) });
}

/**
 * Undoes clearing before pay is reversed.
 * @throws LedgerShortError if the worker has spent it
 */
export async function undoClearing(tx: Tx, scope: LedgerScope, payId: string): Promise<void> {
  const row = await lockClearing(tx, payId);
  if (!row) return;
  if (row.clearedAt === null) {
    await cancelTask(tx, clearKey(payId));
    return deleteClearing(tx, row);
  }
  const entryId = await findEntryByKey(tx, `clear/${payId}`);
  if (entryId) await reverseEntry(tx, scope, { key: `clear-undone/${payId}`, entryId });
}

/** Makes cleared pay available, and says so once a day. Idempotent; reschedules itself if it runs early. */
export async function clearPay(scope: TaskScope, clearingId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockClearing(tx, clearingId);
    if (!row || row.clearedAt !== null) return;
    const now = scope.clock.now();
    if (now < row.clearsAt)
      return enqueue(tx, clearPayTask, { clearingId }, { runAt: row.clearsAt, key: clearKey(clearingId) });
    const ownerId = row.accountId;
    await postEntry(tx, scope, {
      key: `clear/${row.id}`,
      kind: 'clear',
      currency: row.currency,
      about: row.id,
      lines: [
        { account: { kind: 'worker_pending', ownerId }, amountMinor: -row.amountMinor },
        { account: { kind: 'worker_available', ownerId }, amountMinor: row.amountMinor },
      ],
    });
    await markCleared(tx, row.id, now);
    await notify(tx, scope, {
      accountId: ownerId,
      topic: 'money-cleared',
      data: {
        amountMinor: row.amountMinor,
        currency: row.currency,
        moreMinor: await clearingLaterThatDay(tx, row),
      },
      path: '/withdraw',
      // One shift can be paid in parts, with a tip: the first to clear on a day announces the others.
      dedupeKey: `money-cleared/${row.currency}/${row.clearsAt.toISOString().slice(0, 10)}`,
    });
  });
}

type ClearingRow = Selectable<Clearings>;

async function insertClearing(tx: Tx, row: Insertable<Clearings>): Promise<void> {
  await tx
    .insertInto('clearings')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  emitRecord(tx, 'balance', { id: row.accountId, workerId: row.accountId });
}

async function lockClearing(tx: Tx, clearingId: string): Promise<ClearingRow | undefined> {
  const { rows } =
    await sql<ClearingRow>`select * from clearings where id = ${clearingId} for update`.execute(tx);
  return rows[0];
}

async function markCleared(tx: Tx, clearingId: string, at: Date): Promise<void> {
  await tx.updateTable('clearings').set({ clearedAt: at }).where('id', '=', clearingId).execute();
}

/** The amount that clears after this one on the same UTC day, in minor units. */
async function clearingLaterThatDay(tx: Tx, row: ClearingRow): Promise<number> {
  const { rows } = await sql<{ sumMinor: number }>`
    select coalesce(sum(amount_minor), 0)::bigint as sum_minor from clearings
    where account_id = ${row.accountId} and currency = ${row.currency} and cleared_at is null
      and (clears_at at time zone 'UTC')::date = (${row.clearsAt}::timestamptz at time zone 'UTC')::date`.execute(
    tx,
  );
  return rows[0]?.sumMinor ?? 0;
}

async function deleteClearing(tx: Tx, { id, accountId }: ClearingRow): Promise<void> {
  await tx.deleteFrom('clearings').where('id', '=', id).execute();
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

/** Earnings whose clearing task was lost, as a keyset page. */
export async function listOverdue(
  db: Db,
  before: Date,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from clearings where cleared_at is null and clears_at < ${before}
      and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/**
 * The next amounts to clear per currency and quarter of an hour, by time, in minor units: enough for two whole days in
 * any time zone, since days begin at a quarter of an hour everywhere.
 */
export async function nextClearings(
  db: Db,
  accountId: string,
): Promise<{ currency: Currency; amountMinor: number; clearsAt: Date }[]> {
  const { rows } = await sql<{ currency: Currency; amountMinor: number; clearsAt: Date }>`
    select currency, clears_at, amount_minor from (
      select currency, min(clears_at) as clears_at, sum(amount_minor)::bigint as amount_minor,
        row_number() over (partition by currency order by min(clears_at)) as place
      from clearings where account_id = ${accountId} and cleared_at is null
      group by currency, date_bin('15 minutes', clears_at, timestamptz '2000-01-01 00:00Z')
    ) sums where place <= ${moneyLimits.clearingQuartersMax} order by currency, clears_at`.execute(db);
  return rows;
}

export const clearPayTask = defineTask({
  name: 'payouts.clear',
  payload: z.object({ clearingId: z.uuid() }),
  queue: 'money',
  run: (scope, { clearingId }) => clearPay(scope, clearingId),
});

export const clearKey = (clearingId: string): string => `payouts.clear/${clearingId}`;
