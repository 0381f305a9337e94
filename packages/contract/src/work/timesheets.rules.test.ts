import { describe, expect, it } from 'vitest';
import { paidMinutes } from './timesheets.rules.ts';

describe('paid minutes', () => {
  const start = new Date('2026-11-28T07:00:00Z');
  const end = new Date('2026-11-28T13:00:00Z');
  it('exclude an unpaid break and include a paid one', () => {
    expect(paidMinutes(start, end, 30, false)).toBe(330);
    expect(paidMinutes(start, end, 30, true)).toBe(360);
  });
  it('are never below zero', () => {
    expect(paidMinutes(start, new Date('2026-11-28T07:10:00Z'), 30, false)).toBe(0);
  });
});
