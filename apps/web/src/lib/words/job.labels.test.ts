import { i18n } from '@lingui/core';
import type { JobCard, Pay } from '@nearhand/contract/hiring/jobs';
import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deviceZone } from '../../../test/device.ts';
import { sampleOffer } from '../../../test/offers.fixtures.ts';
import { jobText, payText, seriesText, spotsText, whenText } from './job.labels.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
beforeEach(() => {
  vi.stubGlobal('navigator', { ...navigator, languages: ['en-IE'] });
  deviceZone('Europe/Amsterdam');
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const pay = (change: Partial<Pay> = {}): Pay => ({
  minor: 1_800,
  maxMinor: null,
  currency: 'EUR',
  unit: 'hour',
  paidMinutes: 360,
  totalMinor: 10_800,
  businessFeeBasisPoints: 1_000,
  workerFeeBasisPoints: 0,
  ...change,
});

describe('pay texts', () => {
  it("put the worker's amount first, then length and rate", () => {
    expect(payText(pay())).toEqual({ figure: '€108', notes: ['for 6\u00a0h', '€18 an hour'] });
  });

  it("show the amount after the worker's fee, by the same rule for a job and its offer", () => {
    const posted = pay({ workerFeeBasisPoints: 1_250 });
    const { terms } = sampleOffer();
    const offered = payOfTerms({
      ...terms,
      kind: 'shift',
      payMinor: 1_800,
      currency: 'EUR',
      paidMinutes: 360,
      payTotalMinor: 10_800,
      workerGetsMinor: 9_450,
      workerFeeBasisPoints: 1_250,
    });
    expect(payText(posted)).toEqual({ figure: '€94.50', notes: ['for 6\u00a0h', '€18 an hour'] });
    expect(payText(offered)).toEqual(payText(posted));
    const task = { unit: 'fixed' as const, minor: 9_500, totalMinor: 9_500, paidMinutes: null };
    expect(payText(pay({ ...task, workerFeeBasisPoints: 1_000 })).figure).toBe('€85.50');
    expect(payOfTerms({ ...terms, kind: 'task' }).unit).toBe('fixed');
  });

  it('show a fixed price as the amount', () => {
    const task = pay({ unit: 'fixed', minor: 9_500, totalMinor: 9_500, paidMinutes: null });
    expect(payText(task)).toEqual({ figure: '€95', notes: ['fixed price'] });
  });

  it("show an imported posting's rate and range", () => {
    const posting = pay({
      unit: 'year',
      minor: 5_200_000,
      maxMinor: 6_100_050,
      totalMinor: null,
      paidMinutes: null,
    });
    expect(payText(posting)).toEqual({ figure: '€52,000', notes: ['a year', 'up to €61,000.50'] });
    expect(payText({ ...posting, maxMinor: 5_200_000 }).notes).toEqual(['a year']);
  });
});

describe('time texts', () => {
  const now = new Date('2026-11-20T09:00:00Z');
  const none = { startsAt: null, endsAt: null, dueOn: null, hoursNote: null, timeZone: 'Europe/Amsterdam' };

  it("are a span, a due date, the posting's text, or empty", () => {
    const shift = { ...none, startsAt: '2026-11-28T07:00:00Z', endsAt: '2026-11-28T13:00:00Z' };
    expect(whenText(shift, now)).toMatch(/^Sat,?\s28\sNov, 08:00–\u206014:00$/);
    expect(whenText({ ...none, dueOn: '2026-12-04' }, now)).toMatch(/^By Fri,?\s4\sDec$/);
    expect(whenText({ ...none, hoursNote: 'Day shift' }, now)).toBe('Day shift');
    expect(whenText(none, now)).toBeNull();
  });

  it('show the length of a series, from its first shift on', () => {
    const shift = { ...none, startsAt: '2026-11-28T07:00:00Z', endsAt: '2026-11-28T13:00:00Z' };
    const series = {
      shifts: 5,
      firstStartsAt: '2026-11-28T07:00:00Z',
      lastStartsAt: '2026-12-02T07:00:00Z',
      payRange: null,
      asBlock: false,
    };
    expect(seriesText({ ...shift, series }, now)).toMatch(
      /^5 shifts from Sat,?\s28\sNov, 08:00–\u206014:00$/,
    );
    expect(seriesText({ ...shift, series: { ...series, asBlock: true } }, now)).toMatch(
      /^All 5 dates from Sat/,
    );
    const laterShift = { ...shift, startsAt: '2026-11-30T07:00:00Z', endsAt: '2026-11-30T13:00:00Z' };
    expect(seriesText({ ...laterShift, series: { ...series, asBlock: true } }, now)).toBe(
      seriesText({ ...shift, series: { ...series, asBlock: true } }, now),
    );
    expect(seriesText({ ...shift, series: null }, now)).toBeNull();
  });
});

it('a series with mixed pay shows the range', () => {
  const pay = payOfTerms(sampleOffer().terms);
  expect(payText(pay, { minMinor: 1_600, maxMinor: 1_700 }).notes.at(-1)).toBe(
    '\u2068€16–\u2060€17\u2069 an hour',
  );
});

it('a card without a distance names the place', () => {
  const job = {
    title: 'Weekend barista',
    category: 'hospitality',
    business: {
      id: 'b',
      name: 'Kopi & Crumb',
      verified: true,
      logoPath: null,
      rating: { count: 0, averageTenths: null },
    },
    pay: pay(),
    place: { label: 'Jordaan', lat: 0, lng: 0, blurred: false },
    distanceM: null,
    startsAt: null,
    endsAt: null,
    dueOn: null,
    hoursNote: null,
    timeZone: 'Europe/Amsterdam',
  } as unknown as JobCard;
  expect(jobText(job)).toMatchObject({ near: 'Jordaan', who: 'Kopi & Crumb', verified: true, pay: '€108' });
  expect(jobText({ ...job, distanceM: 0 }).near).toBe(jobText(job).near);
  expect(jobText({ ...job, distanceM: 320 }).near).toBe('about 5 min walk');
  expect(jobText(job).logo).toBeNull();
  expect(jobText({ ...job, startsAt: null, endsAt: null, dueOn: null, hoursNote: null }).when).toBe(
    'Any time',
  );
  const marked = { ...job.business, logoPath: '/files/7/content' };
  expect(jobText({ ...job, business: marked }).logo).toBe('/api/files/7/content');
  expect(jobText(job).rating).toBeNull();
  const rated = { ...job.business, rating: { count: 1_204, averageTenths: 50 } };
  expect(jobText({ ...job, business: rated }).rating).toEqual({
    short: '5.0 (1,204)',
    full: '5.0 from 1,204 reviews',
  });
});

it('spots are counted in words', () => {
  expect([1, 2].map(spotsText)).toEqual(['1 spot left', '2 spots left']);
});
