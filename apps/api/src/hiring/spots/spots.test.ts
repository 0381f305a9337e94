import { addMs, dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { importJobs } from '../job-import/job-import.ts';
import type { ImportRow } from '../job-import/posting.rules.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hire, makeOffer } from '../offers/offers.fixtures.ts';
import { dropOfferedSpot, freeHiredSpot, offerSpot } from './spots.ts';

const app = useTestApp();
let owner: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person();
  businessId = (await makeBusiness(app.db, app.scopeOf(owner), { name: 'Ecole Noord' })).id;
});
const newJob = (options: Parameters<typeof makeJob>[3] = {}) =>
  makeJob(app.db, app.scopeOf(owner), businessId, options);
async function applied(jobId: string) {
  const worker = await app.person();
  return { worker, id: (await makeApplication(app.db, app.scopeOf(worker), jobId)).id };
}
async function hireOne(jobId: string) {
  const { worker, id } = await applied(jobId);
  return hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(worker) }, id);
}
const offerOne = async (jobId: string) => makeOffer(app.db, app.scopeOf(owner), (await applied(jobId)).id);
const jobOf = (jobId: string) =>
  app.db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();

describe('a job with an open offer or a hire', () => {
  it('keeps its hours, place and number of spots, but can pay more', async () => {
    const job = await newJob({ headCount: 3, payMinor: 2_000 });
    await hireOne(job.id);
    const offer = await offerOne(job.id);
    // An offer from the waitlist can't be made again on changed terms.
    await app.db.updateTable('offers').set({ source: 'waitlist' }).where('id', '=', offer.id).execute();
    const edit = { jobId: job.id, version: job.version };
    const later = new Date(Date.parse(job.endsAt ?? '') + hourMs).toISOString();
    expect(await failure(owner.api.jobs.update({ ...edit, endsAt: later }))).toMatchObject({
      status: 422,
      code: 'job/terms-fixed',
      data: { changed: ['hours'] },
    });
    const place = { address: 'Quay 2', area: 'Noord', lat: 52.4, lng: 4.9, privateAddress: false };
    expect(await failure(owner.api.jobs.update({ ...edit, place, breakMinutes: 0 }))).toMatchObject({
      code: 'job/terms-fixed',
      data: { changed: ['hours', 'place'] },
    });
    const raised = await owner.api.jobs.update({
      ...edit,
      payMinor: 2_200,
      title: 'Same work, better paid',
    });
    expect(raised).toMatchObject({ pay: { minor: 2_200 }, startsAt: job.startsAt });
  });

  it('rejects fewer spots than hires and offers', async () => {
    const job = await newJob({ headCount: 3 });
    await hireOne(job.id);
    await offerOne(job.id);
    const edit = { jobId: job.id, version: job.version };
    expect(await failure(owner.api.jobs.update({ ...edit, headCount: 1 }))).toMatchObject({
      code: 'job/head-count-below-hires',
      data: { hired: 1, offered: 1 },
    });
    expect(await owner.api.jobs.update({ ...edit, headCount: 2 })).toMatchObject({
      status: 'open',
      member: { hired: 1, offered: 1 },
    });
  });

  it('resists an import too, which reports why and continues', async () => {
    const posting: ImportRow = {
      sourceId: '1',
      businessName: 'Ecole Noord',
      kind: 'task',
      title: 'Paint a boat',
      category: 'logistics',
      description: 'White above the water.',
      payMinor: 16_000,
      payMaxMinor: null,
      payUnit: 'fixed',
      currency: 'EUR',
      headCount: 2,
      hoursNote: 'Any day',
      place: { address: 'Pier 1', area: 'Noord', countryCode: 'NL', lat: 52.4012, lng: 4.8909 },
      until: null,
      sourceUrl: null,
    };
    const take = (row: Partial<ImportRow>) =>
      app.db.transaction().execute((tx) =>
        importJobs(tx, app.scopeOf(owner), {
          source: 'board',
          operator: 'operator:import',
          rows: [
            { ...posting, ...row },
            { ...posting, sourceId: '2' },
          ],
        }),
      );
    expect(await take({})).toEqual(['imported', 'imported']);
    const job = await app.db
      .selectFrom('jobs')
      .select('id')
      .where('sourceId', '=', '1')
      .where('businessId', '=', businessId)
      .executeTakeFirstOrThrow();
    await offerOne(job.id);
    await hireOne(job.id);
    expect(await take({ headCount: 1 })).toMatchObject([{ code: 'head-count-below-hires' }, 'same']);
    expect(await take({ place: { ...posting.place, lat: 52.5 } })).toMatchObject([
      { code: 'terms-fixed' },
      'same',
    ]);
    expect(await take({ payMinor: 15_000 })).toMatchObject([{ code: 'pay-fell-after-hire' }, 'same']);
    expect(await take({ headCount: 3, payMinor: 17_000 })).toEqual(['updated', 'same']);
  });
});

describe('the spots of a job', () => {
  it("can't exceed the head count in the database", async () => {
    const job = await newJob({ headCount: 1 });
    const run = (work: Parameters<ReturnType<typeof app.db.transaction>['execute']>[0]) =>
      app.db.transaction().execute(work);
    await run((tx) => offerSpot(tx, job.id));
    await expect(run((tx) => offerSpot(tx, job.id))).rejects.toMatchObject({ code: 'offer/no-spot' });
    await expect(
      app.db.updateTable('jobs').set({ hiredCount: 1 }).where('id', '=', job.id).execute(),
    ).rejects.toMatchObject({ constraint: 'jobs_spots' });
    await run((tx) => dropOfferedSpot(tx, job.id));
    await expect(run((tx) => dropOfferedSpot(tx, job.id))).rejects.toMatchObject({ code: '23514' });
  });

  it('reopen a full job while it lasts, with its timers, and leave it full afterwards', async () => {
    const scope = app.scopeOf(owner);
    const job = await newJob({ headCount: 1 });
    await hireOne(job.id);
    expect(await jobOf(job.id)).toMatchObject({ status: 'filled' });
    const dayLater = (at: string | null) => addMs(new Date(at ?? ''), dayMs).toISOString();
    const moved = await owner.api.jobs.update({
      jobId: job.id,
      version: job.version,
      startsAt: dayLater(job.startsAt),
      endsAt: dayLater(job.endsAt),
    });
    expect(moved.expiresAt).toBe(dayLater(job.expiresAt));
    const key = `job-expiry:${job.id}`;
    await app.pool.query('select graphile_worker.remove_job($1)', [key]);
    await app.db.transaction().execute((tx) => freeHiredSpot(tx, scope, job.id));
    expect(await jobOf(job.id)).toMatchObject({ status: 'open', hiredCount: 0 });
    const { rows } = await app.pool.query('select run_at from graphile_worker.jobs where key = $1', [key]);
    expect(rows).toEqual([{ run_at: new Date(moved.expiresAt ?? '') }]);

    const over = await newJob({ headCount: 1 });
    await hireOne(over.id);
    const begun = subtractMs(app.clock.now(), 1);
    await app.db.updateTable('jobs').set({ expiresAt: begun }).where('id', '=', over.id).execute();
    await app.db.transaction().execute((tx) => freeHiredSpot(tx, scope, over.id));
    expect(await jobOf(over.id)).toMatchObject({ status: 'filled', hiredCount: 0 });
  });

  it('fill a paused job when its last offer is accepted', async () => {
    const job = await newJob({ headCount: 1 });
    const { worker, id } = await applied(job.id);
    const offer = await makeOffer(app.db, app.scopeOf(owner), id);
    await owner.api.jobs.pause({ jobId: job.id });
    await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    expect(await jobOf(job.id)).toMatchObject({ status: 'filled', hiredCount: 1 });
    expect(await failure(owner.api.jobs.reopen({ jobId: job.id }))).toMatchObject({
      code: 'job/wrong-state',
    });
  });

  it('keep a job paused that was paused during the hire, until its business reopens it', async () => {
    const job = await newJob({ headCount: 1 });
    const { worker, id } = await applied(job.id);
    const offer = await makeOffer(app.db, app.scopeOf(owner), id);
    await owner.api.jobs.pause({ jobId: job.id });
    await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    await app.db
      .transaction()
      .execute((tx) => freeHiredSpot(tx, app.scopeOf({ accountId: 'timer' }), job.id));
    expect(await jobOf(job.id)).toMatchObject({ status: 'paused', hiredCount: 0 });
    const other = await app.person();
    expect(await failure(other.api.jobs.get({ jobId: job.id }))).toMatchObject({ status: 404 });
    expect(await owner.api.jobs.reopen({ jobId: job.id })).toMatchObject({ status: 'open' });
    const again = await applied(job.id);
    const next = await makeOffer(app.db, app.scopeOf(owner), again.id);
    await again.worker.api.offers.accept({ offerId: next.id, version: next.version });
    await app.db
      .transaction()
      .execute((tx) => freeHiredSpot(tx, app.scopeOf({ accountId: 'timer' }), job.id));
    expect(await jobOf(job.id)).toMatchObject({ status: 'open' });
  });
});
