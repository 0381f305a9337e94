import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import type { WithdrawalStatus } from '@nearhand/contract/payouts';

export type WithdrawalMoveName = 'cancel' | 'send' | 'accept' | 'pay' | 'fail' | 'return';

/**
 * The states of a withdrawal (product.md, States: Withdrawal). Asking has no row: it makes the record. The timer sends it; the rest is what the provider says. It
 * only ever moves on: no row leads back, and what is cancelled, failed or returned is over.
 */
export const withdrawalMoves: readonly Move<WithdrawalStatus, WithdrawalMoveName>[] = [
  ['requested', 'cancel', 'W', 'cancelled'],
  ['requested', 'send', 'T', 'processing'],

  ['processing', 'accept', 'T', 'in_transit'],
  ['processing', 'pay', 'T', 'paid'],
  ['processing', 'fail', 'T', 'failed'],

  ['in_transit', 'pay', 'T', 'paid'],
  ['in_transit', 'fail', 'T', 'failed'],

  ['paid', 'return', 'T', 'returned'],
];

export const nextWithdrawalStatus = (
  from: WithdrawalStatus,
  action: WithdrawalMoveName,
  who: Mover,
): WithdrawalStatus | null => nextState(withdrawalMoves, from, action, who);

/** Statuses in which money is set aside for it, so that its bank account is needed still. */
export const underWay: readonly WithdrawalStatus[] = ['requested', 'processing', 'in_transit'];

/** Those that do not count towards the daily limit: nothing left the balance in the end, and the worker or the bank must be able to put a mistake right. */
export const uncounted: readonly WithdrawalStatus[] = ['cancelled', 'failed'];

type ProviderStatus = 'processing' | 'in_transit' | 'paid' | 'failed' | 'returned';

/**
 * The moves that bring our record to where the provider is, in order; none when it is there already or further on. A payout that came back was paid before, also
 * where nobody told us so, and one that failed after it was paid has come back.
 */
export function movesTowards(
  status: WithdrawalStatus,
  provider: ProviderStatus,
): Exclude<WithdrawalMoveName, 'cancel' | 'send'>[] {
  if (status === 'paid') return provider === 'failed' || provider === 'returned' ? ['return'] : [];
  if (status !== 'processing' && status !== 'in_transit') return [];
  switch (provider) {
    case 'processing':
      return [];
    case 'in_transit':
      return status === 'processing' ? ['accept'] : [];
    case 'paid':
      return ['pay'];
    case 'failed':
      return ['fail'];
    case 'returned':
      return ['pay', 'return'];
  }
}

/** Whether its worker can still keep the money: until `cancelBy`, and not when it is sent at once, where that is null. */
export const canCancel = (status: WithdrawalStatus, cancelBy: Date | null, now: Date): boolean =>
  status === 'requested' && cancelBy !== null && now < cancelBy;
