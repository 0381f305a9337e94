import { payForMinutes, shareOfAmount } from '@nearhand/contract/arithmetic';
import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { type EngagementStatus, isUpcoming } from '@nearhand/contract/engagement-statuses';
import type { Side } from '@nearhand/contract/sides';
import { checkInWindow, shiftNoShowFrom, windowProblem } from '@nearhand/contract/work/attendance.rules';
import { awakeDeadline, type ConfirmHours, confirmTimes } from '@nearhand/contract/work/confirm.rules';
import {
  type EngagementAction,
  type EngagementCard,
  engagementActions,
} from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import type { Terms } from '@nearhand/contract/work/terms';
import { isRepeatedMove, nextEngagementStatus } from './engagements.rules.ts';

export type EngagementFacts = {
  kind: 'shift' | 'task';
  status: EngagementStatus;
  terms: Pick<Terms, 'timeZone' | 'confirmBy'>;
  startsAt: Date | null;
  endsAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  checkedInAt: Date | null;
  checkedOutAt: Date | null;
  onBreakSince: Date | null;
  lateMinutes: number | null;
  amountMinor: number;
  nextWhat: string | null;
  nextAt: Date | null;
  nextMinor: number | null;
  compensationMinor: number | null;
  noShowAt: Date | null;
  contest: string | null;
  /** Null if there is no claim. */
  claimBy: 'worker' | 'business' | 'timer' | null;
};

export type EngagementSettings = {
  CHECK_IN_OPENS_MINUTES: number;
  FREE_CANCEL_MINUTES: number;
  LATE_CANCEL_HOURS: number;
  LATE_CANCEL_SHARE_BASIS_POINTS: number;
  LATE_CANCEL_MINUTES_MAX: number;
  AUTO_SUBMIT_HOURS: number;
  CONFIRM_ASKED_HOURS: number;
  CONFIRM_AGAIN_HOURS: number;
  CONFIRM_BY_HOURS: number;
  NO_SHOW_AFTER_MINUTES: number;
  CONTEST_HOURS: number;
  DISPUTE_FILE_DAYS: number;
};

export const fundingSettings = (settings: { FUND_AHEAD_DAYS: number; FUND_BY_HOURS: number }) => ({
  fundAheadDays: settings.FUND_AHEAD_DAYS,
  fundByHours: settings.FUND_BY_HOURS,
});

export const confirmHours = (
  settings: Pick<EngagementSettings, 'CONFIRM_ASKED_HOURS' | 'CONFIRM_AGAIN_HOURS' | 'CONFIRM_BY_HOURS'>,
): ConfirmHours => ({
  confirmAskedHours: settings.CONFIRM_ASKED_HOURS,
  confirmAgainHours: settings.CONFIRM_AGAIN_HOURS,
  confirmByHours: settings.CONFIRM_BY_HOURS,
});

type Problem =
  | 'engagement/wrong-state'
  | 'engagement/too-early'
  | 'engagement/too-late'
  | 'engagement/contest-over'
  | 'attendance/on-break'
  | 'attendance/not-on-break'
  | 'dispute/too-late';

/** The reason the time rules out an action, or null. The state table is checked separately. */
export function momentProblem(
  facts: EngagementFacts,
  action: EngagementAction,
  side: Side,
  now: Date,
  settings: EngagementSettings,
): Problem | null {
  const { startsAt, endsAt } = facts;
  switch (action) {
    case 'confirm':
      return startsAt && now >= startsAt ? 'engagement/wrong-state' : null;
    case 'say-late': {
      if (!startsAt || !endsAt) return 'engagement/wrong-state';
      if (now < subtractMs(startsAt, workLimits.lateOpensHours * hourMs)) return 'engagement/too-early';
      return now > endsAt ? 'engagement/too-late' : null;
    }
    case 'check-in':
    case 'check-in-for': {
      if (!startsAt || !endsAt) return 'engagement/wrong-state';
      const problem = windowProblem(
        now,
        checkInWindow({ startsAt, endsAt }, settings.CHECK_IN_OPENS_MINUTES),
      );
      return problem && `engagement/${problem}`;
    }
    case 'start-break':
      return facts.onBreakSince ? 'attendance/on-break' : null;
    case 'end-break':
      return facts.onBreakSince ? null : 'attendance/not-on-break';
    case 'submit-hours':
      return startsAt && now < startsAt ? 'engagement/too-early' : null;
    case 'cancel': {
      // After the start a worker's absence is a no-show. The business can still cancel, and pays for it (ADR 41).
      const until = side === 'worker' ? startsAt : endsAt;
      return until && now >= until ? 'engagement/wrong-state' : null;
    }
    case 'report-no-show':
      if (!startsAt || facts.checkedInAt) return 'engagement/wrong-state';
      if (facts.status === 'submitted' && facts.claimBy !== 'timer') return 'engagement/wrong-state';
      return now <
        shiftNoShowFrom({ startsAt, lateMinutes: facts.lateMinutes }, settings.NO_SHOW_AFTER_MINUTES)
        ? 'engagement/too-early'
        : null;
    case 'contest':
      return facts.contest === null && facts.noShowAt && now < contestBy(facts.noShowAt, settings)
        ? null
        : 'engagement/contest-over';
    case 'dispute':
      // Work with requested changes hasn't ended (ADR 44).
      if (facts.status === 'changes_requested') return null;
      return now > addMs(workOverAt(facts), settings.DISPUTE_FILE_DAYS * dayMs) ? 'dispute/too-late' : null;
    default:
      return null;
  }
}

/** The planned or later actual end of a shift, or the last delivery of a task. */
const workOverAt = ({ endsAt, checkedOutAt: leftAt, updatedAt: lastMove }: EngagementFacts): Date => {
  if (endsAt === null) return lastMove;
  return leftAt && leftAt > endsAt ? leftAt : endsAt;
};

/** Until this time, a worker reported absent may contest it. */
export const contestBy = (
  reportedAt: Date,
  { CONTEST_HOURS }: Pick<EngagementSettings, 'CONTEST_HOURS'>,
): Date => addMs(reportedAt, CONTEST_HOURS * hourMs);

/** Until this time, a worker may ask for a day off; null for work without a start. */
export const dayOffDeadline = (
  { startsAt }: Pick<EngagementFacts, 'startsAt'>,
  { DAY_OFF_ASK_DAYS }: { DAY_OFF_ASK_DAYS: number },
): Date | null => startsAt && subtractMs(startsAt, DAY_OFF_ASK_DAYS * dayMs);

/** The answer's deadline of a day off that is asked for now: some hours later, by day (ADR 406). */
export const dayOffAnswerBy = (
  { startsAt, terms }: Pick<EngagementFacts, 'startsAt' | 'terms'>,
  now: Date,
  { DAY_OFF_ANSWER_HOURS }: { DAY_OFF_ANSWER_HOURS: number },
): Date => awakeDeadline(addMs(now, DAY_OFF_ANSWER_HOURS * hourMs), terms.timeZone, startsAt);

const isBreak = (action: EngagementAction): action is 'start-break' | 'end-break' =>
  action === 'start-break' || action === 'end-break';

/** Returns whether a worker may still report that they are running late. */
export const mayComeLate = ({ kind, status }: Pick<EngagementFacts, 'kind' | 'status'>): boolean =>
  kind === 'shift' && isUpcoming(status);

/** The actions of a side at this time. Repeats aren't offered; viewers get none. */
export function engagementActionsFor(
  facts: EngagementFacts,
  side: Side | null,
  now: Date,
  settings: EngagementSettings,
): EngagementAction[] {
  if (side === null) return [];
  const possible = (action: EngagementAction) => {
    if (isBreak(action)) return facts.kind === 'shift' && side === 'worker' && facts.status === 'checked_in';
    if (action === 'say-late') return side === 'worker' && mayComeLate(facts);
    return (
      nextEngagementStatus(facts.kind, facts.status, action, side) !== null &&
      !isRepeatedMove(facts.kind, facts.status, action, side)
    );
  };
  return engagementActions.filter(
    (action) => possible(action) && momentProblem(facts, action, side, now, settings) === null,
  );
}

/** Recorded times can be contested until the hours are agreed. */
export const mayContestRecords = (status: EngagementStatus): boolean =>
  ['checked_in', 'checked_out', 'submitted', 'counter_proposed', 'disputed'].includes(status);

/** Later steps come from the row, where the slices that set timers store them. */
export function nextOf(
  facts: EngagementFacts,
  now: Date,
  settings: EngagementSettings,
): EngagementCard['next'] {
  const { status, startsAt, endsAt } = facts;
  const since = facts.updatedAt.toISOString();
  if (status === 'no_show_reported' && facts.noShowAt) {
    if (facts.contest !== null) return null;
    const at = contestBy(facts.noShowAt, settings);
    return now < at ? { kind: 'contest-over', at: at.toISOString(), since, amountMinor: null } : null;
  }
  if (facts.kind === 'shift' && startsAt && endsAt && isBeforeHours(status)) {
    const { timeZone, confirmBy } = facts.terms;
    const { askAt } = confirmTimes(startsAt, timeZone, confirmHours(settings));
    if (status === 'booked' && facts.createdAt < askAt && now < askAt)
      return { kind: 'confirm', at: askAt.toISOString(), since, amountMinor: null };
    if (status === 'booked' && confirmBy && now < new Date(confirmBy))
      return { kind: 'confirm-by', at: confirmBy, since, amountMinor: null };
    const submitAt = addMs(endsAt, settings.AUTO_SUBMIT_HOURS * hourMs);
    return { kind: 'auto-submit', at: submitAt.toISOString(), since, amountMinor: null };
  }
  if (!hasStoredStep.includes(status) || facts.nextWhat === null || facts.nextAt === null) return null;
  return {
    kind: facts.nextWhat as NonNullable<EngagementCard['next']>['kind'],
    at: facts.nextAt.toISOString(),
    since,
    amountMinor: facts.nextMinor,
  };
}

const isBeforeHours = (status: EngagementStatus) =>
  ['booked', 'confirmed', 'checked_in', 'checked_out'].includes(status);
const hasStoredStep: readonly EngagementStatus[] = [
  'submitted',
  'counter_proposed',
  'delivered',
  'changes_requested',
  'disputed',
];

/** Minor units: zero for a no-show, the compensation after a cancellation, otherwise as claimed or planned. */
export const amountOf = (
  facts: Pick<EngagementFacts, 'status' | 'amountMinor' | 'compensationMinor'>,
): number => {
  if (facts.status === 'no_show_reported') return 0;
  if (facts.status === 'cancelled_by_worker' || facts.status === 'cancelled_by_merchant')
    return facts.compensationMinor ?? 0;
  if (facts.status === 'given_away') return 0;
  return facts.amountMinor;
};

/** Whole minutes after the planned start, 0 if early; null without a start or a check-in. */
export const lateMinutes = (startsAt: Date | null, cameAt: Date | null): number | null =>
  startsAt && cameAt ? Math.max(0, Math.floor((cameAt.getTime() - startsAt.getTime()) / minuteMs)) : null;

/** The cost of cancelling, in minor units. Until `freeUntil` cancelling is free and not late. */
export type Cancellation = { late: boolean; compensationMinor: number; freeUntil: Date | null };

/**
 * A late cancellation costs the business half the pay, for a shift at most four hours of it (ADR 41). Shortly
 * after the booking both sides may still cancel for free, before the start (ADR 388).
 */
export function cancellationTerms(
  facts: Pick<EngagementFacts, 'kind' | 'status' | 'startsAt' | 'createdAt'>,
  terms: Pick<Terms, 'payMinor' | 'payTotalMinor'>,
  side: Side,
  now: Date,
  settings: EngagementSettings,
): Cancellation {
  const late =
    facts.kind === 'task' || facts.startsAt === null
      ? facts.status === 'in_progress'
      : now > subtractMs(facts.startsAt, settings.LATE_CANCEL_HOURS * hourMs);
  const undoUntil = addMs(facts.createdAt, settings.FREE_CANCEL_MINUTES * minuteMs);
  const mayUndo = late && facts.startsAt !== null && now < facts.startsAt && now < undoUntil;
  const freeUntil = mayUndo ? undoUntil : null;
  if (!late || side === 'worker') return { late, compensationMinor: 0, freeUntil };
  const half = shareOfAmount(terms.payTotalMinor, settings.LATE_CANCEL_SHARE_BASIS_POINTS);
  const maxCompensation =
    facts.kind === 'task' ? half : payForMinutes(terms.payMinor, settings.LATE_CANCEL_MINUTES_MAX);
  return { late, compensationMinor: Math.min(half, maxCompensation), freeUntil };
}
