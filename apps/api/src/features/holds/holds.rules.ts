import { share } from '@nearhand/contract/arithmetic';
import type { HoldStatus } from '@nearhand/contract/holds';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import type { Funding } from '@nearhand/contract/terms';

export type HoldMoveName =
  | 'authorise'
  | 'hold'
  | 'drop'
  | 'expire'
  | 'release'
  | 'finish'
  | 'refund'
  | 'dispute'
  | 'split'
  | 'add'
  | 'take-back';

/**
 * The states of a hold (product.md, States: Hold). All moves but the first are made by the timer side of the platform: they follow from what is done to the offer
 * or the engagement, where it was judged who may. Creating has no row: it makes the record.
 */
export const holdMoves: readonly Move<HoldStatus, HoldMoveName>[] = [
  // From the balance at once; by card once the charge succeeds, or from the balance after all.
  ['created', 'hold', 'T', 'held'],
  ['created', 'authorise', 'T', 'authorising'],
  ['authorising', 'hold', 'T', 'held'],
  ['authorising', 'expire', 'T', 'expired'],
  // What it was for ended before it was paid.
  ['authorising', 'drop', 'T', 'expired'],

  ['held', 'release', 'T', 'partly_released'],
  ['held', 'refund', 'T', 'refunded'],
  ['partly_released', 'finish', 'T', 'released'],

  ['held', 'dispute', 'T', 'disputed'],
  ['partly_released', 'dispute', 'T', 'disputed'],
  // A dispute ends with all of it paid, a part of it, or nothing.
  ['disputed', 'finish', 'T', 'released'],
  ['disputed', 'split', 'T', 'split'],
  ['disputed', 'refund', 'T', 'refunded'],

  // Money for pay that was owed after the hold was over.
  ['released', 'add', 'T', 'partly_released'],
  ['split', 'add', 'T', 'partly_released'],
  ['refunded', 'add', 'T', 'held'],

  // A chargeback that was lost took what was left of it (ADR 0076).
  ['held', 'take-back', 'T', 'refunded'],
  ['partly_released', 'take-back', 'T', 'released'],
  ['disputed', 'take-back', 'T', 'disputed'],
];

export const nextHoldStatus = (from: HoldStatus, action: HoldMoveName, who: Mover = 'T'): HoldStatus | null =>
  nextState(holdMoves, from, action, who);

/** Whether there is, or may be, money in it that belongs to nobody else yet. */
export const isOpenHold = (status: HoldStatus): boolean =>
  status === 'held' || status === 'partly_released' || status === 'disputed';

/** Of a hold that is not frozen: whether what it has covers what was planned and is not paid yet. Minor units, fees included. */
export function fundedBy(money: { plannedMinor: number; paidMinor: number; hasMinor: number }): Funding {
  if (money.paidMinor + money.hasMinor >= money.plannedMinor) return 'funded';
  return money.hasMinor > 0 ? 'partly_funded' : 'not_funded';
}

/** The move that ends a hold whose work is settled and whose rest went back. `paid`: whether any of it was released; `back`: whether any of it was returned. */
export function endOfHold(
  status: HoldStatus,
  { paid, back }: { paid: boolean; back: boolean },
): 'finish' | 'refund' | 'split' | null {
  if (!isOpenHold(status)) return null;
  if (!paid) return status === 'partly_released' ? 'finish' : 'refund';
  return status === 'disputed' && back ? 'split' : 'finish';
}

export type Fees = { merchantFeeBasisPoints: number; workerFeeBasisPoints: number };

/**
 * The fees of one release of pay: the fee of all pay so far with it less the fee of what came before, so that those of the parts sum to the fee of the whole
 * (ADR 0074). Minor units.
 */
export const feesOfRelease = (beforeMinor: number, payMinor: number, fees: Fees) => ({
  feeMinor:
    share(beforeMinor + payMinor, fees.merchantFeeBasisPoints) -
    share(beforeMinor, fees.merchantFeeBasisPoints),
  workerFeeMinor:
    share(beforeMinor + payMinor, fees.workerFeeBasisPoints) - share(beforeMinor, fees.workerFeeBasisPoints),
});

/** What a release of pay takes out of its hold: the pay and the merchant's fee on it. */
export const costOfRelease = (beforeMinor: number, payMinor: number, fees: Fees): number =>
  payMinor + feesOfRelease(beforeMinor, payMinor, fees).feeMinor;

/** The most pay, up to `payMinor`, whose cost an amount covers. */
export function payCovered(amountMinor: number, beforeMinor: number, payMinor: number, fees: Fees): number {
  if (amountMinor <= 0) return 0;
  if (costOfRelease(beforeMinor, payMinor, fees) <= amountMinor) return payMinor;
  // The cost grows with the pay by one or two minor units at a time: the largest that fits is found by halving.
  let [fits, over] = [0, Math.min(payMinor, amountMinor + 1)];
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (costOfRelease(beforeMinor, middle, fees) <= amountMinor) fits = middle;
    else over = middle;
  }
  return fits;
}

/** What may be taken from a balance by itself on top of a hold, for hours beyond the plan: pay up to the cap and the fee on it, less what was added before. */
export function overtimeLeft(
  plannedMinor: number,
  capBasisPoints: number,
  addedMinor: number,
  fees: Fees,
): number {
  const pay = share(plannedMinor, capBasisPoints);
  return Math.max(0, costOfRelease(plannedMinor, pay, fees) - addedMinor);
}
