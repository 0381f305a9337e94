import { minuteMs } from '@nearhand/contract/durations';
import type { EngagementAction, EngagementCard } from '@nearhand/contract/engagements';
import type { SettingsView } from '../../lib/settings.ts';
import type { QueuedAttendance } from './attendance.api.ts';

export const attendanceActs = ['check-in', 'start-break', 'end-break', 'check-out'] as const;
export type AttendanceAct = (typeof attendanceActs)[number];

const isAct = (action: EngagementAction): action is AttendanceAct =>
  attendanceActs.some((act) => act === action);

type CheckInSettings = Pick<SettingsView, 'checkInOpensMinutes'>;

/** When checking in opens and closes; null for a task. */
export function checkInWindow(
  { terms }: Pick<EngagementCard, 'terms'>,
  { checkInOpensMinutes }: CheckInSettings,
): { from: Date; until: Date } | null {
  if (terms.kind !== 'shift' || !terms.startsAt || !terms.endsAt) return null;
  return {
    from: new Date(Date.parse(terms.startsAt) - checkInOpensMinutes * minuteMs),
    until: new Date(terms.endsAt),
  };
}

type Waiting = Pick<QueuedAttendance, 'kind' | 'refusal'>;

/** What will be sent once the refused are taken out: without its check-in, what came after it up to the next one stands for nothing. */
function stillMeant<One extends Waiting>(queued: readonly One[]): One[] {
  let refusedIn = false;
  return queued.filter(({ kind, refusal }) => {
    if (kind === 'checkIn') refusedIn = refusal !== null;
    return refusal === null && !refusedIn;
  });
}

/**
 * What can be recorded now. The server's `actions` are the truth while it is reached; what waits on the device is taken as done, and a check-in whose time has
 * come since the last answer is offered without a new one, because that is when there may be no network (ADR 0051).
 */
export function actsNow(
  work: Pick<EngagementCard, 'actions' | 'status' | 'terms'>,
  queued: readonly Waiting[],
  now: Date,
  settings: CheckInSettings,
): AttendanceAct[] {
  const last = stillMeant(queued).at(-1);
  const window = checkInWindow(work, settings);
  const open = window !== null && now >= window.from && now <= window.until;
  switch (last?.kind) {
    case 'checkIn':
    case 'endBreak':
      return ['start-break', 'check-out'];
    case 'startBreak':
      return ['end-break', 'check-out'];
    case 'checkOut':
      return open ? ['check-in'] : [];
  }
  const acts = work.actions.filter(isAct).filter((act) => act !== 'check-in' || open);
  const expected = work.status === 'booked' || work.status === 'confirmed' || work.status === 'checked_out';
  return open && expected && !acts.includes('check-in') ? ['check-in', ...acts] : acts;
}

const recordedAs = {
  checkIn: { status: 'checked_in', onBreak: false },
  startBreak: { status: 'checked_in', onBreak: true },
  endBreak: { status: 'checked_in', onBreak: false },
  checkOut: { status: 'checked_out', onBreak: false },
} as const;

/** Only work that goes on can be carried further by what waits: called off, or taken for not turned up, it stays what the server says. */
const goesOn: readonly EngagementCard['status'][] = ['booked', 'confirmed', 'checked_in', 'checked_out'];

/**
 * The same work as it stands with what waits on the device, for the words about it: who has checked in without a network is no longer only booked. What
 * waits behind a refused one does not count: nothing of it is sent before that one is taken out.
 */
export function asRecorded<Work extends Pick<EngagementCard, 'status' | 'onBreak'>>(
  work: Work,
  queued: readonly Waiting[],
): Work {
  const refused = queued.findIndex(({ refusal }) => refusal !== null);
  const last = (refused < 0 ? queued : queued.slice(0, refused)).at(-1);
  return last && goesOn.includes(work.status) ? { ...work, ...recordedAs[last.kind] } : work;
}

/** Whether checking in now would be coming back after having left. */
export const comesBack = ({ status }: Pick<EngagementCard, 'status'>, queued: readonly Waiting[]): boolean =>
  status === 'checked_out' || stillMeant(queued).some(({ kind }) => kind === 'checkOut');

/** Leaving up to this many minutes before the end needs no question. */
const nearEndMinutes = 15;

/** How many minutes before the planned end somebody would leave now, where that is worth asking; and whether the shift has begun. */
export function earlyLeave(
  { terms }: Pick<EngagementCard, 'terms'>,
  now: Date,
): { minutes: number; begun: boolean } | null {
  if (!terms.startsAt || !terms.endsAt) return null;
  const minutes = Math.floor((Date.parse(terms.endsAt) - now.getTime()) / minuteMs);
  return minutes > nearEndMinutes ? { minutes, begun: now.getTime() >= Date.parse(terms.startsAt) } : null;
}
