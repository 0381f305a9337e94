import { describe, expect, it } from 'vitest';
import {
  minimumMinutes,
  paidMinutes,
  payByRule,
  recordedMinor,
  silentOutcomeOf,
} from './timesheets.rules.ts';

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

describe('the minimum after being sent home', () => {
  const at = (time: string) => new Date(`2026-11-28T${time}:00Z`);
  const plan = { startsAt: at('08:00'), endsAt: at('16:00'), breakMinutes: 30, breakPaid: false };
  const terms = { payMinor: 1_500, breakPaid: false, payTotalMinor: 11_250, minimumMinutes: 240 };
  const attended = (came: string, left: string, sentHome = true) => ({
    checkedInAt: at(came),
    checkedOutAt: at(left),
    events: [
      { kind: 'check_in' as const, at: at(came) },
      { kind: 'check_out' as const, at: at(left), sentHome },
    ],
  });

  it('is that of the terms for someone who came on time, by the last check-out', () => {
    expect(minimumMinutes(attended('08:05', '09:00'), plan, terms)).toBe(240);
    expect(minimumMinutes(attended('08:06', '09:00'), plan, terms)).toBe(0);
    expect(minimumMinutes(attended('08:00', '09:00', false), plan, terms)).toBe(0);
    expect(minimumMinutes(attended('08:00', '09:00'), plan, {})).toBe(0);
    expect(minimumMinutes({ checkedInAt: null, events: [] }, plan, terms)).toBe(0);
  });

  it('raises the recorded pay, but longer work is paid as worked', () => {
    expect(recordedMinor(attended('08:00', '09:00'), plan, terms)).toBe(6_000);
    expect(recordedMinor(attended('08:00', '14:30'), plan, terms)).toBe(9_000);
  });

  it('is paid without a dispute when nobody worked within the plan', () => {
    const early = attended('07:10', '07:50');
    const { checkedOutAt } = attended('08:00', '16:00');
    const away = { ...attended('08:00', '08:00'), checkedOutAt };
    const silent = (record: typeof early) =>
      silentOutcomeOf({
        attended: { ...record, contested: false },
        plan,
        terms,
        agreedMinor: 0,
        claims: [{ by: 'timer', amountMinor: 6_000 }],
      });
    for (const record of [early, away]) {
      expect(recordedMinor(record, plan, terms)).toBe(6_000);
      expect(silent(record)).toEqual({ kind: 'auto-approve', amountMinor: 6_000 });
    }
    expect(recordedMinor(attended('07:10', '07:50', false), plan, terms)).toBe(0);
  });
});

describe('pay by the rule of a business', () => {
  const at = (time: string) => new Date(`2026-11-28T${time}:00Z`);
  const plan = { startsAt: at('08:00'), endsAt: at('16:00'), breakMinutes: 30, breakPaid: false };
  const claim = {
    by: 'worker' as 'worker' | 'business' | 'timer',
    startsAt: at('08:00').toISOString(),
    endsAt: at('16:00').toISOString(),
    breakMinutes: 30,
    amountMinor: 11_250,
    flags: [] as string[],
  };
  const pay = (change: Partial<typeof claim>, facts: Partial<Parameters<typeof payByRule>[0]> = {}) =>
    payByRule({
      claims: [{ ...claim, ...change }],
      attended: { events: [{ doubtful: false }], contested: false },
      plan,
      terms: { payTotalMinor: 11_250 },
      agreedMinor: 0,
      minutes: 10,
      ...facts,
    });
  const until = (time: string) => ({ endsAt: at(time).toISOString() });

  it.each([
    ['as planned', {}, 11_250],
    ['10 minutes shorter', { ...until('15:50'), amountMinor: 11_000 }, 11_000],
    ['earlier, for the planned pay', { startsAt: at('07:50').toISOString(), ...until('15:50') }, 11_250],
    ['11 minutes shorter', { ...until('15:49'), amountMinor: 10_975 }, null],
    ['an earlier start by 11 minutes', { startsAt: at('07:49').toISOString(), ...until('15:50') }, null],
    ['a longer break by 11 minutes', { breakMinutes: 41, amountMinor: 10_975 }, null],
    ['within the minutes, above the planned pay', { ...until('16:01'), amountMinor: 11_275 }, null],
    ['flagged', { flags: ['no_check_out'] }, null],
    ['sent by us', { by: 'timer' as const }, null],
  ])('is at most the planned pay for hours near the plan: %s', (_, change, expected) => {
    expect(pay(change)).toBe(expected);
  });

  it('leaves doubtful and contested attendance, and every counter-proposal, to a person', () => {
    expect(pay({}, { attended: { events: [{ doubtful: true }], contested: false } })).toBeNull();
    expect(pay({}, { attended: { events: [], contested: true } })).toBeNull();
    expect(pay({}, { claims: [claim, { ...claim, by: 'business' }, claim] })).toBeNull();
    expect(pay({}, { claims: [{ ...claim, by: 'timer' }, claim] })).toBe(11_250);
  });
});
