import type { EngagementAction, EngagementCard } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import type { QueuedAttendance } from './attendance.api.ts';

export const attendanceActs = ['check-in', 'start-break', 'end-break', 'check-out'] as const;
export type AttendanceAct = (typeof attendanceActs)[number];

const isAct = (action: EngagementAction): action is AttendanceAct =>
  attendanceActs.some((act) => act === action);

const minuteMs = 60_000;

/** When checking in opens and closes; null for a task. */
export function checkInWindow({ terms }: Pick<EngagementCard, 'terms'>): { from: Date; until: Date } | null {
  if (terms.kind !== 'shift' || !terms.startsAt || !terms.endsAt) return null;
  return {
    from: new Date(Date.parse(terms.startsAt) - limits.checkInOpensMinutes * minuteMs),
    until: new Date(terms.endsAt),
  };
}

/**
 * What can be recorded now. The server's `actions` are the truth while it is reached; what waits on the device is taken as done, and a check-in whose time has
 * come since the last answer is offered without a new one, because that is when there may be no network (ADR 0051).
 */
export function actsNow(
  work: Pick<EngagementCard, 'actions' | 'status' | 'terms'>,
  queued: readonly Pick<QueuedAttendance, 'kind' | 'refusal'>[],
  now: Date,
): AttendanceAct[] {
  const last = queued.filter(({ refusal }) => refusal === null).at(-1);
  switch (last?.kind) {
    case 'checkIn':
    case 'endBreak':
      return ['start-break', 'check-out'];
    case 'startBreak':
      return ['end-break', 'check-out'];
    case 'checkOut':
      return [];
  }
  const acts = work.actions.filter(isAct);
  const window = checkInWindow(work);
  const open = window !== null && now >= window.from && now <= window.until;
  const expected = work.status === 'booked' || work.status === 'confirmed';
  return open && expected && !acts.includes('check-in') ? ['check-in', ...acts] : acts;
}
