import { caseKindTable } from '@nearhand/contract/case-kinds';
import { hourMs } from '@nearhand/contract/durations';
import type { Withdrawal } from '@nearhand/contract/money/payouts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findWithdrawal, listWithdrawals, type WithdrawalView } from './withdrawal-transitions.ts';
import { canCancel } from './withdrawals.rules.ts';

/** The caller's withdrawals, newest first. @throws request/bad-cursor */
export async function myWithdrawals(
  db: Db,
  scope: Scope,
  input: { cursor?: string | undefined; limit: number },
): Promise<{ items: Withdrawal[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await listWithdrawals(db, scope.actor.accountId, after, input.limit + 1);
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.requestedAt.toISOString(), row.id]);
  return { items: items.map((row) => notified(row, scope)), nextCursor };
}

/** One of the caller's withdrawals. @throws payout/not-found, for another's too */
export async function getWithdrawal(
  db: Db,
  scope: Scope,
  input: { withdrawalId: string },
): Promise<Withdrawal> {
  const row = await findWithdrawal(db, scope.actor.accountId, input.withdrawalId);
  if (!row) throw new AppError('payout/not-found');
  return notified(row, scope);
}

/** By when an operator usually decides about a withdrawal in review. */
export const reviewBy = (requestedAt: Date): Date =>
  new Date(requestedAt.getTime() + caseKindTable.payout_held.hours * hourMs);

const notified = (row: WithdrawalView, { clock }: Pick<Scope, 'clock'>): Withdrawal => ({
  ...row,
  getsMinor: row.amountMinor - row.feeMinor,
  method: { id: row.methodId, bankName: row.bankName, last4: row.last4, holderName: row.holderName },
  requestedAt: row.requestedAt.toISOString(),
  cancelBy: row.status === 'requested' ? (row.cancelBy?.toISOString() ?? null) : null,
  reviewBy: row.status === 'in_review' ? reviewBy(row.requestedAt).toISOString() : null,
  steps: row.steps.map((step) => ({ ...step, at: new Date(step.at).toISOString() })),
  actions: canCancel(row.status, row.cancelBy, clock.now()) ? ['cancel'] : [],
});
