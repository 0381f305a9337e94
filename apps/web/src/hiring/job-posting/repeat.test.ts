import { describe, expect, it } from 'vitest';
import { repeatedDays } from './repeat.rules.ts';

const monday = '2026-11-30';
const days = (change: Partial<Parameters<typeof repeatedDays>[1]>, first = monday) =>
  repeatedDays(first, { weekdays: [1, 3, 5], everyWeeks: 1, ends: { after: 5 }, ...change }, 1);

describe('a repeat', () => {
  it('ends after a number of shifts, including the first', () => {
    expect(days({})).toEqual(['2026-12-02', '2026-12-04', '2026-12-07', '2026-12-09']);
    expect(days({ ends: { after: 1 } })).toEqual([]);
  });

  it('ends on a day, inclusive', () => {
    expect(days({ ends: { on: '2026-12-04' } })).toEqual(['2026-12-02', '2026-12-04']);
    expect(days({ ends: { on: '2026-11-29' } })).toEqual([]);
  });

  it("counts weeks from the first shift's, even on an unselected weekday", () => {
    const thursday = '2026-12-03';
    expect(days({ weekdays: [1], everyWeeks: 2, ends: { after: 3 } }, thursday)).toEqual([
      '2026-12-14',
      '2026-12-28',
    ]);
  });

  it('crosses the end of a year and a leap day', () => {
    expect(days({ weekdays: [2], ends: { after: 3 } }, '2028-02-22')).toEqual(['2028-02-29', '2028-03-07']);
    expect(days({ weekdays: [5], ends: { after: 3 } }, '2026-12-25')).toEqual(['2027-01-01', '2027-01-08']);
  });

  it('has at most 60 shifts within twelve weeks', () => {
    const every = { weekdays: [0, 1, 2, 3, 4, 5, 6] };
    expect(days({ ...every, ends: { after: 500 } })).toHaveLength(59);
    const weekly = days({ weekdays: [1], ends: { on: '2099-01-01' } });
    expect([weekly.length, weekly.at(-1)]).toEqual([12, '2027-02-22']);
    expect(days({ weekdays: [] })).toEqual([]);
  });
});
