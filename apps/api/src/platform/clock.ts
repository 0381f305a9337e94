import { addMs } from '@nearhand/contract/durations';
/** The only reader of time in the server (architecture.md, Rules: Time). */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Real time plus an offset set by browser journeys (ADR 58); only with NODE_ENV=test. */
export type MovableClock = Clock & { moveBy(milliseconds: number): void };

export function createMovableClock(base: Clock = systemClock): MovableClock {
  let offsetMs = 0;
  return {
    now: () => addMs(base.now(), offsetMs),
    moveBy: (milliseconds) => {
      offsetMs = milliseconds;
    },
  };
}
