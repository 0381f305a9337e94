import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { everyChangeIsEmitted } from '../../../test/signal-watch.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { fundBusiness } from '../../money/wallet/wallet.fixtures.ts';
import { makeBranch } from '../../people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { evidenceAt, hireFor, makeEngagement } from './engagements.fixtures.ts';

const app = useTestApp();
everyChangeIsEmitted(app);

let owner: Person;
let leila: Person;
let businessId: string;

/** Thursday 26 November 2026, 10:00 to 18:00 in Amsterdam; the clock is set to Saturday 21, 10:00. */
const planned = { startsAt: '2026-11-26T09:00:00.000Z', endsAt: '2026-11-26T17:00:00.000Z' };
const longer = { startsAt: '2026-11-26T08:00:00.000Z', endsAt: '2026-11-26T19:00:00.000Z' };
const shorter = { startsAt: '2026-11-26T10:00:00.000Z', endsAt: '2026-11-26T14:00:00.000Z' };

beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  owner = await app.person({ name: 'Nadia Brandt' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
  leila = await app.person({ name: 'Leila Haddad' });
});

const book = (worker = leila, change: Parameters<typeof makeEngagement>[3] = {}) =>
  makeEngagement(app.db, { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) }, businessId, {
    ...planned,
    breakMinutes: 0,
    headCount: 1,
    payMinor: 2_000,
    ...change,
  });
/** A series of shifts on Thursday, Friday and Saturday, all with Leila. */
async function bookSeries() {
  const draft = await makeJob(app.db, app.scopeOf(owner), businessId, {
    status: 'draft',
    ...planned,
    breakMinutes: 0,
    headCount: 1,
    payMinor: 2_000,
  });
  const { dates } = await owner.api.jobs.publish({ jobId: draft.id, alsoOn: ['2026-11-27', '2026-11-28'] });
  const works = [];
  for (const { jobId } of dates)
    works.push(await hireFor(app.db, { worker: app.scopeOf(leila), recruiter: app.scopeOf(owner) }, jobId));
  return { draft, works };
}
type Edit = Omit<Parameters<Person['api']['jobs']['update']>[0], 'jobId' | 'version'>;
async function edit(jobId: string, change: Edit) {
  const { version } = await owner.api.jobs.get({ jobId });
  return owner.api.jobs.update({ jobId, version, ...change });
}
const get = (engagementId: string, person = leila) => person.api.engagements.get({ engagementId });
async function answer(
  engagementId: string,
  answer: 'accept' | 'decline' | 'leave',
  { person = leila, together = false } = {},
) {
  const { change } = await get(engagementId, person);
  return person.api.engagements.answerChange({ engagementId, changeId: change?.id ?? '', answer, together });
}
/** The balance of the business and the contents and plans of its holds, in minor units. */
async function money() {
  const { rows } = await sql<{ balance: number; held: number; plan: number }>`
    select coalesce(sum(amount) filter (where account_id like 'business_balance:%'), 0)::int as balance,
      coalesce(sum(amount) filter (where account_id like 'hold:%'), 0)::int as held,
      (select coalesce(sum(pay_minor + fee_minor), 0)::int from holds where business_id = ${businessId} and status = 'held') as plan
    from ledger_postings where split_part(account_id, ':', 2) =
      any(array[${businessId}] || array(select id::text from holds where business_id = ${businessId}))`.execute(
    app.db,
  );
  return rows[0] ?? { balance: 0, held: 0, plan: 0 };
}
const topicsOf = async (person: Person) =>
  (await person.api.notifications.list({})).items
    .filter(({ topic }) => topic.startsWith('shift-change'))
    .map(({ topic, data }) => [topic, data.variant ?? data.count]);

describe('engagements.answerChange', () => {
  it('applies a longer shift once it is accepted, and sets the difference aside before', async () => {
    const { id, jobId } = await book();
    const before = await money();
    await edit(jobId, longer);
    expect(await topicsOf(leila)).toEqual([['shift-change-asked', 1]]);
    const [notice] = (await leila.api.notifications.list({})).items;
    expect(notice?.data).toMatchObject({
      ...planned,
      toStartsAt: longer.startsAt,
      toEndsAt: longer.endsAt,
      fromMinor: 16_000,
      toMinor: 22_000,
    });
    expect(notice?.data).not.toHaveProperty('toPlace');
    const engagement = await get(id);
    expect(engagement.terms).toMatchObject({ ...planned, holdMinor: 17_600 });
    expect(engagement.change).toMatchObject({
      status: 'open',
      before: { ...planned, workerGetsMinor: 16_000 },
      after: { ...longer, workerGetsMinor: 22_000, holdMinor: 24_200 },
      answerBy: '2026-11-22T09:00:00.000Z',
      answers: ['accept', 'decline', 'leave'],
    });
    const pending = await money();
    expect(pending).toEqual({ balance: before.balance - 6_600, held: 24_200, plan: 24_200 });
    const seen = await get(id, owner);
    expect(seen.change).toMatchObject({ before: planned, after: longer, answers: [] });
    const accepted = await answer(id, 'accept');
    expect(accepted).toMatchObject({ terms: longer, amountMinor: 22_000, change: { status: 'accepted' } });
    expect(await money()).toEqual(pending);
    expect(await topicsOf(owner)).toEqual([['shift-change-ended', 'accepted']]);
    const repeated = await leila.api.engagements.answerChange({
      engagementId: id,
      changeId: accepted.change?.id ?? '',
      answer: 'accept',
    });
    expect(repeated.version).toBe(accepted.version);
    expect(await failure(answer(id, 'leave'))).toMatchObject({ code: 'engagement/wrong-state' });
  });

  it('moves the hold down only when a shorter or cheaper shift is accepted', async () => {
    const { id, jobId } = await book();
    const before = await money();
    await edit(jobId, { ...shorter, payMinor: 1_900 });
    expect(await money()).toEqual(before);
    expect(await answer(id, 'accept')).toMatchObject({ terms: { payMinor: 1_900, holdMinor: 8_360 } });
    expect(await money()).toEqual({ balance: before.balance + 9_240, held: 8_360, plan: 8_360 });
  });

  it.each(['decline', 'silence'] as const)('keeps what was agreed after %s', async (how) => {
    const { id, jobId } = await book();
    const before = await money();
    await edit(jobId, longer);
    if (how === 'decline') await answer(id, 'decline');
    else {
      app.clock.set('2026-11-22T08:59:59Z');
      await app.runDue();
      expect((await get(id)).change?.status).toBe('open');
      app.clock.set('2026-11-22T09:00:00Z');
      await app.runDue();
      await app.runDue();
    }
    expect(await get(id)).toMatchObject({
      status: 'booked',
      terms: planned,
      change: { status: how === 'decline' ? 'declined' : 'expired', answers: [] },
    });
    expect(await money()).toEqual(before);
    const variant = how === 'decline' ? 'declined' : 'expired';
    expect(await topicsOf(owner)).toEqual([['shift-change-ended', variant]]);
    expect(await owner.api.jobs.get({ jobId })).toMatchObject(longer);
    expect(await failure(answer(id, 'accept'))).toMatchObject({ code: 'engagement/wrong-state' });
  });

  it('lets the worker leave without a mark, even shortly before the start', async () => {
    const { id, jobId } = await book();
    app.clock.set('2026-11-26T06:00:00Z');
    await edit(jobId, { ...shorter });
    expect((await get(id)).change?.answerBy).toBe(planned.startsAt);
    expect(await answer(id, 'leave')).toMatchObject({
      status: 'cancelled_by_worker',
      cancelled: { late: false, compensationMinor: 0 },
      change: { status: 'cancelled' },
    });
    expect(await money()).toMatchObject({ held: 0, plan: 0 });
    expect(await owner.api.jobs.get({ jobId })).toMatchObject({ status: 'open', spotsLeft: 1 });
  });

  it('raises pay at once, and takes a change back that is edited back', async () => {
    const { id, jobId } = await book();
    await edit(jobId, { ...longer, payMinor: 2_100 });
    const work = await get(id);
    expect(work).toMatchObject({
      terms: { ...planned, payMinor: 2_100, holdMinor: 18_480 },
      change: { before: { payMinor: 2_100 }, after: { ...longer, payMinor: 2_100 } },
    });
    await edit(jobId, planned);
    expect(await get(id)).toMatchObject({ change: { status: 'withdrawn' } });
    expect(await money()).toMatchObject({ held: 18_480, plan: 18_480 });
    expect(await topicsOf(leila)).toEqual([
      ['shift-change-ended', 'withdrawn'],
      ['shift-change-asked', 1],
    ]);
  });

  it('takes a change of place back that is edited back', async () => {
    const { id, jobId, terms } = await book();
    const place = { address: 'Quay 2', area: 'Noord', lat: 52.4, lng: 4.9, privateAddress: false };
    await edit(jobId, { place });
    expect((await get(id)).change?.status).toBe('open');
    await edit(jobId, { place: { ...terms.place, privateAddress: false } });
    expect((await get(id)).change?.status).toBe('withdrawn');
    expect(await topicsOf(leila)).toEqual([
      ['shift-change-ended', 'withdrawn'],
      ['shift-change-asked', 1],
    ]);
  });

  it('asks again whether the worker comes to a shift that moved', async () => {
    const { id, jobId } = await book();
    for (const now of ['24T20:00', '25T13:00']) {
      app.clock.set(`2026-11-${now}:00Z`);
      await app.runDue();
    }
    await edit(jobId, { startsAt: '2026-12-03T09:00:00.000Z', endsAt: '2026-12-03T17:00:00.000Z' });
    await answer(id, 'accept');
    for (const now of ['01T20:00', '02T13:00']) {
      app.clock.set(`2026-12-${now}:00Z`);
      await app.runDue();
    }
    const { rows } = await sql`select from notifications where topic = 'engagement-confirm-asked'
      and path like ${`%${id}`} and account_id = ${leila.accountId}`.execute(app.db);
    expect(rows).toHaveLength(4);
  });

  it('keeps the deadline to confirm when only the place changes', async () => {
    const { id, jobId, terms } = await book();
    app.clock.set('2026-11-24T20:00:00Z');
    await app.runDue();
    const place = { address: 'Quay 2', area: 'Noord', lat: 52.4, lng: 4.9, privateAddress: false };
    await edit(jobId, { place });
    expect(await answer(id, 'accept')).toMatchObject({ terms: { confirmBy: terms.confirmBy } });
    for (const now of ['13:00', '17:00']) {
      app.clock.set(`2026-11-25T${now}:00Z`);
      await app.runDue();
    }
    expect(await get(id)).toMatchObject({ status: 'cancelled_by_worker', unconfirmed: true });
  });

  it('moves consecutive days of a series to the next day and back, together', async () => {
    const { draft, works } = await bookSeries();
    const [first] = works;
    const nextDay = { startsAt: '2026-11-27T09:00:00.000Z', endsAt: '2026-11-27T17:00:00.000Z' };
    for (const [hours, days] of [
      [nextDay, [27, 28, 29]],
      [planned, [26, 27, 28]],
    ] as const) {
      await edit(draft.id, { ...hours, reach: 'all' });
      await answer(first?.id ?? '', 'accept', { together: true });
      const starts = await Promise.all(works.map(async ({ id }) => (await get(id)).terms.startsAt));
      expect(starts).toEqual(days.map((day) => `2026-11-${day}T09:00:00.000Z`));
    }
  });

  it('asks about another place, and about the latest edit only', async () => {
    const { id, jobId } = await book();
    await edit(jobId, longer);
    const first = (await get(id)).change?.id ?? '';
    const place = { address: 'Quay 2', area: 'Noord', lat: 52.4, lng: 4.9, privateAddress: false };
    await edit(jobId, { place });
    const { change } = await get(id);
    expect(change?.after).toMatchObject({ ...longer, place: { address: 'Quay 2' } });
    const old = { engagementId: id, changeId: first, answer: 'accept' } as const;
    expect(await failure(leila.api.engagements.answerChange(old))).toMatchObject({
      code: 'engagement/wrong-state',
    });
    expect(await answer(id, 'accept')).toMatchObject({ terms: { ...longer, place: { address: 'Quay 2' } } });
  });

  it('refuses a change that is not covered, or that overlaps with other work', async () => {
    const { id, jobId } = await book();
    await edit(jobId, { startsAt: longer.startsAt, endsAt: longer.endsAt });
    const evening = { startsAt: '2026-11-26T18:00:00.000Z', endsAt: '2026-11-26T21:00:00.000Z' };
    await book(leila, { ...evening, title: 'Night porter' });
    expect(await failure(answer(id, 'accept'))).toMatchObject({
      code: 'engagement/overlap',
      data: { title: 'Night porter', ...evening },
    });
    expect(await get(id)).toMatchObject({ terms: planned, change: { status: 'open' } });
    const { id: poorId } = await makeBusiness(app.db, app.scopeOf(owner), { funded: false });
    await fundBusiness(app.db, app.scopeOf(owner), poorId, { amountMinor: 17_600 });
    const sam = await app.person();
    const sides = { worker: app.scopeOf(sam), recruiter: app.scopeOf(owner) };
    const terms = { ...planned, breakMinutes: 0, headCount: 1, payMinor: 2_000 };
    const poor = await makeEngagement(app.db, sides, poorId, terms);
    expect(await failure(edit(poor.jobId, longer))).toMatchObject({
      code: 'payment/balance-short',
      data: { missingMinor: 6_600 },
    });
    expect((await get(poor.id, sam)).change).toBeNull();
  });

  it('answers all changes of an edit together, with one notice each way', async () => {
    const { draft, works } = await bookSeries();
    const [first] = works;
    await edit(draft.id, { ...longer, reach: 'all' });
    expect(await topicsOf(leila)).toEqual([['shift-change-asked', 3]]);
    const [notice] = (await leila.api.notifications.list({})).items;
    expect(notice?.data).toMatchObject({ fromMinor: 16_000, toMinor: 22_000 });
    expect(notice?.data).not.toHaveProperty('toStartsAt');
    expect((await get(first?.id ?? '')).change?.togetherCount).toBe(3);
    await answer(first?.id ?? '', 'accept', { together: true });
    const starts = await Promise.all(works.map(async ({ id }) => (await get(id)).terms.startsAt));
    expect(starts).toEqual([26, 27, 28].map((day) => `2026-11-${day}T08:00:00.000Z`));
    expect(await topicsOf(owner)).toEqual([['shift-change-ended', 'accepted']]);
    expect(await money()).toMatchObject({ held: 3 * 24_200, plan: 3 * 24_200 });
    await edit(draft.id, { ...shorter, reach: 'all' });
    await edit(draft.id, { ...longer, reach: 'all' });
    const [withdrawn] = (await leila.api.notifications.list({})).items;
    expect(withdrawn?.data).toMatchObject({ variant: 'withdrawn', count: 3 });
  });

  it('tells the business of each shift that is left', async () => {
    const { draft, works } = await bookSeries();
    await edit(draft.id, { ...longer, reach: 'all' });
    await answer(works[0]?.id ?? '', 'leave', { together: true });
    const { items } = await owner.api.notifications.list({});
    const left = items.filter(({ topic }) => topic === 'shift-change-ended');
    expect(left.map(({ data }) => data.startsAt).toSorted()).toEqual(
      [26, 27, 28].map((day) => `2026-11-${day}T09:00:00.000Z`),
    );
  });

  it('leaves out shifts whose time to answer is over, and waits until all have an answer', async () => {
    const { draft, works } = await bookSeries();
    const [first, second, third] = works.map(({ id }) => id);
    await edit(draft.id, { ...longer, reach: 'all' });
    const isWaiting = async () => (await leila.api.notifications.list({ waiting: 'true' })).items.length;
    await answer(first ?? '', 'decline');
    expect(await isWaiting()).toBe(1);
    await sql`update shift_changes set answer_by = ${app.clock.now()} where engagement_id = ${second}`.execute(
      app.db,
    );
    await answer(third ?? '', 'accept', { together: true });
    expect(await get(third ?? '')).toMatchObject({ change: { status: 'accepted' } });
    expect(await get(second ?? '')).toMatchObject({ terms: { startsAt: '2026-11-27T09:00:00.000Z' } });
  });

  it('expires when the worker checks in at the agreed time, and tells the business', async () => {
    const { id, jobId } = await book();
    app.clock.set('2026-11-26T06:00:00Z');
    await edit(jobId, shorter);
    app.clock.set('2026-11-26T08:30:00Z');
    await leila.api.attendance.checkIn(evidenceAt(await get(id), app.clock.now()));
    expect(await get(id)).toMatchObject({
      status: 'checked_in',
      terms: planned,
      change: { status: 'expired' },
    });
    expect(await topicsOf(owner)).toEqual([['shift-change-ended', 'expired']]);
  });

  it("counts against the other month's budget while it is open", async () => {
    const recruiter = await app.person({ name: 'Sam Okafor' });
    await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
    const works = [
      await book(),
      await book(leila, { startsAt: '2026-11-27T09:00:00.000Z', endsAt: '2026-11-27T17:00:00.000Z' }),
    ];
    const used = 17_600;
    const move = async (jobId: string, day: string) => {
      const { version } = await recruiter.api.jobs.get({ jobId });
      const hours = { startsAt: `${day}T09:00:00.000Z`, endsAt: `${day}T17:00:00.000Z` };
      return recruiter.api.jobs.update({ jobId, version, ...hours });
    };
    const [firstJobId, secondJobId] = works.map(({ jobId }) => jobId);
    await owner.api.budgets.set({ businessId, limitMinor: 2 * used - 1 });
    await move(firstJobId ?? '', '2026-12-03');
    await move(firstJobId ?? '', '2026-12-04');
    expect(await failure(move(secondJobId ?? '', '2026-12-03'))).toMatchObject({
      code: 'payment/over-budget',
      data: { period: 'month', from: '2026-12-01', overMinor: 1 },
    });
  });

  it('is for the worker only, before the start', async () => {
    const { id, jobId } = await book();
    await edit(jobId, longer);
    const changeId = (await get(id)).change?.id ?? '';
    const input = { engagementId: id, changeId, answer: 'accept' } as const;
    const stranger = await app.person();
    expect(await failure(owner.api.engagements.answerChange(input))).toMatchObject({
      code: 'engagement/not-allowed',
    });
    expect(await failure(stranger.api.engagements.answerChange(input))).toMatchObject({
      code: 'engagement/not-found',
    });
    expect(
      await failure(leila.api.engagements.answerChange({ ...input, changeId: crypto.randomUUID() })),
    ).toMatchObject({ code: 'engagement/not-found' });
    expect(
      await failure(leila.api.engagements.answerChange({ ...input, answer: 'maybe' as 'accept' })),
    ).toMatchObject({ code: 'request/invalid' });
    await leila.api.engagements.cancel({ engagementId: id, version: 1, reason: 'Ill' });
    expect((await get(id)).change?.status).toBe('withdrawn');
    expect(await failure(leila.api.engagements.answerChange(input))).toMatchObject({
      code: 'engagement/wrong-state',
    });
    expect(await money()).toMatchObject({ held: 0, plan: 0 });
  });

  it('passes to the taker of a shift that is given away, on the agreed terms', async () => {
    const branch = await makeBranch(app.db, app.scopeOf(owner), businessId);
    await owner.api.branches.update({ branchId: branch.id, version: branch.version, giveaways: 'free' });
    const noor = await app.person({ name: 'Noor Bakker' });
    const task = await makeJob(app.db, app.scopeOf(owner), businessId, { kind: 'task' });
    await makeApplication(app.db, app.scopeOf(noor), task.id);
    const pool = await owner.api.pools.create({ businessId, name: 'Regulars' });
    await owner.api.pools.add({ poolId: pool.id, workerIds: [noor.accountId] });
    const { id, jobId } = await book(leila, { branchId: branch.id });
    await edit(jobId, longer);
    const giveaway = await leila.api.giveaways.offer({ engagementId: id, audience: 'colleagues' });
    const { engagementId } = await noor.api.giveaways.take({ giveawayId: giveaway.id });
    const taken = await get(engagementId ?? '', noor);
    expect(taken).toMatchObject({ terms: planned, change: { status: 'open', after: longer } });
    const notices = (await noor.api.notifications.list({})).items;
    expect(notices.find(({ topic }) => topic === 'shift-change-asked')?.data).toMatchObject({
      toStartsAt: longer.startsAt,
      fromMinor: 16_000,
      toMinor: 22_000,
    });
    expect(await money()).toMatchObject({ held: 24_200, plan: 24_200 });
    await answer(taken.id, 'decline', { person: noor });
    expect(await money()).toMatchObject({ held: 17_600, plan: 17_600 });
  });

  it('ends a giveaway of the old terms when its giver accepts', async () => {
    const branch = await makeBranch(app.db, app.scopeOf(owner), businessId);
    const noor = await app.person({ name: 'Noor Bakker' });
    const task = await makeJob(app.db, app.scopeOf(owner), businessId, { kind: 'task' });
    await makeApplication(app.db, app.scopeOf(noor), task.id);
    const pool = await owner.api.pools.create({ businessId, name: 'Regulars' });
    await owner.api.pools.add({ poolId: pool.id, workerIds: [noor.accountId] });
    const { id, jobId } = await book(leila, { branchId: branch.id });
    const giveaway = await leila.api.giveaways.offer({ engagementId: id, audience: 'colleagues' });
    await noor.api.giveaways.take({ giveawayId: giveaway.id });
    await edit(jobId, longer);
    await answer(id, 'accept');
    const refused = owner.api.giveaways.approve({ giveawayId: giveaway.id, version: 2 });
    expect(await failure(refused)).toMatchObject({ code: 'giveaway/wrong-state' });
  });

  it.each([
    ['cancel', (id: string) => leila.api.engagements.cancel({ engagementId: id, version: 1, reason: 'Ill' })],
    ['another edit', async (_: string, jobId: string) => edit(jobId, shorter)],
    ['another answer', (id: string) => answer(id, 'leave')],
  ] as const)('has one outcome in a race with %s, and its money in one place', async (_, rival) => {
    const { id, jobId } = await book();
    await edit(jobId, longer);
    await Promise.allSettled([answer(id, 'accept'), rival(id, jobId)]);
    const work = await get(id);
    const { held, plan } = await money();
    expect(held).toBe(plan);
    const isOver = work.status === 'cancelled_by_worker';
    const open = work.change?.status === 'open' ? work.change.after.holdMinor : 0;
    expect(held).toBe(isOver ? 0 : Math.max(work.terms.holdMinor, open));
  });
});
