import { addMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import {
  type InterviewAction,
  type InterviewStatus,
  interviewActions,
} from '@nearhand/contract/hiring/interviews';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import { otherSide, type Side } from '@nearhand/contract/sides';

export type InterviewMoveName = InterviewAction | 'lapse';

/** The states of an interview (product.md, States: Interview). `awaitedSide` decides which side may answer. */
const interviewMoves: readonly Move<InterviewStatus, InterviewMoveName>[] = [
  ['proposed', 'pick', 'worker', 'scheduled'],
  ['proposed', 'pick', 'business', 'scheduled'],
  ['proposed', 'suggest', 'worker', 'proposed'],
  ['proposed', 'suggest', 'business', 'proposed'],
  ['proposed', 'cancel', 'worker', 'cancelled'],
  ['proposed', 'cancel', 'business', 'cancelled'],
  ['proposed', 'lapse', 'timer', 'lapsed'],

  ['scheduled', 'reschedule', 'worker', 'reschedule_requested'],
  ['scheduled', 'reschedule', 'business', 'reschedule_requested'],
  ['scheduled', 'cancel', 'worker', 'cancelled'],
  ['scheduled', 'cancel', 'business', 'cancelled'],
  ['scheduled', 'complete', 'business', 'completed'],
  ['scheduled', 'report-no-show', 'business', 'no_show_worker'],
  ['scheduled', 'report-no-show', 'worker', 'no_show_business'],

  ['reschedule_requested', 'pick', 'worker', 'scheduled'],
  ['reschedule_requested', 'pick', 'business', 'scheduled'],
  ['reschedule_requested', 'keep', 'worker', 'scheduled'],
  ['reschedule_requested', 'keep', 'business', 'scheduled'],
  ['reschedule_requested', 'cancel', 'worker', 'cancelled'],
  ['reschedule_requested', 'cancel', 'business', 'cancelled'],
  ['reschedule_requested', 'lapse', 'timer', 'lapsed'],

  ['proposed', 'cancel', 'timer', 'cancelled'],
  ['scheduled', 'cancel', 'timer', 'cancelled'],
  ['reschedule_requested', 'cancel', 'timer', 'cancelled'],

  ['no_show_worker', 'contest', 'worker', 'no_show_worker'],
  ['no_show_business', 'contest', 'business', 'no_show_business'],
];

/**
 * Returns the status after a move of the state table (product.md, Interview), or null where that mover may
 * not make it.
 */
export const nextInterviewStatus = (
  from: InterviewStatus,
  action: InterviewMoveName,
  mover: Mover,
): InterviewStatus | null => nextState(interviewMoves, from, action, mover);

export type InterviewSettings = {
  INTERVIEW_RESCHEDULES_MAX: number;
  INTERVIEW_RESCHEDULE_CLOSES_HOURS: number;
  INTERVIEW_NO_SHOW_MINUTES: number;
  CONTEST_HOURS: number;
};

export type InterviewFacts = {
  status: InterviewStatus;
  startsAt: Date | null;
  minutes: number;
  answerBy: Date | null;
  proposedBy: Side;
  suggestions: number;
  reschedules: number;
  rescheduleBy: Side | null;
  noShowAt: Date | null;
  contest: string | null;
};

export type InterviewProblem =
  | 'wrong-state'
  | 'suggestion-limit'
  | 'reschedule-limit'
  | 'reschedule-too-late'
  | 'too-early'
  | 'contest-over';

/** The side that must answer the open times, which are the other side's; null if none are open. */
export const awaitedSide = (
  row: Pick<InterviewFacts, 'status' | 'proposedBy' | 'rescheduleBy'>,
): Side | null => {
  if (row.status === 'proposed') return otherSide(row.proposedBy);
  return row.status === 'reschedule_requested' && row.rescheduleBy ? otherSide(row.rescheduleBy) : null;
};

/** Actions that keep the status and carry new values, so a second one is never a repeat of the first. */
export const isAlwaysNew = (action: InterviewAction): boolean => action === 'contest' || action === 'suggest';

/** The planned end; null until a time is agreed. */
export const interviewEnd = (row: Pick<InterviewFacts, 'startsAt' | 'minutes'>): Date | null =>
  row.startsAt && addMs(row.startsAt, row.minutes * minuteMs);

/** From this time on, a missed interview can be reported. */
export const interviewNoShowFrom = (
  startsAt: Date,
  { INTERVIEW_NO_SHOW_MINUTES }: Pick<InterviewSettings, 'INTERVIEW_NO_SHOW_MINUTES'>,
): Date => addMs(startsAt, INTERVIEW_NO_SHOW_MINUTES * minuteMs);

/** Until this time, a person reported absent may contest it. */
export const attendanceContestBy = (
  reportedAt: Date,
  { CONTEST_HOURS }: Pick<InterviewSettings, 'CONTEST_HOURS'>,
): Date => addMs(reportedAt, CONTEST_HOURS * hourMs);

/** The earliest decide-by: some time after the latest possible interview. */
export const decideAfter = (latestStart: Date, minutes: number): Date =>
  addMs(latestStart, minutes * minuteMs + hiringLimits.interviewDecideHours * hourMs);

/** The reason this side can't act now, or null: the table plus the conditions on time and number (ADR 36). */
export function interviewProblem(
  row: InterviewFacts,
  action: InterviewAction,
  side: Side,
  now: Date,
  settings: InterviewSettings,
): InterviewProblem | null {
  const to = nextInterviewStatus(row.status, action, side);
  if (to === null) return 'wrong-state';
  if (action === 'contest') return contestProblem(row, now, settings);
  // A second `pick`, `reschedule` or `complete` carries new values, so it is not a repeat.
  if (to === row.status && !isAlwaysNew(action))
    return ['cancel', 'keep', 'report-no-show'].includes(action) ? null : 'wrong-state';
  // Past its deadline an interview counts as expired even before the timer has run.
  if (row.answerBy && now >= row.answerBy) return 'wrong-state';
  const start = row.startsAt;
  switch (action) {
    case 'pick':
      return awaitedSide(row) === side || (row.status === 'proposed' && row.suggestions > 0)
        ? null
        : 'wrong-state';
    case 'suggest':
      if (awaitedSide(row) !== side) return 'wrong-state';
      return row.suggestions >= hiringLimits.interviewSuggestionsMax ? 'suggestion-limit' : null;
    case 'reschedule':
      if (row.reschedules >= settings.INTERVIEW_RESCHEDULES_MAX) return 'reschedule-limit';
      return start && now.getTime() > start.getTime() - settings.INTERVIEW_RESCHEDULE_CLOSES_HOURS * hourMs
        ? 'reschedule-too-late'
        : null;
    // After the start, a side that did not come must not be able to cancel.
    case 'cancel':
      return row.status === 'scheduled' && start && now >= start ? 'wrong-state' : null;
    case 'complete':
      return start && now < start ? 'too-early' : null;
    case 'report-no-show':
      return start && now < interviewNoShowFrom(start, settings) ? 'too-early' : null;
    default:
      return null;
  }
}

function contestProblem(
  row: InterviewFacts,
  now: Date,
  settings: InterviewSettings,
): InterviewProblem | null {
  if (row.contest !== null) return 'wrong-state';
  return row.noShowAt && now >= attendanceContestBy(row.noShowAt, settings) ? 'contest-over' : null;
}

/** The actions offered to a side now. The service checks each again when it is called. */
export const interviewActionsFor = (
  row: InterviewFacts,
  side: Side,
  now: Date,
  settings: InterviewSettings,
): InterviewAction[] =>
  interviewActions.filter(
    (action) =>
      interviewProblem(row, action, side, now, settings) === null &&
      (isAlwaysNew(action) || nextInterviewStatus(row.status, action, side) !== row.status),
  );
