import { hourMs } from '../durations.ts';
import { dayIn, instantOf, minuteIn } from '../zoned-time.ts';

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
  /** Without an answer by then, the spot goes to someone else, if the terms say so (`Terms.confirmBy`). */
  confirmBy: Date;
};

const morning = 8 * 60;
const evening = 21 * 60;

/** Moves a time between 21:00 and 8:00 at the place to 21:00 of the evening before. */
function beforeNight(at: Date, timeZone: string): Date {
  const minute = minuteIn(timeZone, at);
  if (minute >= morning && minute <= evening) return at;
  const day = dayIn(timeZone, new Date(at.getTime() - (minute < morning ? 12 * hourMs : 0)));
  return new Date(instantOf(timeZone, day, evening));
}

/** When a worker is asked to confirm a shift, never at night, and until when they can (ADR 388). */
export function confirmTimes(startsAt: Date, timeZone: string, hours: ConfirmHours): ConfirmTimes {
  const before = (count: number) => new Date(startsAt.getTime() - count * hourMs);
  return {
    askAt: beforeNight(before(hours.confirmAskedHours), timeZone),
    askAgainAt: beforeNight(before(hours.confirmAgainHours), timeZone),
    confirmBy: before(hours.confirmByHours),
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
