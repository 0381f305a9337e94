import { addMs, dayMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { payMinOf } from '@nearhand/contract/hiring/pay-units.rules';
import type { MemberRole } from '@nearhand/contract/member-roles';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import type { Applications } from '../../platform/tables.gen.ts';
import { jobInput, makeJob } from './jobs.fixtures.ts';

const app = useTestApp();
const nowhere = '01990000-0000-7000-8000-000000000000';

async function hirer(options: Parameters<typeof makeBusiness>[2] = {}) {
  const person = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(person), options);
  const makeOne = (job: Parameters<typeof makeJob>[3] = {}) =>
    makeJob(app.db, app.scopeOf(person), business.id, job);
  return { ...person, business, makeOne };
}

async function memberOf(businessId: string, role: MemberRole) {
  const person = await app.person();
  await makeMember(app.db, app.clock, businessId, person.accountId, role);
  return person;
}

async function apply(
  jobId: string,
  businessId: string,
  worker: Person,
  status: Applications['status'] = 'submitted',
) {
  const now = app.clock.now();
  const id = newId(now);
  await app.db
    .insertInto('applications')
    .values({
      id,
      jobId,
      businessId,
      workerId: worker.accountId,
      status,
      submittedAt: now,
      decideBy: now,
      updatedAt: now,
    })
    .execute();
  return id;
}

const movesOf = async (jobId: string) =>
  (
    await app.db
      .selectFrom('job_moves')
      .select(['action', 'fromStatus', 'toStatus', 'actor'])
      .where('jobId', '=', jobId)
      .orderBy('at')
      .execute()
  ).map((move) => `${move.fromStatus} ${move.action} ${move.toStatus} ${move.actor}`);

type OneMove = 'publish' | 'pause' | 'reopen' | 'close' | 'archive' | 'duplicate' | 'deleteDraft';

function guards(verb: OneMove, status: 'draft' | 'open') {
  it('rejects guests, unverified accounts, strangers, finance and invalid input', async () => {
    const { business, makeOne } = await hirer();
    const { id: jobId } = await makeOne({ status });
    expect(await failure(app.apiAs(null).jobs[verb]({ jobId }))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.jobs[verb]({ jobId }))).toMatchObject({ status: 403 });
    const stranger = await hirer();
    const visible = status === 'open';
    expect(await failure(stranger.api.jobs[verb]({ jobId }))).toMatchObject(
      visible ? { status: 403, code: 'job/not-allowed' } : { status: 404, code: 'job/not-found' },
    );
    const finance = await memberOf(business.id, 'finance');
    expect(await failure(finance.api.jobs[verb]({ jobId }))).toMatchObject({
      status: 403,
      code: 'job/not-allowed',
    });
    expect(await failure(stranger.api.jobs[verb]({ jobId: nowhere }))).toMatchObject({ status: 404 });
    expect(await failure(stranger.api.jobs[verb]({ jobId: 'x' }))).toMatchObject({ status: 400 });
  });
}

describe('jobs.create', () => {
  it("saves a draft at the business's address, in its currency, with the current fees", async () => {
    const { api, business } = await hirer();
    const job = await api.jobs.create({
      businessId: business.id,
      kind: 'shift',
      title: 'Barista',
      category: 'hospitality',
    });
    expect(job).toMatchObject({
      status: 'draft',
      version: 1,
      actions: ['edit', 'publish', 'duplicate', 'delete-draft'],
      pay: { minor: 0, unit: 'hour', currency: 'EUR', totalMinor: null, businessFeeBasisPoints: 1_000 },
      place: { lat: business.lat, lng: business.lng, blurred: false },
      timeZone: 'Europe/Amsterdam',
      publishedAt: null,
      member: { applicants: 0, hired: 0 },
    });
  });

  it("calculates a shift's pay from its paid minutes, and a task's as a whole", async () => {
    const { makeOne } = await hirer();
    const shift = await makeOne({ payMinor: 1_750, breakMinutes: 30 });
    expect(shift.pay).toMatchObject({ paidMinutes: 450, totalMinor: 13_125, unit: 'hour' });
    const task = await makeOne({ kind: 'task', payMinor: 12_000, dueOn: '2026-12-01' });
    expect(task.pay).toMatchObject({ paidMinutes: null, totalMinor: 12_000, unit: 'fixed' });
    expect(task).toMatchObject({ startsAt: null, dueOn: '2026-12-01' });
  });

  it('returns the first job for a repeated key', async () => {
    const { token, business } = await hirer();
    const api = app.apiAs(token, { 'idempotency-key': 'create-once' });
    const options = { businessId: business.id, ...jobInput(app.clock) };
    const first = await api.jobs.create(options);
    expect((await api.jobs.create(options)).id).toBe(first.id);
  });

  it('keeps questions, emoji and right-to-left text', async () => {
    const { makeOne } = await hirer();
    const job = await makeOne({
      title: 'نادل 👩🏽‍🍳',
      questions: [
        { prompt: 'Do you drive?', kind: 'yes_no', choices: [], required: true },
        { prompt: 'Which day?', kind: 'choice', choices: ['Mon', 'Tue'], required: false },
      ],
    });
    expect(job.title).toBe('نادل 👩🏽‍🍳');
    expect(job.questions.map(({ prompt, required }) => [prompt, required])).toEqual([
      ['Do you drive?', true],
      ['Which day?', false],
    ]);
  });

  it('rejects strangers, lesser roles, closed businesses and impossible jobs', async () => {
    const { api, business } = await hirer();
    const options = { businessId: business.id, ...jobInput(app.clock) };
    expect(await failure(app.apiAs(null).jobs.create(options))).toMatchObject({ status: 401 });
    const stranger = await app.person();
    expect(await failure(stranger.api.jobs.create(options))).toMatchObject({
      status: 404,
      code: 'business/not-found',
    });
    const finance = await memberOf(business.id, 'finance');
    expect(await failure(finance.api.jobs.create(options))).toMatchObject({ status: 403 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.jobs.create(options))).toMatchObject({ status: 403 });
    const bad: Partial<JobDraft>[] = [
      { title: '' },
      { payMinor: 0 },
      { payMinor: 1 },
      { payMinor: payMinOf('EUR', 'hour') - 1 },
      { startsAt: '2026-11-25T08:00:00Z', endsAt: '2026-11-25T08:01:00Z', breakMinutes: 0, payMinor: 29_999 },
      { kind: 'task', payMinor: payMinOf('EUR', 'fixed') - 1 },
      { payMinor: 1.5 },
      { payMinor: 1e12 },
      { payMinor: hiringLimits.hourlyPayMaxMinor + 1 },
      { headCount: 0 },
      { headCount: 501 },
      { startsAt: '2026-13-01T00:00:00Z' },
      { endsAt: '2026-11-20T08:00:00Z', startsAt: '2026-11-20T09:00:00Z' },
      { startsAt: '2026-11-25T08:00:00Z', endsAt: '2026-11-29T08:00:00Z' },
      { breakMinutes: 241 },
      { dueOn: 'soon' },
      { skills: ['flying' as never] },
      { description: 'nul \u0000' },
      { place: { address: 'x', area: 'y', lat: 100, lng: 0, privateAddress: false } },
      { questions: [{ prompt: 'Pick', kind: 'choice', choices: ['one'], required: true }] },
    ];
    for (const request of bad)
      expect(
        await failure(api.jobs.create({ ...options, ...request })),
        JSON.stringify(request),
      ).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    expect(await failure(api.jobs.create({ ...options, kind: 'task', dueOn: '0000-01-01' }))).toMatchObject({
      status: 400,
    });
    const [{ availableMinor: amountMinor = 0 } = {}] = (await api.wallet.get({ businessId: business.id }))
      .balances;
    await api.charges.refund({ businessId: business.id, amountMinor, currency: business.currency });
    await app.runDue();
    await api.businesses.close({ businessId: business.id });
    expect(await failure(api.jobs.create(options))).toMatchObject({
      status: 409,
      code: 'business/wrong-state',
    });
  });
});

describe('jobs.publish', () => {
  guards('publish', 'draft');

  it('opens a complete draft for 30 days, once', async () => {
    const { api, accountId, makeOne } = await hirer();
    const { id: jobId } = await makeOne({ status: 'draft', kind: 'task' });
    const job = await api.jobs.publish({ jobId });
    expect(job.status).toBe('open');
    expect(job.publishedAt).toBe(app.clock.now().toISOString());
    expect(Date.parse(job.expiresAt ?? '') - Date.parse(job.publishedAt ?? '')).toBe(30 * dayMs);
    expect((await api.jobs.publish({ jobId })).status).toBe('open');
    expect(await movesOf(jobId)).toEqual([`draft publish open ${accountId}`]);
  });

  it('shows a shift until it starts and a task until its due date; a later start extends it', async () => {
    const { api, makeOne } = await hirer();
    const shift = await makeOne();
    expect(shift.expiresAt).toBe(shift.startsAt);
    const task = await makeOne({ kind: 'task', dueOn: '2026-11-25' });
    expect(task.expiresAt).toBe('2026-11-25T23:00:00.000Z');
    const later = { startsAt: '2026-11-30T08:00:00.000Z', endsAt: '2026-11-30T16:00:00.000Z' };
    const moved = await api.jobs.update({ jobId: shift.id, version: shift.version, ...later });
    expect(moved.expiresAt).toBe(later.startsAt);
    const before = app.clock.now();
    app.clock.set(later.startsAt);
    await app.runDue();
    const worker = await app.person();
    expect((await worker.api.jobs.get({ jobId: shift.id })).status).toBe('expired');
    expect(await failure(worker.api.applications.submit({ jobId: shift.id }))).toMatchObject({
      code: 'job/not-open',
    });
    app.clock.set(before);
  });

  it('posts the shift on other days too, once, at the same local times across a clock change', async () => {
    const { api, business, makeOne } = await hirer();
    const draft = await makeOne({
      status: 'draft',
      questions: [{ prompt: 'Why?', kind: 'text', choices: [], required: true }],
    });
    await app.db
      .updateTable('jobs')
      .set({ timeZone: 'Europe/Amsterdam', startsAt: '2027-03-26T20:00:00Z', endsAt: '2027-03-27T02:00:00Z' })
      .where('id', '=', draft.id)
      .execute();
    const publish = { jobId: draft.id, alsoOn: ['2027-03-25', '2027-03-28'] };
    expect(await api.jobs.publish(publish)).toMatchObject({ id: draft.id, status: 'open' });
    await api.jobs.publish(publish);
    const { items } = await api.jobs.listed({ businessId: business.id, status: 'open', sort: 'soonest' });
    expect(items.map(({ startsAt, endsAt }) => [startsAt, endsAt])).toEqual([
      ['2027-03-25T20:00:00.000Z', '2027-03-26T02:00:00.000Z'],
      ['2027-03-26T20:00:00.000Z', '2027-03-27T02:00:00.000Z'],
      // Nine in the evening to three, an hour earlier by UTC.
      ['2027-03-28T19:00:00.000Z', '2027-03-29T01:00:00.000Z'],
    ]);
    for (const { id } of items)
      expect((await api.jobs.get({ jobId: id })).questions).toMatchObject([{ prompt: 'Why?' }]);
  });

  it('rejects invalid other days and publishes nothing', async () => {
    const { api, business, makeOne } = await hirer();
    const draft = await makeOne({ status: 'draft' });
    const own = draft.startsAt?.slice(0, 10) ?? '';
    const later = (days: number) => (daysLater(draft.startsAt, days) ?? '').slice(0, 10);
    const publish = (alsoOn: string[], jobId = draft.id) => failure(api.jobs.publish({ jobId, alsoOn }));
    expect(await publish([own])).toMatchObject({ status: 422, code: 'job/cannot-repeat' });
    expect(await publish([later(85)])).toMatchObject({ code: 'job/cannot-repeat' });
    expect(await publish([later(1), later(1)])).toMatchObject({ code: 'request/invalid' });
    expect(await publish(Array.from({ length: 60 }, (_, at) => later(at + 1)))).toMatchObject({
      code: 'request/invalid',
    });
    expect(await publish(['2027-02-30'])).toMatchObject({ code: 'request/invalid' });
    expect(await publish([later(1), '2026-09-30'])).toMatchObject({ status: 422 });
    const task = await makeOne({ status: 'draft', kind: 'task' });
    expect(await publish([later(1)], task.id)).toMatchObject({ code: 'job/cannot-repeat' });
    expect((await api.jobs.listed({ businessId: business.id, status: 'open' })).items).toEqual([]);
  });

  it('keeps the remaining lifetime across a pause', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne();
    await api.jobs.pause({ jobId: job.id });
    expect((await api.jobs.reopen({ jobId: job.id })).expiresAt).toBe(job.expiresAt);
  });

  it('lists what is missing', async () => {
    const { api, business } = await hirer();
    const draft = { businessId: business.id, title: 'Bare', category: 'events' } as const;
    const shift = await api.jobs.create({ ...draft, kind: 'shift' });
    expect(await failure(api.jobs.publish({ jobId: shift.id }))).toMatchObject({
      status: 422,
      code: 'job/incomplete',
      data: { missing: ['description', 'payMinor', 'startsAt', 'endsAt'] },
    });
    const task = await api.jobs.create({ ...draft, kind: 'task', description: 'x' });
    expect(await failure(api.jobs.publish({ jobId: task.id }))).toMatchObject({
      data: { missing: ['payMinor'] },
    });
  });

  it('rejects past work: a shift by the clock, a task by the local date', async () => {
    const { api, makeOne } = await hirer();
    const past = await makeOne({
      status: 'draft',
      startsAt: '2026-11-20T08:00:00Z',
      endsAt: '2026-11-20T16:00:00Z',
    });
    expect(await failure(api.jobs.publish({ jobId: past.id }))).toMatchObject({ code: 'job/starts-in-past' });
    const task = await makeOne({ status: 'draft', kind: 'task', dueOn: '2026-11-20' });
    expect(await failure(api.jobs.publish({ jobId: task.id }))).toMatchObject({ code: 'job/starts-in-past' });
    expect((await makeOne({ kind: 'task', dueOn: '2026-11-21' })).status).toBe('open');
  });

  it('rejects work more than two years ahead, on publishing and on editing', async () => {
    const { api, makeOne } = await hirer();
    const tooFar = { status: 422, code: 'job/too-far-ahead' };
    const far = { startsAt: '2036-11-28T08:00:00Z', endsAt: '2036-11-28T16:00:00Z' };
    const draft = await makeOne({ status: 'draft', ...far });
    expect(await failure(api.jobs.publish({ jobId: draft.id }))).toMatchObject(tooFar);
    const task = await makeOne({ status: 'draft', kind: 'task', dueOn: '2036-11-28' });
    expect(await failure(api.jobs.publish({ jobId: task.id }))).toMatchObject(tooFar);
    const { id: jobId, version } = await makeOne({});
    expect(await failure(api.jobs.update({ jobId, version, ...far }))).toMatchObject(tooFar);
  });

  it('limits an unverified business to three open jobs, even concurrently', async () => {
    const { api, makeOne } = await hirer({ verified: false });
    for (let count = 0; count < 2; count += 1) await makeOne();
    const drafts = [await makeOne({ status: 'draft' }), await makeOne({ status: 'draft' })];
    const results = await Promise.allSettled(drafts.map(({ id }) => api.jobs.publish({ jobId: id })));
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const late = await makeOne({ status: 'draft' });
    expect(await failure(api.jobs.publish({ jobId: late.id }))).toMatchObject({
      status: 422,
      code: 'job/open-limit',
      data: { limit: 3, dates: 7 },
    });
    expect(
      (
        await app
          .apiAs(null)
          .jobs.get({ jobId: drafts[0]?.id ?? '' })
          .catch(() => late)
      ).business.verified,
    ).toBe(false);
  });

  it('counts a series of an unverified business as one open job of up to seven dates', async () => {
    const { api, makeOne } = await hirer({ verified: false });
    await makeOne();
    const publish = async (alsoOn: string[]) => {
      const day = { startsAt: '2027-03-22T08:00:00Z', endsAt: '2027-03-22T16:00:00Z' };
      const { id } = await makeOne({ status: 'draft', ...day });
      return api.jobs.publish({ jobId: id, alsoOn });
    };
    const days = [23, 24, 25, 26, 27, 28].map((day) => `2027-03-${day}`);
    const refused = { code: 'job/open-limit', data: { limit: 3, dates: 7 } };
    expect(await failure(publish([...days, '2027-03-29']))).toMatchObject(refused);
    expect((await publish(days)).dates).toHaveLength(7);
    expect((await publish(days)).dates).toHaveLength(7);
    expect(await failure(publish([]))).toMatchObject(refused);
  });
});

describe('jobs.pause', () => {
  guards('pause', 'open');

  it('hides an open job from everyone but members and applicants', async () => {
    const { api, business, makeOne } = await hirer();
    const { id: jobId } = await makeOne();
    const worker = await app.person();
    await apply(jobId, business.id, worker);
    expect(await api.jobs.pause({ jobId })).toMatchObject({ status: 'paused' });
    expect(await api.jobs.pause({ jobId })).toMatchObject({ status: 'paused' });
    expect(await failure(app.apiAs(null).jobs.get({ jobId }))).toMatchObject({ status: 404 });
    expect(await worker.api.jobs.get({ jobId })).toMatchObject({ status: 'paused', actions: [] });
    const draft = await makeOne({ status: 'draft' });
    expect(await failure(api.jobs.pause({ jobId: draft.id }))).toMatchObject({
      status: 409,
      code: 'job/wrong-state',
      data: { status: 'draft' },
    });
  });
});

describe('jobs.reopen', () => {
  guards('reopen', 'open');

  it('restores the remaining lifetime of a paused job', async () => {
    const { api, makeOne } = await hirer();
    const soon = addMs(app.clock.now(), 20 * dayMs);
    const job = await makeOne({ kind: 'task', dueOn: soon.toISOString().slice(0, 10) });
    await api.jobs.pause({ jobId: job.id });
    app.clock.forward({ minutes: 5 });
    const again = await api.jobs.reopen({ jobId: job.id });
    expect(again).toMatchObject({ status: 'open', expiresAt: job.expiresAt, publishedAt: job.publishedAt });
  });
});

describe('jobs.close', () => {
  guards('close', 'open');

  it('closes a job permanently', async () => {
    const { api, makeOne } = await hirer();
    const { id: jobId } = await makeOne();
    expect(await api.jobs.close({ jobId })).toMatchObject({
      status: 'closed',
      actions: ['duplicate', 'archive', 'see-applicants'],
    });
    expect(await failure(api.jobs.reopen({ jobId }))).toMatchObject({ status: 409 });
    expect((await app.apiAs(null).jobs.get({ jobId })).actions).toEqual([]);
  });

  it('keeps the visibility of the job', async () => {
    const { api, business, makeOne } = await hirer();
    const worker = await app.person();
    for (const [status, published] of [
      ['in_review', false],
      ['rejected', false],
      ['suspended', false],
      ['suspended', true],
    ] as const) {
      const { id: jobId } = await makeOne({ status: published ? 'open' : 'draft' });
      if (published) await apply(jobId, business.id, worker);
      await app.db.updateTable('jobs').set({ status }).where('id', '=', jobId).execute();
      expect(await api.jobs.close({ jobId })).toMatchObject({ status: 'closed' });
      const stranger = await app.person();
      for (const client of [app.apiAs(null), stranger.api])
        expect(await failure(client.jobs.get({ jobId }))).toMatchObject({ code: 'job/not-found' });
      if (published) expect((await worker.api.jobs.get({ jobId })).status).toBe('closed');
    }
  });
});

describe('jobs.archive', () => {
  guards('archive', 'open');

  it('archives only a closed job', async () => {
    const { api, makeOne } = await hirer();
    const { id: jobId } = await makeOne();
    expect(await failure(api.jobs.archive({ jobId }))).toMatchObject({
      status: 409,
      code: 'job/wrong-state',
    });
    await api.jobs.close({ jobId });
    expect(await api.jobs.archive({ jobId })).toMatchObject({
      status: 'archived',
      actions: ['duplicate', 'see-applicants'],
    });
    expect(await failure(app.apiAs(null).jobs.get({ jobId }))).toMatchObject({ status: 404 });
  });
});

const daysLater = (at: string | null, days: number) =>
  new Date(Date.parse(at ?? '') + days * 86_400_000).toISOString();

describe('jobs.duplicate', () => {
  guards('duplicate', 'open');

  it('copies everything to a draft with the same hours on the next matching weekday', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne({ questions: [{ prompt: 'Why?', kind: 'text', choices: [], required: true }] });
    const copy = await api.jobs.duplicate({ jobId: job.id });
    expect(copy).toMatchObject({
      status: 'draft',
      title: job.title,
      startsAt: daysLater(job.startsAt, 7),
      endsAt: daysLater(job.endsAt, 7),
      breakMinutes: 30,
      place: job.place,
    });
    expect(copy.id).not.toBe(job.id);
    expect(copy.questions).toMatchObject([{ prompt: 'Why?' }]);
    expect(copy.questions[0]?.id).not.toBe(job.questions[0]?.id);
    const day = (daysLater(job.startsAt, 12) ?? '').slice(0, 10);
    expect(await api.jobs.duplicate({ jobId: job.id, day })).toMatchObject({
      startsAt: daysLater(job.startsAt, 12),
      endsAt: daysLater(job.endsAt, 12),
    });
  });

  it('keeps the local hours of a shift from before a clock change', async () => {
    const { api, makeOne } = await hirer();
    const { id: jobId } = await makeOne();
    await app.db
      .updateTable('jobs')
      .set({ timeZone: 'Europe/Amsterdam', startsAt: '2026-07-04T20:00:00Z', endsAt: '2026-07-05T02:00:00Z' })
      .where('id', '=', jobId)
      .execute();
    const now = app.clock.now();
    app.clock.set('2026-11-26T09:00:00Z');
    // Saturdays, from ten in the evening to four.
    expect(await api.jobs.duplicate({ jobId })).toMatchObject({
      startsAt: '2026-11-28T21:00:00.000Z',
      endsAt: '2026-11-29T03:00:00.000Z',
    });
    app.clock.set(now.toISOString());
  });
});

describe('jobs.deleteDraft', () => {
  guards('deleteDraft', 'draft');

  it('deletes a draft but never a job that was open', async () => {
    const { api, makeOne } = await hirer();
    const draft = await makeOne({
      status: 'draft',
      questions: [{ prompt: 'a', kind: 'text', choices: [], required: true }],
    });
    expect(await api.jobs.deleteDraft({ jobId: draft.id })).toEqual({ deleted: true });
    expect(await failure(api.jobs.get({ jobId: draft.id }))).toMatchObject({ status: 404 });
    const { id: jobId } = await makeOne();
    expect(await failure(api.jobs.deleteDraft({ jobId }))).toMatchObject({
      status: 409,
      code: 'job/wrong-state',
    });
  });
});

describe('jobs.get', () => {
  it('shows a draft to members only', async () => {
    const { api, business, makeOne } = await hirer();
    const { id: jobId } = await makeOne({ status: 'draft' });
    expect((await api.jobs.get({ jobId })).status).toBe('draft');
    const stranger = await app.person();
    for (const other of [app.apiAs(null), stranger.api])
      expect(await failure(other.jobs.get({ jobId }))).toMatchObject({ status: 404, code: 'job/not-found' });
    const finance = await memberOf(business.id, 'finance');
    expect(await finance.api.jobs.get({ jobId })).toMatchObject({ actions: [] });
    expect(await failure(app.apiAs(null).jobs.get({ jobId: 'x' }))).toMatchObject({ status: 400 });
    expect(await failure(app.apiAs(null).jobs.get({ jobId: nowhere }))).toMatchObject({ status: 404 });
  });

  it('shows a worker their application, and members only the counts', async () => {
    const { api, business, makeOne } = await hirer();
    const { id: jobId } = await makeOne();
    const worker = await app.person();
    expect(await worker.api.jobs.get({ jobId })).toMatchObject({
      actions: ['apply'],
      myApplication: null,
      member: null,
    });
    expect((await app.apiAs(null).jobs.get({ jobId })).actions).toEqual(['apply']);
    const withdrawn = await app.person();
    await apply(jobId, business.id, withdrawn, 'withdrawn');
    expect((await withdrawn.api.jobs.get({ jobId })).actions).toEqual(['apply']);
    const id = await apply(jobId, business.id, worker);
    expect(await worker.api.jobs.get({ jobId })).toMatchObject({
      actions: [],
      myApplication: { id, status: 'submitted' },
    });
    expect((await api.jobs.get({ jobId })).member).toMatchObject({ applicants: 1, newApplicants: 1 });
  });

  it('shows hired workers the exact place', async () => {
    const { business, makeOne } = await hirer({ privateAddress: true });
    const { id: jobId, place } = await makeOne();
    const worker = await app.person();
    expect((await worker.api.jobs.get({ jobId })).place).toMatchObject({
      blurred: true,
      label: business.area,
    });
    await apply(jobId, business.id, worker, 'hired');
    expect((await worker.api.jobs.get({ jobId })).place).toEqual(place);
  });

  it("measures distance from the query's point", async () => {
    const { business, makeOne } = await hirer();
    const { id: jobId } = await makeOne();
    const job = await app.apiAs(null).jobs.get({ jobId, lat: business.lat + 0.01, lng: business.lng });
    expect(job.distanceM).toBe(1_112);
    expect((await app.apiAs(null).jobs.get({ jobId })).distanceM).toBeNull();
  });
});

describe('jobs.similar', () => {
  it('returns up to six other open jobs of the category, nearest first, not all of one business', async () => {
    const { makeOne } = await hirer({ lat: -33.86, lng: 151.2, countryCode: 'AU' });
    const at = (km: number): NonNullable<JobDraft['place']> => ({
      address: 'Street 1',
      area: 'Sydney',
      lat: -33.86 + km / 111,
      lng: 151.2,
      privateAddress: false,
    });
    const job = await makeOne({ category: 'gardening', place: at(0) });
    const others = [];
    for (const km of [3, 1, 2, 4, 7, 6, 5])
      others.push({ km, job: await makeOne({ category: 'gardening', place: at(km) }) });
    await makeOne({ category: 'events', place: at(0.5) });
    const similar = await app.apiAs(null).jobs.similar({ jobId: job.id });
    const nearest = others.sort((a, b) => a.km - b.km).slice(0, 6);
    expect(similar.map(({ id }) => id)).toEqual(nearest.map((other) => other.job.id));
    expect(similar[0]?.distanceM).toBeGreaterThan(990);
    const sydney = await hirer({ lat: -33.86, lng: 151.2, countryCode: 'AU' });
    const farther = [];
    for (const km of [8, 9, 10]) farther.push(await sydney.makeOne({ category: 'gardening', place: at(km) }));
    const mixed = await app.apiAs(null).jobs.similar({ jobId: job.id });
    const expected = [
      ...nearest.slice(0, 4).map((near) => near.job.id),
      ...farther.slice(0, 2).map(({ id }) => id),
    ];
    expect(mixed.map(({ id }) => id)).toEqual(expected);
    const draft = await makeOne({ status: 'draft' });
    expect(await failure(app.apiAs(null).jobs.similar({ jobId: draft.id }))).toMatchObject({ status: 404 });
  });
});
