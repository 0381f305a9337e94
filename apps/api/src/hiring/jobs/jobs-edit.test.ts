import { dayMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '../../people/sign-in/access-tokens.ts';
import { makeJob } from './jobs.fixtures.ts';

const app = useTestApp();
const nowhere = '01990000-0000-7000-8000-000000000000';

async function hirer(options: Parameters<typeof makeBusiness>[2] = {}) {
  const person = await app.person();
  const business = await makeBusiness(app.db, app.scopeOf(person), options);
  const makeOne = (job: Parameters<typeof makeJob>[3] = {}) =>
    makeJob(app.db, app.scopeOf(person), business.id, job);
  return { ...person, business, makeOne };
}

const applyTo = (worker: Person, jobId: string) => worker.api.applications.submit({ jobId });
const hire = (jobId: string, hired: number) =>
  app.db.updateTable('jobs').set({ hiredCount: hired }).where('id', '=', jobId).execute();
const topicsOf = async ({ accountId }: { accountId: string }) =>
  (
    await app.db
      .selectFrom('notifications')
      .select(['topic', 'data'])
      .where('accountId', '=', accountId)
      .orderBy('createdAt')
      .execute()
  ).map((row) => row.topic);

describe('jobs.update', () => {
  it('changes the submitted fields, once per version', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne();
    const edit = { jobId: job.id, version: job.version };
    const changed = await api.jobs.update({ ...edit, title: 'Head barista', cvRequired: true });
    expect(changed).toMatchObject({
      title: 'Head barista',
      cvRequired: true,
      version: 2,
      pay: job.pay,
      startsAt: job.startsAt,
    });
    expect(await failure(api.jobs.update({ ...edit, title: 'Late' }))).toMatchObject({
      status: 409,
      code: 'job/stale',
      data: { version: 2 },
    });
  });

  it('keeps the kind of engagement from the draft to its copies, for workers too, until there is an offer', async () => {
    const { api, makeOne } = await hirer();
    const { id } = await makeOne({ status: 'draft', relation: 'self_employed' });
    const wrong = api.jobs.update({ jobId: id, version: 1, relation: 'contractor' as 'employed' });
    expect(await failure(wrong)).toMatchObject({
      code: 'request/invalid',
      data: { issues: [{ path: 'relation' }] },
    });
    const copy = await api.jobs.duplicate({ jobId: id });
    expect((await api.jobs.get({ jobId: copy.id })).relation).toBe('self_employed');
    await api.jobs.publish({ jobId: id });
    const worker = await app.person();
    const seen = await worker.api.jobs.get({ jobId: id });
    expect(seen.relation).toBe('self_employed');
    const employed = await api.jobs.update({ jobId: id, version: seen.version, relation: 'employed' });
    expect(employed.relation).toBe('employed');
    await hire(id, 1);
    const late = api.jobs.update({ jobId: id, version: employed.version, relation: 'household' });
    expect(await failure(late)).toMatchObject({
      code: 'job/terms-fixed',
      data: { changed: ['relation'] },
    });
    expect((await makeOne()).relation).toBeNull();
  });

  it('notifies applicants once of a material edit, and of nothing else', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne();
    const worker = await app.person();
    await applyTo(worker, job.id);
    const edit = { jobId: job.id };
    await api.jobs.update({ ...edit, version: 1, title: 'Other words', description: 'More words' });
    expect(await topicsOf(worker)).not.toContain('job-changed');
    await api.jobs.update({ ...edit, version: 2, payMinor: 1_900 });
    await api.jobs.update({ ...edit, version: 3, headCount: 1 });
    expect((await topicsOf(worker)).filter((topic) => topic === 'job-changed')).toHaveLength(2);
    await api.jobs.update({ ...edit, version: 4, headCount: 5 });
    expect((await topicsOf(worker)).filter((topic) => topic === 'job-changed')).toHaveLength(2);
  });

  it('keeps promises to hired workers', async () => {
    const { api, makeOne } = await hirer();
    const task = await makeOne({ kind: 'task', headCount: 3, payMinor: 20_000 });
    await hire(task.id, 2);
    expect(await failure(api.jobs.update({ jobId: task.id, version: 1, payMinor: 19_999 }))).toMatchObject({
      status: 422,
      code: 'job/pay-fell-after-hire',
    });
    const job = await makeOne({ headCount: 3, payMinor: 2_000 });
    await hire(job.id, 2);
    const edit = { jobId: job.id, version: 1 };
    expect(await failure(api.jobs.update({ ...edit, headCount: 1 }))).toMatchObject({
      code: 'job/head-count-below-hires',
      data: { hired: 2 },
    });
    expect(await api.jobs.update({ ...edit, headCount: 2, payMinor: 2_100 })).toMatchObject({ spotsLeft: 0 });
  });

  it('keeps a published job complete and in the future', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne();
    const edit = { jobId: job.id, version: 1 };
    expect(await failure(api.jobs.update({ ...edit, payMinor: null, description: '' }))).toMatchObject({
      code: 'job/incomplete',
      data: { missing: ['description', 'payMinor'] },
    });
    const past = { startsAt: '2026-11-21T08:00:00Z', endsAt: '2026-11-21T12:00:00Z' };
    expect(await failure(api.jobs.update({ ...edit, ...past }))).toMatchObject({
      code: 'job/starts-in-past',
    });
    expect(await failure(api.jobs.update({ ...edit, endsAt: past.startsAt }))).toMatchObject({ status: 400 });
    expect((await api.jobs.get({ jobId: job.id })).version).toBe(1);
  });

  it('moves the job: its zone follows and a private place is blurred', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne();
    const place = { address: 'Home 1', area: 'Alfama', lat: 38.712, lng: -9.13, privateAddress: true };
    const changed = await api.jobs.update({ jobId: job.id, version: 1, place });
    expect(changed).toMatchObject({ timeZone: 'Europe/Lisbon', member: { privateAddress: true } });
    expect((await app.apiAs(null).jobs.get({ jobId: job.id })).place).toMatchObject({
      label: 'Alfama',
      blurred: true,
    });
  });

  it('keeps the ids of unchanged questions', async () => {
    const { api, makeOne } = await hirer();
    const [first, second] = ['Why?', 'When?'].map((prompt) => ({
      prompt,
      kind: 'text' as const,
      choices: [],
      required: true,
    }));
    if (!first || !second) throw new Error('two questions');
    const job = await makeOne({ questions: [first, second] });
    const changed = await api.jobs.update({
      jobId: job.id,
      version: 1,
      questions: [second, { ...first, prompt: 'Who?' }],
    });
    expect(changed.questions[0]?.id).toBe(job.questions[1]?.id);
    expect(job.questions.map(({ id }) => id)).not.toContain(changed.questions[1]?.id);
  });

  it('rejects guests, strangers and a closed job', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne();
    const edit = { jobId: job.id, version: 1, title: 'x' };
    expect(await failure(app.apiAs(null).jobs.update(edit))).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.jobs.update(edit))).toMatchObject({ status: 403 });
    const stranger = await hirer();
    expect(await failure(stranger.api.jobs.update(edit))).toMatchObject({
      status: 403,
      code: 'job/not-allowed',
    });
    expect(await failure(stranger.api.jobs.update({ ...edit, jobId: nowhere }))).toMatchObject({
      status: 404,
    });
    for (const bad of [{ version: 0 }, { title: ' ' }, { payMinor: -1 }, { startsAt: 'noon' }, { place: {} }])
      expect(await failure(api.jobs.update({ ...edit, ...bad } as never))).toMatchObject({ status: 400 });
    await api.jobs.close({ jobId: job.id });
    expect(await failure(api.jobs.update(edit))).toMatchObject({ status: 409, code: 'job/wrong-state' });
  });
});

describe('jobs.listed', () => {
  it("pages through a business's jobs, newest first, with counts", async () => {
    const { api, business, makeOne } = await hirer({ privateAddress: true });
    const jobs = [];
    for (const status of ['draft', 'open', 'open', 'draft', 'open'] as const) {
      app.clock.forward({ seconds: 1 });
      jobs.unshift(await makeOne({ status }));
    }
    const first = await api.jobs.listed({ businessId: business.id, limit: 2 });
    expect(first.counts).toEqual({ draft: 2, open: 3 });
    const second = await api.jobs.listed({
      businessId: business.id,
      limit: 2,
      cursor: first.nextCursor ?? '',
    });
    const third = await api.jobs.listed({
      businessId: business.id,
      limit: 2,
      cursor: second.nextCursor ?? '',
    });
    expect(third.nextCursor).toBeNull();
    const listed = [first, second, third].flatMap(({ items }) => items);
    expect(listed.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id));
    expect(listed[0]).toMatchObject({
      place: { blurred: false, lat: business.lat },
      applicants: 0,
      hired: 0,
    });
    const worker = await app.person();
    await applyTo(worker, jobs[0]?.id ?? '');
    const drafts = await api.jobs.listed({ businessId: business.id, status: 'draft' });
    expect(drafts.items.every((item) => item.status === 'draft')).toBe(true);
    const open = await api.jobs.listed({ businessId: business.id, status: 'open' });
    expect(open.items[0]).toMatchObject({ applicants: 1, newApplicants: 1 });
    expect(open.items[0]?.actions).toEqual(['edit', 'pause', 'duplicate', 'close', 'see-applicants']);
  });

  it('searches titles, sorted by start or title, page by page and through an index', async () => {
    const { api, business, makeOne, ...owner } = await hirer();
    const shift = (title: string, day: string, headCount = 1) =>
      makeOne({ title, headCount, startsAt: `${day}T08:00:00.000Z`, endsAt: `${day}T16:00:00.000Z` });
    await shift('Café host', '2026-12-02');
    await shift('Book fair crew', '2026-12-04', 4);
    await shift('book keeper 100%', '2026-12-03');
    await makeOne({ title: 'Undated', status: 'draft', startsAt: null, endsAt: null });
    const titles = async (input: {
      q?: string;
      sort?: 'newest' | 'soonest' | 'start' | 'title' | 'gap' | 'branch';
    }) => {
      const titles: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await api.jobs.listed({
          businessId: business.id,
          limit: 1,
          ...input,
          cursor,
        });
        titles.push(...page.items.map(({ title }) => title));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return titles;
    };
    expect(await titles({ q: 'BOOK' })).toEqual(['book keeper 100%', 'Book fair crew']);
    expect(await titles({ q: 'crew book' })).toEqual(['Book fair crew']);
    expect(await titles({ q: 'cafe' })).toEqual(['Café host']);
    expect(await titles({ q: '0%' })).toEqual(['book keeper 100%']);
    expect(await titles({ q: ' ' })).toHaveLength(4);
    const byStart = ['Book fair crew', 'book keeper 100%', 'Café host'];
    expect((await titles({ sort: 'start' })).filter((title) => title !== 'Undated')).toEqual(byStart);
    expect(await titles({ sort: 'soonest' })).toEqual([...byStart.toReversed(), 'Undated']);
    expect(await titles({ sort: 'title' })).toEqual([...byStart, 'Undated']);
    const bookJobs = await api.jobs.listed({ businessId: business.id, q: 'book' });
    expect(bookJobs.counts).toEqual({ open: 2 });
    const paged = await api.jobs.listed({ businessId: business.id, sort: 'title', limit: 1 });
    for (const wrong of [
      { sort: 'start', cursor: paged.nextCursor },
      { sort: 'pay' },
      { q: 'x'.repeat(101) },
      { q: 'a\u0000b' },
    ])
      expect(
        await failure(api.jobs.listed({ businessId: business.id, ...wrong } as never)),
        JSON.stringify(wrong),
      ).toMatchObject({ status: 400 });
    const largest = await shift('Closed crew', '2026-12-05', 9);
    await api.jobs.close({ jobId: largest.id });
    expect((await titles({ sort: 'gap' }))[0]).toBe('Book fair crew');
    const branch = await makeBranch(app.db, app.scopeOf(owner), business.id);
    await app.db.updateTable('jobs').set({ branchId: branch.id }).where('title', '=', 'Café host').execute();
    expect(await titles({ sort: 'branch' })).toEqual([
      'Café host',
      'book keeper 100%',
      'Book fair crew',
      'Closed crew',
      'Undated',
    ]);
    const client = await app.pool.connect();
    try {
      await client.query('begin; set local enable_seqscan = off; set local enable_sort = off');
      for (const [order, index] of [
        ['start_rank, id', 'jobs_business_start'],
        ['folded_name(title), id', 'jobs_business_title'],
        [
          `(case when status in ('in_review', 'open') then head_count - hired_count else 0 end), id`,
          'jobs_business_gap',
        ],
        [
          `(coalesce(branch_id::text, 'none') || lpad((2147483647 - start_rank::bigint)::text, 10, '0')), id`,
          'jobs_business_branch',
        ],
      ]) {
        const { rows } = await client.query<{ 'QUERY PLAN': string }>(
          `explain select from jobs where business_id = '${business.id}' order by ${order} limit 21`,
        );
        expect(rows.map((row) => row['QUERY PLAN']).join(' ')).toContain(index);
      }
    } finally {
      client.release(true);
    }
  });

  it('allows only recruiters', async () => {
    const { api, business } = await hirer();
    const input = { businessId: business.id };
    expect(await failure(app.apiAs(null).jobs.listed(input))).toMatchObject({ status: 401 });
    const stranger = await app.person();
    expect(await failure(stranger.api.jobs.listed(input))).toMatchObject({
      status: 404,
      code: 'business/not-found',
    });
    await makeMember(app.db, app.clock, business.id, stranger.accountId, 'finance');
    expect(await failure(stranger.api.jobs.listed(input))).toMatchObject({
      status: 403,
      code: 'business/not-allowed',
    });
    expect(await failure(api.jobs.listed({ ...input, cursor: 'x' }))).toMatchObject({
      status: 400,
      code: 'request/bad-cursor',
    });
    expect(await failure(api.jobs.listed({ ...input, status: 'lost' as never }))).toMatchObject({
      status: 400,
    });
  });
});

describe('closing a job', () => {
  it('ends live applications and notifies the workers', async () => {
    const { api, makeOne } = await hirer();
    const job = await makeOne();
    const worker = await app.person();
    const { id } = await applyTo(worker, job.id);
    await api.jobs.close({ jobId: job.id });
    expect((await worker.api.applications.get({ applicationId: id })).status).toBe('job_closed');
    await app.runDue();
    expect(await topicsOf(worker)).toContain('application-job-closed');
  });
});

describe('the life of a job', () => {
  const far = '2027-06-01';

  it('warns on day 25, expires on day 30 and can be reopened for another life', async () => {
    const owner = await hirer();
    const job = await owner.makeOne({ kind: 'task', dueOn: far });
    const status = async () =>
      (await app.db.selectFrom('jobs').select('status').where('id', '=', job.id).executeTakeFirstOrThrow())
        .status;
    const noticeCount = async (topic: string) =>
      (await topicsOf(owner)).filter((each) => each === topic).length;
    app.clock.forward({ days: 24, hours: 23 });
    await app.runDue();
    expect(await noticeCount('job-expiring')).toBe(0);
    app.clock.forward({ hours: 1 });
    await app.runDue();
    await app.runDue();
    expect(await noticeCount('job-expiring')).toBe(1);
    expect(await status()).toBe('open');
    app.clock.forward({ days: 5 });
    await app.runDue();
    expect(await status()).toBe('expired');
    expect(await noticeCount('job-expired')).toBe(1);
    await app.db.updateTable('sessions').set({ expiresAt: '2099-01-01' }).execute();
    const later = app.apiAs(await signAccessToken(app.secret, app.clock, owner));
    const again = await later.jobs.reopen({ jobId: job.id });
    expect(again.status).toBe('open');
    expect(Date.parse(again.expiresAt ?? '')).toBe(app.clock.now().getTime() + 30 * dayMs);
    app.clock.forward({ days: 30 });
    await app.runDue();
    expect(await noticeCount('job-expiring')).toBe(2);
    expect(await status()).toBe('expired');
  });

  it('leaves a job alone that was paused or closed in the meantime', async () => {
    const owner = await hirer();
    const paused = await owner.makeOne({ kind: 'task' });
    const closed = await owner.makeOne({ kind: 'task' });
    const api = app.apiAs(await signAccessToken(app.secret, app.clock, owner));
    await api.jobs.pause({ jobId: paused.id });
    await api.jobs.close({ jobId: closed.id });
    app.clock.forward({ days: 40 });
    await app.runDue();
    const later = app.apiAs(await signAccessToken(app.secret, app.clock, owner));
    expect((await later.jobs.get({ jobId: paused.id })).status).toBe('paused');
    expect((await later.jobs.get({ jobId: closed.id })).status).toBe('closed');
    const again = await later.jobs.reopen({ jobId: paused.id });
    expect(again.publishedAt).toBe(app.clock.now().toISOString());
  });
});
