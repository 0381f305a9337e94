import { share } from '@nearhand/contract/arithmetic';
import type { Funding } from '@nearhand/contract/money/funding';
import type { HoldStatus } from '@nearhand/contract/money/holds';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';

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
export const holdMoves: readonly Move<HoldStatus, HoldMoveName>[] = [
  // A balance pays at once; a card pays once the charge succeeds.
  ['created', 'hold', 'timer', 'held'],
  ['created', 'authorise', 'timer', 'authorising'],
  ['authorising', 'hold', 'timer', 'held'],
  ['authorising', 'expire', 'timer', 'expired'],
  ['authorising', 'drop', 'timer', 'expired'],
  // A planned hold stays `created` until it is funded, and its card is charged again later (ADR 399).
  ['created', 'drop', 'timer', 'expired'],
  ['created', 'giveaway', 'timer', 'created'],
  ['authorising', 'giveaway', 'timer', 'authorising'],
  ['authorising', 'postpone', 'timer', 'created'],

  ['held', 'release', 'timer', 'partly_released'],
  ['held', 'refund', 'timer', 'refunded'],
  // Its work went to another worker (ADR 385).
  ['held', 'giveaway', 'timer', 'held'],
  ['partly_released', 'finish', 'timer', 'released'],

  ['held', 'dispute', 'timer', 'disputed'],
  ['partly_released', 'dispute', 'timer', 'disputed'],
  ['disputed', 'finish', 'timer', 'released'],
  ['disputed', 'split', 'timer', 'split'],
  ['disputed', 'refund', 'timer', 'refunded'],

  ['released', 'add', 'timer', 'partly_released'],
  ['split', 'add', 'timer', 'partly_released'],
  ['refunded', 'add', 'timer', 'held'],

  ['held', 'take-back', 'timer', 'refunded'],
  ['partly_released', 'take-back', 'timer', 'released'],
  ['disputed', 'take-back', 'timer', 'disputed'],
];

/**
 * Returns the status after a move of the state table (product.md, Hold), or null where that mover may not
 * make it.
 */
export const nextHoldStatus = (
  from: HoldStatus,
  action: HoldMoveName,
  who: Mover = 'timer',
): HoldStatus | null => nextState(holdMoves, from, action, who);

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

export type Fees = { merchantFeeBasisPoints: number; workerFeeBasisPoints: number };

/** The fee of all pay so far less the fee of earlier pay, so that parts add up to the whole (ADR 74). Minor units. */
export const feesOfRelease = (beforeMinor: number, payMinor: number, fees: Fees) => ({
  feeMinor:
    share(beforeMinor + payMinor, fees.merchantFeeBasisPoints) -
    share(beforeMinor, fees.merchantFeeBasisPoints),
  workerFeeMinor:
    share(beforeMinor + payMinor, fees.workerFeeBasisPoints) - share(beforeMinor, fees.workerFeeBasisPoints),
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
  const pay = share(plannedMinor, capBasisPoints);
  return Math.max(0, costOfRelease(plannedMinor, pay, fees) - addedMinor);
}
