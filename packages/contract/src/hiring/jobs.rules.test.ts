import { describe, expect, it } from 'vitest';
import {
  type JobFacts,
  jobMoves,
  jobStatuses,
  mapTexts,
  materialChanges,
  missingFields,
  nextJobStatus,
  timeProblem,
} from './jobs.rules.ts';
import { hourlyPay } from './pay-units.rules.ts';

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
    expect(nextJobStatus('paused', 'expire', 'timer')).toBe('expired');
    expect(nextJobStatus('filled', 'expire', 'timer')).toBeNull();
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
