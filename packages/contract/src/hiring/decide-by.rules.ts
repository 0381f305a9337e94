import { dayMs } from '../durations.ts';
import { minuteIn, nextAt } from '../zoned-time.ts';

const morning = 8 * 60;
const night = 22 * 60;

/**
 * A deadline for people, which never falls between 22:00 and 8:00 at the place: it moves to the next morning,
 * but not past `latest`, such as the start of the work (ADR 18).
 */
export function awakeDeadline(at: Date, timeZone: string, latest: Date | null): Date {
  const minute = minuteIn(timeZone, at);
  const awake = minute >= morning && minute < night ? at : nextAt(timeZone, morning, at);
  return latest !== null && latest < awake ? latest : awake;
}

/** True if an answer is due only by the start of the work, which people read as no deadline (ADR 18). */
export const isDueAtStart = (decideBy: Date, startsAt: Date | null): boolean =>
  startsAt !== null && decideBy >= startsAt;

/** When the business must answer an application sent at `now`; never after the start of the work (ADR 18). */
export function decideByAt(now: Date, days: number, startsAt: Date | null, timeZone: string): Date {
  const deadline = awakeDeadline(new Date(now.getTime() + days * dayMs), timeZone, startsAt);
  return deadline < now ? now : deadline;
}
