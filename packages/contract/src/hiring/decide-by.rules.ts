import { dayMs } from '../durations.ts';

/** When the business must answer an application sent at `now`; never after the start of the work (ADR 18). */
export function decideByAt(now: Date, days: number, startsAt: Date | null): Date {
  const latest = now.getTime() + days * dayMs;
  const start = startsAt?.getTime() ?? latest;
  return new Date(Math.max(now.getTime(), Math.min(latest, start)));
}
