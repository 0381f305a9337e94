import { dayIn, hourMs, subtractMs } from '../durations.ts';
import { instantOf, minuteIn, nextAt } from '../zoned-time.ts';

/** Hours before the start of a shift, as in `limits` and the server's settings. */
export type ConfirmHours = {
  confirmAskedHours: number;
  confirmAgainHours: number;
  confirmByHours: number;
};

export type ConfirmTimes = {
  /** The worker is asked twice whether they will be there. */
  askAt: Date;
  askAgainAt: Date;
  /**
   * The deadline for confirming; then the spot goes to someone else, if the terms provide for it
   * (`Terms.confirmBy`).
   */
  confirmBy: Date;
};

const morning = 8 * 60;
export const night = 22 * 60;
const lastQuestion = 21 * 60;
/** The time to find a replacement, during the day. */
const replaceMs = 6 * hourMs;

/**
 * A deadline for people, which never falls between 22:00 and 8:00 at the place: it moves to the next morning,
 * but not past `latest`, such as the start of the work (ADR 18).
 */
export function awakeDeadline(at: Date, timeZone: string, latest: Date | null): Date {
  const minute = minuteIn(timeZone, at);
  const awake = minute >= morning && minute < night ? at : nextAt(timeZone, morning, at);
  return latest !== null && latest < awake ? latest : awake;
}

/** Moves a time between `evening` and 8:00 at the place to `evening` of the day before. */
export function beforeNight(at: Date, timeZone: string, evening: number): Date {
  const minute = minuteIn(timeZone, at);
  if (minute >= morning && minute <= evening) return at;
  const day = dayIn(timeZone, subtractMs(at, minute < morning ? 12 * hourMs : 0));
  return new Date(instantOf(timeZone, day, evening));
}

/**
 * Moves a deadline between 22:00 and 8:00 at the place to 8:00, or to 22:00 if fewer than six hours would be
 * left to find someone else.
 */
function deadlineByDay(at: Date, timeZone: string, startsAt: Date): Date {
  const nextMorning = awakeDeadline(at, timeZone, null);
  const isInTime = startsAt.getTime() - nextMorning.getTime() >= replaceMs;
  return isInTime ? nextMorning : beforeNight(at, timeZone, night);
}

/** The times at which a worker is asked to confirm a shift, never at night, and the deadline (ADR 388). */
export function confirmTimes(startsAt: Date, timeZone: string, hours: ConfirmHours): ConfirmTimes {
  const before = (count: number) => subtractMs(startsAt, count * hourMs);
  return {
    askAt: beforeNight(before(hours.confirmAskedHours), timeZone, lastQuestion),
    askAgainAt: beforeNight(before(hours.confirmAgainHours), timeZone, lastQuestion),
    confirmBy: deadlineByDay(before(hours.confirmByHours), timeZone, startsAt),
  };
}

/** Returns the deadline that a shift booked at `now` has: null if the worker can no longer be asked twice. */
export function confirmByFor(
  startsAt: Date | null,
  timeZone: string,
  hours: ConfirmHours,
  now: Date,
): Date | null {
  if (startsAt === null) return null;
  const { askAt, confirmBy } = confirmTimes(startsAt, timeZone, hours);
  return now < askAt ? confirmBy : null;
}
