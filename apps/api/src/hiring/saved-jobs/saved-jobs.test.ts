import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import type { Jobs } from '../../platform/tables.gen.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
const openJob = () => makeJob(app.db, app.scopeOf(owner), business.id);
const move = (jobId: string, status: Jobs['status']) =>
  app.db.updateTable('jobs').set({ status }).where('id', '=', jobId).execute();
async function copyJob(jobId: string, count: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'jobs' and is_generated = 'NEVER' and column_name not in ('id', 'title')`.execute(
    app.db,
  );
  const columns = sql.join(rows.map(({ name }) => sql.ref(name)));
  await sql`insert into jobs (id, title, ${columns}) select gen_random_uuid(), 'Copied', ${columns}
    from jobs, generate_series(1, ${count}::int) where id = ${jobId}`.execute(app.db);
}
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

describe('savedJobs.save', () => {
  it('saves a job once, even from an unverified account, and keeps the first time', async () => {
    const worker = await app.person({ verified: false });
    const job = await openJob();
    expect(await worker.api.savedJobs.save({ jobId: job.id })).toEqual({ jobId: job.id, saved: true });
    const [first] = (await worker.api.savedJobs.list({})).items;
    app.clock.forward({ minutes: 1 });
    expect(await worker.api.savedJobs.save({ jobId: job.id })).toEqual({ jobId: job.id, saved: true });
    expect((await worker.api.savedJobs.list({})).items).toEqual([first]);
  });

  it('rejects a job hidden from the caller', async () => {
    const worker = await app.person();
    const job = await openJob();
    await move(job.id, 'draft');
    expect(await failure(worker.api.savedJobs.save({ jobId: job.id }))).toMatchObject({
      code: 'job/not-found',
    });
    expect(await worker.api.savedJobs.ids()).toEqual([]);
  });

  it('stops at the limit and returns it', async () => {
    const worker = await app.person();
    const saved = await openJob();
    await worker.api.savedJobs.save({ jobId: saved.id });
    await copyJob(saved.id, hiringLimits.savedJobsMax - 1);
    await sql`insert into saved_jobs select ${worker.accountId}, id, now() from jobs
      where title = 'Copied' and business_id = ${business.id}`.execute(app.db);
    const job = await openJob();
    expect(await failure(worker.api.savedJobs.save({ jobId: job.id }))).toMatchObject({
      code: 'saved-job/too-many',
      data: { limit: hiringLimits.savedJobsMax },
    });
    expect(await worker.api.savedJobs.save({ jobId: saved.id })).toMatchObject({ saved: true });
  });
});

describe('a job saved on two devices at once', () => {
  it('is saved once, for both', async () => {
    const worker = await app.person();
    const jobs = await Promise.all([openJob(), openJob(), openJob()]);
    for (const { id } of jobs) {
      const both = await Promise.all([1, 2].map(() => worker.api.savedJobs.save({ jobId: id })));
      expect(both).toEqual([1, 2].map(() => ({ jobId: id, saved: true })));
    }
    expect(await worker.api.savedJobs.ids()).toHaveLength(3);
  });
});

describe('savedJobs.remove', () => {
  it("removes only the caller's own, otherwise a no-op", async () => {
    const worker = await app.person();
    const stranger = await app.person();
    const job = await openJob();
    await worker.api.savedJobs.save({ jobId: job.id });
    await stranger.api.savedJobs.save({ jobId: job.id });
    expect(await worker.api.savedJobs.remove({ jobId: job.id })).toEqual({ jobId: job.id, saved: false });
    expect(await worker.api.savedJobs.remove({ jobId: job.id })).toEqual({ jobId: job.id, saved: false });
    expect(await worker.api.savedJobs.ids()).toEqual([]);
    expect(await stranger.api.savedJobs.ids()).toEqual([job.id]);
  });
});

describe('savedJobs.ids', () => {
  it('returns the saved jobs, last saved first', async () => {
    const worker = await app.person();
    const firstJob = await openJob();
    const secondJob = await openJob();
    await worker.api.savedJobs.save({ jobId: firstJob.id });
    app.clock.forward({ seconds: 1 });
    await worker.api.savedJobs.save({ jobId: secondJob.id });
    expect(await worker.api.savedJobs.ids()).toEqual([secondJob.id, firstJob.id]);
  });
});

describe('savedJobs.list', () => {
  it('pages through the jobs in their current state, last saved first', async () => {
    const worker = await app.person();
    const jobs = [await openJob(), await openJob(), await openJob()];
    for (const { id } of jobs) {
      await worker.api.savedJobs.save({ jobId: id });
      app.clock.forward({ seconds: 1 });
    }
    await move(jobs[1]?.id ?? '', 'filled');
    const first = await worker.api.savedJobs.list({ limit: 2 });
    expect(first.items.map(({ job, status }) => [job.id, status])).toEqual([
      [jobs[2]?.id, 'open'],
      [jobs[1]?.id, 'filled'],
    ]);
    const second = await worker.api.savedJobs.list({ limit: 2, cursor: first.nextCursor ?? '' });
    expect([second.items.map(({ job }) => job.id), second.nextCursor]).toEqual([[jobs[0]?.id], null]);
    expect(await failure(worker.api.savedJobs.list({ cursor: 'nonsense' }))).toMatchObject({
      code: 'request/bad-cursor',
    });
  });

  it("omits jobs the caller can't see at the moment", async () => {
    const worker = await app.person();
    const job = await openJob();
    await worker.api.savedJobs.save({ jobId: job.id });
    await move(job.id, 'suspended');
    expect((await worker.api.savedJobs.list({})).items).toEqual([]);
    await move(job.id, 'open');
    expect((await worker.api.savedJobs.list({})).items).toHaveLength(1);
    await move(job.id, 'suspended');
    await owner.api.jobs.close({ jobId: job.id });
    await app.runDue();
    expect((await worker.api.savedJobs.list({})).items).toEqual([]);
    expect((await worker.api.notifications.list({})).items).toEqual([]);
  });

  it('drops an archived job, and a draft saved by a member can be deleted', async () => {
    const worker = await app.person();
    const job = await openJob();
    await worker.api.savedJobs.save({ jobId: job.id });
    await owner.api.jobs.close({ jobId: job.id });
    await owner.api.jobs.archive({ jobId: job.id });
    expect(await worker.api.savedJobs.ids()).toEqual([]);
    const draft = await openJob();
    await move(draft.id, 'draft');
    await owner.api.savedJobs.save({ jobId: draft.id });
    await owner.api.jobs.deleteDraft({ jobId: draft.id });
    expect(await owner.api.savedJobs.ids()).not.toContain(draft.id);
  });
});
