import type { Currency } from '@nearhand/contract/currencies';
import { type Insertable, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { PayoutMethods } from '../../platform/tables.gen.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { payeeNamesOf } from '../payees/payees.ts';
import { arrivalDay } from './payouts.rules.ts';
import { lockWithdrawal, moveWithdrawal, unreserve, type WithdrawalRow } from './withdrawal-transitions.ts';

/** Locks a withdrawal that is or was in review. The caller checks access. @throws payout/not-found */
export async function lockHeld(tx: Tx, withdrawalId: string): Promise<WithdrawalRow> {
  const row = await lockWithdrawal(tx, withdrawalId);
  if (!row) throw new AppError('payout/not-found');
  return row;
}

/** The operator who entered a removed account's bank details (`payFormer`); null for a worker's own withdrawal. */
export async function bankEnteredBy(
  db: Db,
  withdrawalId: string,
): Promise<{ id: string; name: string } | null> {
  const { rows } = await sql<{ id: string; name: string }>`
    select account.id, account.name from withdrawal_moves move
    join withdrawals withdrawal on withdrawal.id = move.withdrawal_id
    join accounts account on account.id::text = move.actor
    where move.withdrawal_id = ${withdrawalId} and move.action = 'request' and account.id <> withdrawal.account_id`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Sends a locked withdrawal in review. The caller checks access and the second approval. */
export async function releaseHeld(tx: Tx, scope: Scope, row: WithdrawalRow): Promise<WithdrawalRow> {
  const arrivesOn = arrivalDay(row.speed, scope.clock.now());
  const released = await moveWithdrawal(tx, scope, row, 'release', 'O', { arrivesOn });
  await acceptPayee(tx, row);
  await enqueue(tx, send, { withdrawalId: row.id }, { key: sendKey(row.id) });
  return released;
}

/** Returns a locked withdrawal in review to its balance. The caller sends the statement of reasons. */
export async function refuseHeld(tx: Tx, scope: Scope, row: WithdrawalRow, reason: string): Promise<void> {
  await unreserve(tx, scope, row);
  await moveWithdrawal(tx, scope, row, 'refuse', 'O', { refusedBecause: reason });
}

/** Accepts a bank account for its worker's verified name; also when an appeal reverses the refusal. */
export async function acceptPayee(
  tx: Tx,
  { accountId, methodId }: { accountId: string; methodId: string },
): Promise<void> {
  const [name] = (await payeeNamesOf(tx, accountId)).verified;
  if (name) await acceptHolder(tx, methodId, name.name);
}

export const clear = { name: 'payouts.clear', payload: z.object({ clearingId: z.uuid() }) };
export const send = { name: 'payouts.send', payload: z.object({ withdrawalId: z.uuid() }) };

export const clearKey = (clearingId: string): string => `payouts.clear/${clearingId}`;
export const sendKey = (withdrawalId: string): string => `payouts.send/${withdrawalId}`;

export type MethodRow = Omit<Selectable<PayoutMethods>, 'currency'> & { currency: Currency };

/** Serializes changes to a worker's methods and withdrawals, including the daily count (ADR 77). */
export async function lockWorker(tx: Tx, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx);
}

export async function isRemovedAccount(db: Db, accountId: string): Promise<boolean> {
  const { rows } =
    await sql`select from account_deletions where account_id = ${accountId} and status = 'removed'`.execute(
      db,
    );
  return rows.length > 0;
}

export async function listMethods(db: Db, accountId: string): Promise<MethodRow[]> {
  const { rows } = await sql<MethodRow>`
    select * from payout_methods where account_id = ${accountId} and removed_at is null
    order by is_default desc, added_at, id`.execute(db);
  return rows;
}

export async function findMethod(
  db: Db,
  accountId: string,
  methodId: string,
): Promise<MethodRow | undefined> {
  const { rows } = await sql<MethodRow>`
    select * from payout_methods where id = ${methodId} and account_id = ${accountId}`.execute(db);
  return rows[0];
}

export async function findMethodByRef(db: Db, providerRef: string): Promise<MethodRow | undefined> {
  const { rows } =
    await sql<MethodRow>`select * from payout_methods where provider_ref = ${providerRef}`.execute(db);
  return rows[0];
}

export async function insertMethod(tx: Tx, row: Insertable<PayoutMethods>): Promise<void> {
  await tx.insertInto('payout_methods').values(row).execute();
  emitRecord(tx, 'balance', { id: row.accountId, workerId: row.accountId });
}

export async function setDefault(tx: Tx, accountId: string, methodId: string | null): Promise<void> {
  // Two statements, because the unique index rejects two defaults even within one statement.
  await sql`update payout_methods set is_default = false
    where account_id = ${accountId} and is_default and removed_at is null`.execute(tx);
  if (methodId !== null)
    await sql`update payout_methods set is_default = true where id = ${methodId}`.execute(tx);
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

export async function markMethodRemoved(tx: Tx, methodId: string, at: Date): Promise<void> {
  const { accountId: workerId } = await tx
    .updateTable('payout_methods')
    .set({ removedAt: at, isDefault: false })
    .where('id', '=', methodId)
    .returning('accountId')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: workerId, workerId });
}

export async function forgetMethods(tx: Tx, accountId: string, name: string, at: Date): Promise<void> {
  await sql`update payout_methods set bank_name = '', last4 = '', holder_name = ${name}, is_default = false, accepted_for = null,
      removed_at = coalesce(removed_at, ${at})
    where account_id = ${accountId}`.execute(tx);
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

async function acceptHolder(tx: Tx, methodId: string, name: string): Promise<void> {
  const { accountId: workerId } = await tx
    .updateTable('payout_methods')
    .set({ acceptedFor: name })
    .where('id', '=', methodId)
    .returning('accountId')
    .executeTakeFirstOrThrow();
  emitRecord(tx, 'balance', { id: workerId, workerId });
}
