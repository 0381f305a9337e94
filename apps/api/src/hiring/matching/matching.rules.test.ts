import { sumOf } from '@nearhand/contract/arithmetic';
import { matchPoints } from '@nearhand/contract/hiring/matching.rules';
import { describe, expect, it } from 'vitest';
import { type MatchJob, type MatchWorker, matchOf, weekPartsOf } from './matching.rules.ts';

const job: MatchJob = {
  category: 'hospitality',
  skills: ['barista', 'waiter'],
  startsAt: new Date('2026-11-27T17:00:00Z'),
  endsAt: new Date('2026-11-27T22:00:00Z'),
  timeZone: 'Europe/Amsterdam',
};
const unknown = { percent: null, kept: 0, lateCancellations: 0, noShows: 0 };
const nobody: MatchWorker = {
  skills: [],
  availability: [],
  distanceM: null,
  reliability: unknown,
  timesHere: 0,
  stars: [],
};
const best: MatchWorker = {
  skills: [
    { skill: 'barista', level: 'expert', years: 9 },
    { skill: 'waiter', level: 'expert', years: 5 },
  ],
  availability: [{ day: 'fri', part: 'evening' }],
  distanceM: 500,
  reliability: { percent: 100, kept: 20, lateCancellations: 0, noShows: 0 },
  timesHere: 7,
  stars: [0, 0, 0, 0, 40],
};
const pointsOf = (worker: Partial<MatchWorker>, kind: string, of = job) =>
  matchOf(of, { ...nobody, ...worker }).reasons.find((reason) => reason.kind === kind);

describe('matchOf', () => {
  it('ranges from 0 to 100 and equals the sum of its reasons', () => {
    expect(Object.values<number>(matchPoints).reduce((sum, points) => sum + points)).toBe(100);
    expect(matchOf(job, best).score).toBe(100);
    const worst: MatchWorker = {
      ...nobody,
      availability: [{ day: 'mon', part: 'morning' }],
      distanceM: 20_000_000,
      reliability: { percent: 0, kept: 0, lateCancellations: 3, noShows: 3 },
      stars: [20, 0, 0, 0, 0],
    };
    expect(matchOf(job, worst).score).toBe(0);
    for (const worker of [nobody, best, worst]) {
      const { score, reasons } = matchOf(job, worker);
      expect(sumOf(reasons, ({ points }) => points)).toBe(score);
      for (const { points, of } of reasons) expect(points >= 0 && points <= of).toBe(true);
    }
  });

  it('scores skills by level and years, and by the share of required ones', () => {
    const barista = (level: 'beginner' | 'expert', years: number) =>
      pointsOf({ skills: [{ skill: 'barista', level, years }] }, 'skills')?.points;
    expect(barista('beginner', 0)).toBe(9);
    expect(barista('expert', 0)).toBe(14);
    expect(barista('expert', 5)).toBe(18);
    expect(barista('expert', 60)).toBe(18);
    expect(pointsOf({ skills: [{ skill: 'nurse', level: 'expert', years: 9 }] }, 'skills')).toMatchObject({
      points: 0,
      tone: 'warning',
      data: { matched: [], asked: ['barista', 'waiter'], years: 0 },
    });
  });

  it('matches a job without skills by category, without a penalty', () => {
    const open = { ...job, skills: [] };
    expect(pointsOf({}, 'skills', open)).toMatchObject({ points: 18, tone: 'neutral' });
    expect(pointsOf(best, 'skills', open)).toMatchObject({ points: 35, tone: 'good' });
  });

  it('treats a newcomer as reliable and unknown values as neutral', () => {
    const fresh = pointsOf({}, 'reliability');
    expect(fresh).toMatchObject({ points: 12, tone: 'neutral', data: { kept: 0 } });
    expect(fresh?.data).not.toHaveProperty('percent');
    const at = (percent: number) =>
      pointsOf({ reliability: { ...unknown, percent, kept: 9 } }, 'reliability')?.points;
    expect([at(100), at(90), at(75), at(50), at(10)]).toEqual([15, 12, 8, 0, 0]);
    expect(pointsOf({}, 'distance')).toMatchObject({ points: 10, tone: 'neutral', data: {} });
    expect(pointsOf({}, 'availability')).toMatchObject({ points: 8, tone: 'neutral' });
    expect(pointsOf({}, 'history')).toMatchObject({ points: 0, tone: 'neutral' });
  });

  it('counts reviews from three on, and rates a newcomer as average', () => {
    const fresh = { points: 4, of: 5, tone: 'neutral' };
    expect(pointsOf({}, 'rating')).toMatchObject({ ...fresh, data: { count: 0 } });
    expect(pointsOf({ stars: [2, 0, 0, 0, 0] }, 'rating')).toEqual({
      kind: 'rating',
      ...fresh,
      data: { count: 2 },
    });
    const of = (stars: number[]) => pointsOf({ stars }, 'rating');
    expect(of([0, 0, 0, 0, 12])).toMatchObject({ points: 5, tone: 'good', data: { count: 12, tenths: 50 } });
    expect(of([0, 0, 0, 10, 0])).toMatchObject({ points: 3, tone: 'neutral', data: { tenths: 40 } });
    expect(of([0, 10, 0, 0, 0])).toMatchObject({ points: 0, tone: 'warning', data: { tenths: 20 } });
  });

  it('prefers near to far, gradually', () => {
    const at = (distanceM: number) => pointsOf({ distanceM }, 'distance')?.points;
    expect([at(0), at(2_000), at(16_000), at(30_000), at(400_000)]).toEqual([20, 20, 10, 0, 0]);
  });

  it('ignores names, pictures and languages', () => {
    expect(JSON.stringify(Object.keys(best))).not.toMatch(/name|photo|language|age/i);
  });
});

describe('weekPartsOf', () => {
  it("uses the job's local time", () => {
    expect(
      weekPartsOf(new Date('2026-11-27T17:00:00Z'), new Date('2026-11-27T22:00:00Z'), 'Europe/Amsterdam'),
    ).toEqual(['fri evening']);
    expect(
      weekPartsOf(new Date('2026-11-27T17:00:00Z'), new Date('2026-11-27T22:00:00Z'), 'America/New_York'),
    ).toEqual(['fri afternoon']);
    expect(
      weekPartsOf(new Date('2026-11-27T17:00:00Z'), new Date('2026-11-27T22:00:00Z'), 'Pacific/Kiritimati'),
    ).toEqual(['sat morning']);
  });

  it('crosses midnight and clock changes', () => {
    expect(
      weekPartsOf(new Date('2026-11-28T21:00:00Z'), new Date('2026-11-29T07:00:00Z'), 'Europe/Amsterdam'),
    ).toEqual(['sat evening', 'sun night', 'sun morning']);
    expect(
      weekPartsOf(new Date('2026-10-25T00:00:00Z'), new Date('2026-10-25T04:00:00Z'), 'Europe/Amsterdam'),
    ).toEqual(['sun night']);
  });

  it('terminates for any length of shift', () => {
    expect(
      weekPartsOf(new Date('2020-01-01T00:00:00Z'), new Date('2036-01-01T00:00:00Z'), 'UTC'),
    ).toHaveLength(28);
  });
});
