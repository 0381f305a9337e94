import { setTimeout as wait } from 'node:timers/promises';
import { decideByAt } from '@nearhand/contract/hiring/decide-by.rules';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Job } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, roundTripsOf, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeFile } from '../../people/files/files.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hire } from '../offers/offers.fixtures.ts';
import { makeApplication } from './applications.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '12', DATABASE_POOL: '8' });
let owner: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner), { name: 'Hotel Brouwers' });
});

const newJob = (options: Partial<JobDraft> & { status?: 'draft' } = {}) =>
  makeJob(app.db, app.scopeOf(owner), business.id, options);
const inboxOf = async (person: Person) => (await person.api.notifications.list({ limit: 100 })).items;
const topicsOf = async (person: Person) => (await inboxOf(person)).map(({ topic }) => topic);
async function member(role: 'manager' | 'recruiter' | 'finance') {
  const person = await app.person({ name: `A ${role}` });
  await makeMember(app.db, app.clock, business.id, person.accountId, role);
  return person;
}
const count = async (jobId: string) =>
  Number(
    (await app.pool.query('select count(*) from applications where job_id = $1', [jobId])).rows[0].count,
  );

describe('applications.submit', () => {
  it('takes four round trips to the database, with its notices', async () => {
    const job = await newJob();
    const leila = await app.person({ name: 'Leila Haddad' });
    await leila.api.jobs.get({ jobId: job.id });
    const application = { jobId: job.id, coverNote: '', answers: [], cvFileId: null };
    // The session; the key with the deciding facts; the application with its message and notices; the
    // response.
    expect(await roundTripsOf(() => leila.api.applications.submit(application))).toBe(4);
    expect(await topicsOf(owner)).toContain('application-received');
  });

  it('creates an application with all fields and returns it as stored', async () => {
    const job = await newJob({
      questions: [
        { prompt: 'Do you have a bicycle?', kind: 'yes_no', choices: [], required: true },
        { prompt: 'Which days?', kind: 'choice', choices: ['Week', 'Weekend'], required: false },
      ],
      cvRequired: true,
    });
    const leila = await app.person({ name: 'Leila Haddad' });
    const cv = await makeFile(app.db, app.scopeOf(leila));
    const [bicycle, days] = job.questions;
    const sent = await leila.api.applications.submit({
      jobId: job.id,
      coverNote: '  مرحبا 👩🏽‍🍳\nI cook.  ',
      answers: [
        { questionId: bicycle?.id ?? '', value: true },
        { questionId: days?.id ?? '', value: 'Weekend' },
      ],
      cvFileId: cv.id,
    });
    expect(sent).toMatchObject({
      status: 'submitted',
      version: 1,
      coverNote: 'مرحبا 👩🏽‍🍳\nI cook.',
      cv,
      submittedAt: app.clock.now().toISOString(),
      decideBy: decideByAt(app.clock.now(), 14, new Date(job.startsAt ?? ''), job.timeZone).toISOString(),
      steps: [{ status: 'submitted', reason: null }],
      actions: ['edit', 'withdraw'],
      job: { id: job.id, title: job.title, status: 'open', business: { name: 'Hotel Brouwers' } },
    });
    expect(await leila.api.applications.get({ applicationId: sent.id })).toEqual(sent);
    expect(await leila.api.jobs.get({ jobId: job.id })).toMatchObject({
      myApplication: { id: sent.id, status: 'submitted' },
      actions: [],
    });
  });

  it('notifies owner, manager and recruiter in the app and by mail, but not finance', async () => {
    const manager = await member('manager');
    const recruiter = await member('recruiter');
    const finance = await member('finance');
    const job = await newJob();
    const leila = await app.person({ name: 'Leila <b>Haddad' });
    const sent = await makeApplication(app.db, app.scopeOf(leila), job.id);
    app.mails.length = 0;
    await app.runDue();
    for (const person of [owner, manager, recruiter])
      expect((await inboxOf(person))[0]).toMatchObject({
        topic: 'application-received',
        data: { workerName: 'Leila <b>Haddad', jobTitle: job.title },
        path: `/job-applicants/${job.id}?applicant=${sent.id}`,
      });
    expect(await topicsOf(finance)).toEqual([]);
    const recipients = app.mails.filter(({ subject }) => subject.startsWith('Leila')).map(({ to }) => to);
    expect(recipients).toEqual(expect.arrayContaining([owner.email, manager.email, recruiter.email]));
    expect(recipients).not.toContain(finance.email);
    expect(await topicsOf(leila)).toEqual([]);
  });

  it('creates one of twenty concurrent ones and returns its id to the others', async () => {
    const job = await newJob();
    const leila = await app.person();
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => leila.api.applications.submit({ jobId: job.id })),
    );
    const applications = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(applications).toHaveLength(1);
    const refused = results.filter((result) => result.status === 'rejected');
    for (const { reason } of refused)
      expect(await failure(Promise.reject(reason))).toMatchObject({
        status: 409,
        code: 'application/already-applied',
        data: { applicationId: applications[0]?.id },
      });
    expect(await count(job.id)).toBe(1);
    const notices = (await inboxOf(owner)).filter(({ path }) => path.includes(job.id));
    expect(notices).toHaveLength(1);
  });

  it('leaves no live application on a job that closes at the same moment', async () => {
    const workers = await Promise.all([1, 2, 3].map(() => app.person()));
    const statuses: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      const job = await newJob({ kind: 'task' });
      const submissions = workers.map((worker) => worker.api.applications.submit({ jobId: job.id }));
      await wait(round);
      await Promise.allSettled([...submissions, owner.api.jobs.close({ jobId: job.id })]);
      const { rows } = await app.pool.query('select status from applications where job_id = $1', [job.id]);
      statuses.push(...rows.map(({ status }) => status));
    }
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set(['job_closed']));
  });

  it('replays the first response for the same key, at once or after days offline', async () => {
    const job = await newJob();
    const leila = await app.person();
    const device = app.apiAs(leila.token, { 'idempotency-key': 'draft-0001' });
    const both = await Promise.allSettled([
      device.applications.submit({ jobId: job.id, coverNote: 'Hi' }),
      device.applications.submit({ jobId: job.id, coverNote: 'Hi' }),
    ]);
    for (const result of both)
      if (result.status === 'rejected')
        expect(await failure(Promise.reject(result.reason))).toMatchObject({ code: 'idempotency/in-flight' });
    const first = await device.applications.submit({ jobId: job.id, coverNote: 'Hi' });
    expect(await device.applications.submit({ jobId: job.id, coverNote: 'Hi' })).toEqual(first);
    expect(await failure(device.applications.submit({ jobId: job.id, coverNote: 'Other' }))).toMatchObject({
      status: 422,
      code: 'idempotency/key-reused',
    });
    expect(await count(job.id)).toBe(1);
  });

  it('allows another application only after withdrawal', async () => {
    const job = await newJob();
    const leila = await app.person();
    const first = await leila.api.applications.submit({ jobId: job.id });
    await leila.api.applications.withdraw({ applicationId: first.id });
    const second = await leila.api.applications.submit({ jobId: job.id });
    expect(second.id).not.toBe(first.id);
    await app.db
      .updateTable('applications')
      .set({ status: 'no_response' })
      .where('id', '=', second.id)
      .execute();
    expect(await failure(leila.api.applications.submit({ jobId: job.id }))).toMatchObject({
      code: 'application/already-applied',
    });
  });

  it('rejects members of the business in any role', async () => {
    const job = await newJob();
    const finance = await member('finance');
    for (const person of [owner, finance])
      expect(await failure(person.api.applications.submit({ jobId: job.id }))).toMatchObject({
        status: 422,
        code: 'application/own-business',
      });
  });

  it('requires an open job', async () => {
    const leila = await app.person();
    const draft = await newJob({ status: 'draft' });
    expect(await failure(leila.api.applications.submit({ jobId: draft.id }))).toMatchObject({
      status: 404,
      code: 'job/not-found',
    });
    const closed = await newJob();
    await owner.api.jobs.close({ jobId: closed.id });
    expect(await failure(leila.api.applications.submit({ jobId: closed.id }))).toMatchObject({
      status: 409,
      code: 'job/not-open',
      data: { status: 'closed' },
    });
    expect(await failure(leila.api.applications.submit({ jobId: crypto.randomUUID() }))).toMatchObject({
      status: 404,
    });
  });

  it("rejects workers booked at that time, who couldn't be hired", async () => {
    const booked = await newJob();
    const worker = await app.person({ name: 'Kwame Boateng' });
    const { id } = await makeApplication(app.db, app.scopeOf(worker), booked.id);
    await hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(worker) }, id);
    const clashing = await newJob();
    expect(await failure(worker.api.applications.submit({ jobId: clashing.id }))).toMatchObject({
      status: 409,
      code: 'engagement/overlap',
      data: { title: booked.title, startsAt: booked.startsAt, endsAt: booked.endsAt },
    });
    expect(await count(clashing.id)).toBe(0);
  });

  it('requires a name, even for an instant hire', async () => {
    for (const instantHire of [false, true]) {
      const job = await newJob({ instantHire });
      const nobody = await app.person();
      await app.db.updateTable('accounts').set({ name: '' }).where('id', '=', nobody.accountId).execute();
      const submit = () => nobody.api.applications.submit({ jobId: job.id, book: instantHire });
      expect(await failure(submit())).toMatchObject({ status: 422, code: 'application/name-required' });
      expect(await count(job.id)).toBe(0);
      await nobody.api.profiles.save({ name: 'Kwame Boateng' });
      expect(await submit()).toMatchObject({ status: instantHire ? 'hired' : 'submitted' });
    }
  });

  it("requires the worker's own CV where the job asks for one", async () => {
    const job = await newJob({ cvRequired: true });
    const leila = await app.person();
    const stranger = await app.person();
    const submit = (cvFileId: string | null) => leila.api.applications.submit({ jobId: job.id, cvFileId });
    expect(await failure(submit(null))).toMatchObject({ status: 422, code: 'application/cv-required' });
    const foreign = await makeFile(app.db, app.scopeOf(stranger));
    expect(await failure(submit(foreign.id))).toMatchObject({ status: 404, code: 'file/not-found' });
    await app.db.updateTable('files').set({ purpose: 'photo' }).where('id', '=', foreign.id).execute();
    await app.db
      .updateTable('files')
      .set({ accountId: leila.accountId })
      .where('id', '=', foreign.id)
      .execute();
    expect(await failure(submit(foreign.id))).toMatchObject({ status: 422, code: 'file/wrong-type' });
    expect(await failure(submit(crypto.randomUUID()))).toMatchObject({ code: 'file/not-found' });
  });

  it('reports each invalid answer', async () => {
    const job = await newJob({
      questions: [{ prompt: 'How many years?', kind: 'number', choices: [], required: true }],
    });
    const leila = await app.person();
    const questionId = job.questions[0]?.id ?? '';
    const submit = (answers: unknown) => leila.api.applications.submit({ jobId: job.id, answers } as never);
    expect(await failure(submit([]))).toMatchObject({
      status: 422,
      code: 'application/answers-invalid',
      data: { issues: [{ questionId, problem: 'required' }] },
    });
    expect(await failure(submit([{ questionId, value: 'many' }]))).toMatchObject({
      data: { issues: [{ questionId, problem: 'wrong-kind' }] },
    });
    expect(await failure(submit([{ questionId: crypto.randomUUID(), value: 1 }]))).toMatchObject({
      status: 422,
    });
  });

  it('rejects a phone number in the message', async () => {
    const job = await newJob();
    const leila = await app.person();
    const submit = (coverNote: string) => leila.api.applications.submit({ jobId: job.id, coverNote });
    expect(await failure(submit('Call 06 1234 5678.'))).toMatchObject({
      status: 400,
      data: { issues: [{ path: 'coverNote', rule: 'contact-details' }] },
    });
    expect(await submit('Barista 2018-2024, trained on www.latte.example.')).toMatchObject({
      status: 'submitted',
    });
  });

  it("rejects input that the form can't send", async () => {
    const job = await newJob();
    const leila = await app.person();
    const inputs = [
      { coverNote: 'x'.repeat(2001) },
      { coverNote: 'a\u0000b' },
      { coverNote: '\ud800' },
      { coverNote: 7 },
      { answers: 'none' },
      { answers: [{ questionId: 'x', value: 'y' }] },
      { answers: [{ questionId: crypto.randomUUID(), value: { a: 1 } }] },
      { answers: Array(11).fill({ questionId: crypto.randomUUID(), value: true }) },
      { cvFileId: '../cv' },
      { jobId: 'x' },
    ];
    for (const input of inputs)
      expect(
        await failure(leila.api.applications.submit({ jobId: job.id, ...input } as never)),
      ).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    const huge = await app.raw({
      method: 'POST',
      url: `/api/jobs/${job.id}/applications`,
      headers: {
        authorization: `Bearer ${leila.token}`,
        'idempotency-key': 'huge-number',
        'content-type': 'application/json',
      },
      payload: `{"answers":[{"questionId":"${crypto.randomUUID()}","value":1e999}]}`,
    });
    expect(huge.statusCode).toBe(400);
    expect(await count(job.id)).toBe(0);
  });

  it('requires a verified account', async () => {
    const job = await newJob();
    expect(await failure(app.apiAs(null).applications.submit({ jobId: job.id }))).toMatchObject({
      status: 401,
    });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.applications.submit({ jobId: job.id }))).toMatchObject({
      status: 403,
    });
  });
});

describe('applications.update', () => {
  it('changes the submitted fields until the business views the application', async () => {
    const job = await newJob();
    const leila = await app.person();
    const recruiter = await member('recruiter');
    const sent = await leila.api.applications.submit({ jobId: job.id, coverNote: 'First' });
    const applicationId = sent.id;
    const changed = await leila.api.applications.update({ applicationId, version: 1, coverNote: 'Second' });
    expect(changed).toMatchObject({ version: 2, coverNote: 'Second', status: 'submitted' });
    expect(changed.steps).toHaveLength(1);
    expect(await topicsOf(recruiter)).toContain('application-changed');
    const stale = leila.api.applications.update({ applicationId, version: 1, coverNote: 'Third' });
    expect(await failure(stale)).toMatchObject({
      status: 409,
      code: 'application/stale',
      data: { version: 2 },
    });
    await recruiter.api.applicants.view({ applicationId });
    expect(
      await failure(leila.api.applications.update({ applicationId, version: 3, coverNote: 'Late' })),
    ).toMatchObject({ status: 409, code: 'application/wrong-state', data: { status: 'viewed' } });
  });

  it('validates new content with the same rules', async () => {
    const job = await newJob({ cvRequired: true });
    const leila = await app.person();
    const cv = await makeFile(app.db, app.scopeOf(leila));
    const sent = await makeApplication(app.db, app.scopeOf(leila), job.id, { cvFileId: cv.id });
    const change = (input: object) =>
      failure(leila.api.applications.update({ applicationId: sent.id, version: 1, ...input }));
    expect(await change({ cvFileId: null })).toMatchObject({ code: 'application/cv-required' });
    expect(await change({ cvFileId: crypto.randomUUID() })).toMatchObject({ code: 'file/not-found' });
    expect(await change({ answers: [{ questionId: crypto.randomUUID(), value: true }] })).toMatchObject({
      code: 'application/answers-invalid',
    });
    expect(await change({ version: 0 })).toMatchObject({ status: 400 });
  });

  it('allows only the worker', async () => {
    const leila = await app.person();
    const sent = await makeApplication(app.db, app.scopeOf(leila), (await newJob()).id);
    const input = { applicationId: sent.id, version: 1, coverNote: 'x' };
    const other = await app.person();
    expect(await failure(other.api.applications.update(input))).toMatchObject({ status: 404 });
    expect(await failure(owner.api.applications.update(input))).toMatchObject({
      status: 403,
      code: 'application/not-allowed',
    });
    expect(await failure(app.apiAs(null).applications.update(input))).toMatchObject({ status: 401 });
  });
});

describe('applications.withdraw', () => {
  it('withdraws it, stops its clock and notifies the business; a repeat is a no-op', async () => {
    const job = await newJob();
    const leila = await app.person();
    const sent = await leila.api.applications.submit({ jobId: job.id });
    const withdraw = () => leila.api.applications.withdraw({ applicationId: sent.id });
    const back = await withdraw();
    expect(back).toMatchObject({ status: 'withdrawn', actions: [] });
    expect(back.steps.map(({ status }) => status)).toEqual(['submitted', 'withdrawn']);
    expect(await withdraw()).toEqual(back);
    const notices = (await inboxOf(owner)).filter(
      ({ topic, path }) => topic === 'application-withdrawn' && path.includes(job.id),
    );
    expect(notices).toHaveLength(1);
    const waiting = await app.pool.query('select 1 from graphile_worker.jobs where key = $1', [
      `applications.clock/${sent.id}`,
    ]);
    expect(waiting.rowCount).toBe(0);
  });

  it('replays the response for the same key', async () => {
    const leila = await app.person();
    const sent = await makeApplication(app.db, app.scopeOf(leila), (await newJob()).id);
    const device = app.apiAs(leila.token, { 'idempotency-key': 'withdraw-1' });
    const first = await device.applications.withdraw({ applicationId: sent.id });
    expect(await device.applications.withdraw({ applicationId: sent.id })).toEqual(first);
  });

  it('rejects a hired or ended application', async () => {
    const leila = await app.person();
    const sent = await makeApplication(app.db, app.scopeOf(leila), (await newJob()).id);
    for (const status of ['hired', 'rejected', 'job_closed'] as const) {
      await app.db.updateTable('applications').set({ status }).where('id', '=', sent.id).execute();
      expect(await failure(leila.api.applications.withdraw({ applicationId: sent.id }))).toMatchObject({
        status: 409,
        code: 'application/wrong-state',
        data: { status },
      });
    }
  });

  it('allows only the worker', async () => {
    const leila = await app.person();
    const { id: applicationId } = await makeApplication(app.db, app.scopeOf(leila), (await newJob()).id);
    const other = await app.person();
    expect(await failure(other.api.applications.withdraw({ applicationId }))).toMatchObject({ status: 404 });
    expect(await failure(owner.api.applications.withdraw({ applicationId }))).toMatchObject({ status: 403 });
    expect(await failure(app.apiAs(null).applications.withdraw({ applicationId }))).toMatchObject({
      status: 401,
    });
    expect(await failure(leila.api.applications.withdraw({ applicationId: 'x' }))).toMatchObject({
      status: 400,
    });
  });
});

async function freshToken(person: Person) {
  const { sessionId, accountId } = person;
  return { token: await signAccessToken(app.secret, app.clock, { sessionId, accountId }) };
}

describe('the daily limit', () => {
  it('stops at exactly the daily limit, even concurrently, and resets the next day', async () => {
    const jobs = await Promise.all(Array.from({ length: 15 }, () => newJob()));
    const leila = await app.person();
    const submit = (job: Job) => leila.api.applications.submit({ jobId: job.id });
    const results = await Promise.allSettled(jobs.map(submit));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(12);
    const last = results.find((result) => result.status === 'rejected');
    expect(await failure(Promise.reject(last?.reason))).toMatchObject({
      status: 429,
      code: 'application/daily-limit',
      data: { limit: 12 },
    });
    app.clock.forward({ days: 1, seconds: 1 });
    const another = await app.apiAs((await freshToken(leila)).token).applications.submit({
      jobId: (await newJob()).id,
    });
    expect(another.status).toBe('submitted');
  });
});
