import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { updateFilledStatus } from '../jobs/job-transitions.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { savedJobNewsTask } from './saved-jobs.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

async function savedJob() {
  const job = await makeJob(app.db, app.scopeOf(owner), business.id, { headCount: 3 });
  const saver = await app.person();
  const applicant = await app.person();
  for (const { api } of [saver, applicant]) await api.savedJobs.save({ jobId: job.id });
  await makeApplication(app.db, app.scopeOf(applicant), job.id);
  return { job, saver, applicant };
}
const newsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items
    .filter(({ topic }) => topic.startsWith('saved-job-'))
    .map(({ topic, path }) => [topic, path]);
const hire = async (jobId: string, hired: number) => {
  await app.db.updateTable('jobs').set({ hiredCount: hired }).where('id', '=', jobId).execute();
  await app.db.transaction().execute((tx) => updateFilledStatus(tx, app.scopeOf(owner), jobId));
  await app.runDue();
};

describe('the news of a saved job', () => {
  it("reaches savers who haven't applied, once for each change", async () => {
    const { job, saver, applicant } = await savedJob();
    const change = (minor: number, version: number) =>
      owner.api.jobs.update({ jobId: job.id, version, payMinor: minor });
    const { version } = await change(2_500, (await owner.api.jobs.get({ jobId: job.id })).version);
    await app.runDue();
    const path = `/job-desc/${job.id}`;
    expect(await newsOf(saver)).toEqual([['saved-job-changed', path]]);
    expect(await newsOf(applicant)).toEqual([]);
    await change(2_600, version);
    await app.runDue();
    expect(await newsOf(saver)).toHaveLength(2);
  });

  it('announces once that one spot is left, then that the job was filled', async () => {
    const { job, saver } = await savedJob();
    await hire(job.id, 1);
    expect(await newsOf(saver)).toEqual([]);
    await hire(job.id, 2);
    await hire(job.id, 1);
    await hire(job.id, 2);
    expect((await newsOf(saver)).map(([topic]) => topic)).toEqual(['saved-job-filling']);
    await hire(job.id, 3);
    expect((await newsOf(saver)).map(([topic]) => topic)).toEqual(['saved-job-ended', 'saved-job-filling']);
  });

  it('announces the closing, but not to users who removed the job', async () => {
    const { job, saver } = await savedJob();
    const other = await app.person();
    await other.api.savedJobs.save({ jobId: job.id });
    await other.api.savedJobs.remove({ jobId: job.id });
    await owner.api.jobs.close({ jobId: job.id });
    await app.runDue();
    expect((await newsOf(saver)).map(([topic]) => topic)).toEqual(['saved-job-ended']);
    expect(await newsOf(other)).toEqual([]);
  });

  it('skips outdated news and sends it once when a task runs twice', async () => {
    const { job, saver } = await savedJob();
    const run = (news: 'ended' | 'filling') =>
      app.db
        .transaction()
        .execute((tx) => enqueue(tx, savedJobNewsTask, { jobId: job.id, news, event: 'e' }));
    await run('ended');
    await app.runDue();
    expect(await newsOf(saver)).toEqual([]);
    await app.db.updateTable('jobs').set({ hiredCount: 2 }).where('id', '=', job.id).execute();
    for (const _time of [1, 2]) {
      await run('filling');
      await app.runDue();
    }
    expect(await newsOf(saver)).toHaveLength(1);
  });
});
