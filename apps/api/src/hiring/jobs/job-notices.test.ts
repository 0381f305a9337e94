import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person();
  business = await makeBusiness(app.db, app.scopeOf(owner), { name: 'Hotel Brouwers' });
});

const newJob = (options: Partial<JobDraft> = {}) => makeJob(app.db, app.scopeOf(owner), business.id, options);
const noticesOf = (person: Person, topic: string) =>
  app.db
    .selectFrom('notifications')
    .select(['path', 'data'])
    .where('accountId', '=', person.accountId)
    .where('topic', '=', topic)
    .execute();

describe('a verified business', () => {
  it('receives a notice in the app and by mail', async () => {
    await app.runDue();
    expect(await noticesOf(owner, 'business-verified')).toMatchObject([
      { path: '/my-business', data: { businessName: 'Hotel Brouwers' } },
    ]);
    expect(app.mails.map(({ subject }) => subject)).toContain('Hotel Brouwers is verified');
  });
});

describe('an edit after applications', () => {
  it('notifies applicants once of changed pay, but not of texts, area or a private address', async () => {
    const job = await newJob();
    const leila = await app.person();
    const leaver = await app.person();
    await makeApplication(app.db, app.scopeOf(leila), job.id);
    const back = await makeApplication(app.db, app.scopeOf(leaver), job.id);
    await leaver.api.applications.withdraw({ applicationId: back.id });
    const worded = await owner.api.jobs.update({
      jobId: job.id,
      version: job.version,
      description: 'The same work, said better.',
    });
    const { address, area, privateAddress } = worded.member ?? {
      address: '',
      area: '',
      privateAddress: false,
    };
    const place = { address, area, privateAddress, lat: worded.place.lat, lng: worded.place.lng };
    const renamed = await owner.api.jobs.update({
      jobId: job.id,
      version: worded.version,
      place: { ...place, area: 'Elsewhere', privateAddress: !privateAddress },
    });
    expect(await noticesOf(leila, 'job-changed')).toEqual([]);
    await owner.api.jobs.update({ jobId: job.id, version: renamed.version, payMinor: 1_900 });
    expect(await noticesOf(leila, 'job-changed')).toMatchObject([
      {
        path: `/job-desc/${job.id}`,
        data: {
          jobTitle: job.title,
          businessName: 'Hotel Brouwers',
          fromMinor: job.pay.minor,
          toMinor: 1_900,
        },
      },
    ]);
    expect(await noticesOf(leaver, 'job-changed')).toEqual([]);
  });
});

describe('closing a job', () => {
  it('ends its applications and notifies the workers; a repeat sends nothing', async () => {
    const job = await newJob();
    const leila = await app.person();
    const sent = await makeApplication(app.db, app.scopeOf(leila), job.id);
    await owner.api.jobs.close({ jobId: job.id });
    await owner.api.jobs.close({ jobId: job.id });
    expect(await leila.api.applications.get({ applicationId: sent.id })).toMatchObject({
      status: 'job_closed',
      job: { status: 'closed' },
    });
    await app.runDue();
    expect(await noticesOf(leila, 'application-job-closed')).toHaveLength(1);
  });
});

describe('a job that expires', () => {
  it('notifies recruiters on days 25 and 30', async () => {
    const job = await newJob({ kind: 'task' });
    const of = async (topic: string) =>
      (await noticesOf(owner, topic)).filter(({ path }) => path.endsWith(job.id));
    app.clock.forward({ days: 25 });
    await app.runDue();
    expect(await of('job-expiring')).toMatchObject([
      { data: { jobTitle: job.title, timeZone: 'Europe/Amsterdam' } },
    ]);
    expect(await of('job-expired')).toEqual([]);
    app.clock.forward({ days: 5 });
    await app.runDue();
    expect(await of('job-expired')).toHaveLength(1);
  });
});
