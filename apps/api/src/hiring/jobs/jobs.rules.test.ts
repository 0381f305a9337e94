import {
  type JobFacts,
  jobMoves,
  jobStatuses,
  mapTexts,
  materialChanges,
  missingFields,
  nextJobStatus,
  timeProblem,
} from '@nearhand/contract/hiring/jobs.rules';
import { hourlyPay } from '@nearhand/contract/hiring/pay-units.rules';
import { metresBetween } from '@nearhand/contract/people/great-circle';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { radiusInForce } from '../nearby/nearby.ts';
import { squaresAround } from '../nearby/search-terms.ts';
import { publicPlace } from './jobs.ts';

const facts: JobFacts = {
  kind: 'shift',
  description: 'x',
  payMinor: 1_500,
  headCount: 2,
  startsAt: new Date('2026-12-01T08:00:00Z'),
  endsAt: new Date('2026-12-01T16:00:00Z'),
  breakMinutes: 30,
  breakPaid: false,
  dueOn: null,
  hoursNote: null,
  relation: null,
  ...mapTexts(() => null),
  address: 'Street 1',
  lat: 52,
  lng: 5,
};

describe('job states', () => {
  it('never leave archived, leave closed only to archived, and list each action once', () => {
    for (const [from, action, who, to] of jobMoves) {
      expect(from).not.toBe('archived');
      if (from === 'closed') expect(to).toBe('archived');
      expect(
        jobMoves.filter((move) => move[0] === from && move[1] === action && move[2] === who),
      ).toHaveLength(1);
    }
  });

  it('let only the timer expire and only the operator suspend', () => {
    for (const status of jobStatuses) {
      expect(nextJobStatus(status, 'expire', 'business')).toBeNull();
      expect(nextJobStatus(status, 'suspend', 'business')).toBeNull();
    }
    expect(nextJobStatus('open', 'expire', 'timer')).toBe('expired');
    expect(nextJobStatus('paused', 'expire', 'timer')).toBeNull();
  });

  it('treat a repeat as a no-op', () => {
    expect(nextJobStatus('open', 'publish', 'business')).toBe('open');
    expect(nextJobStatus('closed', 'close', 'business')).toBe('closed');
    expect(nextJobStatus('archived', 'close', 'business')).toBeNull();
  });
});

describe('required fields of a job', () => {
  it('are complete with hours as text for an imported job', () => {
    expect(missingFields({ ...facts, startsAt: null, endsAt: null })).toEqual(['startsAt', 'endsAt']);
    expect(missingFields({ ...facts, startsAt: null, endsAt: null, hoursNote: 'Day' })).toEqual([]);
    expect(missingFields({ ...facts, kind: 'task', startsAt: null, endsAt: null })).toEqual([]);
  });

  it('require possible times', () => {
    expect(timeProblem(facts)).toBeNull();
    expect(timeProblem({ ...facts, endsAt: facts.startsAt })?.path).toBe('endsAt');
    expect(timeProblem({ ...facts, startsAt: null })?.path).toBe('startsAt');
    expect(timeProblem({ ...facts, breakMinutes: 480 })?.path).toBe('breakMinutes');
  });

  it('tells a material change from others', () => {
    expect(materialChanges(facts, { ...facts, headCount: 3 })).toEqual([]);
    expect(materialChanges(facts, { ...facts, payMinor: 1, headCount: 1, lat: 1, breakPaid: true })).toEqual([
      'pay',
      'hours',
      'place',
      'head-count',
    ]);
  });
});

describe('hourlyPay', () => {
  it('converts units to hourly pay, half up (ADR 7)', () => {
    expect(hourlyPay(1_500, 'hour')).toBe(1_500);
    expect(hourlyPay(12_000, 'day')).toBe(1_500);
    expect(hourlyPay(60_001, 'week')).toBe(1_500);
    expect(hourlyPay(260_000, 'month')).toBe(1_500);
    expect(hourlyPay(3_120_000, 'year')).toBe(1_500);
    expect(hourlyPay(20, 'week')).toBe(1);
    expect(hourlyPay(500, 'fixed')).toBeNull();
    expect(hourlyPay(null, 'hour')).toBeNull();
  });
});

const point = fc.record({
  lat: fc.double({ min: -89.8, max: 89.8, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('publicPlace', () => {
  it('is off by 60 to 500 m, consistently, including pins a few metres off (ADR 8)', () => {
    fc.assert(
      fc.property(point, fc.uuid(), (place, salt) => {
        const blurred = publicPlace(salt, { ...place, privateAddress: true });
        const off = metresBetween(place, blurred);
        expect(off).toBeGreaterThan(60);
        expect(off).toBeLessThan(500);
        expect(publicPlace(salt, { ...place, privateAddress: true })).toEqual(blurred);
        expect(Math.abs(blurred.lng)).toBeLessThanOrEqual(180);
      }),
    );
    const middle = { lat: 52.372, lng: 4.8902, privateAddress: true };
    const beside = { ...middle, lat: 52.37205, lng: 4.89025 };
    expect(publicPlace('a', beside)).toEqual(publicPlace('a', middle));
    expect(publicPlace('b', middle)).not.toEqual(publicPlace('a', middle));
  });

  it('returns the exact place unless it is private', () => {
    expect(publicPlace('a', { lat: 1.23456789, lng: 2, privateAddress: false })).toEqual({
      lat: 1.23456789,
      lng: 2,
    });
  });
});

describe('squaresAround', () => {
  it('includes the square of every point within the radius', () => {
    const near = fc.record({
      lat: fc.double({ min: -90, max: 90, noNaN: true }),
      lng: fc.double({ min: -180, max: 180, noNaN: true }),
      turn: fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      metres: fc.constantFrom(100, 5_000, 25_000, 100_000),
    });
    fc.assert(
      fc.property(near, ({ lat, lng, turn, share, metres }) => {
        const there = {
          lat: Math.max(-90, Math.min(90, lat + (share * metres * Math.cos(turn)) / 111_195)),
          lng:
            lng +
            (share * metres * Math.sin(turn)) / 111_195 / Math.max(0.001, Math.cos((lat * Math.PI) / 180)),
        };
        there.lng = ((((there.lng + 180) % 360) + 360) % 360) - 180;
        if (metresBetween({ lat, lng }, there) > metres) return;
        const own = squaresAround(there, 0);
        const reached = new Set(squaresAround({ lat, lng }, metres));
        expect(own.some((square) => reached.has(square))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('radiusInForce', () => {
  it('returns the first radius with ten jobs, otherwise the widest', () => {
    const at = (km: number, count: number) => Array.from({ length: count }, () => km * 1000);
    expect(radiusInForce(25, at(10, 10))).toBe(25);
    expect(radiusInForce(25, [...at(10, 9), ...at(40, 1)])).toBe(50);
    expect(radiusInForce(7, [...at(1, 9), ...at(8, 1)])).toBe(10);
    expect(radiusInForce(25, at(10, 9))).toBe(100);
    expect(radiusInForce(100, [])).toBe(100);
  });
});
