import { minuteMs } from '../durations.ts';

export const siteCodeDigits = 6;
export const siteCodeShape = new RegExp(`^\\d{${siteCodeDigits}}$`);

/** The largest inaccuracy that is tolerated, enough for a phone indoors. A vaguer fix must not admit someone further away (ADR 42). */
export const accuracyCapM = 250;

/** When check-in to a shift is open, both ends inclusive. */
export const checkInWindow = (
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  opensMinutes: number,
): { from: Date; until: Date } => ({
  from: new Date(startsAt.getTime() - opensMinutes * minuteMs),
  until: endsAt,
});

/** Where in the window a time lies. */
export function windowProblem(
  now: Date,
  { from, until }: { from: Date; until: Date },
): 'too-early' | 'too-late' | null {
  if (now < from) return 'too-early';
  return now > until ? 'too-late' : null;
}

/** How far from the site a device may be, in metres: the check-in radius, widened by its own inaccuracy. */
export const checkInReachM = (radiusM: number, accuracyM: number): number =>
  radiusM + Math.min(accuracyM, accuracyCapM);

/** By how many minutes someone can say they will be late. */
export const lateChoices = [15, 30, 60] as const;
export type LateChoice = (typeof lateChoices)[number];

/** From how many hours before the start someone can say so. */
export const lateOpensHours = 12;
