import { dayMs, minuteMs } from '@nearhand/contract/durations';

const formats = new Map<string, Intl.DateTimeFormat>();

export function dayIn(timeZone: string, instant: Date): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    formats.set(timeZone, format);
  }
  return format.format(instant);
}

const quarterMs = 15 * minuteMs;

/** Milliseconds since 1970. Zones differ from UTC by at most 14 hours, in quarters. */
export function dayEndsAt(timeZone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`) + dayMs;
  let low = -14 * 4;
  let high = 14 * 4;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (dayIn(timeZone, new Date(midnight + middle * quarterMs)) > day) high = middle;
    else low = middle + 1;
  }
  return midnight + low * quarterMs;
}
