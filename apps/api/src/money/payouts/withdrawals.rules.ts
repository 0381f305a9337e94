import type { WithdrawalStatus } from '@nearhand/contract/money/payouts';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';

export type WithdrawalMoveName =
  | 'review'
  | 'release'
  | 'refuse'
  | 'cancel'
  | 'send'
  | 'accept'
  | 'pay'
  | 'fail'
  | 'return';

/**
 * The states of a withdrawal (product.md, States: Withdrawal). One to another's bank account is reviewed (ADR
 * 77).
 */
export const withdrawalMoves: readonly Move<WithdrawalStatus, WithdrawalMoveName>[] = [
  ['requested', 'cancel', 'worker', 'cancelled'],
  ['requested', 'send', 'timer', 'processing'],
  ['requested', 'review', 'timer', 'in_review'],

  ['in_review', 'cancel', 'worker', 'cancelled'],
  ['in_review', 'release', 'operator', 'processing'],
  ['in_review', 'refuse', 'operator', 'refused'],

  ['processing', 'accept', 'timer', 'in_transit'],
  ['processing', 'pay', 'timer', 'paid'],
  ['processing', 'fail', 'timer', 'failed'],

  ['in_transit', 'pay', 'timer', 'paid'],
  ['in_transit', 'fail', 'timer', 'failed'],

  ['paid', 'return', 'timer', 'returned'],
];

/**
 * Returns the status after a move of the state table (payments.md), or null where that mover may not make
 * it.
 */
export const nextWithdrawalStatus = (
  from: WithdrawalStatus,
  action: WithdrawalMoveName,
  mover: Mover,
): WithdrawalStatus | null => nextState(withdrawalMoves, from, action, mover);

/** Statuses outside the daily limit, so that a mistake can be corrected. */
export const uncounted: readonly WithdrawalStatus[] = ['cancelled', 'failed', 'refused'];

type ProviderStatus = 'processing' | 'in_transit' | 'paid' | 'failed' | 'returned';

/** The moves from our state to the provider's, in order. A returned payout was paid first. */
export function movesTowards(
  status: WithdrawalStatus,
  provider: ProviderStatus,
): Extract<WithdrawalMoveName, 'accept' | 'pay' | 'fail' | 'return'>[] {
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

/**
 * The worker can cancel until `cancelBy`, which an instant withdrawal lacks, and at any time during a review
 * and while it waits for their account at the provider.
 */
export const canCancel = (
  { status, cancelBy, waiting }: { status: WithdrawalStatus; cancelBy: Date | null; waiting: boolean },
  now: Date,
): boolean =>
  status === 'in_review' || (status === 'requested' && (waiting || (cancelBy !== null && now < cancelBy)));
