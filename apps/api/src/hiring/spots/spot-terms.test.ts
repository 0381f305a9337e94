import { maxMinor } from '@nearhand/contract/arithmetic';
import { describe, expect, it } from 'vitest';
import { offerEnd, reminderAt } from '../offers/offer-making.ts';
import { basePay, fitsMoney, missingTerms, type OfferedJob, termsOf } from './spot-terms.ts';

const shift: OfferedJob = {
  kind: 'shift',
  title: 'Barista',
  category: 'hospitality',
  payMinor: 1_750,
  payUnit: 'hour',
  hourlyPayMinor: 1_750,
  currency: 'EUR',
  businessFeeBasisPoints: 1_000,
  workerFeeBasisPoints: 250,
  startsAt: new Date('2026-11-23T08:00:00Z'),
  endsAt: new Date('2026-11-23T16:00:00Z'),
  breakMinutes: 30,
  breakPaid: false,
  relation: 'self_employed',
  dueOn: null,
  timeZone: 'Europe/Amsterdam',
  address: 'Lindengracht 12',
  area: 'Jordaan',
  lat: 52.38,
  lng: 4.88,
};
const task: OfferedJob = {
  ...shift,
  kind: 'task',
  payMinor: 12_000,
  payUnit: 'fixed',
  hourlyPayMinor: null,
  startsAt: null,
  endsAt: null,
  breakMinutes: 0,
  dueOn: '2026-11-30',
};

describe('the terms of an offer', () => {
  it("add up like the job's preview, rounded half up once per spot", () => {
    expect(termsOf(shift, 1_999)).toMatchObject({
      relation: 'self_employed',
      paidMinutes: 450,
      payTotalMinor: 14_993,
      workerGetsMinor: 14_618,
      holdMinor: 16_492,
      dueOn: null,
    });
    expect(termsOf({ ...shift, breakPaid: true }, 2_000)).toMatchObject({
      paidMinutes: 480,
      payTotalMinor: 16_000,
    });
    expect(termsOf(task, 12_000)).toMatchObject({
      paidMinutes: null,
      payTotalMinor: 12_000,
      workerGetsMinor: 11_700,
      holdMinor: 13_200,
    });
  });

  it("convert a shift's imported pay to hourly and name what is missing", () => {
    const yearly: OfferedJob = { ...shift, payMinor: 4_160_000, payUnit: 'year', hourlyPayMinor: 2_000 };
    expect(basePay(yearly)).toBe(2_000);
    expect(basePay(task)).toBe(12_000);
    const vague: OfferedJob = { ...yearly, hourlyPayMinor: null, startsAt: null, endsAt: null };
    expect(missingTerms(vague, undefined)).toEqual(['payMinor', 'startsAt', 'endsAt']);
    expect(missingTerms(vague, 2_100)).toEqual(['startsAt', 'endsAt']);
    expect(missingTerms(task, undefined)).toEqual([]);
  });

  it('require a possible amount', () => {
    expect(fitsMoney(termsOf(task, 900_000_000))).toBe(true);
    expect(fitsMoney(termsOf(task, maxMinor))).toBe(false);
    expect(fitsMoney(termsOf(shift, maxMinor))).toBe(false);
  });

  it('end after some hours or when the work starts, with a timely reminder', () => {
    const now = new Date('2026-11-21T09:00:00Z');
    const soon = new Date('2026-11-21T14:00:00Z');
    const openEnded = { startsAt: null, dueOn: null, timeZone: 'Europe/Amsterdam' };
    expect(offerEnd(now, 48, openEnded)).toEqual(new Date('2026-11-23T09:00:00Z'));
    expect(offerEnd(now, 48, { ...openEnded, startsAt: soon })).toEqual(soon);
    const atNight = new Date('2026-11-21T22:30:00Z');
    const morning = new Date('2026-11-24T07:00:00Z');
    expect(offerEnd(atNight, 48, openEnded)).toEqual(morning);
    const start = new Date('2026-11-24T05:00:00Z');
    expect(offerEnd(atNight, 48, { ...openEnded, startsAt: start })).toEqual(start);
    const interviewEnd = new Date('2026-11-26T15:30:00Z');
    expect(offerEnd(now, 48, openEnded, interviewEnd)).toEqual(interviewEnd);
    expect(offerEnd(now, 48, { ...openEnded, startsAt: start }, interviewEnd)).toEqual(start);
    expect(reminderAt(now, soon)).toBeNull();
    expect(reminderAt(now, new Date('2026-11-23T09:00:00Z'))).toEqual(new Date('2026-11-23T03:00:00Z'));
  });
});
