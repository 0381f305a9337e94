import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import { type Move, type Mover, nextState, stateAfter } from '@nearhand/contract/moves';
import type { EngagementAction } from '@nearhand/contract/work/engagements';

export type EngagementMoveName =
  | Exclude<EngagementAction, 'start-break' | 'end-break' | 'say-late'>
  | 'giveaway'
  | 'lapse'
  | 'end-unfunded'
  | 'leave'
  | 'excuse'
  | 'auto-submit'
  | 'approve-planned'
  | 'pay-recorded'
  | 'settle'
  | 'uphold'
  | 'overturn'
  | 'complete';

/** The states of a shift (product.md, States: Engagement). A hire creates the record. */
const shiftMoves: readonly Move<EngagementStatus, EngagementMoveName>[] = [
  ['booked', 'confirm', 'worker', 'confirmed'],
  ['booked', 'check-in', 'worker', 'checked_in'],
  ['confirmed', 'check-in', 'worker', 'checked_in'],
  ['checked_in', 'check-out', 'worker', 'checked_out'],
  // A manager records someone without a phone (product.md, Running late).
  ['booked', 'check-in-for', 'business', 'checked_in'],
  ['confirmed', 'check-in-for', 'business', 'checked_in'],
  ['checked_in', 'check-out-for', 'business', 'checked_out'],
  // Someone who left can check in again until the end (product.md, Returning to a shift).
  ['checked_out', 'check-in', 'worker', 'checked_in'],

  // Hours can be submitted without a check-in and are flagged. The timer submits them twelve hours after the end.
  ['booked', 'submit-hours', 'worker', 'submitted'],
  ['confirmed', 'submit-hours', 'worker', 'submitted'],
  ['checked_in', 'submit-hours', 'worker', 'submitted'],
  ['checked_out', 'submit-hours', 'worker', 'submitted'],
  ['booked', 'auto-submit', 'timer', 'submitted'],
  ['confirmed', 'auto-submit', 'timer', 'submitted'],
  ['checked_in', 'auto-submit', 'timer', 'submitted'],
  ['checked_out', 'auto-submit', 'timer', 'submitted'],
  // A correction, before the business has acted (ADR 43).
  ['submitted', 'submit-hours', 'worker', 'submitted'],

  ['submitted', 'approve', 'business', 'approved'],
  ['submitted', 'approve', 'timer', 'approved'],
  // The business's own rule approves hours near the plan (ADR 43).
  ['submitted', 'approve-planned', 'timer', 'approved'],
  ['submitted', 'counter', 'business', 'counter_proposed'],
  ['counter_proposed', 'submit-hours', 'worker', 'submitted'],
  ['counter_proposed', 'accept-counter', 'worker', 'approved'],
  ['counter_proposed', 'pay-recorded', 'timer', 'approved'],

  // The worker was asked twice and confirmed neither time (ADR 388).
  ['booked', 'lapse', 'timer', 'cancelled_by_worker'],

  // The business did not set the pay aside in time (ADR 399).
  ['booked', 'end-unfunded', 'timer', 'cancelled_by_merchant'],
  ['confirmed', 'end-unfunded', 'timer', 'cancelled_by_merchant'],

  // The business proposed another time, place or lower pay, which does not suit the worker (ADR 389).
  ['booked', 'leave', 'worker', 'cancelled_by_worker'],
  ['confirmed', 'leave', 'worker', 'cancelled_by_worker'],

  // The business granted a day off, or did not answer (ADR 406).
  ['booked', 'excuse', 'business', 'cancelled_by_worker'],
  ['booked', 'excuse', 'timer', 'cancelled_by_worker'],
  ['confirmed', 'excuse', 'business', 'cancelled_by_worker'],
  ['confirmed', 'excuse', 'timer', 'cancelled_by_worker'],

  // Another worker took it over, on the same terms and from the same hold (ADR 385).
  ['booked', 'giveaway', 'worker', 'given_away'],
  ['confirmed', 'giveaway', 'worker', 'given_away'],

  ['booked', 'report-no-show', 'business', 'no_show_reported'],
  ['confirmed', 'report-no-show', 'business', 'no_show_reported'],
  // The timer submitted planned hours without a check-in: the business may still report a no-show, until the worker
  // claims hours (ADR 43).
  ['submitted', 'report-no-show', 'business', 'no_show_reported'],
  ['no_show_reported', 'contest', 'worker', 'contested'],
  // An operator upholds the report, or agrees pay with the no-show denied (ADR 86).
  ['contested', 'uphold', 'operator', 'no_show_reported'],
  ['contested', 'overturn', 'operator', 'approved'],
];

/** The states of a task (product.md, States: Engagement). */
const taskMoves: readonly Move<EngagementStatus, EngagementMoveName>[] = [
  ['booked', 'start', 'worker', 'in_progress'],
  ['booked', 'deliver', 'worker', 'delivered'],
  ['in_progress', 'deliver', 'worker', 'delivered'],
  ['delivered', 'request-changes', 'business', 'changes_requested'],
  ['changes_requested', 'deliver', 'worker', 'delivered'],
  ['delivered', 'approve', 'business', 'approved'],
  ['delivered', 'approve', 'timer', 'approved'],
  ['in_progress', 'cancel', 'worker', 'cancelled_by_worker'],
  ['in_progress', 'cancel', 'business', 'cancelled_by_merchant'],
  ['delivered', 'dispute', 'business', 'disputed'],
  ['delivered', 'dispute', 'worker', 'disputed'],
  ['changes_requested', 'dispute', 'worker', 'disputed'],
  ['changes_requested', 'dispute', 'business', 'disputed'],
];

const sharedMoves: readonly Move<EngagementStatus, EngagementMoveName>[] = [
  ['booked', 'cancel', 'worker', 'cancelled_by_worker'],
  ['booked', 'cancel', 'business', 'cancelled_by_merchant'],
  ['confirmed', 'cancel', 'worker', 'cancelled_by_worker'],
  ['confirmed', 'cancel', 'business', 'cancelled_by_merchant'],
  ['submitted', 'dispute', 'worker', 'disputed'],
  ['submitted', 'dispute', 'business', 'disputed'],
  ['counter_proposed', 'dispute', 'worker', 'disputed'],
  ['counter_proposed', 'dispute', 'business', 'disputed'],
  // The last counter-proposal was rejected, or nobody replied and the record is incomplete (ADR 43).
  ['counter_proposed', 'dispute', 'timer', 'disputed'],
  // Silence doesn't approve hours without a check-in or beyond the plan (ADR 43).
  ['submitted', 'dispute', 'timer', 'disputed'],
  ['disputed', 'settle', 'worker', 'approved'],
  ['disputed', 'settle', 'business', 'approved'],
  ['disputed', 'settle', 'timer', 'approved'],
  ['disputed', 'settle', 'operator', 'approved'],
  ['approved', 'complete', 'timer', 'completed'],
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
  mover: Mover,
): EngagementStatus | null => nextState(engagementMoves[kind], from, action, mover);

/** A legal move that has been made already, so that making it again changes nothing. */
export const isRepeatedMove = (
  kind: 'shift' | 'task',
  from: EngagementStatus,
  action: EngagementMoveName,
  mover: Mover,
): boolean =>
  nextEngagementStatus(kind, from, action, mover) === from &&
  stateAfter<EngagementStatus, EngagementMoveName>(engagementMoves[kind], from, action, mover) === null;
