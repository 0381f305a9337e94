import { minuteMs } from '@nearhand/contract/durations';
import type { Interview } from '@nearhand/contract/hiring/interviews';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { otherSide } from '@nearhand/contract/sides';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { bringInterview, makeInterview } from './interviews.fixtures.ts';

const app = useTestApp();
let owner: Person;
let stranger: Person;
let business: Business;
let job: Job;
beforeAll(async () => {
  owner = await app.person({ name: 'Nadia Berg' });
  stranger = await app.person();
  business = await makeBusiness(app.db, app.scopeOf(owner));
  job = await makeJob(app.db, app.scopeOf(owner), business.id, { headCount: 20 });
});

const refOf = ({ id, version }: Interview) => ({ interviewId: id, version });
const scheduled = async () => {
  const worker = await app.person({ name: 'Leila Haddad' });
  const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const proposal = await makeInterview(app.db, app.scopeOf(owner), id);
  await bringInterview(
    app.db,
    { worker: app.scopeOf(worker), business: app.scopeOf(owner) },
    proposal,
    'scheduled',
  );
  const interview = await worker.api.interviews.get({ interviewId: proposal.id });
  const moveTo = (minutes: number) =>
    app.clock.set(new Date(Date.parse(interview.startsAt ?? '') + minutes * minuteMs));
  return { worker, applicationId: id, interview, interviewRef: refOf(interview), moveTo };
};
const statusOf = async (applicationId: string) =>
  (
    await app.db
      .selectFrom('applications')
      .select('status')
      .where('id', '=', applicationId)
      .executeTakeFirstOrThrow()
  ).status;

describe('interviews.complete', () => {
  it('allows only the business, from the start on, and hides the outcome from the worker', async () => {
    const { worker, applicationId, interviewRef, moveTo } = await scheduled();
    const complete = (person: Person, input: object = {}) =>
      person.api.interviews.complete({ ...interviewRef, outcome: 'decline', notes: 'Was late.', ...input });
    moveTo(-1);
    expect(await failure(complete(owner))).toMatchObject({ status: 422, code: 'interview/too-early' });
    expect(await failure(complete(worker))).toMatchObject({ status: 403, code: 'interview/not-allowed' });
    expect(await failure(complete(stranger))).toMatchObject({ status: 404 });
    moveTo(0);
    for (const bad of [{ outcome: 'maybe' }, { notes: 'a\u0000' }, { notes: 'x'.repeat(2_001) }])
      expect(await failure(complete(owner, bad))).toMatchObject({ status: 400 });
    const done = await complete(owner);
    expect(done).toMatchObject({ status: 'completed', outcome: 'decline', notes: 'Was late.', actions: [] });
    const workerView = await worker.api.interviews.get(interviewRef);
    expect(workerView).toMatchObject({ status: 'completed', outcome: null, notes: '' });
    expect(await statusOf(applicationId)).toBe('interviewing');
    expect(await failure(complete(owner, { version: done.version }))).toMatchObject({
      code: 'interview/wrong-state',
    });
  });
});

describe('interviews.reportNoShow', () => {
  it('allows either side, from 15 minutes after the start', async () => {
    for (const side of ['worker', 'business'] as const) {
      const { worker, applicationId, interviewRef, moveTo, interview } = await scheduled();
      const [reporter, accused] = side === 'worker' ? [worker, owner] : [owner, worker];
      moveTo(14);
      expect(await failure(reporter.api.interviews.reportNoShow(interviewRef))).toMatchObject({
        status: 422,
        code: 'interview/too-early',
        data: { from: new Date(Date.parse(interview.startsAt ?? '') + 15 * minuteMs).toISOString() },
      });
      moveTo(15);
      const reported = await reporter.api.interviews.reportNoShow(interviewRef);
      expect(reported).toMatchObject({
        status: side === 'worker' ? 'no_show_business' : 'no_show_worker',
        noShow: { side: otherSide(side), contest: null },
        actions: [],
      });
      expect(await statusOf(applicationId)).toBe('shortlisted');
      expect((await reporter.api.interviews.reportNoShow(refOf(reported))).version).toBe(reported.version);
      expect((await accused.api.interviews.get(interviewRef)).actions).toEqual(['contest']);
      expect((await accused.api.notifications.list({})).items[0]).toMatchObject({
        topic: 'interview-no-show',
        data: { by: reported.noShow?.contestBy },
      });
      expect(await failure(stranger.api.interviews.reportNoShow(interviewRef))).toMatchObject({
        status: 404,
      });
    }
  });
});

describe('a missed interview', () => {
  it("updates the worker's rank at once and again when the contest period ends", async () => {
    const start = app.clock.now();
    const { worker, interviewRef, moveTo } = await scheduled();
    const waiting = () =>
      sql<{ runAt: Date }>`select run_at from graphile_worker.jobs
        where key like ${`applications.rank-worker/${worker.accountId}%`} order by run_at`
        .execute(app.db)
        .then(({ rows }) => rows);
    moveTo(20);
    const { noShow } = await owner.api.interviews.reportNoShow(interviewRef);
    const times = (await waiting()).map(({ runAt }) => runAt.toISOString());
    expect(times).toHaveLength(2);
    expect(times[1]).toBe(noShow?.contestBy);
    app.clock.set(start);
  });
});

describe('interviews.contest', () => {
  it('allows only the reported side, once, within 24 hours', async () => {
    const { worker, interviewRef, moveTo } = await scheduled();
    moveTo(20);
    const reported = await owner.api.interviews.reportNoShow(interviewRef);
    const input = { ...refOf(reported), note: 'I stood at the door; nobody opened.' };
    expect(await failure(owner.api.interviews.contest(input))).toMatchObject({ status: 409 });
    expect(await failure(stranger.api.interviews.contest(input))).toMatchObject({ status: 404 });
    expect(await failure(worker.api.interviews.contest({ ...input, note: ' ' }))).toMatchObject({
      status: 400,
    });
    const contested = await worker.api.interviews.contest(input);
    expect(contested).toMatchObject({
      status: 'no_show_worker',
      noShow: { contest: input.note },
      actions: [],
    });
    expect((await owner.api.notifications.list({})).items[0]).toMatchObject({ topic: 'interview-contested' });
    expect(
      await failure(worker.api.interviews.contest({ ...input, version: contested.version })),
    ).toMatchObject({ status: 409, code: 'interview/wrong-state' });

    const late = await scheduled();
    late.moveTo(20);
    const report = refOf(await owner.api.interviews.reportNoShow(late.interviewRef));
    app.clock.forward({ hours: 24 });
    expect(await failure(late.worker.api.interviews.contest({ ...report, note: 'x.' }))).toMatchObject({
      status: 422,
      code: 'interview/contest-over',
    });
  });
});
