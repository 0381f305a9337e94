import { addMs, dayMs } from '../durations.ts';
import { awakeDeadline } from '../work/confirm.rules.ts';

/** True if an answer is due only by the start of the work, which people read as no deadline (ADR 18). */
export const isDueAtStart = (decideBy: Date, startsAt: Date | null): boolean =>
  startsAt !== null && decideBy >= startsAt;

/** The deadline for answering an application sent at `now`; never after the start of the work (ADR 18). */
export function decideByAt(now: Date, days: number, startsAt: Date | null, timeZone: string): Date {
  const deadline = awakeDeadline(addMs(now, days * dayMs), timeZone, startsAt);
  return deadline < now ? now : deadline;
}
