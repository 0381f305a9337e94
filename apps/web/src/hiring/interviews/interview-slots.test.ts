import { addMs, hourMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { filledSlots, futureSlots, quickSlots, slotProblem, withSlot } from './interview-slots.rules.ts';

const now = new Date('2026-11-20T21:30:00.000Z');
const at = (hours: number) => addMs(now, hours * hourMs).toISOString();

describe('slotProblem', () => {
  it("returns why a time can't be added", () => {
    expect(slotProblem(at(2), [], now)).toBeNull();
    expect(slotProblem(null, [], now)).toBe('no-time');
    expect(slotProblem(at(0), [], now)).toBe('past');
    expect(slotProblem(at(90 * 24), [], now)).toBeNull();
    expect(slotProblem(at(90 * 24 + 1), [], now)).toBe('too-far');
    expect(slotProblem(at(2), [at(1), at(2), at(3), at(4), at(5)], now)).toBe('repeated');
    expect(slotProblem(at(6), [at(1), at(2), at(3), at(4), at(5)], now)).toBe('too-many');
    expect(slotProblem(at(2), [], now, { standing: [at(2)] })).toBe('standing');
    expect(slotProblem(at(5), [], now, { decideBy: at(5) })).toBe('after-decide-by');
    expect(slotProblem(at(4), [], now, { decideBy: at(5) })).toBeNull();
  });

  it('compares minutes, like the server', () => {
    expect(slotProblem('2026-11-21T10:00:30.000Z', ['2026-11-21T10:00:00.000Z'], now)).toBe('repeated');
  });
});

describe('the list of times', () => {
  it("is sorted, and drops a restored draft's past times", () => {
    expect(withSlot([at(5), at(9)], at(7))).toEqual([at(5), at(7), at(9)]);
    expect(futureSlots([at(-5), at(0), at(1)], now)).toEqual([at(1)]);
  });
});

describe('quickSlots', () => {
  it("returns weekdays in the job's zone, even where the date differs", () => {
    expect(quickSlots(now, 'Asia/Tokyo', 3)).toEqual([
      '2026-11-23T01:00:00.000Z',
      '2026-11-23T06:00:00.000Z',
      '2026-11-24T01:00:00.000Z',
    ]);
    expect(quickSlots(new Date('2026-11-23T09:00:00.000Z'), 'Europe/Amsterdam', 1)).toEqual([
      '2026-11-24T09:00:00.000Z',
    ]);
  });

  it('returns none after the work begins, and a weekend only without other days', () => {
    const monday = new Date('2026-11-23T09:00:00.000Z');
    expect(quickSlots(monday, 'Europe/Amsterdam', 6, '2026-11-25T07:00:00.000Z')).toEqual([
      '2026-11-24T09:00:00.000Z',
      '2026-11-24T14:00:00.000Z',
    ]);
    const saturday = new Date('2026-11-21T09:00:00.000Z');
    expect(quickSlots(saturday, 'Europe/Amsterdam', 6, '2026-11-23T07:00:00.000Z')).toEqual([
      '2026-11-22T09:00:00.000Z',
      '2026-11-22T14:00:00.000Z',
    ]);
    expect(quickSlots(saturday, 'Europe/Amsterdam', 6, '2026-11-22T07:00:00.000Z')).toEqual([]);
  });

  it('keeps the clock time over the end of summer time', () => {
    // Clocks in Amsterdam go back on Sunday 25 October 2026.
    expect(quickSlots(new Date('2026-10-22T12:00:00.000Z'), 'Europe/Amsterdam', 3)).toEqual([
      '2026-10-23T08:00:00.000Z',
      '2026-10-23T13:00:00.000Z',
      '2026-10-26T09:00:00.000Z',
    ]);
  });
});

it('consecutive times continue on the next working day in the evening', () => {
  const friday = '2026-12-04T16:00:00.000Z';
  const now = new Date('2026-12-01T09:00:00Z');
  expect(filledSlots([friday], 4, { minutes: 30, timeZone: 'Europe/Amsterdam' }, now, { max: 10 })).toEqual([
    friday,
    '2026-12-04T16:30:00.000Z',
    '2026-12-07T09:00:00.000Z',
    '2026-12-07T09:30:00.000Z',
  ]);
  const isTaken = (at: string) => at === '2026-12-04T16:30:00.000Z';
  expect(
    filledSlots([friday], 2, { minutes: 30, timeZone: 'Europe/Amsterdam' }, now, { max: 10, isTaken }),
  ).toEqual([friday, '2026-12-07T09:00:00.000Z']);
});
