import { t } from '@lingui/core/macro';
import { dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import type {
  AttendanceEvent,
  EngagementCard,
  EngagementStatus,
  HoursClaim,
} from '@nearhand/contract/engagements';
import type { Terms } from '@nearhand/contract/terms';
import {
  dayIn,
  formatCalendarDay,
  formatDate,
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
} from '../../lib/format.ts';
import type { Tone } from '../../ui/badge.tsx';

/** A status as its worker reads it: short for a badge, whole for a heading. */
export function workStatusWords(
  status: EngagementStatus,
  onBreak = false,
): { badge: string; title: string; tone?: Tone } {
  switch (status) {
    case 'booked':
      return { badge: t`Booked`, title: t`You are booked`, tone: 'here' };
    case 'confirmed':
      return { badge: t`Confirmed`, title: t`You said you come`, tone: 'good' };
    case 'checked_in':
      return onBreak
        ? { badge: t`On a break`, title: t`You are on a break`, tone: 'wait' }
        : { badge: t`Checked in`, title: t`You are at work`, tone: 'good' };
    case 'checked_out':
      return { badge: t`Hours to send`, title: t`Send your hours`, tone: 'wait' };
    case 'in_progress':
      return { badge: t`Going on`, title: t`You are on it`, tone: 'good' };
    case 'submitted':
      return { badge: t`Hours sent`, title: t`They look at your hours`, tone: 'wait' };
    case 'counter_proposed':
      return { badge: t`Other hours proposed`, title: t`They propose other hours`, tone: 'wait' };
    case 'delivered':
      return { badge: t`Delivered`, title: t`They look at your work`, tone: 'wait' };
    case 'changes_requested':
      return { badge: t`Changes asked`, title: t`They ask for changes`, tone: 'wait' };
    case 'approved':
      return { badge: t`Approved`, title: t`Your work is approved`, tone: 'good' };
    case 'completed':
      return { badge: t`Completed`, title: t`This work is completed`, tone: 'good' };
    case 'disputed':
      return { badge: t`In dispute`, title: t`The pay is in dispute`, tone: 'bad' };
    case 'cancelled_by_worker':
      return { badge: t`You called it off`, title: t`You called it off` };
    case 'cancelled_by_merchant':
      return { badge: t`Called off`, title: t`They called it off` };
    case 'no_show_reported':
      return { badge: t`Reported as not there`, title: t`They say you did not come`, tone: 'bad' };
    case 'contested':
      return { badge: t`Being looked at`, title: t`We look at what happened`, tone: 'wait' };
  }
}

/** The same of work at a moment: before the start there are no hours to send yet. */
export const workWords = (work: Pick<EngagementCard, 'status' | 'onBreak' | 'terms'>, now = new Date()) =>
  leftBeforeStart(work, now)
    ? { badge: t`Checked out`, title: t`You checked out before the start`, tone: 'wait' as Tone }
    : workStatusWords(work.status, work.onBreak);

/** Who came early and left again before anything began. */
export const leftBeforeStart = (
  { status, terms }: Pick<EngagementCard, 'status' | 'terms'>,
  now = new Date(),
): boolean =>
  status === 'checked_out' && terms.startsAt !== null && now.getTime() < Date.parse(terms.startsAt);

/** A time with its weekday in the zone of the work; the reader's own beside it where clocks differ. */
export function stamp(instant: string, timeZone: string, now = new Date()): string {
  const there = formatDate(instant, timeZone, now);
  const own = ownTimeZone();
  const same =
    formatTime(instant, own) === formatTime(instant, timeZone) &&
    dayIn(instant, own) === dayIn(instant, timeZone);
  return same ? there : t`${there} (${formatDate(instant, own, now)} your time)`;
}

/** When the work is: its hours, or its last day. */
export function workWhen(
  terms: Pick<Terms, 'startsAt' | 'endsAt' | 'dueOn' | 'timeZone'>,
  now = new Date(),
): string | null {
  if (terms.startsAt && terms.endsAt) return formatSpan(terms.startsAt, terms.endsAt, terms.timeZone, now);
  return terms.dueOn ? t`Done by ${formatCalendarDay(terms.dueOn, { now })}` : null;
}

/** The same with the reader's own time where clocks differ; null where they do not. */
export function ownWhen(
  { startsAt, endsAt, timeZone }: Pick<Terms, 'startsAt' | 'endsAt' | 'timeZone'>,
  now = new Date(),
): string | null {
  const own = ownTimeZone();
  if (!startsAt || !endsAt || formatTime(startsAt, own) === formatTime(startsAt, timeZone)) return null;
  return t`${formatSpan(startsAt, endsAt, own, now)} your time`;
}

/** A length as a clock on a wall says it, for headings: "39 min", "2 h 5 min". Days are named, not counted. */
const length = (ms: number): string => formatMinutes(Math.max(1, Math.ceil(ms / minuteMs)));

/** The heading of work at a moment: how long until it starts or ends, or where it stands. */
export function headline(
  work: Pick<EngagementCard, 'status' | 'onBreak' | 'terms'>,
  now = new Date(),
): string {
  const { status, terms } = work;
  const start = terms.startsAt ? Date.parse(terms.startsAt) : null;
  const end = terms.endsAt ? Date.parse(terms.endsAt) : null;
  if ((status === 'booked' || status === 'confirmed') && start !== null && end !== null) {
    const until = start - now.getTime();
    if (until > 0 && until <= 12 * hourMs) return t`Starts in ${length(until)}`;
    if (until > 0)
      return isTomorrow(work, now)
        ? t`Starts tomorrow`
        : t`Starts ${formatDay(terms.startsAt ?? '', terms.timeZone, { now })}`;
    return now.getTime() < end ? t`Began ${length(-until)} ago` : t`This work is over`;
  }
  if (status === 'checked_in' && end !== null && !work.onBreak && now.getTime() < end)
    return t`Ends in ${length(end - now.getTime())}`;
  return workWords(work, now).title;
}

/** Whether it starts on the next day of the calendar, where it is. */
const isTomorrow = ({ terms }: Pick<EngagementCard, 'terms'>, now: Date): boolean =>
  terms.startsAt !== null &&
  dayIn(new Date(Date.parse(terms.startsAt)), terms.timeZone) ===
    dayIn(new Date(now.getTime() + dayMs), terms.timeZone);

/** What stands above the work of the next day: it may begin tomorrow. */
export function todayTitle(items: readonly Pick<EngagementCard, 'terms'>[], now = new Date()): string {
  const later = items.filter((work) => isTomorrow(work, now)).length;
  if (later === 0) return t`Today`;
  return later === items.length ? t`Tomorrow` : t`Today and tomorrow`;
}

/** Whether its worker was asked to say that they come, and has not. */
export const asksToConfirm = ({ actions, next }: Pick<EngagementCard, 'actions' | 'next'>): boolean =>
  actions.includes('confirm') && next !== null && next.what !== 'confirm';

/** Whether it is on now or within the next day: it then leads the screen. */
export function isToday(work: Pick<EngagementCard, 'status' | 'terms'>, now = new Date()): boolean {
  if (work.status === 'checked_in' || work.status === 'in_progress' || leftBeforeStart(work, now))
    return true;
  if (work.status !== 'booked' && work.status !== 'confirmed') return false;
  if (!work.terms.startsAt || !work.terms.endsAt) return false;
  const ms = now.getTime();
  return Date.parse(work.terms.startsAt) - ms <= dayMs && ms < Date.parse(work.terms.endsAt);
}

/** Whether the worker owes the next step: an answer, hours, changes. */
export const waitsForWorker = ({ actions, status }: Pick<EngagementCard, 'actions' | 'status'>): boolean =>
  actions.includes('accept-counter') ||
  actions.includes('contest') ||
  (status === 'checked_out' && actions.includes('submit-hours')) ||
  (status === 'changes_requested' && actions.includes('deliver'));

/** What happens next by itself, and when. */
export function nextWords(
  { next, status, terms, business }: Pick<EngagementCard, 'next' | 'status' | 'terms' | 'business'>,
  now = new Date(),
): string | null {
  if (next === null) return status === 'contested' ? t`We look at it and tell you both.` : null;
  const at = stamp(next.at, terms.timeZone, now);
  switch (next.what) {
    case 'confirm':
      return t`We ask you to confirm ${at}.`;
    case 'auto-submit':
      return t`Send your hours after the work. If you do not, we send them for you ${at}.`;
    case 'auto-approve':
      return t`${business.name} answers by ${at}. If not, it is approved by itself.`;
    case 'counter-stands':
      return t`Answer by ${at}. If you do not, their hours stand.`;
    case 'contest-over':
      return t`If that is not right, say so by ${at}. After that it stands.`;
    case 'dispute':
      return t`The next step of the dispute is due by ${at}.`;
  }
}

/** What is left of that time, in words; null where nothing runs. */
export const nextLeft = ({ next }: Pick<EngagementCard, 'next'>, now = new Date()): string | null =>
  next ? formatLeft(next.at, now) : null;

export function attendanceWords(event: AttendanceEvent): { title: string; flags: string[] } {
  const titles: Record<AttendanceEvent['kind'], string> = {
    check_in: t`Check-in`,
    break_start: t`Break began`,
    break_end: t`Break ended`,
    check_out: t`Check-out`,
  };
  const words: Record<AttendanceEvent['flags'][number], string> = {
    queued: t`sent later`,
    clock_off: t`clock of the device was off`,
    far: t`far from the place`,
    late: t`late`,
    early: t`early`,
  };
  return { title: titles[event.kind], flags: event.flags.map((flag) => words[flag]) };
}

export function claimFlagWords(flags: HoursClaim['flags']): string[] {
  const words: Record<HoursClaim['flags'][number], string> = {
    no_check_in: t`no check-in was recorded`,
    no_check_out: t`no check-out was recorded`,
    planned: t`these are the planned hours`,
    beyond_record: t`more than was recorded`,
  };
  return flags.map((flag) => words[flag]);
}

/** Who pays the fee, and what is left (look.md, Money: what the worker gets first, the fee in words). */
export function termsFee(terms: Terms, business: string): string {
  if (terms.workerFeeBasisPoints === 0)
    return terms.merchantFeeBasisPoints === 0
      ? t`You keep all of it.`
      : t`You keep all of it. ${business} pays our ${formatShare(terms.merchantFeeBasisPoints)} fee on top.`;
  return t`Our ${formatShare(terms.workerFeeBasisPoints)} fee of ${formatMoney(terms.payTotalMinor, terms.currency)} is already off.`;
}

/** How the pay is made up: "€18 an hour for 6 h", "Fixed price". */
export const payBasis = (terms: Terms): string =>
  terms.kind === 'task' || terms.paidMinutes === null
    ? t`Fixed price`
    : t`${formatMoney(terms.payMinor, terms.currency)} an hour for ${formatMinutes(terms.paidMinutes)}`;

/** A distance that matters to the metre, as at a place of work; further away as everywhere. */
export const closeDistance = (metres: number, timeZone: string): string =>
  usesMiles(timeZone) || metres >= 950 ? formatDistance(metres, timeZone) : t`${Math.round(metres)} m`;
