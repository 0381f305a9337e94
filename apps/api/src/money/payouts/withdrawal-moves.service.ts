import type { PaymentFailure } from '@nearhand/contract/money/charges';
import type { WithdrawalStatus } from '@nearhand/contract/money/payouts';
import type { Mover } from '@nearhand/contract/moves';
import type { Updateable } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Withdrawals } from '../../platform/tables.gen.ts';
import { type LedgerScope, postEntry, reverseEntry } from '../ledger/ledger.service.ts';
import { nextWithdrawalStatus, type WithdrawalMoveName } from './withdrawals.rules.ts';
import { insertMove, updateWithdrawal, type WithdrawalRow } from './withdrawals.sql.ts';

/** Makes one move of the state table in the caller's transaction and logs it; the row must be locked. Returns the updated row. @throws payout/wrong-state / */
export async function moveWithdrawal(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: WithdrawalRow,
  action: WithdrawalMoveName,
  who: Mover,
  changes: Updateable<Withdrawals> & { failure?: PaymentFailure } = {},
): Promise<WithdrawalRow> {
  const to = nextWithdrawalStatus(row.status, action, who);
  if (to === null || to === row.status) throw new AppError('payout/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const written = { ...changes, status: to, updated_at: now };
  await updateWithdrawal(tx, row.id, written);
  await insertMove(tx, {
    id: newId(now),
    withdrawal_id: row.id,
    actor: who === 'W' ? row.account_id : who === 'O' ? 'operator' : 'timer',
    action,
    from_status: row.status,
    to_status: to,
    failure: changes.failure ?? null,
    at: now,
  });
  return {
    ...row,
    ...changes,
    status: to satisfies WithdrawalStatus,
    version: row.version + 1,
  } as WithdrawalRow;
}

/** Returns the reserved money to the available balance. */
export async function unreserve(tx: Tx, scope: LedgerScope, row: WithdrawalRow): Promise<void> {
  await reverseEntry(tx, scope, {
    key: `unreserve/${row.id}`,
    entryId: row.reserve_entry,
    kind: 'unreserve',
  });
}

/** The reserved money left: the payout from the provider's account, the fee to the platform. */
export async function postPaid(tx: Tx, scope: LedgerScope, row: WithdrawalRow): Promise<string> {
  const fee = { account: { kind: 'platform_fees' }, amountMinor: row.fee_minor } as const;
  const { entryId } = await postEntry(tx, scope, {
    key: `paid/${row.id}`,
    kind: 'paid_out',
    currency: row.currency,
    about: row.id,
    lines: [
      { account: { kind: 'worker_reserved', ownerId: row.account_id }, amountMinor: -row.amount_minor },
      { account: { kind: 'provider_clearing' }, amountMinor: row.amount_minor - row.fee_minor },
      ...(row.fee_minor > 0 ? [fee] : []),
    ],
  });
  return entryId;
}

/** The bank returned it: all of it, including the fee, is available again. */
export async function postReturned(tx: Tx, scope: LedgerScope, row: WithdrawalRow): Promise<void> {
  if (row.paid_entry === null) throw new Error(`withdrawal ${row.id} returned and was never paid`);
  await reverseEntry(tx, scope, {
    key: `returned/${row.id}`,
    entryId: row.paid_entry,
    kind: 'payout_returned',
  });
  await unreserve(tx, scope, row);
}
