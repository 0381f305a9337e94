import { t } from '@lingui/core/macro';
import { addMs, dayIn, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { type EngagementStatus, isUpcoming } from '@nearhand/contract/engagement-statuses';
import type {
  AttendanceEvent,
  Engagement,
  EngagementCard,
  HoursClaim,
} from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';
import {
  dateIn,
  formatCalendarDay,
  formatDate,
  formatDateSpan,
  formatDay,
  formatDistance,
  formatLeft,
  formatMinutes,
  formatMoney,
  formatShare,
  formatSpan,
  formatTime,
  ownTimeZone,
  usesMiles,
} from '../../lib/words/format.ts';
import type { Tone } from '../../ui/badge.tsx';
import { workerShare } from '../timesheets/hours.rules.ts';

type StatusText = { badge: string; title: string; tone?: Tone };

export function workStatusText(status: EngagementStatus, onBreak = false): StatusText {
  switch (status) {
    case 'booked':
      return { badge: t`Booked`, title: t`You're booked`, tone: 'here' };
    case 'confirmed':
      return { badge: t`Confirmed`, title: t`You're confirmed`, tone: 'good' };
    case 'checked_in':
      return onBreak
        ? { badge: t`On break`, title: t`You're on break`, tone: 'wait' }
        : { badge: t`Checked in`, title: t`You're on shift`, tone: 'good' };
    case 'checked_out':
      return { badge: t`Hours due`, title: t`Submit your hours`, tone: 'wait' };
    case 'in_progress':
      return { badge: t`In progress`, title: t`You're working on it`, tone: 'good' };
    case 'submitted':
      return { badge: t`Hours submitted`, title: t`They're reviewing your hours`, tone: 'wait' };
    case 'counter_proposed':
      return { badge: t`New hours proposed`, title: t`They proposed different hours`, tone: 'wait' };
    case 'delivered':
      return { badge: t`Delivered`, title: t`They're reviewing your work`, tone: 'wait' };
    case 'changes_requested':
      return { badge: t`Changes requested`, title: t`They asked for changes`, tone: 'wait' };
    case 'approved':
      return { badge: t`Approved`, title: t`Your work is approved`, tone: 'good' };
    case 'completed':
      return { badge: t`Completed`, title: t`Job completed`, tone: 'good' };
    case 'disputed':
      return { badge: t`In dispute`, title: t`Your pay is in dispute`, tone: 'bad' };
    case 'cancelled_by_worker':
      return { badge: t`You cancelled`, title: t`You cancelled` };
    case 'cancelled_by_merchant':
      return { badge: t`Cancelled`, title: t`They cancelled` };
    case 'given_away':
      return { badge: t`Given away`, title: t`Someone else took this shift` };
    case 'no_show_reported':
      return { badge: t`No-show reported`, title: t`They reported a no-show`, tone: 'bad' };
    case 'contested':
      return { badge: t`Under review`, title: t`We're reviewing what happened`, tone: 'wait' };
  }
}

/** True if the booking ended because the business didn't set the pay aside (ADR 399). */
export const endedUnfunded = ({ steps }: Pick<Engagement, 'steps'>): boolean =>
  steps.some(({ action }) => action === 'end-unfunded');

export function workText(
  work: Pick<EngagementCard, 'status' | 'onBreak' | 'unconfirmed' | 'excused' | 'terms'>,
  now = new Date(),
): StatusText {
  if (work.excused) return { badge: t`Day off`, title: t`You have this day off` };
  if (work.unconfirmed) return { badge: t`Not confirmed`, title: t`You didn’t confirm in time` };
  return leftBeforeStart(work, now)
    ? { badge: t`Checked out`, title: t`You checked out before the start`, tone: 'wait' }
    : workStatusText(work.status, work.onBreak);
}

const leftBeforeStart = (
  { status, terms }: Pick<EngagementCard, 'status' | 'terms'>,
  now = new Date(),
): boolean =>
  status === 'checked_out' && terms.startsAt !== null && now.getTime() < Date.parse(terms.startsAt);

export function timeText(instant: string, timeZone: string, now = new Date()): string {
  const there = dateIn(instant, timeZone, now);
  const ownZone = ownTimeZone();
  const isSameClock =
    formatTime(instant, ownZone) === formatTime(instant, timeZone) &&
    dayIn(ownZone, instant) === dayIn(timeZone, instant);
  return isSameClock ? there : t`${there} (${dateIn(instant, ownZone, now)} your time)`;
}

export function workWhen(
  terms: Pick<Terms, 'startsAt' | 'endsAt' | 'dueOn' | 'timeZone'>,
  now = new Date(),
): string | null {
  if (terms.startsAt && terms.endsAt) return formatSpan(terms.startsAt, terms.endsAt, terms.timeZone, now);
  return terms.dueOn ? t`Done by ${formatCalendarDay(terms.dueOn, { now })}` : null;
}

/** Like `workWhen` within a sentence or after a title: "Sat 21 Nov, 08:00–14:00", "done by Sat 21 Nov", "any day". */
export function workDate(
  terms: Pick<Terms, 'startsAt' | 'endsAt' | 'dueOn' | 'timeZone'>,
  now = new Date(),
): string {
  if (terms.startsAt && terms.endsAt)
    return formatDateSpan(terms.startsAt, terms.endsAt, terms.timeZone, now);
  return terms.dueOn ? t`done by ${formatCalendarDay(terms.dueOn, { now })}` : t`any day`;
}

export function ownWhen(
  { startsAt, endsAt, timeZone }: Pick<Terms, 'startsAt' | 'endsAt' | 'timeZone'>,
  now = new Date(),
): string | null {
  const ownZone = ownTimeZone();
  if (!startsAt || !endsAt || formatTime(startsAt, ownZone) === formatTime(startsAt, timeZone)) return null;
  return t`${formatSpan(startsAt, endsAt, ownZone, now)} your time`;
}

const durationText = (ms: number): string => formatMinutes(Math.max(1, Math.ceil(ms / minuteMs)));

/** Headlines count down to a start within this time. */
const countdownMs = 12 * hourMs;

/** The heading of a job: time until it starts or ends, or its status. */
export function workHeadline(
  work: Pick<EngagementCard, 'status' | 'onBreak' | 'unconfirmed' | 'excused' | 'terms'>,
  now = new Date(),
): string {
  const { status, terms } = work;
  const start = terms.startsAt ? Date.parse(terms.startsAt) : null;
  const end = terms.endsAt ? Date.parse(terms.endsAt) : null;
  if (isUpcoming(status) && start !== null && end !== null) {
    const until = start - now.getTime();
    if (until > 0 && until <= countdownMs) return t`Starts in ${durationText(until)}`;
    if (until > 0)
      return startsTomorrow(work, now)
        ? t`Starts tomorrow`
        : t`Starts ${formatDay(terms.startsAt ?? '', terms.timeZone, { now })}`;
    return now.getTime() < end ? t`Started ${durationText(-until)} ago` : t`This job is over`;
  }
  if (status === 'checked_in' && start !== null && now.getTime() < start)
    return t`Checked in, starts in ${durationText(start - now.getTime())}`;
  if (status === 'checked_in' && end !== null && !work.onBreak && now.getTime() < end)
    return t`Ends in ${durationText(end - now.getTime())}`;
  if (status === 'checked_in' && end !== null && !work.onBreak)
    return t`Ended ${durationText(now.getTime() - end)} ago, check out`;
  return workText(work, now).title;
}

const isTomorrow = ({ terms }: Pick<EngagementCard, 'terms'>, now: Date): boolean =>
  terms.startsAt !== null &&
  dayIn(terms.timeZone, new Date(Date.parse(terms.startsAt))) === dayIn(terms.timeZone, addMs(now, dayMs));

/** True for a shift of tomorrow that is too far away for its headline to count down to. */
export const startsTomorrow = (work: Pick<EngagementCard, 'status' | 'terms'>, now: Date): boolean =>
  isUpcoming(work.status) &&
  isTomorrow(work, now) &&
  Date.parse(work.terms.startsAt ?? '') - now.getTime() > countdownMs;

export function todayTitle(items: readonly Pick<EngagementCard, 'terms'>[], now = new Date()): string {
  const later = items.filter((work) => isTomorrow(work, now)).length;
  if (later === 0) return t`Today`;
  return later === items.length ? t`Tomorrow` : t`Today and tomorrow`;
}

export const asksToConfirm = ({ actions, next }: Pick<EngagementCard, 'actions' | 'next'>): boolean =>
  actions.includes('confirm') && next !== null && next.kind !== 'confirm';

/** Work that is going on or starts within a day, which leads the screen. */
export function isToday(work: Pick<EngagementCard, 'status' | 'terms'>, now = new Date()): boolean {
  if (work.status === 'checked_in' || work.status === 'in_progress' || leftBeforeStart(work, now))
    return true;
  if (work.status !== 'booked' && work.status !== 'confirmed') return false;
  if (!work.terms.startsAt || !work.terms.endsAt) return false;
  const ms = now.getTime();
  return Date.parse(work.terms.startsAt) - ms <= dayMs && ms < Date.parse(work.terms.endsAt);
}

/** The worker owes a reply, hours or changes. */
export const waitsForWorker = ({ actions, status }: Pick<EngagementCard, 'actions' | 'status'>): boolean =>
  actions.includes('accept-counter') ||
  actions.includes('contest') ||
  (status === 'checked_out' && actions.includes('submit-hours')) ||
  (status === 'changes_requested' && actions.includes('deliver'));

/** A dispute that opens without a reply: the agreed part is paid, and only the rest is disputed. */
export function reviewText(work: Pick<Engagement, 'next' | 'releases'>, money: string, at: string): string {
  if (isAlreadyPaid(work))
    return t`If nobody replies by ${at}, it stays at ${money}, which is already paid, and a dispute opens about the rest.`;
  return work.next?.amountMinor
    ? t`If nobody replies by ${at}, ${money} is paid and a dispute opens about the rest.`
    : t`If nobody replies by ${at}, nothing is paid and a dispute opens.`;
}

export const workHeadingId = (id: string): string => `work-${id}`;

/** True on the day itself; never for a reader in another zone, who gets both clocks with their days. */
const isOnDay = (instant: string | Date, timeZone: string, day: Date): boolean =>
  timeZone === ownTimeZone() && dayIn(timeZone, instant) === dayIn(timeZone, day);

/** The time at which check-in opens, for the worker of a shift. */
export function checkInOpensText(opensAt: Date, timeZone: string, now: Date): string {
  const time = formatTime(opensAt, timeZone);
  if (isOnDay(opensAt, timeZone, now)) return t`Check-in opens today at ${time}.`;
  return isOnDay(opensAt, timeZone, addMs(now, dayMs))
    ? t`Check-in opens tomorrow at ${time}.`
    : t`Check-in opens ${formatDate(opensAt, timeZone, now)}.`;
}

/** The deadline to confirm a shift, for its worker. */
export function confirmByText(confirmBy: string, timeZone: string, now = new Date()): string {
  return isOnDay(confirmBy, timeZone, now)
    ? t`Confirm today by ${formatTime(confirmBy, timeZone)}, or the spot goes to someone else and it counts as a late cancellation.`
    : t`Confirm by ${timeText(confirmBy, timeZone, now)}, or the spot goes to someone else and it counts as a late cancellation.`;
}

/** True if a counter-proposal without a reply is paid as proposed, because the record is not worth more. */
export const isPaidAsProposed = ({ next, claims }: Pick<Engagement, 'next' | 'claims'>): boolean =>
  next?.kind === 'pay-recorded' &&
  claims.findLast(({ by }) => by === 'business')?.amountMinor === next.amountMinor;

/** True if the pay without a reply was all paid already, as the part that both sides agree on. */
export const isAlreadyPaid = ({ next, releases }: Pick<Engagement, 'next' | 'releases'>): boolean => {
  const paidMinor = releases
    .filter(({ kind, state }) => kind === 'undisputed' && state === 'released')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return paidMinor > 0 && paidMinor >= (next?.amountMinor ?? Number.POSITIVE_INFINITY);
};

export function nextText(
  work: Pick<Engagement, 'next' | 'status' | 'terms' | 'business' | 'claims' | 'releases'>,
  now = new Date(),
): string | null {
  const { next, status, terms, business } = work;
  if (next === null) return status === 'contested' ? t`We'll review it and let you both know.` : null;
  const at = timeText(next.at, terms.timeZone, now);
  const money = formatMoney(workerShare(next.amountMinor ?? 0, terms), terms.currency);
  switch (next.kind) {
    case 'confirm': {
      const reminder = t`You can confirm now. We’ll remind you ${at}.`;
      return terms.confirmBy
        ? `${reminder} ${confirmByText(terms.confirmBy, terms.timeZone, now)}`
        : reminder;
    }
    case 'confirm-by':
      return confirmByText(next.at, terms.timeZone, now);
    case 'auto-submit':
      return t`Submit your hours after the shift, or we'll submit them for you ${at}.`;
    case 'approve-planned':
    case 'auto-approve':
      return t`If ${business.name} doesn't reply by ${at}, ${money} is approved automatically.`;
    case 'pay-recorded':
      if (isAlreadyPaid(work))
        return t`If you don't reply by ${at}, it stays at ${money}, which is already paid.`;
      return isPaidAsProposed(work)
        ? t`If you don't reply by ${at}, ${money} is paid, as ${business.name} proposed.`
        : t`If you don't reply by ${at}, ${money} is paid for the recorded hours within the planned time.`;
    case 'review':
      return reviewText(work, money, at);
    case 'contest-over':
      return t`If that's not right, contest it by ${at}. After that it's final.`;
    case 'dispute':
      return t`The next step in the dispute is due by ${at}.`;
  }
}

export const nextLeft = ({ next }: Pick<EngagementCard, 'next'>, now = new Date()): string | null =>
  next ? formatLeft(next.at, now) : null;

export function attendanceText(event: AttendanceEvent): { title: string; flags: string[] } {
  const titles: Record<AttendanceEvent['kind'], string> = {
    check_in: t`Check-in`,
    break_start: t`Break started`,
    break_end: t`Break ended`,
    check_out: t`Check-out`,
  };
  const words: Record<AttendanceEvent['flags'][number], string> = {
    queued: t`sent later`,
    clock_off: t`device clock was wrong`,
    far: t`far from the site`,
    late: t`late`,
    early: t`early`,
    sent_home: t`sent home`,
  };
  return { title: titles[event.kind], flags: event.flags.map((flag) => words[flag]) };
}

export function claimFlagText(flags: HoursClaim['flags']): string[] {
  const words: Record<HoursClaim['flags'][number], string> = {
    no_check_in: t`no check-in`,
    no_check_out: t`no check-out`,
    planned: t`planned hours`,
    beyond_record: t`more than recorded`,
    minimum: t`minimum pay`,
  };
  return flags.map((flag) => words[flag]);
}

/** The payer of the fee. */
export function termsFee(terms: Terms, business: string): string {
  if (terms.workerFeeBasisPoints === 0)
    return terms.businessFeeBasisPoints === 0
      ? t`You keep all of it.`
      : t`You keep all of it. ${business} pays our ${formatShare(terms.businessFeeBasisPoints)} fee on top.`;
  return t`Our ${formatShare(terms.workerFeeBasisPoints)} fee on ${formatMoney(terms.payTotalMinor, terms.currency)} is already deducted.`;
}

export const payBasis = (terms: Terms): string =>
  terms.kind === 'task' || terms.paidMinutes === null
    ? t`Fixed price`
    : t`${formatMoney(terms.payMinor, terms.currency)} an hour for ${formatMinutes(terms.paidMinutes)}`;

/** A distance in metres close to the site, otherwise in the usual format. */
export const closeDistance = (metres: number, timeZone: string): string =>
  usesMiles(timeZone) || metres >= 950 ? formatDistance(metres, timeZone) : t`${Math.round(metres)} m`;

const doubtfulFlags = ['beyond_record', 'no_check_in', 'no_check_out'] as const;
const doubtfulFlag = ({ claimFlags }: Pick<EngagementCard, 'claimFlags'>) =>
  doubtfulFlags.find((flag) => claimFlags.includes(flag));

/** The reason to compare submitted hours with the record before they are approved. Null if they agree. */
export function claimDoubt(work: Pick<EngagementCard, 'claimFlags'>): string | null {
  switch (doubtfulFlag(work)) {
    case 'beyond_record':
      return t`More than recorded`;
    case 'no_check_in':
      return t`No check-in`;
    case 'no_check_out':
      return t`No check-out`;
    default:
      return null;
  }
}

/** `claimDoubt` for the middle of a line. */
export function claimDoubtInLine(work: Pick<EngagementCard, 'claimFlags'>): string | null {
  const flag = doubtfulFlag(work);
  return flag ? (claimFlagText([flag])[0] ?? null) : null;
}
