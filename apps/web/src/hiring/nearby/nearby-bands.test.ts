import { describe, expect, it } from 'vitest';
import { units } from '../../lib/device/device-setting.ts';
import { sampleCard } from '../jobs/jobs.fixtures.ts';
import { bandsOf } from './nearby-list.tsx';

const at = (distanceM: number) => sampleCard({ id: `job-${distanceM}`, distanceM });

describe('bandsOf', () => {
  it('splits by distance and detects complete bands', () => {
    const jobs = [200, 450, 700, 3_000, 9_000, 200_000].map(at);
    const bands = bandsOf(jobs, true);
    expect(bands.map((band) => band.jobs.length).reduce((a, b) => a + b)).toBe(6);
    expect(bands.map((band) => band.from)).toEqual([...bands.map((band) => band.from)].sort((a, b) => a - b));
    expect(bands.slice(0, -1).every((band) => band.whole)).toBe(true);
    expect(bands.at(-1)).toMatchObject({ whole: false, to: Number.POSITIVE_INFINITY });
    expect(bandsOf(jobs, false).at(-1)?.whole).toBe(true);
  });

  it('keeps each band in one piece for a reader of the other unit', () => {
    // In order of miles: the second job matches skills, so it comes before a nearer one.
    const bands = bandsOf([700, 1_500, 950].map(at), false);
    expect(bands.map(({ jobs }) => jobs.map(({ distanceM }) => distanceM))).toEqual([[700, 950], [1_500]]);
    // In order of kilometres: a further job between 5 and 10 km may be in either of the last two bands of miles.
    units.set('miles');
    const inMiles = bandsOf([700, 6_000, 9_000].map(at), true, 'Europe/Amsterdam');
    units.set('place');
    expect(inMiles.map(({ whole }) => whole)).toEqual([true, false, false]);
  });

  it('puts a job on the edge into the nearer band', () => {
    expect(bandsOf([at(0)], false)[0]?.from).toBe(0);
    expect(bandsOf([], false)).toEqual([]);
  });
});
