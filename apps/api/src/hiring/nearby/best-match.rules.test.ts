import { describe, expect, it } from 'vitest';
import { nearestFirst } from './best-match.rules.ts';

const job = (distanceM: number, matches = false) => ({
  distanceM,
  business: { name: `Business ${distanceM}` },
  matchesSkills: matches ? (true as const) : undefined,
});

describe('nearestFirst', () => {
  const jobs = [job(500), job(950, true), job(1_200, true), job(1_100)];
  const order = (timeZone: string) => nearestFirst(jobs, timeZone).map(({ distanceM }) => distanceM);

  it('puts a matching job first in the band that readers of the place see', () => {
    expect(order('Europe/Amsterdam')).toEqual([950, 500, 1_200, 1_100]);
    // Half a mile is 805 m.
    expect(order('Europe/London')).toEqual([500, 950, 1_200, 1_100]);
  });

  it('keeps jobs beyond the last band at the end', () => {
    const far = [job(300_000, true), job(500)];
    expect(nearestFirst(far, 'Europe/Amsterdam').map(({ distanceM }) => distanceM)).toEqual([500, 300_000]);
  });

  it('lets another employer in after two jobs of one that are about as near', () => {
    const own = [500, 510, 520].map((distanceM) => ({ ...job(distanceM), business: { name: 'Kopi' } }));
    const names = nearestFirst([...own, job(530)], 'Europe/Amsterdam').map(({ business }) => business.name);
    expect(names).toEqual(['Kopi', 'Kopi', 'Business 530', 'Kopi']);
  });
});
