import type { Interview } from '@nearhand/contract/hiring/interviews';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { runDueTasks } from '../../platform/tasks/due-tasks.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeInterview } from './interviews.fixtures.ts';
import { askOutcome, interviewsTasks, lapseInterview, remindOfInterview } from './interviews.ts';

const app = useTestApp();
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Nadia Berg' });
  business = await makeBusiness(app.db, app.scopeOf(owner));
});
beforeEach(() => app.clock.set('2026-11-21T09:00:00Z'));

const refOf = ({ id, version }: Interview) => ({ interviewId: id, version });
const slotOf = (interview: Interview) => interview.slots[0]?.id ?? '';
async function proposed(slots?: string[]) {
  const worker = await app.person({ name: 'Leila Haddad' });
  const scope = app.scopeOf(owner);
  const job = await makeJob(app.db, scope, business.id, { kind: 'task' });
  const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
  const interview = await makeInterview(app.db, scope, id, slots ? { slots } : {});
  return { worker, applicationId: id, interview };
}
async function scheduled(slots?: string[]) {
  const { worker, interview } = await proposed(slots);
  const picked = await worker.api.interviews.pick({ ...refOf(interview), slotId: slotOf(interview) });
  return { worker, interview: picked };
}
async function signalsTo(interviewId: string, topic: string) {
  const rows = await app.db
    .selectFrom('notifications')
    .select(['dedupeKey', 'accountId'])
    .where('topic', '=', topic as never)
    .where('path', '=', `/interview?id=${interviewId}`)
    .execute();
  return rows.length;
}
const until = async (at: string | Date) => {
  app.clock.set(at);
  await app.runDue();
};
const taskScope = () => ({
  ...app.scopeOf(owner),
  db: app.db,
  mailer: { send: async () => {} },
});

describe('an unanswered proposal', () => {
  it('lapses after 72 hours and returns the application to the shortlist', async () => {
    const { worker, applicationId, interview } = await proposed([
      '2026-11-23T09:00:00Z',
      '2026-12-01T09:00:00Z',
    ]);
    await until('2026-11-24T08:59:59Z');
    expect((await worker.api.interviews.get(refOf(interview))).status).toBe('proposed');
    await until('2026-11-24T09:00:00Z');
    const workerView = await worker.api.interviews.get(refOf(interview));
    expect(workerView).toMatchObject({ status: 'lapsed', slots: [], actions: [] });
    expect(workerView.steps.at(-1)).toMatchObject({ action: 'lapse', by: 'timer' });
    const application = await worker.api.applications.get({ applicationId });
    expect(application.status).toBe('shortlisted');
    expect(await signalsTo(interview.id, 'interview-lapsed')).toBe(2);
    await lapseInterview(taskScope(), interview.id);
    expect((await worker.api.interviews.get(refOf(interview))).version).toBe(workerView.version);
    expect(await signalsTo(interview.id, 'interview-lapsed')).toBe(2);
  });

  it('lapses two hours before the last proposed time, and a reschedule request before the old time', async () => {
    const soon = await proposed(['2026-11-21T12:00:00Z', '2026-11-22T12:00:00Z']);
    expect(soon.interview.answerBy).toBe('2026-11-22T10:00:00.000Z');
    const { worker, interview } = await scheduled(['2026-11-22T09:00:00Z']);
    const request = await worker.api.interviews.reschedule({
      ...refOf(interview),
      slots: ['2026-11-26T09:00:00Z'],
    });
    expect(request.answerBy).toBe('2026-11-22T07:00:00.000Z');
    await until('2026-11-22T07:00:00Z');
    expect((await worker.api.interviews.get(refOf(request))).status).toBe('lapsed');
    await until('2026-11-22T10:00:00Z');
    expect((await soon.worker.api.interviews.get(refOf(soon.interview))).status).toBe('lapsed');
  });

  it('has a deadline by day', async () => {
    app.clock.set('2026-11-21T21:00:00Z');
    const { interview } = await proposed(['2026-11-22T08:00:00Z']);
    expect(interview.answerBy).toBe('2026-11-22T07:00:00.000Z');
    const early = await proposed(['2026-11-22T06:00:00Z']);
    expect(early.interview.answerBy).toBe('2026-11-22T05:00:00.000Z');
  });

  it("doesn't lapse after a reply", async () => {
    const { worker, interview } = await scheduled(['2026-12-10T09:00:00Z']);
    await lapseInterview(taskScope(), interview.id);
    await until('2026-11-28T09:00:00Z');
    expect((await worker.api.interviews.get(refOf(interview))).status).toBe('scheduled');
  });
});

describe('reminders', () => {
  it('reach both sides 24 hours and 1 hour before, once each, even with two servers', async () => {
    const { interview } = await scheduled(['2026-11-25T09:00:00Z']);
    const startsAt = '2026-11-25T09:00:00.000Z';
    await until('2026-11-24T08:59:59Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(0);
    app.clock.set('2026-11-24T09:00:00Z');
    const scope = taskScope();
    await Promise.all([
      app.runDue(),
      runDueTasks(app.pool, interviewsTasks, scope),
      remindOfInterview(scope, { interviewId: interview.id, startsAt, hours: 24 }),
      remindOfInterview(scope, { interviewId: interview.id, startsAt, hours: 24 }),
    ]);
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
    await until('2026-11-25T08:00:00Z');
    await app.runDue();
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(4);
    await until('2026-11-25T09:00:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(4);
  });

  it('follow a move: nothing at the old time, reminders before the new one', async () => {
    const { worker, interview } = await scheduled(['2026-11-25T09:00:00Z']);
    await until('2026-11-24T09:00:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
    const request = await worker.api.interviews.reschedule({
      ...refOf(interview),
      slots: ['2026-11-27T09:00:00Z'],
    });
    const moved = await owner.api.interviews.pick({ ...refOf(request), slotId: slotOf(request) });
    const old = { interviewId: moved.id, startsAt: interview.startsAt ?? '', hours: 1 };
    await until('2026-11-25T08:00:00Z');
    await remindOfInterview(taskScope(), old);
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
    await until('2026-11-26T09:00:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(4);
    const cancelled = await owner.api.interviews.cancel({ ...refOf(moved), reason: '' });
    await until('2026-11-27T12:00:00Z');
    expect(cancelled.status).toBe('cancelled');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(4);
    expect(await signalsTo(interview.id, 'interview-outcome-due')).toBe(0);
  });

  it('run again after the clock was set back without notifying anyone twice', async () => {
    const { interview } = await scheduled(['2026-11-25T09:00:00Z']);
    const early = { interviewId: interview.id, startsAt: interview.startsAt ?? '', hours: 24 };
    app.clock.set('2026-11-20T09:00:00Z');
    await remindOfInterview(taskScope(), early);
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(0);
    await until('2026-11-24T09:30:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
    await until('2026-11-24T08:00:00Z');
    await remindOfInterview(taskScope(), early);
    await until('2026-11-24T09:30:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
  });

  it('keep 24 elapsed hours over the end of summer time', async () => {
    app.clock.set('2027-10-26T09:00:00Z');
    // Sunday 31 October 2027: clocks in Amsterdam go back at 01:00 UTC. 10:00 there is 09:00 UTC.
    const { interview } = await scheduled(['2027-10-31T10:00:00+01:00']);
    expect(interview.startsAt).toBe('2027-10-31T09:00:00.000Z');
    await until('2027-10-30T08:59:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(0);
    await until('2027-10-30T09:00:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
  });

  it("follow the server's clock, even when the database is far ahead", async () => {
    app.clock.set('2025-10-20T09:00:00Z');
    const { interview } = await scheduled(['2025-10-26T10:00:00+01:00']);
    await until('2025-10-25T08:59:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(0);
    await until('2025-10-25T09:00:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
  });

  it('keep 24 elapsed hours over the start of summer time', async () => {
    app.clock.set('2027-03-24T09:00:00Z');
    // Sunday 28 March 2027: clocks go forward at 01:00 UTC. 24 hours before 10:00, local time was 09:00.
    const { interview } = await scheduled(['2027-03-28T10:00:00+02:00']);
    await until('2027-03-27T07:59:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(0);
    await until('2027-03-27T08:00:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
  });

  it('distinguish the hour that repeats', async () => {
    app.clock.set('2027-10-26T09:00:00Z');
    const twice = ['2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'];
    const { interview } = await proposed(twice);
    expect(interview.slots.map(({ startsAt }) => startsAt)).toEqual([
      '2027-10-31T00:30:00.000Z',
      '2027-10-31T01:30:00.000Z',
    ]);
  });

  it('skip times closer than their lead time', async () => {
    const { interview } = await scheduled(['2026-11-21T20:00:00Z']);
    await until('2026-11-21T18:59:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(0);
    await until('2026-11-21T19:00:00Z');
    expect(await signalsTo(interview.id, 'interview-reminder')).toBe(2);
  });
});

describe('the question about the outcome', () => {
  it('goes to the recruiters an hour after the end, once, unless there is an outcome already', async () => {
    const { interview } = await scheduled(['2026-11-22T09:00:00Z']);
    const answered = await scheduled(['2026-11-22T09:00:00Z']);
    app.clock.set('2026-11-22T09:10:00Z');
    await owner.api.interviews.complete({ ...refOf(answered.interview), outcome: 'advance' });
    await askOutcome(taskScope(), { interviewId: interview.id, startsAt: interview.startsAt ?? '' });
    await until('2026-11-22T10:29:00Z');
    expect(await signalsTo(interview.id, 'interview-outcome-due')).toBe(0);
    await until('2026-11-22T10:30:00Z');
    await askOutcome(taskScope(), { interviewId: interview.id, startsAt: interview.startsAt ?? '' });
    expect(await signalsTo(interview.id, 'interview-outcome-due')).toBe(1);
    expect(await signalsTo(answered.interview.id, 'interview-outcome-due')).toBe(0);
  });
});

describe('the decide-by clock', () => {
  it('pauses until the interview', async () => {
    const { worker, applicationId, interview } = await proposed(['2026-12-20T09:00:00Z']);
    await worker.api.interviews.pick({ ...refOf(interview), slotId: slotOf(interview) });
    await until('2026-12-20T09:30:00Z');
    expect((await worker.api.applications.get({ applicationId })).status).toBe('interviewing');
    await until('2026-12-22T09:30:00Z');
    expect((await worker.api.applications.get({ applicationId })).status).toBe('no_response');
  });
});
