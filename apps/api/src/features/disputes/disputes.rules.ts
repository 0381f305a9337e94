import { dayMs } from '@nearhand/contract/durations';
import type { DisputeAction, DisputeStatus } from '@nearhand/contract/engagements';
import type { Move, Mover } from '@nearhand/contract/moves';

export type DisputeMoveName = DisputeAction | 'agree' | 'escalate' | 'stop' | 'decide';

/**
 * A dispute about pay (product.md, Constants: disputes). Whose turn it is within a row (the side that did not file answers, the side that did not propose
 * accepts) is the policy's question. While an operator looks at it both sides can still agree.
 */
export const disputeMoves: readonly Move<DisputeStatus, DisputeMoveName>[] = [
  ['open', 'answer', 'W', 'answered'],
  ['open', 'answer', 'M', 'answered'],
  // The answer names the same amount as the other side: there is nothing left to dispute.
  ['answered', 'agree', 'W', 'settled'],
  ['answered', 'agree', 'M', 'settled'],
  ['answered', 'propose', 'W', 'proposed'],
  ['answered', 'propose', 'M', 'proposed'],
  ['proposed', 'propose', 'W', 'proposed'],
  ['proposed', 'propose', 'M', 'proposed'],
  ['proposed', 'accept-proposal', 'W', 'settled'],
  ['proposed', 'accept-proposal', 'M', 'settled'],
  ['with_operator', 'propose', 'W', 'with_operator'],
  ['with_operator', 'propose', 'M', 'with_operator'],
  ['with_operator', 'accept-proposal', 'W', 'settled'],
  ['with_operator', 'accept-proposal', 'M', 'settled'],
  ['open', 'escalate', 'T', 'with_operator'],
  ['answered', 'escalate', 'T', 'with_operator'],
  ['proposed', 'escalate', 'T', 'with_operator'],
  // Only what the sides had their time for: before that it is theirs to settle (ADR 0086).
  ['with_operator', 'decide', 'O', 'settled'],
  ['open', 'stop', 'T', 'settled'],
  ['answered', 'stop', 'T', 'settled'],
  ['proposed', 'stop', 'T', 'settled'],
  ['with_operator', 'stop', 'T', 'settled'],
];

/** Where a move leads; null where it is illegal. Saying something twice is not a repeat here: it would carry another amount. */
export const nextDisputeStatus = (
  from: DisputeStatus,
  action: DisputeMoveName,
  who: Mover,
): DisputeStatus | null =>
  disputeMoves.find((move) => move[0] === from && move[1] === action && move[2] === who)?.[3] ?? null;
/** The settings that the rules depend on. */
export type DisputeSettings = {
  DISPUTE_FILE_DAYS: number;
  DISPUTE_ANSWER_DAYS: number;
  DISPUTE_PROPOSAL_DAYS: number;
  DISPUTE_STOP_DAYS: number;
};

export const stopAt = (filedAt: Date, { DISPUTE_STOP_DAYS }: DisputeSettings): Date =>
  new Date(filedAt.getTime() + DISPUTE_STOP_DAYS * dayMs);

/** When the next step of a status is due, never after the hard stop; null where it is an operator's turn, or nobody's. */
export function dueAt(
  status: DisputeStatus,
  now: Date,
  stop: Date,
  { DISPUTE_PROPOSAL_DAYS, DISPUTE_ANSWER_DAYS }: DisputeSettings,
): Date | null {
  if (status === 'with_operator' || status === 'settled') return null;
  const days = status === 'proposed' ? DISPUTE_PROPOSAL_DAYS : DISPUTE_ANSWER_DAYS;
  return new Date(Math.min(now.getTime() + days * dayMs, stop.getTime()));
}

/** Until when a dispute can be opened after the work. */
export const mayFileUntil = (workOverAt: Date, { DISPUTE_FILE_DAYS }: DisputeSettings): Date =>
  new Date(workOverAt.getTime() + DISPUTE_FILE_DAYS * dayMs);

export type Bounds = { leastMinor: number; mostMinor: number };

/** Whether an amount lies between what is paid already and the whole pay. */
export const amountPossible = (amountMinor: number, { leastMinor, mostMinor }: Bounds): boolean =>
  amountMinor >= leastMinor && amountMinor <= mostMinor;

/**
 * What a dispute ends with at the hard stop, when nobody agreed and no operator decided (ADR 0044): the record for a shift, the middle of what the
 * sides hold right for a task; a side that never named an amount leaves it to the other. Never outside what the sides themselves hold right, never below
 * what is paid already. All in minor units.
 */
export function stopAmount(
  sides: { workerAmountMinor: number | null; businessAmountMinor: number | null },
  recordedMinor: number | null,
  { leastMinor, mostMinor }: Bounds,
): number {
  const { workerAmountMinor: worker, businessAmountMinor: business } = sides;
  const low = Math.max(leastMinor, business ?? 0);
  const high = Math.max(low, Math.min(mostMinor, worker ?? mostMinor));
  if (recordedMinor !== null) return Math.min(Math.max(recordedMinor, low), high);
  if (worker === null && business === null) return low;
  const middle = Math.floor(((worker ?? business ?? 0) + (business ?? worker ?? 0) + 1) / 2);
  return Math.min(Math.max(middle, leastMinor), mostMinor);
}
