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

export function isByDay(instant: Date): boolean {
  const hour = Number(wallClock.format(instant).slice(-8, -6));
  return hour >= 8 && hour < 21;
}
