import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import type { EngagementAction } from '@nearhand/contract/work/engagements';

export type EngagementMoveName =
  | Exclude<EngagementAction, 'start-break' | 'end-break' | 'say-late'>
  | 'hand-on'
  | 'lapse'
  | 'leave'
  | 'auto-submit'
  | 'pay-recorded'
  | 'settle'
  | 'uphold'
  | 'overturn'
  | 'complete';

/** The states of a shift (product.md, States: Engagement). A hire creates the record. */
const shiftMoves: readonly Move<EngagementStatus, EngagementMoveName>[] = [
  ['booked', 'confirm', 'W', 'confirmed'],
  ['booked', 'check-in', 'W', 'checked_in'],
  ['confirmed', 'check-in', 'W', 'checked_in'],
  ['checked_in', 'check-out', 'W', 'checked_out'],
  // A manager records someone without a phone (product.md, Running late).
  ['booked', 'check-in-for', 'M', 'checked_in'],
  ['confirmed', 'check-in-for', 'M', 'checked_in'],
  ['checked_in', 'check-out-for', 'M', 'checked_out'],
  // Someone who left can check in again until the end (product.md, Returning to a shift).
  ['checked_out', 'check-in', 'W', 'checked_in'],

  // Hours can be submitted without a check-in and are flagged. The timer submits them twelve hours after the end.
  ['booked', 'submit-hours', 'W', 'submitted'],
  ['confirmed', 'submit-hours', 'W', 'submitted'],
  ['checked_in', 'submit-hours', 'W', 'submitted'],
  ['checked_out', 'submit-hours', 'W', 'submitted'],
  ['booked', 'auto-submit', 'T', 'submitted'],
  ['confirmed', 'auto-submit', 'T', 'submitted'],
  ['checked_in', 'auto-submit', 'T', 'submitted'],
  ['checked_out', 'auto-submit', 'T', 'submitted'],

  ['submitted', 'approve', 'M', 'approved'],
  ['submitted', 'approve', 'T', 'approved'],
  ['submitted', 'counter', 'M', 'counter_proposed'],
  ['counter_proposed', 'submit-hours', 'W', 'submitted'],
  ['counter_proposed', 'accept-counter', 'W', 'approved'],
  ['counter_proposed', 'pay-recorded', 'T', 'approved'],

  // The worker was asked twice and confirmed neither time (ADR 388).
  ['booked', 'lapse', 'T', 'cancelled_by_worker'],

  // The business proposed another time, place or lower pay, which does not suit the worker (ADR 389).
  ['booked', 'leave', 'W', 'cancelled_by_worker'],
  ['confirmed', 'leave', 'W', 'cancelled_by_worker'],

  // Another worker took it over, on the same terms and from the same hold (ADR 385).
  ['booked', 'hand-on', 'W', 'handed_on'],
  ['confirmed', 'hand-on', 'W', 'handed_on'],

  ['booked', 'report-no-show', 'M', 'no_show_reported'],
  ['confirmed', 'report-no-show', 'M', 'no_show_reported'],
  // The timer submitted planned hours without a check-in: the business may still report a no-show.
  ['submitted', 'report-no-show', 'M', 'no_show_reported'],
  ['no_show_reported', 'contest', 'W', 'contested'],
  // An operator upholds the report, or agrees pay with the no-show denied (ADR 86).
  ['contested', 'uphold', 'O', 'no_show_reported'],
  ['contested', 'overturn', 'O', 'approved'],
];

/** The states of a task (product.md, States: Engagement). */
const taskMoves: readonly Move<EngagementStatus, EngagementMoveName>[] = [
  ['booked', 'start', 'W', 'in_progress'],
  ['booked', 'deliver', 'W', 'delivered'],
  ['in_progress', 'deliver', 'W', 'delivered'],
  ['delivered', 'request-changes', 'M', 'changes_requested'],
  ['changes_requested', 'deliver', 'W', 'delivered'],
  ['delivered', 'approve', 'M', 'approved'],
  ['delivered', 'approve', 'T', 'approved'],
  ['in_progress', 'cancel', 'W', 'cancelled_by_worker'],
  ['in_progress', 'cancel', 'M', 'cancelled_by_merchant'],
  ['delivered', 'dispute', 'M', 'disputed'],
  ['delivered', 'dispute', 'W', 'disputed'],
  ['changes_requested', 'dispute', 'W', 'disputed'],
  ['changes_requested', 'dispute', 'M', 'disputed'],
];

const sharedMoves: readonly Move<EngagementStatus, EngagementMoveName>[] = [
  ['booked', 'cancel', 'W', 'cancelled_by_worker'],
  ['booked', 'cancel', 'M', 'cancelled_by_merchant'],
  ['confirmed', 'cancel', 'W', 'cancelled_by_worker'],
  ['confirmed', 'cancel', 'M', 'cancelled_by_merchant'],
  ['submitted', 'dispute', 'W', 'disputed'],
  ['submitted', 'dispute', 'M', 'disputed'],
  ['counter_proposed', 'dispute', 'W', 'disputed'],
  ['counter_proposed', 'dispute', 'M', 'disputed'],
  // The last counter-proposal was rejected, or nobody replied and the record is incomplete (ADR 43).
  ['counter_proposed', 'dispute', 'T', 'disputed'],
  // Silence doesn't approve hours without a check-in or beyond the plan (ADR 43).
  ['submitted', 'dispute', 'T', 'disputed'],
  ['disputed', 'settle', 'W', 'approved'],
  ['disputed', 'settle', 'M', 'approved'],
  ['disputed', 'settle', 'T', 'approved'],
  ['disputed', 'settle', 'O', 'approved'],
  ['approved', 'complete', 'T', 'completed'],
];

export const engagementMoves = {
  shift: [...shiftMoves, ...sharedMoves],
  task: [...taskMoves, ...sharedMoves],
} as const;

/** The next status of a move: null if illegal, the same status for a repeat. */
export const nextEngagementStatus = (
  kind: 'shift' | 'task',
  from: EngagementStatus,
  action: EngagementMoveName,
  who: Mover,
): EngagementStatus | null => nextState(engagementMoves[kind], from, action, who);
