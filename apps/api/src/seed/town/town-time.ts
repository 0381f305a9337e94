import { addMs, dayIn, dayMs } from '@nearhand/contract/durations';

const townZone = 'Europe/Amsterdam';

const wallClock = new Intl.DateTimeFormat('en-CA', {
  timeZone: townZone,
  dateStyle: 'short',
  timeStyle: 'medium',
  hourCycle: 'h23',
});

export function instantAt(day: string, time: string): Date {
  const wallTime = Date.parse(`${day}T${time}:00Z`);
  const wallClockAt = (instant: number) => Date.parse(`${wallClock.format(instant).replace(', ', 'T')}Z`);
  const guess = wallTime - (wallClockAt(wallTime) - wallTime);
  return new Date(guess - (wallClockAt(guess) - wallTime));
}

export const dayAfter = (instant: Date, days: number): string =>
  dayIn(townZone, addMs(instant, days * dayMs));

const hourAt = (instant: Date): number => Number(wallClock.format(instant).slice(-8, -6));

export const isByDay = (instant: Date): boolean => hourAt(instant) >= 8 && hourAt(instant) < 21;

/** An hour at which shifts other than night work begin. */
export const isWaking = (instant: Date): boolean => hourAt(instant) >= 6 && hourAt(instant) < 21;
