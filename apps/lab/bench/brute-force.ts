import { chordOfMetres, metresOfChord, onSphere } from '@nearhand/contract/people/great-circle';
import type pg from 'pg';
import { nearbyPath } from './cases.ts';
import { makeCheckedProbes } from './probes.ts';

type Ask = (path: string) => Promise<{ items: { id: string; distanceM: number }[] }>;

/**
 * Checks nearby against every job at 200 places, by distance and newest, with a category and without.
 * @returns the number of places and results, and the differences
 */
export async function checkAgainstBruteForce(client: pg.Client, ask: Ask, places: number) {
  const { rows: jobs } = await client.query<{
    id: string;
    lat: number;
    lng: number;
    category: string;
    published: Date;
  }>(
    `select id, public_lat as lat, public_lng as lng, category, published_at as published from jobs where status = 'open'`,
  );
  const points = new Float64Array(jobs.length * 3);
  for (const [index, job] of jobs.entries()) points.set(onSphere(job), index * 3);
  const differences: string[] = [];
  let results = 0;
  for (const [index, probe] of (await makeCheckedProbes(client, places)).entries()) {
    const km = [5, 25, 100][index % 3] ?? 25;
    const newest = index % 4 === 3;
    const category = index % 2 === 0 ? null : 'hospitality';
    const [x, y, z] = onSphere(probe);
    const reach = chordOfMetres(km * 1000);
    const near: { id: string; far: number; published: number }[] = [];
    for (let at = 0; at < jobs.length; at += 1) {
      const far = Math.hypot(
        (points[at * 3] ?? 0) - x,
        (points[at * 3 + 1] ?? 0) - y,
        (points[at * 3 + 2] ?? 0) - z,
      );
      const job = jobs[at];
      if (far <= reach && job && (category === null || job.category === category))
        near.push({ id: job.id, far, published: job.published.getTime() });
    }
    near.sort((a, b) => (newest ? b.published - a.published || (a.id < b.id ? 1 : -1) : a.far - b.far));
    const nearest = near.slice(0, 20);
    const path = nearbyPath(probe, {
      radiusKm: String(km),
      widen: 'false',
      ...(newest ? { sort: 'newest' } : {}),
      ...(category ? { category } : {}),
    });
    const { items } = await ask(path);
    results += items.length;
    // Rounding decides the order of jobs at the same distance.
    const farOf = new Map(near.map((job) => [job.id, job.far]));
    const same =
      items.length === nearest.length &&
      new Set(items.map((item) => item.id)).size === items.length &&
      items.every((item, place) => {
        const far = farOf.get(item.id) ?? Number.POSITIVE_INFINITY;
        const inPlace = newest
          ? item.id === nearest[place]?.id
          : Math.abs(far - (nearest[place]?.far ?? 0)) < 1e-5;
        return inPlace && Math.abs(item.distanceM - metresOfChord(far)) < 1;
      });
    if (!same) differences.push(path);
  }
  return { places, results, differences };
}
