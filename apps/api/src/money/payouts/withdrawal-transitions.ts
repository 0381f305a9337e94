import type { PaymentFailure } from '@nearhand/contract/money/charges';
import type { WithdrawalStatus } from '@nearhand/contract/money/payouts';
import type { Mover } from '@nearhand/contract/moves';
import type { Updateable } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { Withdrawals } from '../../platform/tables.gen.ts';
import { type LedgerScope, postEntry, reverseEntry } from '../ledger/ledger.ts';
import { insertWithdrawalMove, updateWithdrawal, type WithdrawalRow } from './payouts.sql.ts';
import { nextWithdrawalStatus, type WithdrawalMoveName } from './withdrawals.rules.ts';

/**
 * Makes one move of the state table and logs it; the row must be locked.
 * @throws payout/wrong-state
 */
export async function moveWithdrawal(
  tx: Tx,
  scope: ClockScope,
  row: WithdrawalRow,
  {
    action,
    who,
    changes = {},
  }: {
    action: WithdrawalMoveName;
    who: Mover;
    changes?: Updateable<Withdrawals> & { failure?: PaymentFailure };
  },
): Promise<WithdrawalRow> {
  const to = nextWithdrawalStatus(row.status, action, who);
  if (to === null || to === row.status) throw new AppError('payout/wrong-state', { status: row.status });
  const now = scope.clock.now();
  const values = { ...changes, status: to, updatedAt: now };
  await updateWithdrawal(tx, row.id, values);
  await insertWithdrawalMove(tx, {
    id: newId(now),
    withdrawalId: row.id,
    actor: who === 'worker' ? row.accountId : who,
    action,
    fromStatus: row.status,
    toStatus: to,
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

/** Returns reserved money to the available balance. */
export async function unreserveMoney(tx: Tx, scope: LedgerScope, row: WithdrawalRow): Promise<void> {
  await reverseEntry(tx, scope, {
    key: `unreserve/${row.id}`,
    entryId: row.reserveEntry,
    kind: 'unreserve',
  });
}

/** Posts a paid withdrawal: the payout from the provider's account, the fee to the platform. */
export async function postPaid(tx: Tx, scope: LedgerScope, row: WithdrawalRow): Promise<string> {
  const fee = { account: { kind: 'platform_fees' }, amountMinor: row.feeMinor } as const;
  const { entryId } = await postEntry(tx, scope, {
    key: `paid/${row.id}`,
    kind: 'paid_out',
    currency: row.currency,
    about: row.id,
    lines: [
      { account: { kind: 'worker_reserved', ownerId: row.accountId }, amountMinor: -row.amountMinor },
      { account: { kind: 'provider_clearing' }, amountMinor: row.amountMinor - row.feeMinor },
      ...(row.feeMinor > 0 ? [fee] : []),
    ],
  });
  return entryId;
}

/** Posts a returned payout; the fee is available again too. */
export async function postReturned(tx: Tx, scope: LedgerScope, row: WithdrawalRow): Promise<void> {
  if (row.paidEntry === null) throw new Error(`withdrawal ${row.id} returned and was never paid`);
  await reverseEntry(tx, scope, {
    key: `returned/${row.id}`,
    entryId: row.paidEntry,
    kind: 'payout_returned',
  });
  await unreserveMoney(tx, scope, row);
}

export const sendWithdrawalTask = { name: 'payouts.send', payload: z.object({ withdrawalId: z.uuid() }) };
export const sendKey = (withdrawalId: string): string => `payouts.send/${withdrawalId}`;
