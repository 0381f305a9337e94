import { hourMs } from '@nearhand/contract/durations';
import {
  type AttendanceFact,
  hoursOfSpan,
  hoursProblem,
  hoursWithinPlan,
  payOf,
  recordedHours,
} from '@nearhand/contract/work/timesheets.rules';
import { describe, expect, it } from 'vitest';
import { claimFlags, hoursByTimer, undisputedRest } from './timesheets.rules.ts';

const day = (time: string) => new Date(`2026-11-23T${time}:00Z`);
const plan = { startsAt: day('08:00'), endsAt: day('16:00'), breakMinutes: 30 };
const hours = (from: string, to: string, breakMinutes = 0) => ({
  startsAt: day(from),
  endsAt: day(to),
  breakMinutes,
});
const attended = (
  from: string | null,
  to: string | null,
  events: [AttendanceFact['kind'], string][] = [],
) => ({
  checkedInAt: from === null ? null : day(from),
  checkedOutAt: to === null ? null : day(to),
  events: events.map(([kind, at]) => ({ kind, at: day(at) })),
});

describe('hoursProblem', () => {
  const now = day('20:00');
  it('finds impossible hours', () => {
    expect(hoursProblem(hours('08:00', '16:00', 30), plan, now)).toBeNull();
    expect(hoursProblem(hours('06:00', '20:00'), plan, now)).toBeNull();
    expect(hoursProblem(hours('05:59', '16:00'), plan, now)).toBe('outside-plan');
    expect(hoursProblem(hours('08:00', '08:00'), plan, now)).toBe('end-before-start');
    expect(hoursProblem(hours('09:00', '08:00'), plan, now)).toBe('end-before-start');
    expect(hoursProblem(hours('08:00', '20:01'), plan, now)).toBe('in-future');
    expect(hoursProblem(hours('08:00', '09:00', 60), plan, now)).toBe('break-too-long');
    expect(hoursProblem(hours('08:00', '09:00', 59), plan, now)).toBeNull();
  });
  it('allows the end of the window', () => {
    const late = new Date(plan.endsAt.getTime() + 12 * hourMs);
    const much = new Date('2026-12-23T00:00:00Z');
    expect(hoursProblem({ ...plan, endsAt: late }, plan, much)).toBeNull();
    expect(hoursProblem({ ...plan, endsAt: new Date(late.getTime() + 1) }, plan, much)).toBe('outside-plan');
  });
});

describe('payOf', () => {
  it('deducts an unpaid break, rounded half up', () => {
    expect(payOf(hours('08:00', '16:00', 30), { payMinor: 1_750, breakPaid: false })).toEqual({
      paidMinutes: 450,
      amountMinor: 13_125,
    });
    expect(payOf(hours('08:00', '16:00', 30), { payMinor: 1_750, breakPaid: true })).toEqual({
      paidMinutes: 480,
      amountMinor: 14_000,
    });
    expect(payOf(hours('08:00', '08:01'), { payMinor: 1_530, breakPaid: false }).amountMinor).toBe(26);
  });
  it('counts elapsed hours across a daylight-saving change, not local ones', () => {
    // Amsterdam, 28 to 29 March 2026: 22:00 to 06:00 local time is seven hours.
    const night = {
      startsAt: new Date('2026-03-28T21:00:00Z'),
      endsAt: new Date('2026-03-29T04:00:00Z'),
      breakMinutes: 0,
    };
    expect(payOf(night, { payMinor: 2_000, breakPaid: false })).toEqual({
      paidMinutes: 420,
      amountMinor: 14_000,
    });
  });
});

describe('the record', () => {
  it('adds up breaks within a span, open ones to its end, duplicate starts once', () => {
    const record = attended('08:00', '16:00', [
      ['break_start', '07:50'],
      ['break_end', '08:10'],
      ['break_start', '12:00'],
      ['break_start', '12:10'],
      ['break_end', '12:30'],
      ['break_end', '12:40'],
      ['break_start', '15:50'],
    ]);
    expect(hoursOfSpan(record, { startsAt: day('08:00'), endsAt: day('16:00') })?.breakMinutes).toBe(
      10 + 30 + 10,
    );
  });
  it('counts time away as a break, or shortens the end where breaks are paid', () => {
    const record = attended('07:40', '16:10', [
      ['check_in', '07:40'],
      ['check_out', '07:45'],
      ['check_in', '08:10'],
      ['break_start', '11:00'],
      ['break_end', '11:20'],
      ['check_out', '13:00'],
      ['check_in', '14:00'],
      ['check_out', '16:10'],
    ]);
    expect(hoursWithinPlan(record, plan)).toEqual(hours('08:00', '16:00', 10 + 20 + 60));
    expect(recordedHours(record)).toEqual(hours('07:40', '16:10', 25 + 20 + 60));
    const paid = { ...record, breakPaid: true };
    expect(hoursWithinPlan(paid, plan)).toEqual(hours('08:00', '14:50', 20));
    // Still there: the plan runs to its end.
    expect(
      hoursWithinPlan({ ...record, checkedOutAt: null, events: record.events.slice(0, -1) }, plan, true),
    ).toEqual(hours('08:00', '16:00', 90));
  });
  it('has nothing within the plan for someone away all of it', () => {
    const record = attended('07:40', '16:10', [
      ['check_in', '07:40'],
      ['check_out', '07:45'],
      ['check_in', '16:00'],
      ['check_out', '16:10'],
    ]);
    expect(hoursWithinPlan(record, plan)).toBeNull();
    expect(hoursByTimer(record, plan)).toMatchObject({ breakMinutes: 495, planned: false });
    expect(claimFlags(16, record, { breakPaid: false })).toEqual(['beyond_record']);
  });
  it('is capped by the plan', () => {
    expect(hoursWithinPlan(attended('07:10', '17:00'), plan)).toEqual(hours('08:00', '16:00'));
    expect(hoursWithinPlan(attended('08:20', '15:00'), plan)).toEqual(hours('08:20', '15:00'));
    expect(hoursWithinPlan(attended('07:10', '07:50'), plan)).toBeNull();
    expect(hoursWithinPlan(attended('08:20', null), plan)).toBeNull();
    expect(hoursWithinPlan(attended('08:20', null), plan, true)).toEqual(hours('08:20', '16:00'));
    expect(hoursWithinPlan(attended(null, null), plan, true)).toBeNull();
  });
  it('gives the timer its hours, or the plan', () => {
    expect(hoursByTimer(attended('07:10', '17:00'), plan)).toEqual({
      ...hours('08:00', '16:00'),
      planned: false,
    });
    expect(hoursByTimer(attended('07:10', '07:50'), plan)).toEqual({
      ...hours('07:10', '07:50'),
      planned: false,
    });
    expect(hoursByTimer(attended('07:10', null), plan)).toEqual({ ...plan, planned: true });
  });
  it('flags a claim that differs from it', () => {
    const terms = { breakPaid: false };
    expect(claimFlags(450, attended(null, null), terms, true)).toEqual([
      'no_check_in',
      'no_check_out',
      'planned',
    ]);
    expect(claimFlags(480, attended('08:00', '16:00'), terms)).toEqual([]);
    expect(claimFlags(481, attended('08:00', '16:00'), terms)).toEqual(['beyond_record']);
    expect(claimFlags(481, attended('08:00', null), terms)).toEqual(['no_check_out']);
  });
});

describe('undisputedRest', () => {
  it('is only what was added', () => {
    expect(undisputedRest(10_000, 6_000, 0)).toBe(6_000);
    expect(undisputedRest(10_000, 8_000, 6_000)).toBe(2_000);
    expect(undisputedRest(10_000, 6_000, 6_000)).toBe(0);
    expect(undisputedRest(10_000, 5_000, 6_000)).toBe(0);
  });
});
