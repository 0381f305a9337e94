import { i18n } from '@lingui/core';
import { matchKinds } from '@nearhand/contract/hiring/matching';
import { beforeAll, describe, expect, it } from 'vitest';
import { sampleReason } from '../pipeline/pipeline.fixtures.ts';
import { matchText, rankedKinds, weekDoubt } from './match.labels.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const skills = (data: Record<string, unknown>) =>
  matchText(sampleReason({ kind: 'skills', data: data as never }));
const words = (kind: (typeof rankedKinds)[number], data: Record<string, unknown>) =>
  matchText(sampleReason({ kind, data: data as never }));

describe('a week with a shift too many', () => {
  it('never reads as the maximum itself', () => {
    expect(weekDoubt({ weekMinutes: 2_100, weekHoursMax: null }, 300)).toBeNull();
    expect(weekDoubt({ weekMinutes: 2_100, weekHoursMax: null }, 301)).toMatch(/^Would be 40\.1 of 40 hours/);
    expect(weekDoubt({ weekMinutes: 0, weekHoursMax: 12 }, 721)).toMatch(
      /^Would be 12\.1 hours .* want 12 at/,
    );
  });
});

describe('a reason of the score in words', () => {
  it('has a label for every kind the server ranks by', () => {
    expect([...rankedKinds].sort()).toEqual([...matchKinds].sort());
  });
  it('names what matches, for how long, and what is missing', () => {
    expect(skills({ matched: ['barista'], asked: ['barista'], years: 1 })).toBe('Barista, 1 year');
    expect(skills({ matched: ['barista'], asked: ['barista', 'waiter'], years: 0 })).toBe(
      'Barista. No Waiter experience listed.',
    );
    expect(skills({ matched: [], asked: ['barista'], years: 0 })).toBe('No Barista experience listed');
    expect(skills({ matched: [], asked: ['barista', 'waiter'], years: 0 })).toBe(
      'No Barista or Waiter experience listed',
    );
    expect(skills({ matched: [], asked: [], years: 0 })).toBeNull();
  });
  it('never shows a distance below 500 m', () => {
    expect(words('distance', { metres: 12 })).toBe(words('distance', { metres: 500 }));
    expect(words('distance', { metres: 800 })).not.toBe(words('distance', { metres: 500 }));
    expect(words('distance', { metres: null })).toBeNull();
  });
  it("shows a distance in the job's local unit", () => {
    const far = sampleReason({ kind: 'distance', data: { metres: 8_000 } });
    expect(matchText(far, 'Europe/Amsterdam')).toBe('About 8\u00a0km away');
    expect(matchText(far, 'America/Chicago')).toBe('About 5\u00a0mi away');
  });
  it('shows all, part or none of the time', () => {
    const free = (hours: number) => words('availability', { free: hours, needed: 6 });
    expect([free(6), free(2), free(0)]).toEqual([
      'Usually free at that time',
      'Usually free for part of that time',
      'Usually busy at that time',
    ]);
    expect(words('availability', {})).toBeNull();
  });
  it('shows problems before a percentage, and calls a newcomer new', () => {
    expect(words('reliability', { percent: 90, noShows: 1, lateCancellations: 2 })).toBe(
      "Didn't show up once",
    );
    expect(words('reliability', { percent: 90, noShows: 0, lateCancellations: 2 })).toBe(
      'Cancelled late 2 times',
    );
    expect(words('reliability', { percent: 98 })).toBe('98% reliable');
    expect(words('reliability', {})).toBe('New to Nearhand, no record yet');
    expect(words('reliability', { kept: 2 })).toBe('Fewer than 3 jobs');
  });
  it('is empty without a history', () => {
    expect(words('history', { times: 0 })).toBeNull();
    expect(words('history', { times: 3 })).toBe('Worked for you 3 times');
  });
  it('shows the average with its number of reviews, and how few reviews count', () => {
    expect(words('rating', { count: 12, tenths: 48 })).toBe('4.8 from 12 reviews');
    expect(words('rating', { count: 2 })).toBe('Fewer than 3 reviews, counts as 4.5 stars');
    expect(words('rating', {})).toBe(words('rating', { count: 2 }));
  });
  it('handles invalid data', () => {
    expect(words('distance', { metres: 'far' })).toBeNull();
    expect(skills({ matched: 'barista', asked: 3 })).toBeNull();
  });
});
