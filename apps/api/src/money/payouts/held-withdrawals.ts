import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { payeeNamesOf } from '../payees/payees.ts';
import { arrivalDay } from './payouts.rules.ts';
import { acceptHolder, lockWithdrawal, type WithdrawalRow } from './payouts.sql.ts';
import { moveWithdrawal, sendKey, sendWithdrawalTask, unreserveMoney } from './withdrawal-transitions.ts';

/**
 * Locks a withdrawal that is or was in review. The caller checks access.
 * @throws payout/not-found
 */
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
  const released = await moveWithdrawal(tx, scope, row, {
    action: 'release',
    who: 'operator',
    changes: { arrivesOn },
  });
  await acceptPayee(tx, row);
  await enqueue(tx, sendWithdrawalTask, { withdrawalId: row.id }, { key: sendKey(row.id) });
  return released;
}

/** Returns a locked withdrawal in review to its balance. The caller sends the statement of reasons. */
export async function refuseHeld(tx: Tx, scope: Scope, row: WithdrawalRow, reason: string): Promise<void> {
  await unreserveMoney(tx, scope, row);
  await moveWithdrawal(tx, scope, row, {
    action: 'refuse',
    who: 'operator',
    changes: { refusedBecause: reason },
  });
}

/** Accepts a bank account for its worker's verified name, including when an appeal reverses the refusal. */
export async function acceptPayee(
  tx: Tx,
  { accountId, methodId }: { accountId: string; methodId: string },
): Promise<void> {
  const [name] = (await payeeNamesOf(tx, accountId)).verified;
  if (name) await acceptHolder(tx, methodId, name.name);
}
