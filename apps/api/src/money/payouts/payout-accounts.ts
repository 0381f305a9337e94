import { addMs, dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { PayoutAccount, PayoutNeed } from '@nearhand/contract/money/payouts';
import type { VariantOf } from '@nearhand/contract/talk/topics/notice-facts';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import type { PayeeAccount } from '../../platform/payment-provider.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { logFailure } from '../../platform/tasks/repair.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import { accountStatus, reminderDays } from './payouts.rules.ts';
import type { IdentityRow } from './payouts.sql.ts';
import { sendKey, sendWithdrawalTask } from './withdrawal-transitions.ts';

/** The caller's account at the provider, as screens show it; null where the provider keeps none. */
export function toPayoutAccount(
  scope: Pick<Scope, 'provider'>,
  row: IdentityRow | undefined,
): PayoutAccount | null {
  if (!scope.provider.pages) return null;
  return {
    status: row?.accountStatus ?? 'none',
    needs: (row?.accountNeeds ?? []) as PayoutNeed[],
    dueBy: row?.accountDueBy?.toISOString() ?? null,
    since: row?.accountSince?.toISOString() ?? null,
  };
}

/**
 * Stores the provider's state of a worker's account, and notifies the worker when payouts stop, resume or
 * end. Sends the withdrawals that were waiting. The identity must be locked.
 */
export async function applyAccount(
  tx: Tx,
  scope: ClockScope,
  row: IdentityRow,
  account: PayeeAccount | null,
): Promise<IdentityRow> {
  if (!account) return row;
  const now = scope.clock.now();
  const status = accountStatus(account, row.status === 'verified');
  const dueBy = account.dueBy === null ? null : new Date(account.dueBy);
  const isOtherDay = dueBy?.getTime() !== row.accountDueBy?.getTime();
  const changes = {
    accountStatus: status,
    accountNeeds: [...account.needs],
    accountDueBy: dueBy,
    accountSince: status === row.accountStatus ? row.accountSince : now,
    accountReminded: isOtherDay ? null : row.accountReminded,
    accountReadAt: now,
  };
  await tx.updateTable('payout_identities').set(changes).where('accountId', '=', row.accountId).execute();
  const isSame =
    status === row.accountStatus && !isOtherDay && changes.accountNeeds.join() === row.accountNeeds.join();
  if (!isSame) emitRecord(tx, 'balance', { id: row.accountId, workerId: row.accountId });
  const next = { ...row, ...changes };
  if (status === row.accountStatus) return next;
  const wasPaused = row.accountStatus === 'restricted';
  const isPaid = status === 'active' || status === 'more_needed';
  if (status === 'restricted') await notifyOfAccount(tx, scope, next, 'paused');
  if (status === 'closed') await notifyOfAccount(tx, scope, next, 'closed');
  if (isPaid && wasPaused) await notifyOfAccount(tx, scope, next, 'on');
  // A closed account refuses the waiting withdrawals, and their money returns to the balance.
  if (isPaid || status === 'closed') await sendWaiting(tx, row.accountId);
  return next;
}

const notifyOfAccount = (
  tx: Tx,
  scope: ClockScope,
  row: IdentityRow,
  variant: VariantOf<'payout-account'>,
): Promise<void> =>
  notify(tx, scope, {
    accountId: row.accountId,
    topic: 'payout-account',
    data: { variant, by: variant === 'due' && row.accountDueBy ? row.accountDueBy.toISOString() : undefined },
    path: '/withdraw',
    dedupeKey: `payout-account/${row.accountId}/${variant}/${
      variant === 'due'
        ? `${row.accountDueBy?.toISOString()}/${row.accountReminded}`
        : row.accountSince?.toISOString()
    }`,
  });

async function sendWaiting(tx: Tx, accountId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from withdrawals
    where account_id = ${accountId} and provider_ref is null and status in ('requested', 'processing')
    order by id`.execute(tx);
  for (const { id } of rows)
    await enqueue(tx, sendWithdrawalTask, { withdrawalId: id }, { key: sendKey(id) });
}

/** Reminds workers 14 and 3 days before payouts would stop. One failure does not stop the rest. */
export async function remindOfAccounts(scope: TaskScope): Promise<void> {
  const now = scope.clock.now();
  const soon = addMs(now, 14 * dayMs);
  const { rows } = await sql<{ accountId: string }>`
    select account_id from payout_identities
    where account_status = 'more_needed' and account_due_by > ${now} and account_due_by <= ${soon}
      and account_reminded is distinct from 3
    order by account_id limit 1000`.execute(scope.db);
  for (const { accountId } of rows)
    await logFailure(scope, `payout account ${accountId}`, () => remindOfAccount(scope, accountId));
}

async function remindOfAccount(scope: TaskScope, accountId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const { rows } = await sql<IdentityRow>`
      select * from payout_identities where account_id = ${accountId} for update`.execute(tx);
    const row = rows[0];
    if (row?.accountStatus !== 'more_needed' || row.accountDueBy === null) return;
    const days = reminderDays(row.accountDueBy, scope.clock.now());
    if (days === null || row.accountReminded === days || row.accountReminded === 3) return;
    await tx
      .updateTable('payout_identities')
      .set({ accountReminded: days })
      .where('accountId', '=', accountId)
      .execute();
    await notifyOfAccount(tx, scope, { ...row, accountReminded: days }, 'due');
  });
}

const readAgainMs = hourMs;

/** Accounts that pay nothing or soon will, in case the provider's news about them was lost. */
export async function listWatched(db: Db, now: Date, after: string | null, limit: number): Promise<string[]> {
  const before = subtractMs(now, readAgainMs);
  const { rows } = await sql<{ accountId: string }>`
    select account_id from payout_identities
    where account_status in ('more_needed', 'restricted') and account_read_at < ${before}
      and (${after}::uuid is null or account_id > ${after}::uuid)
    order by account_id limit ${limit}`.execute(db);
  return rows.map((row) => row.accountId);
}
