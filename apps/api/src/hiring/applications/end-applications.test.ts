import { payOfTerms } from '@nearhand/contract/hiring/pay.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { makeInterview } from '../interviews/interviews.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hire, makeOffer } from '../offers/offers.fixtures.ts';
import { makeApplication, makeDecision } from './applications.fixtures.ts';
import { notifyOfClosedJobTask } from './end-applications.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});
const newJob = (headCount = 1) => makeJob(app.db, app.scopeOf(owner), business.id, { headCount });
async function applicant(jobId: string) {
  const person = await app.person();
  return { person, id: (await makeApplication(app.db, app.scopeOf(person), jobId)).id };
}
const applicantView = (applicationId: string) => owner.api.applicants.get({ applicationId });
const mine = ({ person, id }: { person: Person; id: string }) =>
  person.api.applications.get({ applicationId: id });

describe('records of an application', () => {
  it('show the open interview and block a second proposal', async () => {
    const job = await newJob();
    const application = await applicant(job.id);
    const interview = await makeInterview(app.db, app.scopeOf(owner), application.id);
    const view = await applicantView(application.id);
    expect(view).toMatchObject({
      stage: 'interviewing',
      interview: { id: interview.id, status: 'proposed', mode: 'in_person', startsAt: null },
    });
    expect(view.actions).not.toContain('propose-interview');
    expect((await mine(application)).interview).toEqual(view.interview);
  });

  it('end on rejection and on withdrawal', async () => {
    const job = await newJob();
    for (const end of ['reject', 'withdraw'] as const) {
      const application = await applicant(job.id);
      await makeInterview(app.db, app.scopeOf(owner), application.id);
      if (end === 'reject')
        await makeDecision(app.db, app.scopeOf(owner), application.id, { reason: 'availability' });
      else await application.person.api.applications.withdraw({ applicationId: application.id });
      expect((await mine(application)).interview?.status).toBe('cancelled');
    }
  });

  it('free the spot when the worker withdraws with an open offer', async () => {
    const job = await newJob();
    const application = await applicant(job.id);
    const other = await applicant(job.id);
    const offer = await makeOffer(app.db, app.scopeOf(owner), application.id);
    expect(await applicantView(application.id)).toMatchObject({
      stage: 'offered',
      offer: { id: offer.id, status: 'sent', pay: payOfTerms(offer.terms) },
    });
    expect((await mine(application)).offer?.id).toBe(offer.id);
    expect((await applicantView(other.id)).actions).not.toContain('offer');
    await application.person.api.applications.withdraw({ applicationId: application.id });
    expect((await mine(application)).offer?.status).toBe('declined');
    expect((await owner.api.pipeline.board({ jobId: job.id })).job?.offered).toBe(0);
    expect((await applicantView(other.id)).actions).toContain('offer');
  });

  it('end for other applicants when the last spot is filled', async () => {
    const job = await newJob();
    const first = await applicant(job.id);
    const second = await applicant(job.id);
    const third = await applicant(job.id);
    await makeInterview(app.db, app.scopeOf(owner), second.id);
    await hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(first.person) }, first.id);
    await app.runDue();
    const hired = await mine(first);
    expect(hired).toMatchObject({ status: 'hired', actions: [] });
    expect(hired.engagementId).not.toBeNull();
    expect((await applicantView(first.id)).engagementId).toBe(hired.engagementId);
    expect(await mine(second)).toMatchObject({
      status: 'position_filled',
      interview: { status: 'cancelled' },
    });
    expect((await mine(third)).actions).toContain('join-waitlist');
    expect(await owner.api.pipeline.board({ jobId: job.id })).toMatchObject({
      stages: { hired: 1, ended: 2 },
      job: { status: 'filled', hired: 1, spotsLeft: 0 },
      waiting: { count: 0 },
    });
  });

  it('end when the job ends', async () => {
    const job = await newJob(2);
    const invited = await applicant(job.id);
    const offered = await applicant(job.id);
    await makeInterview(app.db, app.scopeOf(owner), invited.id);
    await makeOffer(app.db, app.scopeOf(owner), offered.id);
    await owner.api.jobs.close({ jobId: job.id });
    expect(await mine(invited)).toMatchObject({ status: 'job_closed', interview: { status: 'cancelled' } });
    expect(await mine(offered)).toMatchObject({ status: 'job_closed', offer: { status: 'withdrawn' } });
    expect((await owner.api.pipeline.board({ jobId: job.id })).job).toMatchObject({ offered: 0 });
  });
});

describe('a job that closes with many applications', () => {
  const many = 450;
  it('ends them all at once and notifies each worker once, in batches, even when run again', async () => {
    await app.runDue();
    const job = await newJob();
    await app.pool.query(
      `with worker as (
        insert into accounts (id, name, email, email_verified)
        select gen_random_uuid(), 'Worker ' || n, 'many' || n || '@example.test', true from generate_series(1, $3) n returning id
      ), place as (
        insert into conversations (id, job_id, worker_id, business_id, created_at, last_at)
        select gen_random_uuid(), $1, id, $2, $4, $4 from worker
      )
      insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
      select gen_random_uuid(), $1, $2, id, 'submitted', $4, $4 + interval '14 days', $4 from worker`,
      [job.id, business.id, many, app.clock.now()],
    );
    const count = async (text: string) => (await app.pool.query<{ n: number }>(text, [job.id])).rows[0]?.n;
    const notices = () =>
      count(`select count(*)::integer as n from notifications join applications on notifications.path like '%' || applications.id
        where job_id = $1 and topic = 'application-job-closed' and account_id = worker_id`);
    const closedAt = app.clock.now();
    await owner.api.jobs.close({ jobId: job.id });
    const ended = `select count(*)::integer as n from applications where job_id = $1 and status = 'job_closed'`;
    expect([await count(ended), await notices()]).toEqual([many, 0]);
    const { rows: waiting } = await app.pool.query<{
      payload: z.infer<typeof notifyOfClosedJobTask.payload>;
    }>(
      `select payload from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
       where identifier = $1`,
      [notifyOfClosedJobTask.name],
    );
    expect(waiting.map(({ payload }) => payload.applicationIds.length).sort()).toEqual([200, 200, 50]);
    app.clock.forward({ hours: 2 });
    await app.runDue();
    await app.db.transaction().execute(async (tx) => {
      for (const { payload } of waiting) await enqueue(tx, notifyOfClosedJobTask, payload);
    });
    await app.runDue();
    expect(await notices()).toBe(many);
    const lines = await app.pool.query(
      `select at, count(*)::integer as n, line_data ->> 'why' as why from messages join conversations on conversations.id = conversation_id
       where job_id = $1 and line = 'application-ended' group by at, why`,
      [job.id],
    );
    expect(lines.rows).toEqual([{ at: closedAt, n: many, why: 'job-closed' }]);
  });
});

describe('someone who worked here before', () => {
  it('ranks higher and matches the filter', async () => {
    const first = await newJob();
    const application = await applicant(first.id);
    await hire(
      app.db,
      { recruiter: app.scopeOf(owner), worker: app.scopeOf(application.person) },
      application.id,
    );
    await app.db
      .updateTable('engagements')
      .set({
        status: 'completed',
        startsAt: new Date('2020-01-01T08:00:00Z'),
        endsAt: new Date('2020-01-01T12:00:00Z'),
      })
      .where('applicationId', '=', application.id)
      .execute();
    const next = await newJob();
    const again = await makeApplication(app.db, app.scopeOf(application.person), next.id);
    await applicant(next.id);
    const { items } = await owner.api.applicants.ofJob({ jobId: next.id, rehire: 'true' });
    expect(items.map(({ id }) => id)).toEqual([again.id]);
    const history = items[0]?.match.find(({ kind }) => kind === 'history');
    expect(history).toMatchObject({ points: 6, data: { times: 1 } });
  });
});
