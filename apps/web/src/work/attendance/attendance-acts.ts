import { minuteMs } from '@nearhand/contract/durations';
import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import type { SettingsView } from '@nearhand/contract/people/settings';
import { checkInWindow, windowProblem } from '@nearhand/contract/work/attendance.rules';
import type { EngagementAction, EngagementCard } from '@nearhand/contract/work/engagements';
import type { QueuedAttendance } from './attendance.api.ts';

const attendanceActs = ['check-in', 'start-break', 'end-break', 'check-out'] as const;
export type AttendanceAct = (typeof attendanceActs)[number];

const isAct = (action: EngagementAction): action is AttendanceAct =>
  attendanceActs.some((act) => act === action);

type CheckInSettings = Pick<SettingsView, 'checkInOpensMinutes'>;

export function checkInTimes(
  { terms }: Pick<EngagementCard, 'terms'>,
  { checkInOpensMinutes }: CheckInSettings,
): { from: Date; until: Date } | null {
  if (terms.kind !== 'shift' || !terms.startsAt || !terms.endsAt) return null;
  const shift = { startsAt: new Date(terms.startsAt), endsAt: new Date(terms.endsAt) };
  return checkInWindow(shift, checkInOpensMinutes);
}

type Queued = Pick<QueuedAttendance, 'kind' | 'refusal'>;

/** The events that still count: a refused check-in voids everything up to the next check-in. */
function countedEvents<One extends Queued>(queued: readonly One[]): One[] {
  let refusedIn = false;
  return queued.filter(({ kind, refusal }) => {
    if (kind === 'checkIn') refusedIn = refusal !== null;
    return refusal === null && !refusedIn;
  });
}

/** The events that can be recorded now: the server's actions, queued events, and a just opened check-in (ADR 51). */
export function actsNow(
  work: Pick<EngagementCard, 'actions' | 'status' | 'terms'>,
  queued: readonly Queued[],
  now: Date,
  settings: CheckInSettings,
): AttendanceAct[] {
  const last = countedEvents(queued).at(-1);
  const window = checkInTimes(work, settings);
  const isOpen = window !== null && windowProblem(now, window) === null;
  const hasStarted = work.terms.startsAt === null || now.getTime() >= Date.parse(work.terms.startsAt);
  switch (last?.kind) {
    case 'checkIn':
    case 'endBreak':
      return hasStarted ? ['start-break', 'check-out'] : ['check-out'];
    case 'startBreak':
      return ['end-break', 'check-out'];
    case 'checkOut':
      return isOpen ? ['check-in'] : [];
  }
  const acts = work.actions
    .filter(isAct)
    .filter((act) => (act !== 'check-in' || isOpen) && (act !== 'start-break' || hasStarted));
  const isExpected = isUpcoming(work.status) || work.status === 'checked_out';
  return isOpen && isExpected && !acts.includes('check-in') ? ['check-in', ...acts] : acts;
}

const changeOfEvent = {
  checkIn: { status: 'checked_in', onBreak: false },
  startBreak: { status: 'checked_in', onBreak: true },
  endBreak: { status: 'checked_in', onBreak: false },
  checkOut: { status: 'checked_out', onBreak: false },
} as const;

/** Queued events apply only to these statuses; cancelled or no-show work keeps the server's state. */
const ongoing: readonly EngagementCard['status'][] = ['booked', 'confirmed', 'checked_in', 'checked_out'];

/** The work with queued events applied. Events behind a refused one aren't sent, so they don't count. */
export function asRecorded<Work extends Pick<EngagementCard, 'status' | 'onBreak'>>(
  work: Work,
  queued: readonly Queued[],
): Work {
  const refused = queued.findIndex(({ refusal }) => refusal !== null);
  const last = (refused < 0 ? queued : queued.slice(0, refused)).at(-1);
  return last && ongoing.includes(work.status) ? { ...work, ...changeOfEvent[last.kind] } : work;
}

export const isReturning = ({ status }: Pick<EngagementCard, 'status'>, queued: readonly Queued[]): boolean =>
  status === 'checked_out' || countedEvents(queued).some(({ kind }) => kind === 'checkOut');

/** Leaving within this many minutes of the end needs no confirmation. */
const nearEndMinutes = 15;

/** The minutes by which a check-out would be early; null if it needs no confirmation. */
export function earlyLeave(
  { terms }: Pick<EngagementCard, 'terms'>,
  now: Date,
): { minutes: number; started: boolean } | null {
  if (!terms.startsAt || !terms.endsAt) return null;
  const minutes = Math.floor((Date.parse(terms.endsAt) - now.getTime()) / minuteMs);
  return minutes > nearEndMinutes ? { minutes, started: now.getTime() >= Date.parse(terms.startsAt) } : null;
}
