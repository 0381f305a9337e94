import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { payeeNamesOf } from '../payees/payees.service.ts';
import { acceptHolder } from './methods.sql.ts';
import { arrivalDay } from './payouts.rules.ts';
import { send, sendKey } from './payouts.timers.ts';
import { moveWithdrawal, unreserve } from './withdrawal-moves.service.ts';
import { lockWithdrawal, type WithdrawalRow, wasReleased } from './withdrawals.sql.ts';

/** For operators: a withdrawal that is or was in review, locked. The caller checks access. @throws payout/not-found */
export async function lockHeld(tx: Tx, withdrawalId: string): Promise<WithdrawalRow> {
  const row = await lockWithdrawal(tx, withdrawalId);
  if (!row) throw new AppError('payout/not-found');
  return row;
}

/** Whether an operator released a withdrawal before, so that a repeat is a no-op. */
export const wasReleasedBefore: (db: Db, withdrawalId: string) => Promise<boolean> = wasReleased;

/**
 * Sends a locked withdrawal that is in review, as if it had just become due, and accepts its bank account for the verified name. The caller
 * checks who may, and that two do where it takes two.
 */
export async function releaseHeld(tx: Tx, scope: Scope, row: WithdrawalRow): Promise<WithdrawalRow> {
  const arrives_on = arrivalDay(row.speed, scope.clock.now());
  const released = await moveWithdrawal(tx, scope, row, 'release', 'O', { arrives_on });
  await acceptPayee(tx, row);
  await enqueue(tx, send, { withdrawalId: row.id }, { key: sendKey(row.id) });
  return released;
}

/** Returns the money of a locked withdrawal in review to its balance, with the reason. The caller sends the statement of reasons. */
export async function refuseHeld(tx: Tx, scope: Scope, row: WithdrawalRow, reason: string): Promise<void> {
  await unreserve(tx, scope, row);
  await moveWithdrawal(tx, scope, row, 'refuse', 'O', { refused_because: reason });
}

/** Accepts the bank account of a withdrawal for its worker's verified name; also once an appeal reversed the refusal. */
export async function acceptPayee(
  tx: Tx,
  { account_id, method_id }: { account_id: string; method_id: string },
): Promise<void> {
  const [name] = (await payeeNamesOf(tx, account_id)).verified;
  if (name) await acceptHolder(tx, method_id, name.name);
}
