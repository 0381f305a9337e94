import { addMs, hourMs } from '@nearhand/contract/durations';
import { decideByAt } from '@nearhand/contract/hiring/decide-by.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { viewApplication } from '../applicants/applicant-lifecycle.ts';
import { updateJob } from '../jobs/job-edits.ts';
import { viewJob } from '../jobs/job-views.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { updateJobStatus } from '../jobs/jobs.sql.ts';
import { getApplication } from './application-views.ts';
import { makeApplication } from './applications.fixtures.ts';
import { liveApplicantsOf, withdrawApplication } from './applications.ts';
import { closeApplicationsOfJobs } from './end-applications.ts';

const app = useTestApp({ JOB_LIFE_DAYS: '300' });
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});

const newJob = () => makeJob(app.db, app.scopeOf(owner), business.id, { kind: 'task' });
const inTx = <T>(work: Parameters<ReturnType<typeof app.db.transaction>['execute']>[0]) =>
  app.db.transaction().execute(work) as Promise<T>;

async function noticesOf(person: Person, topic: string) {
  return app.db
    .selectFrom('notifications')
    .selectAll()
    .where('accountId', '=', person.accountId)
    .where('topic', '=', topic)
    .orderBy('createdAt')
    .execute();
}
async function forwardTo(days: number) {
  app.clock.forward({ days });
  await app.runDue();
}

describe('the decide-by clock', () => {
  it('nudges on days 3, 7 and 12, ends on day 14 and notifies both sides once', async () => {
    const leila = await app.person({ name: 'Leila Haddad' });
    const job = await newJob();
    const sent = await makeApplication(app.db, app.scopeOf(leila), job.id);
    const nudges = async () =>
      (await noticesOf(owner, 'application-nudge')).filter(({ path }) => path.endsWith(job.id)).length;
    const counts: number[] = [];
    for (let day = 1; day <= 13; day += 1) {
      await forwardTo(1);
      counts.push(await nudges());
    }
    expect(counts).toEqual([0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3]);
    expect((await noticesOf(owner, 'application-nudge'))[0]?.data).toMatchObject({
      workerName: 'Leila Haddad',
      waiting: 1,
      decideBy: sent.decideBy,
    });
    app.mails.length = 0;
    await forwardTo(1);
    const ended = await getApplication(app.db, app.scopeOf(leila), { applicationId: sent.id });
    expect(ended).toMatchObject({ status: 'no_response', actions: [] });
    expect(ended.steps.at(-1)).toMatchObject({ status: 'no_response', at: app.clock.now().toISOString() });
    expect(await noticesOf(leila, 'application-no-response')).toHaveLength(1);
    expect(app.mails.map(({ to }) => to).sort()).toEqual([leila.email, owner.email].sort());
    await forwardTo(30);
    expect(await noticesOf(leila, 'application-no-response')).toHaveLength(1);
    const { rows } = await app.pool.query(
      'select actor, action from application_moves where application_id = $1 order by at, id',
      [sent.id],
    );
    expect(rows).toEqual([
      { actor: leila.accountId, action: 'submit' },
      { actor: 'timer', action: 'no-response' },
    ]);
  });

  it('keeps running after a view', async () => {
    const leila = await app.person();
    const sent = await makeApplication(app.db, app.scopeOf(leila), (await newJob()).id);
    await inTx((tx) => viewApplication(tx, app.scopeOf(owner), { applicationId: sent.id }));
    await forwardTo(14);
    const ended = await getApplication(app.db, app.scopeOf(leila), { applicationId: sent.id });
    expect(ended.steps.map(({ status }) => status)).toEqual(['submitted', 'viewed', 'no_response']);
  });

  it('mentions once how many applicants are waiting for the same job', async () => {
    const job = await newJob();
    for (const person of [await app.person(), await app.person(), await app.person()])
      await makeApplication(app.db, app.scopeOf(person), job.id);
    await forwardTo(3);
    const notices = (await noticesOf(owner, 'application-nudge')).filter(({ path }) => path.endsWith(job.id));
    expect(notices).toHaveLength(1);
    expect(notices[0]?.data).toMatchObject({ waiting: 3 });
  });

  it('sends only the newest nudge after downtime', async () => {
    const job = await newJob();
    await makeApplication(app.db, app.scopeOf(await app.person()), job.id);
    await forwardTo(8);
    const notices = (await noticesOf(owner, 'application-nudge')).filter(({ path }) => path.endsWith(job.id));
    expect(notices).toHaveLength(1);
  });

  it('stops when the worker withdraws', async () => {
    const leila = await app.person();
    const job = await newJob();
    const sent = await makeApplication(app.db, app.scopeOf(leila), job.id);
    await inTx((tx) => withdrawApplication(tx, app.scopeOf(leila), { applicationId: sent.id }));
    await forwardTo(20);
    const notices = (await noticesOf(owner, 'application-nudge')).filter(({ path }) => path.endsWith(job.id));
    expect(notices).toHaveLength(0);
    expect(await getApplication(app.db, app.scopeOf(leila), { applicationId: sent.id })).toMatchObject({
      status: 'withdrawn',
    });
  });
});

describe('decide-by of a shift that is rescheduled', () => {
  it('moves with the start, later or earlier, along with its clock', async () => {
    const person = await app.person();
    const shift = await makeJob(app.db, app.scopeOf(owner), business.id);
    const { id } = await makeApplication(app.db, app.scopeOf(person), shift.id);
    const row = async () =>
      app.db
        .selectFrom('applications')
        .select(['status', 'decideBy'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const submittedAt = app.clock.now();
    const due = (startsAt: Date, from = submittedAt) => decideByAt(from, 14, startsAt, shift.timeZone);
    expect((await row()).decideBy).toEqual(due(new Date(shift.startsAt ?? '')));
    const startIn = async (hours: number) => {
      const { version } = await viewJob(app.db, owner.accountId, shift.id);
      const startsAt = addMs(app.clock.now(), hours * hourMs);
      const endsAt = addMs(startsAt, 4 * hourMs).toISOString();
      const times = { startsAt: startsAt.toISOString(), endsAt };
      await inTx((tx) => updateJob(tx, app.scopeOf(owner), { jobId: shift.id, version, ...times }));
      await app.runDue();
      return startsAt;
    };
    const later = await startIn(24 * 6);
    expect(await row()).toEqual({ status: 'submitted', decideBy: due(later) });
    await forwardTo(3);
    expect((await row()).status).toBe('submitted');
    const sooner = await startIn(5);
    expect(await row()).toEqual({ status: 'submitted', decideBy: due(sooner) });
    const soonest = await startIn(0.5);
    expect(await row()).toEqual({ status: 'submitted', decideBy: due(soonest, app.clock.now()) });
    await forwardTo(0.25);
    expect((await row()).status).toBe('no_response');
  });
});

describe('closeApplicationsOfJobs', () => {
  it('ends live applications without a hire, notifies the workers and stops the clocks; a repeat is a no-op', async () => {
    const job = await newJob();
    const leila = await app.person();
    const hired = await app.person();
    const leaver = await app.person();
    const sent = await makeApplication(app.db, app.scopeOf(leila), job.id);
    const application = await makeApplication(app.db, app.scopeOf(hired), job.id);
    const back = await makeApplication(app.db, app.scopeOf(leaver), job.id);
    await inTx((tx) => withdrawApplication(tx, app.scopeOf(leaver), { applicationId: back.id }));
    await app.db
      .updateTable('applications')
      .set({ status: 'hired' })
      .where('id', '=', application.id)
      .execute();
    const live = await liveApplicantsOf(app.db, job.id);
    expect(live.map(({ workerId }) => workerId).sort()).toEqual([leila.accountId, hired.accountId].sort());

    const close = () =>
      inTx<number>((tx) => closeApplicationsOfJobs(tx, app.scopeOf(owner), [job.id], 'We found someone.'));
    expect(await close()).toBe(1);
    expect(await close()).toBe(0);
    const ended = await getApplication(app.db, app.scopeOf(leila), { applicationId: sent.id });
    expect(ended).toMatchObject({ status: 'job_closed', version: 2 });
    expect(ended.steps.at(-1)).toMatchObject({ status: 'job_closed', reason: 'We found someone.' });
    await app.runDue();
    expect(await noticesOf(leila, 'application-job-closed')).toMatchObject([
      { path: `/tabs/menu/my-work/${sent.id}`, data: { jobTitle: job.title, businessName: business.name } },
    ]);
    for (const person of [hired, leaver])
      expect(await noticesOf(person, 'application-job-closed')).toHaveLength(0);
    await forwardTo(20);
    expect(await noticesOf(leila, 'application-no-response')).toHaveLength(0);
  });

  it('never leaves a live application on a job that closes while people apply', async () => {
    const job = await newJob();
    const people = await Promise.all(Array.from({ length: 12 }, () => app.person()));
    await app.db.updateTable('jobs').set({ updatedAt: app.clock.now() }).where('id', '=', job.id).execute();
    const submits = people.map((person) => makeApplication(app.db, app.scopeOf(person), job.id));
    const closing = inTx(async (tx) => {
      await updateJobStatus(tx, job.id, 'open', { status: 'closed' });
      await closeApplicationsOfJobs(tx, app.scopeOf(owner), [job.id]);
    });
    await Promise.allSettled([...submits, closing]);
    expect(await liveApplicantsOf(app.db, job.id)).toEqual([]);
  });
});
