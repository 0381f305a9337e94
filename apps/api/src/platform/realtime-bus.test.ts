import { describe, expect, it } from 'vitest';
import { packSignals } from './emit.ts';
import { backoff, readPack, resyncEveryone } from './realtime-bus.ts';

describe('what comes over the bus', () => {
  it('is read as it was sent', () => {
    expect(packSignals(resyncEveryone).flatMap(readPack)).toEqual(resyncEveryone);
  });

  it.each([
    '',
    '{',
    'null',
    '12',
    '{}',
    '[null]',
    '[{"rooms":"everyone"}]',
    '[{"rooms":[1],"signal":{"kind":"notice"}}]',
  ])('is passed over where it has another shape: %s', (text) => expect(readPack(text)).toEqual([]));
});

describe('the time before the next attempt', () => {
  it('grows to two seconds and is spread', () => {
    expect([0, 1, 4, 5, 50].map((attempt) => backoff(attempt, 1))).toEqual([100, 200, 1_600, 2_000, 2_000]);
    expect(backoff(50, 0)).toBe(1_000);
  });
});
