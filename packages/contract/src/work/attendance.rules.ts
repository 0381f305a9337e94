import { addMs, minuteMs, subtractMs } from '../durations.ts';
import { workLimits } from './limits.ts';

export const siteCodeDigits = 6;
export const siteCodeShape = new RegExp(`^\\d{${siteCodeDigits}}$`);

export const kioskPinDigits = 4;
export const kioskPinShape = new RegExp(`^\\d{${kioskPinDigits}}$`);

export const pairingCodeDigits = 8;
export const pairingCodeShape = new RegExp(`^\\d{${pairingCodeDigits}}$`);

/** The check-in window of a shift, both ends inclusive. */
export const checkInWindow = (
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
  opensMinutes: number,
): { from: Date; until: Date } => ({
  from: subtractMs(startsAt, opensMinutes * minuteMs),
  until: endsAt,
});

/** The time from which the business may report a no-show: a wait after the start, or after the announced later arrival. */
export const shiftNoShowFrom = (
  { startsAt, lateMinutes }: { startsAt: Date; lateMinutes: number | null },
  noShowAfterMinutes: number,
): Date => addMs(startsAt, ((lateMinutes ?? 0) + noShowAfterMinutes) * minuteMs);

/** The problem of checking in now; null within the window, bounds included. */
export function windowProblem(
  now: Date,
  { from, until }: { from: Date; until: Date },
): 'too-early' | 'too-late' | null {
  if (now < from) return 'too-early';
  return now > until ? 'too-late' : null;
}

/** The largest distance of a device from the site, in metres: the check-in radius plus its own inaccuracy. */
export const checkInReachM = (radiusM: number, accuracyM: number): number =>
  radiusM + Math.min(accuracyM, workLimits.accuracyCapM);

/** Minutes of lateness that someone can report. */
export const lateChoices = [15, 30, 60] as const;
export type LateChoice = (typeof lateChoices)[number];
