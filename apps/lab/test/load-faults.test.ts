import { describe, expect, it } from 'vitest';
import { type OutboxRun, outboxFaults } from '../experiments/load/outbox.ts';
import { type Flood, floodFaults } from '../experiments/load/overload.ts';
import { type Sample, soakFaults } from '../experiments/load/soak.ts';

/** The checks of experiments that take too long for the tests: each figure alone is a fault, and the right ones are none. */
describe('outbox', () => {
  const right: OutboxRun = {
    items: 5_000,
    kills: 100,
    killed: 100,
    missing: 0,
    strange: 0,
    twice: 82,
    oftener: 0,
    uncounted: 0,
    unanswered: 10,
    givenUp: 11,
    left: 0,
    drainedMs: 9_700,
  };
  it('has no fault when all is right', () => expect(outboxFaults(right)).toEqual([]));
  it.each<Partial<OutboxRun>>([
    { killed: 99 },
    { missing: 1 },
    { strange: 1 },
    { oftener: 1 },
    { uncounted: 1 },
    { twice: 411 },
    { givenUp: 9 },
    { left: 1 },
    { drainedMs: 10_001 },
  ])('finds %o', (wrong) => expect(outboxFaults({ ...right, ...wrong })).toHaveLength(1));
});

describe('overload', () => {
  const right: Flood = {
    peak: 500,
    inTime: 480,
    refused: 30_000,
    refusedMs: 590,
    otherwise: {},
    open: 0,
    after: 470,
  };
  it('has no fault when all is right', () => expect(floodFaults(right)).toEqual([]));
  it.each<Partial<Flood>>([
    { inTime: 399 },
    { refusedMs: 1_000 },
    { otherwise: { '503 request/internal': 1 } },
    { otherwise: { '0 no answer': 1 } },
    { open: 1 },
    { after: 400 },
  ])('finds %o', (wrong) => expect(floodFaults({ ...right, ...wrong })).toHaveLength(1));
});

describe('soak', () => {
  /** Half an hour of samples, one every five seconds. */
  const samples = (of: (minute: number) => Partial<Sample>): Sample[] =>
    Array.from({ length: 360 }, (_, n) => ({ minute: n / 12, mb: 380, files: 35 + (n % 3), ...of(n / 12) }));
  it('has no fault when all is right', () =>
    expect(soakFaults({ samples: samples(() => ({})), idle: 0 })).toEqual([]));
  it.each([
    ['memory', samples((minute) => ({ mb: 380 + 1.1 * minute })), 0],
    // One in five minutes.
    ['open files', samples((minute) => ({ files: 35 + Math.floor(minute / 5) })), 0],
    ['idle', samples(() => ({})), 1],
  ] as const)('finds %s', (what, wrong, idle) => {
    const faults = soakFaults({ samples: wrong, idle });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(what);
  });
});
