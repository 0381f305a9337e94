import { addMs, dayMs } from '@nearhand/contract/durations';
import type { DisputeStatus } from '@nearhand/contract/work/disputes.rules';
import type { PayBounds } from '@nearhand/contract/work/pay.rules';

export type DisputeSettings = {
  DISPUTE_FILE_DAYS: number;
  DISPUTE_ANSWER_DAYS: number;
  DISPUTE_PROPOSAL_DAYS: number;
  DISPUTE_STOP_DAYS: number;
};

/** The hard stop, at which an undecided dispute is settled automatically (ADR 44). */
export const stopAt = (filedAt: Date, { DISPUTE_STOP_DAYS }: DisputeSettings): Date =>
  addMs(filedAt, DISPUTE_STOP_DAYS * dayMs);

/** The deadline of the next step: never after the hard stop; null while an operator decides or once settled. */
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

/** Until this time, either side may open a dispute about finished work. */
export const fileUntil = (workOverAt: Date, { DISPUTE_FILE_DAYS }: DisputeSettings): Date =>
  addMs(workOverAt, DISPUTE_FILE_DAYS * dayMs);

/**
 * The amount at the hard stop (ADR 44), in minor units: by the record for a shift, halfway between the two
 * amounts for a task. Never outside these amounts or below the paid part.
 */
export function stopAmount(
  sides: { workerAmountMinor: number | null; businessAmountMinor: number | null },
  recordedMinor: number | null,
  { minMinor, maxMinor }: PayBounds,
): number {
  const { workerAmountMinor: worker, businessAmountMinor: business } = sides;
  const low = Math.max(minMinor, business ?? 0);
  const high = Math.max(low, Math.min(maxMinor, worker ?? maxMinor));
  if (recordedMinor !== null) return Math.min(Math.max(recordedMinor, low), high);
  if (worker === null && business === null) return low;
  const middle = Math.floor(((worker ?? business ?? 0) + (business ?? worker ?? 0) + 1) / 2);
  return Math.min(Math.max(middle, minMinor), maxMinor);
}
