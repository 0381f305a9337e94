import { addMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import {
  type AttendanceFact,
  type Attended,
  type Hours,
  hoursOfSpan,
  hoursProblem,
  hoursWithinPlan,
  type Plan,
  payOf,
  recordedHours,
  silentOutcomeOf,
} from '@nearhand/contract/work/timesheets.rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimFlags, hoursByTimer, undisputedRest } from './timesheets.rules.ts';

const day = (time: string) => new Date(`2026-11-23T${time}:00Z`);
const hours = (from: string, to: string, breakMinutes = 0) => ({
  startsAt: day(from),
  endsAt: day(to),
  breakMinutes,
});
const plan = { startsAt: day('08:00'), endsAt: day('16:00'), breakMinutes: 30, breakPaid: false };
const planned = hours('08:00', '16:00', 30);
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
  it('returns impossible hours', () => {
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
    const late = addMs(plan.endsAt, 12 * hourMs);
    const much = new Date('2026-12-23T00:00:00Z');
    expect(hoursProblem({ ...plan, endsAt: late }, plan, much)).toBeNull();
    expect(hoursProblem({ ...plan, endsAt: addMs(late, 1) }, plan, much)).toBe('outside-plan');
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
    expect(hoursOfSpan(record.events, plan, plan)?.breakMinutes).toBe(10 + 30 + 10);
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
    expect(recordedHours(record, plan)).toEqual(hours('07:40', '16:10', 25 + 20 + 60));
    expect(hoursWithinPlan(record, { ...plan, breakPaid: true })).toEqual(hours('08:00', '14:50', 20));
    expect(
      hoursWithinPlan({ ...record, checkedOutAt: null, events: record.events.slice(0, -1) }, plan, true),
    ).toEqual(hours('08:00', '16:00', 90));
  });
  it('is empty within the plan for someone away all of it', () => {
    const record = attended('07:40', '16:10', [
      ['check_in', '07:40'],
      ['check_out', '07:45'],
      ['check_in', '16:00'],
      ['check_out', '16:10'],
    ]);
    expect(hoursWithinPlan(record, plan)).toBeNull();
    expect(hoursByTimer(record, plan)).toMatchObject({ breakMinutes: 495, planned: false });
    expect(claimFlags(16, record, plan)).toEqual(['beyond_record']);
  });
  it('is capped by the plan', () => {
    expect(hoursWithinPlan(attended('07:10', '17:00'), plan)).toEqual(planned);
    expect(hoursWithinPlan(attended('07:10', '07:50'), plan)).toBeNull();
    expect(hoursWithinPlan(attended('08:20', null), plan)).toBeNull();
    expect(hoursWithinPlan(attended('08:20', null), plan, true)).toEqual(hours('08:20', '16:00', 30));
    expect(hoursWithinPlan(attended(null, null), plan, true)).toBeNull();
  });
  it('deducts the planned break when none was recorded, in the middle of the planned hours', () => {
    const breaks = (from: string, to: string) => hoursWithinPlan(attended(from, to), plan)?.breakMinutes;
    expect(breaks('08:00', '16:00')).toBe(30);
    expect(breaks('08:20', '15:00')).toBe(30);
    expect([breaks('08:00', '11:45'), breaks('08:00', '12:00'), breaks('12:15', '16:00')]).toEqual([
      0, 15, 0,
    ]);
    const short = attended('08:00', '16:00', [
      ['break_start', '12:00'],
      ['break_end', '12:10'],
    ]);
    expect(hoursWithinPlan(short, plan)?.breakMinutes).toBe(10);
    expect(hoursWithinPlan(attended('08:00', '16:00'), { ...plan, breakPaid: true })?.breakMinutes).toBe(0);
  });
  it('gives the timer its hours, or the plan', () => {
    expect(hoursByTimer(attended('07:10', '17:00'), plan)).toEqual({ ...planned, planned: false });
    expect(hoursByTimer(attended('07:10', '07:50'), plan)).toEqual({
      ...hours('07:10', '07:50'),
      planned: false,
    });
    const short = attended('08:00', '16:00', [
      ['break_start', '12:00'],
      ['break_end', '12:10'],
    ]);
    expect(hoursByTimer(short, plan)).toEqual({ ...planned, planned: false });
    expect(hoursByTimer(attended(null, null), plan)).toEqual({ ...planned, planned: true });
    expect(hoursByTimer(attended('07:10', null), plan)).toEqual({ ...planned, planned: true });
    // The recorded arrival counts even without a check-out.
    expect(hoursByTimer(attended('10:00', null), plan)).toEqual({
      ...hours('10:00', '16:00', 30),
      planned: false,
    });
  });
  it('flags a claim that differs from it', () => {
    expect(claimFlags(450, attended(null, null), plan, { planned: true })).toEqual([
      'no_check_in',
      'no_check_out',
      'planned',
    ]);
    expect(claimFlags(450, attended('08:00', '16:00'), plan)).toEqual([]);
    expect(claimFlags(451, attended('08:00', '16:00'), plan)).toEqual(['beyond_record']);
    expect(claimFlags(481, attended('08:00', null), plan)).toEqual(['no_check_out']);
  });
});

describe('silence', () => {
  const rate = 1_750;
  const minute = (at: Date, minutes: number) => addMs(at, minutes * minuteMs);
  const shift = fc.record({
    length: fc.integer({ min: 30, max: 720 }),
    breakMinutes: fc.integer({ min: 0, max: 29 }),
    breakPaid: fc.boolean(),
    arrives: fc.option(fc.integer({ min: -60, max: 720 })),
    leaves: fc.option(fc.integer({ min: -50, max: 1_440 })),
    breaks: fc.array(fc.tuple(fc.integer({ min: 0, max: 720 }), fc.integer({ min: 1, max: 90 })), {
      maxLength: 2,
    }),
  });
  type Shift = typeof shift extends fc.Arbitrary<infer Value> ? Value : never;
  type Claim = (attendance: Attended, agreed: Plan) => Hours;

  /** Runs a shift on which nobody acts: the timer claims, and silence settles or opens a dispute. */
  function settled({ length, breakMinutes, breakPaid, arrives, leaves, breaks }: Shift, claimHours: Claim) {
    const startsAt = day('08:00');
    const agreed = { startsAt, endsAt: minute(startsAt, length), breakMinutes, breakPaid };
    const attendance: Attended = {
      checkedInAt: arrives === null || arrives > length ? null : minute(startsAt, arrives),
      checkedOutAt:
        arrives === null || arrives > length || leaves === null
          ? null
          : minute(startsAt, Math.max(leaves, arrives + 1)),
      events: breaks.flatMap(([start, minutes]) => [
        { kind: 'break_start' as const, at: minute(startsAt, start) },
        { kind: 'break_end' as const, at: minute(startsAt, start + minutes) },
      ]),
    };
    attendance.events.sort((a, b) => a.at.getTime() - b.at.getTime());
    const terms = { payMinor: rate, breakPaid };
    const plannedMinor = payOf(agreed, terms).amountMinor;
    const within = hoursWithinPlan(attendance, agreed, true);
    const recordedMinor = within ? Math.min(plannedMinor, payOf(within, terms).amountMinor) : 0;
    const claim = payOf(claimHours(attendance, agreed), terms);
    const outcome = silentOutcomeOf({
      attended: { ...attendance, contested: false },
      plan: agreed,
      terms: { ...terms, payTotalMinor: plannedMinor },
      agreedMinor: 0,
      claims: [{ by: 'timer', amountMinor: claim.amountMinor }],
    });
    return { outcome, plannedMinor, recordedMinor, claim };
  }
  const check = (claimHours: Claim) =>
    fc.assert(
      fc.property(shift, (value) => {
        const { outcome, plannedMinor, recordedMinor, claim } = settled(value, claimHours);
        expect(claim.amountMinor).toBeLessThanOrEqual(plannedMinor);
        expect(outcome.amountMinor).toBeLessThanOrEqual(plannedMinor);
        expect(outcome.amountMinor).toBeGreaterThanOrEqual(Math.min(plannedMinor, recordedMinor));
      }),
      { numRuns: 2_000, seed: 20_261_128 },
    );

  it('never costs more than the plan, and never pays less than the record within it', () =>
    check(hoursByTimer));

  it('fails for a claim without the planned break, and for less than the record', () => {
    const withoutBreak: Claim = (attendance, agreed) =>
      hoursWithinPlan(attendance, { ...agreed, breakMinutes: 0 }, true) ?? agreed;
    const lessThanRecord: Claim = (attendance, agreed) => ({
      ...hoursByTimer(attendance, agreed),
      breakMinutes: agreed.breakMinutes + 1,
    });
    expect(() => check(withoutBreak)).toThrow();
    expect(() => check(lessThanRecord)).toThrow();
  });

  it('pays the planned 165 euros for 08:30 to 18:45 in a shift from 08:45 to 17:30 with an unpaid half hour', () => {
    const agreed = { ...hours('08:45', '17:30', 30), breakPaid: false };
    const claim = hoursByTimer(attended('08:30', '18:45'), agreed);
    expect(claim).toEqual({ ...hours('08:45', '17:30', 30), planned: false });
    expect(payOf(claim, { payMinor: 2_000, breakPaid: false })).toEqual({
      paidMinutes: 495,
      amountMinor: 16_500,
    });
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
