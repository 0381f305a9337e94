import { addMs, minuteMs, subtractMs } from '../durations.ts';

export const siteCodeDigits = 6;
export const siteCodeShape = new RegExp(`^\\d{${siteCodeDigits}}$`);

export const kioskPinDigits = 4;
export const kioskPinShape = new RegExp(`^\\d{${kioskPinDigits}}$`);

export const pairingCodeDigits = 8;
export const pairingCodeShape = new RegExp(`^\\d{${pairingCodeDigits}}$`);

/** Minutes in which a new tablet must be paired. */
export const pairingMinutes = 15;

/** Tablets of a branch. */
export const kiosksPerBranch = 10;

/** The largest tolerated inaccuracy, in metres. A vaguer fix must not admit someone further away (ADR 42). */
export const accuracyCapM = 250;

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
  radiusM + Math.min(accuracyM, accuracyCapM);

/** Minutes of lateness that someone can report. */
export const lateChoices = [15, 30, 60] as const;
export type LateChoice = (typeof lateChoices)[number];

/** Minutes after a booking in which either side cancels for free (ADR 388). */
export const freeCancelMinutes = 5;

/** Hours in which the worker of a booked shift answers a change of it (ADR 389). */
export const changeAnswerHours = 24;

/** A worker asks for a day off a series at least these days before it, and silence grants it (ADR 406). */
export const dayOffAskDays = 3;
export const dayOffAnswerHours = 24;

/** Minutes paid at least to a punctual worker who is sent home early, or the plan if it is shorter. */
export const sentHomeMinutes = 240;

/** Hours before the start from which lateness can be reported. */
export const lateOpensHours = 12;
