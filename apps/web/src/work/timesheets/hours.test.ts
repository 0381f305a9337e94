import { i18n } from '@lingui/core';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { beforeAll, describe, expect, it } from 'vitest';
import { businessNextText } from '../engagements/business-work.labels.ts';
import {
  asksToConfirm,
  isToday,
  nextText,
  todayTitle,
  waitsForWorker,
  workHeadline,
} from '../engagements/engagement.labels.ts';
import { sampleEngagement, sampleTerms, sampleWork } from '../engagements/engagements.fixtures.ts';
import { hoursFromTyped, hoursToCounter, hoursToStart, payOfHours, typedHours } from './hours.rules.ts';
import { compareHours } from './hours-compare.rules.ts';

const zone = 'Europe/Amsterdam';
const now = new Date('2026-11-21T14:00:00Z');
const event = (kind: 'check_in' | 'break_start' | 'break_end' | 'check_out', at: string) => ({
  id: at,
  kind,
  at,
  receivedAt: at,
  how: 'position' as const,
  reason: null,
  contested: null,
  mayContest: false,
  distanceM: 20,
  accuracyM: 10,
  flags: [],
});

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

describe('hours to start from', () => {
  it('uses the record, from the planned start at the earliest', () => {
    const work = sampleEngagement({
      checkedInAt: '2026-11-21T06:48:00Z',
      checkedOutAt: '2026-11-21T13:12:00Z',
      attendance: [
        event('check_in', '2026-11-21T06:48:00Z'),
        event('break_start', '2026-11-21T09:00:00Z'),
        event('break_end', '2026-11-21T09:20:30Z'),
        event('check_out', '2026-11-21T13:12:00Z'),
      ],
    });
    expect(hoursToStart(work)).toEqual({
      startsAt: '2026-11-21T07:00:00Z',
      endsAt: '2026-11-21T13:12:00Z',
      breakMinutes: 20,
    });
  });
  it('uses the plan without a record, with its break', () => {
    const work = sampleEngagement({ terms: sampleTerms({ breakMinutes: 30 }) });
    expect(hoursToStart(work)).toEqual({
      startsAt: '2026-11-21T07:00:00Z',
      endsAt: '2026-11-21T13:00:00Z',
      breakMinutes: 30,
    });
  });
});

describe('the record of someone who came early', () => {
  const early = (checkedOutAt: string) => {
    const work = sampleEngagement({ checkedInAt: '2026-11-21T06:25:00Z', checkedOutAt, attendance: [] });
    return compareHours(work).find(({ kind }) => kind === 'recorded');
  };
  it('pays nothing for time before the start', () => {
    expect(early('2026-11-21T06:26:00Z')).toMatchObject({ paidMinutes: 0, amountMinor: 0 });
  });
  it('shows the check-in and the start that counts', () => {
    const row = {
      startsAt: '2026-11-21T06:25:00Z',
      paidFrom: '2026-11-21T07:00:00Z',
      paidMinutes: 360,
      overMinutes: 0,
    };
    expect(early('2026-11-21T13:00:00Z')).toMatchObject(row);
  });
});

describe('hours with time away, and to counter with', () => {
  const away = sampleEngagement({
    checkedInAt: '2026-11-21T06:30:00Z',
    checkedOutAt: '2026-11-21T13:00:00Z',
    attendance: [
      event('check_in', '2026-11-21T06:30:00Z'),
      event('check_out', '2026-11-21T06:40:00Z'),
      event('check_in', '2026-11-21T07:10:00Z'),
      event('check_out', '2026-11-21T13:00:00Z'),
    ],
  });
  it('count the gap within the span as a break, or shorten the end where breaks are paid', () => {
    expect(hoursToStart(away)?.breakMinutes).toBe(10);
    const paid = { ...away, terms: sampleTerms({ breakPaid: true }) };
    expect(hoursToStart(paid)).toMatchObject({ endsAt: '2026-11-21T12:50:00.000Z', breakMinutes: 0 });
  });
  it('never start with a shorter break than claimed, or else planned', () => {
    const terms = sampleTerms({ breakMinutes: 30 });
    const none = { ...away, terms, attendance: [] };
    const claim = { startsAt: terms.startsAt ?? '', endsAt: terms.endsAt ?? '', breakMinutes: 20 };
    expect(hoursToCounter(none, claim)?.breakMinutes).toBe(20);
    expect(hoursToCounter(none, null)?.breakMinutes).toBe(30);
  });
  it('counter a claim that ends before the plan from the claim, without a record', () => {
    const terms = sampleTerms({ breakMinutes: 30 });
    const unrecorded = sampleEngagement({ terms, attendance: [], checkedInAt: null, checkedOutAt: null });
    const claim = { startsAt: terms.startsAt ?? '', endsAt: '2026-11-21T09:00:00Z', breakMinutes: 2 };
    expect(hoursToCounter(unrecorded, claim)).toEqual(claim);
    expect(hoursToCounter(away, claim)?.endsAt).toBe(away.checkedOutAt);
    const longer = { ...claim, endsAt: '2026-11-21T15:00:00Z' };
    expect(hoursToCounter(unrecorded, longer)?.endsAt).toBe(terms.endsAt);
  });
  it('shows before the start that someone left, not that hours are due', () => {
    const left = sampleWork({ status: 'checked_out', actions: ['check-in'] });
    const before = new Date('2026-11-21T06:45:00Z');
    expect(workHeadline(left, before)).toBe('You checked out before the start');
    expect(isToday(left, before)).toBe(true);
    expect(workHeadline(left, now)).toBe('Submit your hours');
  });
});

describe('typed hours', () => {
  const terms = sampleTerms();
  const typed = { day: '2026-11-21', from: '08:00', to: '14:00', breakMinutes: '30' };
  it("parse times in the place's zone, and format them the same", () => {
    const read = hoursFromTyped(typed, terms, now);
    expect(read).toEqual({
      hours: { startsAt: '2026-11-21T07:00:00.000Z', endsAt: '2026-11-21T13:00:00.000Z', breakMinutes: 30 },
    });
    if ('hours' in read) expect(typedHours(read.hours, zone)).toEqual(typed);
  });
  it('treat an end before the start as the next day', () => {
    const night = { ...typed, day: '2026-11-20', from: '22:00', to: '06:00' };
    expect(
      hoursFromTyped(
        night,
        sampleTerms({ startsAt: '2026-11-20T21:00:00Z', endsAt: '2026-11-21T05:00:00Z' }),
        now,
      ),
    ).toMatchObject({
      hours: { endsAt: '2026-11-21T05:00:00.000Z' },
    });
  });
  it.each([
    [{ ...typed, from: '' }, 'time'],
    [{ ...typed, breakMinutes: '360' }, 'break'],
    [{ ...typed, breakMinutes: 'a' }, 'break'],
    [{ ...typed, to: '18:00' }, 'future'],
    [{ ...typed, from: '05:59' }, 'too-early'],
    [{ ...typed, day: '2026-11-20' }, 'too-early'],
    [{ ...typed, from: '08:45', to: '08:45' }, 'same'],
    [{ ...typed, day: '2026-11-22' }, 'too-late'],
  ])('report what is wrong: %o', (wrong, problem) => {
    expect(hoursFromTyped(wrong, terms, now)).toEqual({ problem });
  });
  it('pay the break only if it is paid', () => {
    const hours = { startsAt: '2026-11-21T07:00:00Z', endsAt: '2026-11-21T13:00:00Z', breakMinutes: 30 };
    expect(payOfHours(hours, sampleTerms())).toEqual({ paidMinutes: 330, amountMinor: 9_900 });
    expect(payOfHours(hours, sampleTerms({ breakPaid: true }))).toEqual({
      paidMinutes: 360,
      amountMinor: 10_800,
    });
  });
});

describe('the words of booked work', () => {
  const at = (time: string) => new Date(`2026-11-21T${time}:00Z`);
  it('counts down to the start, and to the end', () => {
    expect(workHeadline(sampleWork(), at('06:21'))).toBe('Starts in 39\u00a0min');
    expect(workHeadline(sampleWork(), new Date('2026-11-18T06:21:00Z'))).toMatch(/^Starts Sat/);
    expect(workHeadline(sampleWork(), at('07:05'))).toBe('Started 5\u00a0min ago');
    expect(workHeadline(sampleWork({ status: 'checked_in' }), at('06:35'))).toBe(
      'Checked in, starts in 25\u00a0min',
    );
    expect(workHeadline(sampleWork({ status: 'checked_in' }), at('11:00'))).toBe('Ends in 2\u00a0h');
    expect(workHeadline(sampleWork({ status: 'checked_in', onBreak: true }), at('11:00'))).toBe(
      "You're on break",
    );
  });
  it('shows tomorrow for work that starts the next day, in the heading and above the cards', () => {
    const evening = new Date('2026-11-20T18:30:00Z');
    expect(workHeadline(sampleWork(), evening)).toBe('Starts tomorrow');
    // Half past midnight in Amsterdam: the same day there, though not yet in UTC.
    expect(workHeadline(sampleWork(), new Date('2026-11-20T23:30:00Z'))).toBe(
      'Starts in 7\u00a0h\u00a030\u00a0min',
    );
    const now = sampleWork({
      status: 'checked_in',
      terms: sampleTerms({ startsAt: '2026-11-20T15:00:00Z' }),
    });
    expect(todayTitle([now], evening)).toBe('Today');
    expect(todayTitle([sampleWork()], evening)).toBe('Tomorrow');
    expect(todayTitle([now, sampleWork()], evening)).toBe('Today and tomorrow');
  });
  it("detects workers who were asked to confirm and haven't", () => {
    const next = (kind: 'confirm' | 'confirm-by' | 'auto-submit') => ({
      kind,
      at: '2026-11-22T01:00:00Z',
      since: '2026-11-18T10:00:00Z',
      amountMinor: null,
    });
    expect(asksToConfirm(sampleWork({ next: next('auto-submit') }))).toBe(true);
    expect(asksToConfirm(sampleWork({ next: next('confirm-by') }))).toBe(true);
    expect(asksToConfirm(sampleWork({ next: next('confirm') }))).toBe(false);
    expect(asksToConfirm(sampleWork({ next: next('auto-submit'), actions: ['check-in'] }))).toBe(false);
  });
  it('starts with work within a day', () => {
    expect(isToday(sampleWork(), at('06:00'))).toBe(true);
    expect(isToday(sampleWork(), new Date('2026-11-19T06:00:00Z'))).toBe(false);
    expect(isToday(sampleWork({ status: 'checked_in' }), at('20:00'))).toBe(true);
    expect(isToday(sampleWork({ status: 'completed' }), at('06:00'))).toBe(false);
  });
  it('says after the end that someone is still checked in', () => {
    const here = sampleWork({ status: 'checked_in' });
    expect(workHeadline(here, new Date('2026-11-21T13:08:00Z'))).toMatch(/^Ended 8\smin ago, check out$/);
  });
  it('detects work that waits for the worker', () => {
    expect(waitsForWorker(sampleWork())).toBe(false);
    expect(
      waitsForWorker(sampleWork({ status: 'counter_proposed', actions: ['accept-counter', 'submit-hours'] })),
    ).toBe(true);
    expect(waitsForWorker(sampleWork({ status: 'checked_out', actions: ['submit-hours'] }))).toBe(true);
  });
  it('shows what happens automatically, and when', () => {
    const next = {
      kind: 'pay-recorded' as const,
      at: '2026-11-24T14:00:00Z',
      since: '2026-11-21T14:00:00Z',
      amountMinor: 9_000,
    };
    const work = sampleEngagement({ status: 'counter_proposed', next });
    const review = sampleEngagement({ status: 'submitted', next: { ...next, kind: 'review' } });
    const nothing = sampleEngagement({
      status: 'submitted',
      next: { ...next, kind: 'review', amountMinor: 0 },
    });
    expect(nextText(work, now)).toMatch(/don't reply by Tue.*3\sPM.*, €90 is paid for the recorded hours/);
    expect(businessNextText(work, settingDefaults, now)).toMatch(
      /doesn't reply by Tue.*, €90 is paid for the recorded hours/,
    );
    const proposed = { by: 'business', amountMinor: 9_000 } as (typeof work.claims)[number];
    expect(nextText({ ...work, claims: [proposed] }, now)).toMatch(
      /€90 is paid, as Kopi & Crumb proposed\.$/,
    );
    expect(businessNextText({ ...work, claims: [proposed] }, settingDefaults, now)).toMatch(
      /€90 is paid, as you proposed\.$/,
    );
    expect(nextText(review, now)).toMatch(/€90 is paid and a dispute opens about the rest/);
    const release = {
      kind: 'undisputed',
      state: 'released',
      amountMinor: 9_000,
    } as (typeof work.releases)[number];
    const paid = { ...work, claims: [proposed], releases: [release] };
    expect(nextText(paid, now)).toMatch(/it stays at €90, which is already paid\.$/);
    expect(businessNextText(paid, settingDefaults, now)).toMatch(/it stays at €90, which is already paid\.$/);
    const rest = { ...release, amountMinor: 8_000 };
    expect(nextText({ ...paid, releases: [rest] }, now)).toMatch(/€90 is paid, as Kopi/);
    expect(nextText({ ...review, releases: [release] }, now)).toMatch(
      /it stays at €90, which is already paid, and a dispute opens about the rest/,
    );
    expect(businessNextText(nothing, settingDefaults, now)).toMatch(/nothing is paid and a dispute opens/);
    const absent = sampleEngagement({
      status: 'booked',
      next: { ...next, kind: 'auto-submit', amountMinor: null },
    });
    const late = new Date(Date.parse(absent.terms.startsAt ?? '') + 60_000);
    expect(businessNextText(absent, settingDefaults, late)).toMatch(
      /can report a no-show from .*the planned hours/,
    );
    const reportable = { ...absent, actions: ['report-no-show' as const] };
    expect(businessNextText(reportable, settingDefaults, late)).toMatch(/didn’t come, report a no-show/);
    expect(businessNextText({ ...absent, checkedInAt: next.since }, settingDefaults, late)).toMatch(
      /recorded hours/,
    );
  });
});
