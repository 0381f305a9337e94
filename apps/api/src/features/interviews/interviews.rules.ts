import type { InterviewAction, InterviewStatus } from '@nearhand/contract/interviews';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';

export type InterviewMoveName = InterviewAction | 'lapse';

/**
 * The states of an interview (product.md, States: Interview). Proposing has no row: it makes the record. While a move is asked for, whoever was asked picks or
 * keeps, and whoever asked may take it back by keeping: `mayAnswer` tells them apart.
 */
export const interviewMoves: readonly Move<InterviewStatus, InterviewMoveName>[] = [
  ['proposed', 'pick', 'W', 'scheduled'],
  ['proposed', 'cancel', 'W', 'cancelled'],
  ['proposed', 'cancel', 'M', 'cancelled'],
  ['proposed', 'lapse', 'T', 'lapsed'],

  ['scheduled', 'reschedule', 'W', 'reschedule_requested'],
  ['scheduled', 'reschedule', 'M', 'reschedule_requested'],
  ['scheduled', 'cancel', 'W', 'cancelled'],
  ['scheduled', 'cancel', 'M', 'cancelled'],
  ['scheduled', 'complete', 'M', 'completed'],
  ['scheduled', 'report-no-show', 'M', 'no_show_worker'],
  ['scheduled', 'report-no-show', 'W', 'no_show_merchant'],

  ['reschedule_requested', 'pick', 'W', 'scheduled'],
  ['reschedule_requested', 'pick', 'M', 'scheduled'],
  ['reschedule_requested', 'keep', 'W', 'scheduled'],
  ['reschedule_requested', 'keep', 'M', 'scheduled'],
  ['reschedule_requested', 'cancel', 'W', 'cancelled'],
  ['reschedule_requested', 'cancel', 'M', 'cancelled'],
  ['reschedule_requested', 'lapse', 'T', 'lapsed'],

  ['no_show_worker', 'contest', 'W', 'no_show_worker'],
  ['no_show_merchant', 'contest', 'M', 'no_show_merchant'],
];

export const nextInterviewStatus = (
  from: InterviewStatus,
  action: InterviewMoveName,
  who: Mover,
): InterviewStatus | null => nextState(interviewMoves, from, action, who);
