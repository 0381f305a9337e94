import { dayMs } from '@nearhand/contract/durations';
import type { NearbySort } from '@nearhand/contract/hiring/nearby';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { townJobs } from '../public-pages/public-pages.ts';
import { searchInput } from '../saved-searches/saved-searches.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();

/** Five shifts from `startsAt` on, posted together at a place of their own. */
async function week(lat: number) {
  const nadia = await app.person({ name: 'Nadia' });
  const scope = app.scopeOf(nadia.accountId);
  const business = await makeBusiness(app.db, scope, { name: 'Zilverlinde', lat, lng: 4.9 });
  const draft = await makeJob(app.db, scope, business.id, { status: 'draft', title: 'Morning barista' });
  const dayAfter = (days: number) =>
    new Date(Date.parse(draft.startsAt ?? '') + days * dayMs).toISOString().slice(0, 10);
  const job = await nadia.api.jobs.publish({ jobId: draft.id, alsoOn: [1, 2, 3, 4].map(dayAfter) });
  const search = (change: { from?: string; sort?: NearbySort } = {}) =>
    nadia.api.nearby.search({ lat, lng: 4.9, radiusKm: 2, widen: 'false', ...change });
  return { nadia, business, job, dayAfter, search };
}

describe('a series', () => {
  it('is the jobs posted together, and each has the dates of all', async () => {
    const { nadia, job, dayAfter } = await week(52.1);
    expect(job.series).toMatchObject({ shifts: 5 });
    expect(job.series?.lastStartsAt.slice(0, 10)).toBe(dayAfter(4));
    expect(job.dates.map(({ startsAt }) => startsAt.slice(0, 10))).toEqual([0, 1, 2, 3, 4].map(dayAfter));
    expect(job.dates[0]).toMatchObject({ jobId: job.id, pay: job.pay, myApplication: null, booked: null });
    const last = job.dates[4]?.jobId ?? '';
    expect((await nadia.api.jobs.get({ jobId: last })).dates).toEqual(job.dates);
    await nadia.api.jobs.close({ jobId: last });
    const { series, dates } = await nadia.api.jobs.get({ jobId: job.id });
    expect([series?.shifts, dates.length]).toEqual([4, 4]);
    expect(await nadia.api.jobs.duplicate({ jobId: job.id })).toMatchObject({ series: null, dates: [] });
  });

  it('says of each date where the viewer applied and what else they work', async () => {
    const { job } = await week(52.2);
    const leila = await app.person({ name: 'Leila' });
    const second = job.dates[1]?.jobId ?? '';
    const { id } = await leila.api.applications.submit({ jobId: second });
    const { dates } = await leila.api.jobs.get({ jobId: job.id });
    expect(dates.map(({ myApplication }) => myApplication?.id ?? null)).toEqual([null, id, null, null, null]);
  });

  it('is there once in searches around a place, by its first date that matches', async () => {
    const { nadia, business, job, dayAfter, search } = await week(52.3);
    const single = await makeJob(app.db, app.scopeOf(nadia.accountId), business.id, { title: 'Evening' });
    const { items } = await search();
    expect(items.map(({ id, series }) => [id, series?.shifts])).toEqual([
      [job.id, 5],
      [single.id, undefined],
    ]);
    const third = await search({ from: dayAfter(2) });
    expect(third.items.map(({ id }) => id)).toEqual([job.dates[2]?.jobId]);
    for (const sort of ['best', 'newest', 'pay', 'soonest'] as const)
      expect((await search({ sort })).items.length, sort).toBe(2);
    expect(await nadia.api.nearby.count({ lat: 52.3, lng: 4.9, radiusKm: 2 })).toEqual({
      count: 2,
      more: false,
    });
    const similarTo = async (jobId: string) =>
      (await nadia.api.jobs.similar({ jobId }))
        .filter(({ business: { id } }) => id === business.id)
        .map(({ id }) => id);
    expect(await similarTo(single.id)).toEqual([job.id]);
    expect(await similarTo(job.id)).toEqual([single.id]);
  });

  it('is there once in public lists', async () => {
    const { job } = await week(52.35);
    const { townSlug } = await app.db
      .selectFrom('jobs')
      .select('townSlug')
      .where('id', '=', job.id)
      .executeTakeFirstOrThrow();
    const shown = (await townJobs(app.db, townSlug, null))?.jobs.filter(({ title }) => title === job.title);
    const ids = shown?.map(({ id }) => id) ?? [];
    expect(ids).toContain(job.id);
    expect(ids).not.toContain(job.dates[1]?.jobId);
  });

  it('is one job of a saved search, with the page of its first date', async () => {
    const worker = await app.person();
    await worker.api.savedSearches.create(searchInput({ lat: 52.5, lng: 4.9 }));
    const { job } = await week(52.5);
    await app.runDue();
    app.clock.forward({ minutes: 5 });
    await app.runDue();
    const news = (await worker.api.notifications.list({})).items.filter(
      ({ topic }) => topic === 'search-matched',
    );
    expect(news.map(({ path, data }) => [path, data.count])).toEqual([[`/job-desc/${job.id}`, 1]]);
  });
});
