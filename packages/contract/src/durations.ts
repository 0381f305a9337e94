/** Durations in milliseconds. Not for calendar days, which clock changes lengthen or shorten. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const dayMinutes = 24 * 60;

export const daysPerWeek = 7;

/** 0 for Sunday to 6, as in `Date`. `day` is YYYY-MM-DD. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** The calendar day `days` after `day`, as `2026-11-21`. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

export const addMs = (instant: Date, ms: number): Date => new Date(instant.getTime() + ms);

export const subtractMs = (instant: Date, ms: number): Date => addMs(instant, -ms);

/** Formats are slow to create, so each zone keeps its own. */
const dayFormats: Record<string, Intl.DateTimeFormat> = {};

/** The calendar day of an instant in a time zone, as `2026-11-21`. */
export function dayIn(timeZone: string, instant: Date | string): string {
  dayFormats[timeZone] ??= new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  return dayFormats[timeZone].format(new Date(instant));
}
