import { describe, expect, it } from 'vitest';
import { packSignals } from './publish.ts';
import { backoff, readPack, resyncEveryone } from './realtime-bus.ts';

describe('bus messages', () => {
  it('are parsed as sent', () => {
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
  ])('are skipped if malformed: %s', (text) => expect(readPack(text)).toEqual([]));
});

describe('backoff', () => {
  it('grows to two seconds with jitter', () => {
    expect([0, 1, 4, 5, 50].map((attempt) => backoff(attempt, 1))).toEqual([100, 200, 1_600, 2_000, 2_000]);
    expect(backoff(50, 0)).toBe(1_000);
  });
});
