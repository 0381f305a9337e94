import { dayMs } from '@nearhand/contract/durations';

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A zone's local time at an instant, as if it were UTC. */
function wallMs(instantMs: number, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    });
    clocks.set(timeZone, clock);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of clock.formatToParts(instantMs)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute);
}

/**
 * The instant of a local day and time in a zone, or null if either is invalid. A time skipped in spring is shifted by the gap; of one
 * repeated in autumn it is the first.
 */
export function instantAt(day: string, time: string, timeZone: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !/^\d{2}:\d{2}$/.test(time)) return null;
  const wall = Date.parse(`${day}T${time}:00Z`);
  if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 10) !== day) return null;
  const offsets = [wall - dayMs, wall + dayMs].map((around) => wallMs(around, timeZone) - around);
  const hits = offsets.map((offset) => wall - offset).filter((ms) => wallMs(ms, timeZone) === wall);
  const found = hits.length > 0 ? Math.min(...hits) : wall - (offsets[0] ?? 0);
  return new Date(found).toISOString();
}

/** Local day and time in a zone at an instant, in the format of date and time inputs. */
export function clockIn(instant: string, timeZone: string): { day: string; time: string } {
  const shown = new Date(wallMs(Date.parse(instant), timeZone)).toISOString();
  return { day: shown.slice(0, 10), time: shown.slice(11, 16) };
}

/** The calendar day a number of days later. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** A zone as people say it: "Amsterdam time". */
export const zoneTown = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');
