import { dayMs, hourMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { fillProfile } from '../../people/profiles/profiles.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { jobInput, makeJob } from '../jobs/jobs.fixtures.ts';
import { hire, makeOffer } from '../offers/offers.fixtures.ts';

const app = useTestApp();
let owner: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
});
const instantJob = (options: Parameters<typeof makeJob>[3] = {}) =>
  makeJob(app.db, app.scopeOf(owner), businessId, { instantHire: true, headCount: 1, ...options });
const spotsOf = (jobId: string) =>
  app.db
    .selectFrom('jobs')
    .select(['status', 'hiredCount', 'offeredCount'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
const countsOf = async (jobId: string) => {
  const { rows } = await app.pool.query(
    `select (select count(*) from applications where job_id = $1) as applications,
      (select count(*) from offers where job_id = $1) as offers,
      (select count(*) from engagements where job_id = $1) as engagements`,
    [jobId],
  );
  return rows[0];
};
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({ limit: 100 })).items.map(({ topic }) => topic);

describe('an instant-hire job', () => {
  it('hires a qualified applicant instantly and notifies both', async () => {
    const job = await instantJob({ skills: ['barista'] } as Partial<JobDraft>);
    const worker = await app.person({ name: 'Leila Haddad' });
    await fillProfile(app.db, app.scopeOf(worker));
    const before = await failure(worker.api.applications.submit({ jobId: job.id }));
    expect(before).toMatchObject({ status: 409, code: 'application/booking-required' });
    expect(await countsOf(job.id)).toEqual({ applications: 0, offers: 0, engagements: 0 });
    const sent = await worker.api.applications.submit({ jobId: job.id, book: true });
    expect(sent).toMatchObject({ status: 'hired', engagementId: expect.any(String) });
    expect(await spotsOf(job.id)).toEqual({ status: 'filled', hiredCount: 1, offeredCount: 0 });
    expect(await countsOf(job.id)).toEqual({ applications: 1, offers: 1, engagements: 1 });
    expect(await topicsOf(worker)).toContain('hired-at-once');
    expect(await topicsOf(owner)).toContain('hired-at-once');
    expect((await worker.api.offers.mine({})).items).toMatchObject([
      { source: 'instant', status: 'accepted' },
    ]);
    await app.runDue();
    const late = await app.person();
    expect(await failure(late.api.applications.submit({ jobId: job.id, book: true }))).toMatchObject({
      status: 409,
      code: 'job/filled',
    });
    expect(await countsOf(job.id)).toEqual({ applications: 1, offers: 1, engagements: 1 });
  });

  it('sets the money aside again after a cancelled booking, unless the job closes with it', async () => {
    const job = await instantJob({ headCount: 2, skills: [] } as Partial<JobDraft>);
    const booked: string[] = [];
    for (const name of ['Leila Haddad', 'Omar Aziz']) {
      const worker = await app.person({ name });
      await fillProfile(app.db, app.scopeOf(worker));
      const { engagementId } = await worker.api.applications.submit({ jobId: job.id, book: true });
      booked.push(engagementId ?? '');
    }
    const cancel = async (engagementId: string | undefined, closeJob: boolean) => {
      const work = await owner.api.engagements.get({ engagementId: engagementId ?? '' });
      expect(work.cancelling).toMatchObject({ setAsideAgain: true });
      const { id, version, terms } = work;
      await owner.api.engagements.cancel({ engagementId: id, version, reason: 'No guests', closeJob });
      const { jobs } = await owner.api.businesses.closing({ businessId });
      return { holdMinor: terms.holdMinor, job: jobs.find((open) => open.id === job.id) };
    };
    const reopened = await cancel(booked[0], false);
    expect(reopened.job?.heldMinor).toBe(reopened.holdMinor);
    expect((await cancel(booked[1], true)).job).toBeUndefined();
    expect(await owner.api.jobs.get({ jobId: job.id })).toMatchObject({ status: 'closed' });
  });

  it('accepts a regular application without all of the skills, or while its spots have open offers', async () => {
    const job = await instantJob({ skills: ['barista', 'waiter'] } as Partial<JobDraft>);
    const worker = await app.person({ name: 'Leila Haddad' });
    await fillProfile(app.db, app.scopeOf(worker));
    const { skills } = await worker.api.profiles.mine({});
    expect(skills.map(({ skill }) => skill)).toContain('barista');
    expect(skills.map(({ skill }) => skill)).not.toContain('waiter');
    expect(await failure(worker.api.applications.submit({ jobId: job.id, book: true }))).toMatchObject({
      status: 409,
      code: 'application/not-bookable',
    });
    expect(await worker.api.applications.submit({ jobId: job.id })).toMatchObject({ status: 'submitted' });
    expect(await topicsOf(owner)).toContain('application-received');
    const open = await instantJob({ skills: ['barista'] } as Partial<JobDraft>);
    const first = await makeApplication(app.db, app.scopeOf(await app.person()), open.id);
    await makeOffer(app.db, app.scopeOf(owner), first.id);
    await owner.api.jobs.update({ jobId: open.id, version: open.version, skills: [] });
    const second = await app.person();
    expect(await second.api.applications.submit({ jobId: open.id })).toMatchObject({ status: 'submitted' });
    expect(await spotsOf(open.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 1 });
  });

  it('rejects workers booked at that time and writes nothing', async () => {
    const worker = await app.person();
    const booked = await makeJob(app.db, app.scopeOf(owner), businessId);
    const { id } = await makeApplication(app.db, app.scopeOf(worker), booked.id);
    await hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(worker) }, id);
    const job = await instantJob();
    expect(await failure(worker.api.applications.submit({ jobId: job.id, book: true }))).toMatchObject({
      status: 409,
      code: 'engagement/overlap',
      data: { title: booked.title },
    });
    expect(await countsOf(job.id)).toEqual({ applications: 0, offers: 0, engagements: 0 });
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 0 });
  });

  it('requires pay and times, and allows no questions that need reading', async () => {
    const text = { prompt: 'Why you?', kind: 'text' as const, choices: [], required: true };
    const draft = await owner.api.jobs.create({
      ...jobInput(app.clock, { instantHire: true, cvRequired: true, questions: [text] }),
      businessId,
    });
    expect(draft.instantHire).toBe(true);
    expect(await failure(owner.api.jobs.publish({ jobId: draft.id }))).toMatchObject({
      status: 422,
      code: 'job/not-instant',
      data: { because: ['cvRequired', 'questions'] },
    });
    const fixed = await owner.api.jobs.update({
      jobId: draft.id,
      version: draft.version,
      cvRequired: false,
      questions: [{ prompt: 'Do you own black shoes?', kind: 'yes_no', choices: [], required: true }],
    });
    const open = await owner.api.jobs.publish({ jobId: draft.id });
    expect(open).toMatchObject({ status: 'open', instantHire: true });
    expect(
      await failure(owner.api.jobs.update({ jobId: draft.id, version: fixed.version, questions: [text] })),
    ).toMatchObject({ code: 'job/not-instant', data: { because: ['questions'] } });
    const duplicate = await owner.api.jobs.duplicate({ jobId: draft.id });
    expect(duplicate.instantHire).toBe(true);
    const worker = await app.person();
    expect(await failure(worker.api.applications.submit({ jobId: draft.id }))).toMatchObject({
      code: 'application/answers-invalid',
    });
    const [question] = open.questions;
    const answers = [{ questionId: question?.id ?? '', value: true }];
    expect(await worker.api.applications.submit({ jobId: draft.id, answers, book: true })).toMatchObject({
      status: 'hired',
    });
  });
});

const outcomeOf = (call: Promise<{ status: string }>): Promise<string> =>
  call.then(
    ({ status }) => status,
    async (error) => (await failure(Promise.reject(error))).code,
  );

describe('a race for the last spot', () => {
  it('has one winner of fifty; the other forty-nine learn that the job is filled', {
    timeout: 60_000,
  }, async () => {
    const workers = await Promise.all(Array.from({ length: 50 }, () => app.person()));
    for (let race = 0; race < 4; race += 1) {
      const startsAt = app.clock.now().getTime() + (race + 2) * dayMs;
      const job = await instantJob({
        startsAt: new Date(startsAt).toISOString(),
        endsAt: new Date(startsAt + hourMs).toISOString(),
        breakMinutes: 0,
      });
      const outcomes = await Promise.all(
        workers.map((worker) => outcomeOf(worker.api.applications.submit({ jobId: job.id, book: true }))),
      );
      expect(outcomes.filter((outcome) => outcome === 'hired')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'job/filled')).toHaveLength(49);
      expect(await countsOf(job.id)).toEqual({ applications: 1, offers: 1, engagements: 1 });
      expect(await spotsOf(job.id)).toEqual({ status: 'filled', hiredCount: 1, offeredCount: 0 });
    }
  });
});
