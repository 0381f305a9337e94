import { shareOfAmount } from '@nearhand/contract/arithmetic';
import type { Funding } from '@nearhand/contract/money/funding';
import type { HoldStatus } from '@nearhand/contract/money/holds';

export type HoldMoveName =
  | 'authorise'
  | 'hold'
  | 'drop'
  | 'expire'
  | 'postpone'
  | 'release'
  | 'finish'
  | 'refund'
  | 'dispute'
  | 'split'
  | 'add'
  | 'take-back'
  | 'giveaway';

/** The states of a hold (product.md, States: Hold). Access is checked on the offer or engagement. */
export const holdMoves: readonly (readonly [from: HoldStatus, action: HoldMoveName, to: HoldStatus])[] = [
  // A balance pays at once; a card pays once the charge succeeds.
  ['created', 'hold', 'held'],
  ['created', 'authorise', 'authorising'],
  ['authorising', 'hold', 'held'],
  ['authorising', 'expire', 'expired'],
  ['authorising', 'drop', 'expired'],
  // A planned hold stays `created` until it is funded, and its card is charged again later (ADR 399).
  ['created', 'drop', 'expired'],
  ['created', 'giveaway', 'created'],
  ['authorising', 'giveaway', 'authorising'],
  ['authorising', 'postpone', 'created'],

  ['held', 'release', 'partly_released'],
  ['held', 'refund', 'refunded'],
  // Its work went to another worker (ADR 385).
  ['held', 'giveaway', 'held'],
  ['partly_released', 'finish', 'released'],

  ['held', 'dispute', 'disputed'],
  ['partly_released', 'dispute', 'disputed'],
  ['disputed', 'finish', 'released'],
  ['disputed', 'split', 'split'],
  ['disputed', 'refund', 'refunded'],

  ['released', 'add', 'partly_released'],
  ['split', 'add', 'partly_released'],
  ['refunded', 'add', 'held'],

  ['held', 'take-back', 'refunded'],
  ['partly_released', 'take-back', 'released'],
  ['disputed', 'take-back', 'disputed'],
];

/** The status after a move, or null if it is illegal. Repeating a completed move is a no-op (product.md, States). */
export function nextHoldStatus(from: HoldStatus, action: HoldMoveName): HoldStatus | null {
  const moves = holdMoves.filter(([, name]) => name === action);
  const move = moves.find(([before]) => before === from);
  const isRepeat = moves.some(([, , to]) => to === from);
  return move?.[2] ?? (isRepeat ? from : null);
}

/** Returns whether a hold still contains money that may be released or refunded. */
export const isOpenHold = (status: HoldStatus): boolean =>
  status === 'held' || status === 'partly_released' || status === 'disputed';

/**
 * Returns whether an unfrozen hold covers all, part or none of the planned, unreleased pay. Minor units, fees
 * included.
 */
export function fundedBy(money: { plannedMinor: number; paidMinor: number; heldMinor: number }): Funding {
  if (money.paidMinor + money.heldMinor >= money.plannedMinor) return 'funded';
  return money.heldMinor > 0 ? 'partly_funded' : 'not_funded';
}

/** The move that ends a settled hold. `paid`: some of it was released; `back`: some of it was returned. */
export function endOfHold(
  status: HoldStatus,
  { paid, back }: { paid: boolean; back: boolean },
): 'finish' | 'refund' | 'split' | null {
  if (!isOpenHold(status)) return null;
  if (!paid) return status === 'partly_released' ? 'finish' : 'refund';
  return status === 'disputed' && back ? 'split' : 'finish';
}

export type Fees = { businessFeeBasisPoints: number; workerFeeBasisPoints: number };

/** The fee of all pay so far less the fee of earlier pay, so that parts add up to the whole (ADR 74). Minor units. */
export const feesOfRelease = (beforeMinor: number, payMinor: number, fees: Fees) => ({
  feeMinor:
    shareOfAmount(beforeMinor + payMinor, fees.businessFeeBasisPoints) -
    shareOfAmount(beforeMinor, fees.businessFeeBasisPoints),
  workerFeeMinor:
    shareOfAmount(beforeMinor + payMinor, fees.workerFeeBasisPoints) -
    shareOfAmount(beforeMinor, fees.workerFeeBasisPoints),
});

/** The amount that leaves the hold: pay plus the business's fee on it. Minor units. */
export const costOfRelease = (beforeMinor: number, payMinor: number, fees: Fees): number =>
  payMinor + feesOfRelease(beforeMinor, payMinor, fees).feeMinor;

/** The largest pay, up to `payMinor`, whose cost an amount covers. */
export function payCovered(amountMinor: number, beforeMinor: number, payMinor: number, fees: Fees): number {
  if (amountMinor <= 0) return 0;
  if (costOfRelease(beforeMinor, payMinor, fees) <= amountMinor) return payMinor;
  let largestMinor = 0;
  let over = Math.min(payMinor, amountMinor + 1);
  while (over - largestMinor > 1) {
    const middle = Math.floor((largestMinor + over) / 2);
    if (costOfRelease(beforeMinor, middle, fees) <= amountMinor) largestMinor = middle;
    else over = middle;
  }
  return largestMinor;
}

/** Overtime that the balance may still pay, in minor units. */
export function overtimeLeft(
  plannedMinor: number,
  capBasisPoints: number,
  addedMinor: number,
  fees: Fees,
): number {
  const pay = shareOfAmount(plannedMinor, capBasisPoints);
  return Math.max(0, costOfRelease(plannedMinor, pay, fees) - addedMinor);
}
