import { addMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { JobReview } from '@nearhand/contract/trust/job-reviews';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { jobInput, makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { payLimits } from '../../hiring/screening/screening.rules.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeOperator } from '../operators/operators.fixtures.ts';
import { makeReport } from '../reports/reports.fixtures.ts';
import { makeEndedWork } from '../reviews/reviews.fixtures.ts';

const app = useTestApp();
let first: Person;
let second: Person;
let nadia: Person;
let leila: Person;
let businessId: string;
beforeAll(async () => {
  first = await app.person({ name: 'Jonas Weber' });
  second = await app.person({ name: 'Mila Horvat' });
  for (const person of [first, second]) await makeOperator(app.db, app, person);
  [first, second] = [app.working(first), app.working(second)];
});
beforeEach(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
  leila = await app.person({ name: 'Leila Haddad' });
  businessId = (await makeBusiness(app.db, app.scopeOf(nadia), { verified: true })).id;
});

const bad = 'Serve drinks. A registration fee of €25 secures your place.';
const words = { rule: 'no-fees', facts: 'The job asks applicants for a registration fee.' } as const;
async function publish(change: Partial<JobDraft> = {}) {
  const draft = await makeJob(app.db, app.scopeOf(nadia), businessId, { status: 'draft', ...change });
  return nadia.api.jobs.publish({ jobId: draft.id });
}
const held = async () => (await publish({ description: bad })).id;
const queue = async ({ api }: Person) =>
  (await api.cases.list({ kind: 'job_review', limit: 100 })).items.map(({ subjectId }) => subjectId);
const noticesOf = async ({ api }: Person, topic: string) =>
  (await api.notifications.list({ limit: 50 })).items.filter((notice) => notice.topic === topic);
const statusOf = async (jobId: string) => (await nadia.api.jobs.get({ jobId })).status;

describe('a job that asks for money', () => {
  it('is equally urgent from the check and from a report', async () => {
    const { id: found } = await publish({ description: bad });
    const { id: reported } = await makeJob(app.db, app.scopeOf(nadia), businessId, { status: 'open' });
    const report = await makeReport(app.db, app.scopeOf(leila), reported);
    const urgency = async (kind: 'job_review' | 'report', id: string) => {
      const { items } = await first.api.cases.list({ kind, limit: 100 });
      const item = items.find(({ subjectId }) => subjectId === id);
      return item && [item.priority, Date.parse(item.deadline) - Date.parse(item.openedAt)];
    };
    const { caseId } = await app.db
      .selectFrom('reports')
      .select('caseId')
      .where('id', '=', report.id)
      .executeTakeFirstOrThrow();
    expect(await urgency('report', caseId)).toEqual(await urgency('job_review', found));
    expect(await urgency('report', caseId)).toEqual(['urgent', 24 * 3_600_000]);
  });
});

describe('publishing a job', () => {
  it('keeps one that asks for a fee in review: visible to its team with the reason, hidden from workers, a case for operators', async () => {
    const job = await publish({ description: bad });
    expect(job).toMatchObject({
      status: 'in_review',
      publishedAt: null,
      member: { review: { rules: ['asks-fee'] } },
    });
    expect(job.actions).toEqual(expect.arrayContaining(['edit', 'close']));
    expect(await failure(leila.api.jobs.get({ jobId: job.id }))).toMatchObject({ code: 'job/not-found' });
    expect(await failure(nadia.api.jobs.publish({ jobId: job.id }))).toMatchObject({
      code: 'job/wrong-state',
    });
    const { item, facts } = await first.api.cases.get({ kind: 'job_review', subjectId: job.id });
    expect(item).toMatchObject({ tag: 'asks-fee', priority: 'urgent', business: { id: businessId } });
    expect(facts).toMatchObject({
      review: {
        jobId: job.id,
        wasPublic: false,
        description: bad,
        earlier: [],
        found: [{ rule: 'asks-fee', evidence: 'registration fee' }],
      },
    });
    await nadia.api.jobs.close({ jobId: job.id });
    expect(await queue(first)).not.toContain(job.id);
  });

  it('flags pay far above nearby jobs, and copied text', async () => {
    const category = 'cleaning' as const;
    const text = `We clean three floors of offices before anyone arrives. You vacuum the carpets, wipe the desks and the
      windowsills, empty the bins and refill the kitchens. We work in pairs, with music, and finish with coffee on the
      roof. Machines and gloves are there. You need no experience, only an alarm clock that you trust.`;
    expect((await publish({ category, payMinor: 9_000 })).status).toBe('open');
    for (let made = 0; made < payLimits.jobsMin; made += 1) {
      const owner = await app.person();
      const { id } = await makeBusiness(app.db, app.scopeOf(owner), { verified: true });
      await makeJob(app.db, app.scopeOf(owner), id, {
        category,
        ...(made === 0 ? { description: text } : {}),
      });
    }
    const rich = await publish({ category, payMinor: 9_000 });
    expect(rich).toMatchObject({ status: 'in_review', member: { review: { rules: ['pay-too-good'] } } });
    expect((await publish({ category, payMinor: 1_800 })).status).toBe('open');
    const copy = await publish({ category, description: text.replace('three floors', 'four floors') });
    expect(copy).toMatchObject({ status: 'in_review', member: { review: { rules: ['copied-text'] } } });
  });

  it('holds a changed job too, but not for text that was cleared', async () => {
    const job = await publish();
    await makeApplication(app.db, app.scopeOf(leila), job.id);
    const edit = { jobId: job.id, version: job.version, description: bad };
    const changed = await nadia.api.jobs.update(edit);
    expect(changed.status).toBe('in_review');
    expect(await failure(app.apiAs(null).jobs.get({ jobId: job.id }))).toMatchObject({
      code: 'job/not-found',
    });
    await first.api.jobReviews.open({ jobId: job.id });
    const opened = await nadia.api.jobs.get({ jobId: job.id });
    expect(opened).toMatchObject({ status: 'open', expiresAt: job.expiresAt, member: { review: null } });
    const again = { jobId: job.id, version: opened.version, title: 'Barista on weekends' };
    expect((await nadia.api.jobs.update(again)).status).toBe('open');
    await nadia.api.jobs.pause({ jobId: job.id });
    expect((await nadia.api.jobs.reopen({ jobId: job.id })).status).toBe('open');
  });

  it('allows edits during review, which never end it, and the operator decides on what they read', async () => {
    const job = await publish({ description: bad });
    app.clock.forward({ minutes: 30 });
    const { api } = first;
    const read = async () =>
      (await api.cases.get({ kind: 'job_review', subjectId: job.id })) as { facts: { review: JobReview } };
    const before = (await read()).facts.review;
    const good = { jobId: job.id, version: job.version, description: 'Serve drinks.' };
    const edited = await nadia.api.jobs.update(good);
    expect(edited).toMatchObject({ status: 'in_review', description: 'Serve drinks.' });
    const { review } = (await read()).facts;
    expect(review).toMatchObject({ description: 'Serve drinks.', at: before.at });
    const old = { jobId: job.id, version: before.version };
    expect(await failure(api.jobReviews.open(old))).toMatchObject({ code: 'job/stale' });
    expect(await failure(api.jobReviews.refuse({ ...old, ...words }))).toMatchObject({ code: 'job/stale' });
    expect(await api.jobReviews.open({ jobId: job.id, version: review.version })).toMatchObject({
      status: 'open',
    });
  });

  it('opens at once for a clean business, but not after a breach', async () => {
    const sides = { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) };
    for (let days = 2; days < 8; days += 2)
      await makeEndedWork(app.db, sides, businessId, addMs(app.clock.now(), days * 86_400_000));
    const { rows } = await app.pool.query(
      `update engagements set status = 'completed' where business_id = $1 returning id`,
      [businessId],
    );
    expect(rows).toHaveLength(3);
    expect((await publish({ description: bad })).status).toBe('open');
    const target = { kind: 'business', id: businessId } as const;
    const { id: sanctionId } = await first.api.sanctions.impose({ ...words, measure: 'warning', target });
    expect((await publish({ description: bad })).status).toBe('in_review');
    await first.api.sanctions.lift({ sanctionId, reason: 'It was another business.' });
    expect((await publish({ description: bad })).status).toBe('open');
  });
});

describe('jobReviews.open', () => {
  it('shows the job with its full lifetime, and notifies its recruiters, once', async () => {
    const jobId = await held();
    app.clock.forward({ hours: 5 });
    expect(await first.api.jobReviews.open({ jobId })).toEqual({ jobId, status: 'open' });
    expect(await first.api.jobReviews.open({ jobId })).toEqual({ jobId, status: 'open' });
    expect(await leila.api.jobs.get({ jobId })).toMatchObject({
      status: 'open',
      publishedAt: app.clock.now().toISOString(),
    });
    expect(await noticesOf(nadia, 'job-review-passed')).toHaveLength(1);
    expect(await queue(first)).not.toContain(jobId);
  });

  it('leaves an instant hire paused until its spots are paid, and an expired one expired', async () => {
    const soon = await held();
    app.clock.forward({ days: 20 });
    expect(await first.api.jobReviews.open({ jobId: soon })).toMatchObject({ status: 'expired' });
    const draft = { ...jobInput(app.clock), description: bad, instantHire: true };
    const job = await publish(draft);
    expect(job.status).toBe('in_review');
    expect(await first.api.jobReviews.open({ jobId: job.id })).toMatchObject({ status: 'paused' });
    expect((await nadia.api.jobs.reopen({ jobId: job.id })).funded).toBe(true);
  });

  it('allows only operators outside the business, for an existing job', async () => {
    const jobId = await held();
    expect(await failure(nadia.api.jobReviews.open({ jobId }))).toMatchObject({ status: 403 });
    const insider = await app.person();
    await makeMember(app.db, app.clock, businessId, insider.accountId, 'finance');
    await makeOperator(app.db, app, insider);
    expect(await queue(app.working(insider))).not.toContain(jobId);
    const own = app.working(insider).api.jobReviews;
    expect(await failure(own.open({ jobId }))).toMatchObject({ code: 'operator/own-record' });
    expect(await failure(own.refuse({ jobId, ...words }))).toMatchObject({ code: 'operator/own-record' });
    const none = '019aa000-0000-7000-8000-000000000001';
    expect(await failure(first.api.jobReviews.open({ jobId: none }))).toMatchObject({
      code: 'job/not-found',
    });
    expect(await failure(first.api.jobReviews.open({ jobId: 'x' }))).toMatchObject({ status: 400 });
  });
});

describe('jobReviews.refuse', () => {
  it('sends the reasons; a successful appeal opens the job', async () => {
    const jobId = await held();
    const made = await first.api.jobReviews.refuse({ jobId, ...words });
    expect(made).toMatchObject({ measure: 'refused', source: 'screening', target: { id: jobId }, ...words });
    expect(await first.api.jobReviews.refuse({ jobId, ...words })).toEqual(made);
    expect(await statusOf(jobId)).toBe('rejected');
    expect(await failure(first.api.jobReviews.open({ jobId }))).toMatchObject({
      status: 409,
      code: 'job-review/decided',
    });
    expect(await noticesOf(nadia, 'sanction-imposed')).toMatchObject([
      { data: { variant: 'refused', reason: words.facts } },
    ]);
    const { appeal } = await nadia.api.appeals.create({ sanctionId: made.id, words: 'It is a mistake.' });
    const appealId = appeal?.id ?? '';
    await second.api.appeals.decide({ appealId, outcome: 'overturned', reason: 'You are right.' });
    expect(await statusOf(jobId)).toBe('open');
    expect(await leila.api.jobs.get({ jobId })).toMatchObject({ status: 'open' });
  });

  it('can be copied, and the copy is checked again', async () => {
    const jobId = await held();
    await first.api.jobReviews.refuse({ jobId, ...words });
    const copy = await nadia.api.jobs.duplicate({ jobId });
    const { startsAt, endsAt } = jobInput(app.clock);
    const fixed = { jobId: copy.id, version: copy.version, startsAt, endsAt };
    const saved = await nadia.api.jobs.update(fixed);
    expect((await nadia.api.jobs.publish({ jobId: copy.id })).status).toBe('in_review');
    expect(saved.status).toBe('draft');
  });

  it('rejects jobs no longer in review, and decisions without reasons', async () => {
    const jobId = await held();
    for (const wrong of [{ facts: ' ' }, { facts: 'x'.repeat(2_001) }, { rule: 'manners' as 'respect' }])
      expect(await failure(first.api.jobReviews.refuse({ jobId, ...words, ...wrong }))).toMatchObject({
        status: 400,
        code: 'request/invalid',
      });
    await nadia.api.jobs.close({ jobId });
    expect(await failure(first.api.jobReviews.refuse({ jobId, ...words }))).toMatchObject({
      status: 409,
      code: 'job-review/decided',
    });
  });
});
