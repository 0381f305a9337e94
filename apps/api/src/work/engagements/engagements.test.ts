import { addMs, dayMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import type { JobDraft } from '@nearhand/contract/hiring/job-posting';
import type { Business } from '@nearhand/contract/people/businesses';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { fillProfile } from '../../people/profiles/profiles.fixtures.ts';
import { hireFor, makeEngagement } from './engagements.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000' });
const start = new Date('2026-11-21T09:00:00Z');
let owner: Person;
let recruiter: Person;
let finance: Person;
let stranger: Person;
let worker: Person;
let business: Business;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  business = await makeBusiness(app.db, app.scopeOf(owner), {
    name: 'Hotel Brouwers',
    privateAddress: true,
    phone: '+31201234567',
  });
  recruiter = await member('recruiter');
  finance = await member('finance');
  stranger = await app.person({ name: 'Nobody here' });
});
beforeEach(async () => {
  app.clock.set(start);
  worker = await app.person({ name: 'Leila Haddad' });
});

async function member(role: 'recruiter' | 'finance') {
  const person = await app.person({ name: `A ${role}` });
  await makeMember(app.db, app.clock, business.id, person.accountId, role);
  return person;
}
const sides = (person = worker) => ({
  worker: app.scopeOf(person),
  recruiter: app.scopeOf(recruiter),
});
const book = (options: Partial<JobDraft> = {}, person = worker) =>
  makeEngagement(app.db, sides(person), business.id, options);
const task = { kind: 'task' as const, title: 'Paint a wall', dueOn: '2026-11-30' };
const nextDay = (days: number): Partial<JobDraft> => ({
  startsAt: addMs(start, (2 + days) * dayMs).toISOString(),
  endsAt: addMs(start, (2 + days) * dayMs + 8 * hourMs).toISOString(),
});
const refOf = ({ id, version }: Engagement) => ({ engagementId: id, version });
const at = (instant: string | null, minutes = 0) =>
  app.clock.set(new Date(Date.parse(instant ?? '') + minutes * minuteMs));
const arrive = (work: Engagement, person = worker) =>
  person.api.attendance.checkIn({
    engagementId: work.id,
    at: app.clock.now().toISOString(),
    sentAt: app.clock.now().toISOString(),
    position: { ...work.terms.place, accuracyM: 8 },
  });
const noticesOf = async (person: Person, topic: string) =>
  (await person.api.notifications.list({ limit: 100 })).items.filter((notice) => notice.topic === topic);
const signalsTo = async (person: Person, topic: string, work: Engagement) =>
  (await noticesOf(person, topic)).filter(({ path }) => path.endsWith(work.id));
const spots = async (jobId: string) =>
  (await app.pool.query('select hired_count, offered_count, status from jobs where id = $1', [jobId]))
    .rows[0];

describe('engagements.get', () => {
  it('shows both sides the agreed terms, the exact place and whom to contact', async () => {
    await fillProfile(app.db, app.scopeOf(worker), { phone: '+31699999999' });
    const work = await book();
    const mine = await worker.api.engagements.get({ engagementId: work.id });
    expect(mine).toMatchObject({
      side: 'worker',
      status: 'booked',
      version: 1,
      funding: 'funded',
      business: { name: 'Hotel Brouwers', verified: true },
      worker: { id: worker.accountId, name: 'Leila Haddad' },
      terms: { place: { address: 'Lindengracht 12', lat: 52.3792, lng: 4.8831 }, payTotalMinor: 13_125 },
      amountMinor: 13_125,
      lateMinutes: null,
      next: { kind: 'confirm', at: '2026-11-21T20:00:00.000Z' },
      actions: ['confirm', 'cancel'],
      contact: { name: 'A recruiter', phone: '+31201234567' },
      cancelling: { late: false, compensationMinor: 0, freeUntil: null },
      cancelled: null,
      noShow: null,
      attendance: [],
      steps: [{ action: 'book', status: 'booked', by: 'worker', at: start.toISOString(), reason: null }],
    });
    for (const person of [owner, recruiter])
      expect(await person.api.engagements.get({ engagementId: work.id })).toMatchObject({
        side: 'business',
        actions: ['cancel'],
        contact: { name: 'Leila Haddad', phone: '+31699999999' },
      });
    expect(await finance.api.engagements.get({ engagementId: work.id })).toMatchObject({
      contact: null,
      side: 'business',
      actions: [],
      cancelling: null,
    });
  });

  it('hides the contact a day after the work', async () => {
    const work = await book();
    at(work.terms.endsAt, 24 * 60);
    expect((await worker.api.engagements.get({ engagementId: work.id })).contact).not.toBeNull();
    at(work.terms.endsAt, 24 * 60 + 1);
    expect((await worker.api.engagements.get({ engagementId: work.id })).contact).toBeNull();
    expect((await owner.api.engagements.get({ engagementId: work.id })).contact).toBeNull();
  });

  it('is for the two sides only', async () => {
    const work = await book();
    for (const engagementId of [work.id, crypto.randomUUID()])
      expect(await failure(stranger.api.engagements.get({ engagementId }))).toMatchObject({
        status: 404,
        code: 'engagement/not-found',
      });
    expect(await failure(worker.api.engagements.get({ engagementId: 'x' }))).toMatchObject({ status: 400 });
    expect(await failure(app.apiAs(null).engagements.get({ engagementId: work.id }))).toMatchObject({
      status: 401,
    });
  });
});

describe('booking', () => {
  it("refuses overlapping work, showing the worker's own booking", async () => {
    const first = await book();
    const { startsAt, endsAt, title } = first.terms;
    expect(await book({ ...shiftAfter(endsAt) })).toMatchObject({ status: 'booked' });
    const clash = await book({ title: 'Another' }).catch((error) => error);
    expect(clash).toMatchObject({ code: 'engagement/overlap', data: { startsAt, endsAt, title } });
    await worker.api.engagements.cancel({ ...refOf(first), reason: 'Ill' });
    expect(await book()).toMatchObject({ status: 'booked' });
  });

  it('books one of four that overlap, whatever runs concurrently', async () => {
    const jobs = await Promise.all(Array.from({ length: 4 }, () => jobOf({})));
    const results = await Promise.allSettled(jobs.map((jobId) => hireFor(app.db, sides(), jobId)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'engagement/overlap',
          data: { title: 'Barista for the weekend' },
        });
  });

  const shiftAfter = (endsAt: string | null) => ({
    startsAt: endsAt ?? '',
    endsAt: new Date(Date.parse(endsAt ?? '') + hourMs).toISOString(),
    breakMinutes: 0,
  });
  const jobOf = async (options: Partial<JobDraft>) => {
    return (await makeJob(app.db, app.scopeOf(owner), business.id, options)).id;
  };
});

describe('engagements.mine', () => {
  it('lists upcoming work soonest first and ended work latest first, in pages', async () => {
    const days = [3, 1, 2];
    const bookings: Engagement[] = [];
    for (const day of days)
      bookings.push(
        await book({
          startsAt: addMs(start, day * dayMs).toISOString(),
          endsAt: addMs(start, day * dayMs + hourMs).toISOString(),
          breakMinutes: 0,
        }),
      );
    const [third, first, second] = bookings;
    const pages = async (group: 'live' | 'ended') => {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await worker.api.engagements.mine({ group, limit: 2, cursor });
        ids.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return ids;
    };
    expect(await pages('live')).toEqual([first?.id, second?.id, third?.id]);
    for (const work of bookings)
      await worker.api.engagements.cancel({ ...refOf(work), reason: 'Moved away' });
    expect(await pages('live')).toEqual([]);
    expect(await pages('ended')).toEqual([third?.id, second?.id, first?.id]);
    expect((await stranger.api.engagements.mine({})).items).toEqual([]);
  });

  it('refuses nonsense', async () => {
    for (const input of [
      { cursor: 'x' },
      { limit: 0 },
      { limit: 1e9 },
      { group: 'all' },
      { cursor: 'WyJhIiwiYiJd' },
    ])
      expect(await failure(worker.api.engagements.mine(input as never))).toMatchObject({ status: 400 });
    expect(await failure(app.apiAs(null).engagements.mine({}))).toMatchObject({ status: 401 });
  });
});

describe('engagements.workingNow', () => {
  it('lists who is due, late or here in every business of the caller, but not of other branches', async () => {
    const manager = await app.person();
    const people = await Promise.all([app.person(), app.person(), app.person()]);
    const places = await Promise.all([
      makeBusiness(app.db, app.scopeOf(manager), { name: 'First place' }),
      makeBusiness(app.db, app.scopeOf(manager), { name: 'Second place' }),
    ]);
    const booked: Engagement[] = [];
    for (const [index, person] of people.entries())
      booked.push(
        await makeEngagement(
          app.db,
          { worker: app.scopeOf(person), recruiter: app.scopeOf(manager) },
          (places[index % 2] as Business).id,
        ),
      );
    const [first] = booked as [Engagement];
    const now = async (person: Person = manager) => {
      const { people: listed, more } = await person.api.engagements.workingNow({});
      expect(more).toBe(false);
      return listed.map(({ engagementId, status, business: place }) => [engagementId, status, place.name]);
    };
    at(first.terms.startsAt, -13 * 60);
    expect(await now()).toEqual([]);
    at(first.terms.startsAt, 1);
    await arrive(first, people[0]);
    expect((await now()).toSorted()).toEqual(
      booked
        .map(({ id }, index) => [
          id,
          index === 0 ? 'checked_in' : 'booked',
          index === 1 ? 'Second place' : 'First place',
        ])
        .toSorted(),
    );
    expect(await now(stranger)).toEqual([]);
    const lastsTwoDays = { endsAt: addMs(new Date(first.terms.startsAt ?? ''), 48 * hourMs) };
    await app.db.updateTable('engagements').set(lastsTwoDays).where('id', '=', first.id).execute();
    at(first.terms.startsAt, 59 * 60);
    expect(await now()).toEqual([[first.id, 'checked_in', 'First place']]);
    at(first.terms.startsAt, 1);
    // Someone limited to a branch sees no work without one, and finance sees none.
    for (const role of ['recruiter', 'finance'] as const) {
      const colleague = await app.person();
      await makeMember(app.db, app.clock, (places[0] as Business).id, colleague.accountId, role);
      expect(await now(colleague)).toHaveLength(role === 'recruiter' ? 2 : 0);
      if (role === 'finance') continue;
      await app.pool.query('update business_members set branch_ids = $2 where account_id = $1', [
        colleague.accountId,
        [crypto.randomUUID()],
      ]);
      expect(await now(colleague)).toEqual([]);
    }
    expect(await failure(app.apiAs(null).engagements.workingNow({}))).toMatchObject({ status: 401 });
  });
});

describe('engagements.forBusiness', () => {
  it('puts each engagement in one group, with counts, for one job or all', async () => {
    const home = await makeBusiness(app.db, app.scopeOf(owner), { name: 'One more' });
    const people = await Promise.all(Array.from({ length: 4 }, () => app.person()));
    const asOwner = (person: Person) => ({
      worker: app.scopeOf(person),
      recruiter: app.scopeOf(owner),
    });
    const [a, b, c, d] = (await Promise.all(
      people.map((person, index) =>
        makeEngagement(app.db, asOwner(person), home.id, index === 3 ? task : {}),
      ),
    )) as [Engagement, Engagement, Engagement, Engagement];
    const list = async (request: object = {}) =>
      owner.api.engagements.forBusiness({ businessId: home.id, ...request });
    expect((await list()).counts).toEqual({
      due: 4,
      late: 0,
      here: 0,
      to_approve: 0,
      unsettled: 0,
      no_show: 0,
      ended: 0,
    });
    at(a.terms.startsAt, 1);
    await arrive(a, people[0]);
    await owner.api.engagements.cancel({ ...refOf(c), reason: 'No guests' });
    const all = await list({ limit: 1 });
    expect(all.counts).toEqual({
      due: 1,
      late: 1,
      here: 1,
      to_approve: 0,
      unsettled: 0,
      no_show: 0,
      ended: 1,
    });
    expect(all.items).toHaveLength(1);
    expect(all.nextCursor).not.toBeNull();
    const ids = async (group: string) => (await list({ group })).items.map(({ id }) => id);
    expect([await ids('due'), await ids('late'), await ids('here'), await ids('ended')]).toEqual([
      [d.id],
      [b.id],
      [a.id],
      [c.id],
    ]);
    expect((await list({ jobId: a.jobId })).counts).toMatchObject({ here: 1, due: 0, late: 0 });
    // The task is due even after its date.
    app.clock.set('2026-12-02T09:00:00Z');
    expect([await ids('due'), (await list()).counts]).toMatchObject([[d.id], { due: 1, late: 1 }]);
    expect((await list({ jobId: crypto.randomUUID() })).items).toEqual([]);
  });

  it('is for members, and shows finance what to approve only', async () => {
    const list = (person: Person, businessId = business.id) =>
      person.api.engagements.forBusiness({ businessId });
    expect(await failure(list(stranger))).toMatchObject({ status: 404, code: 'business/not-found' });
    const { items } = await list(finance);
    expect(items.flatMap(({ actions }) => actions).every((action) => action === 'approve')).toBe(true);
    expect(await failure(list(owner, crypto.randomUUID()))).toMatchObject({ status: 404 });
    expect(
      await failure(owner.api.engagements.forBusiness({ businessId: business.id, cursor: '!' })),
    ).toMatchObject({ code: 'request/bad-cursor' });
    expect(await failure(app.apiAs(null).engagements.forBusiness({ businessId: business.id }))).toMatchObject(
      { status: 401 },
    );
  });
});

describe('engagements.confirm', () => {
  it('notifies the business once, also on a double click, and stops asking', async () => {
    const work = await book();
    const confirmed = await worker.api.engagements.confirm(refOf(work));
    expect(confirmed).toMatchObject({ status: 'confirmed', version: 2 });
    expect(confirmed.actions).not.toContain('confirm');
    expect(await worker.api.engagements.confirm(refOf(work))).toMatchObject({ version: 2 });
    expect(await signalsTo(owner, 'engagement-confirmed', work)).toHaveLength(1);
    at(work.terms.startsAt, -12 * 60);
    await app.runDue();
    expect(await signalsTo(worker, 'engagement-confirm-asked', work)).toEqual([]);
    expect(await signalsTo(owner, 'engagement-not-confirmed', work)).toEqual([]);
  });

  it('confirms the other shifts at the business with it, and notifies once', async () => {
    const first = await book();
    const second = await book(nextDay(1));
    const cancelled = await book(nextDay(2));
    const elsewhere = await makeEngagement(
      app.db,
      { worker: app.scopeOf(worker), recruiter: app.scopeOf(stranger) },
      (await makeBusiness(app.db, app.scopeOf(stranger))).id,
      nextDay(3),
    );
    await worker.api.engagements.cancel({ ...refOf(cancelled), reason: 'A wedding' });
    const together = (alsoFor: string[]) => worker.api.engagements.confirm({ ...refOf(first), alsoFor });
    for (const other of [elsewhere.id, crypto.randomUUID()])
      expect(await failure(together([second.id, other]))).toMatchObject({ code: 'engagement/not-found' });
    expect(await worker.api.engagements.get({ engagementId: second.id })).toMatchObject({ status: 'booked' });
    await together([second.id, second.id, cancelled.id]);
    await together([second.id]);
    const status = async ({ id }: Engagement) =>
      (await worker.api.engagements.get({ engagementId: id })).status;
    expect(await Promise.all([first, second, cancelled, elsewhere].map(status))).toEqual([
      'confirmed',
      'confirmed',
      'cancelled_by_worker',
      'booked',
    ]);
    expect(await signalsTo(owner, 'engagement-confirmed', first)).toMatchObject([{ data: { count: 2 } }]);
    expect(await signalsTo(owner, 'engagement-confirmed', second)).toEqual([]);
  });

  it('is for the worker, in time, on the newest version', async () => {
    const work = await book();
    await arriveRefused(work);
    expect(await failure(recruiter.api.engagements.confirm(refOf(work)))).toMatchObject({
      status: 403,
      code: 'engagement/not-allowed',
    });
    expect(await failure(finance.api.engagements.confirm(refOf(work)))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.engagements.confirm(refOf(work)))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).engagements.confirm(refOf(work)))).toMatchObject({ status: 401 });
    expect(
      await failure(worker.api.engagements.confirm({ engagementId: work.id, version: 9 })),
    ).toMatchObject({
      status: 409,
      code: 'engagement/stale',
      data: { status: 'booked', by: 'Leila Haddad' },
    });
    at(work.terms.startsAt);
    expect(await failure(worker.api.engagements.confirm(refOf(work)))).toMatchObject({
      code: 'engagement/wrong-state',
    });
    const painting = await book(task);
    expect(await failure(worker.api.engagements.confirm(refOf(painting)))).toMatchObject({ status: 409 });
  });
  const arriveRefused = async (work: Engagement) =>
    expect(await failure(arrive(work))).toMatchObject({ code: 'engagement/too-early' });
});

describe('engagements.start', () => {
  it('starts a task, once, and not a shift', async () => {
    const work = await book(task);
    expect(work).toMatchObject({ actions: ['start', 'deliver', 'cancel'], next: null });
    const begun = await worker.api.engagements.start(refOf(work));
    expect(begun).toMatchObject({ status: 'in_progress', version: 2 });
    expect(await worker.api.engagements.start(refOf(work))).toMatchObject({ version: 2 });
    const shift = await book();
    expect(await failure(worker.api.engagements.start(refOf(shift)))).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
    expect(await failure(recruiter.api.engagements.start(refOf(begun)))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.engagements.start(refOf(begun)))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).engagements.start(refOf(begun)))).toMatchObject({ status: 401 });
  });
});

describe('engagements.cancel', () => {
  it('in time costs nothing and frees the spot; the business sees the reason', async () => {
    const work = await book({ headCount: 1 });
    expect(await spots(work.jobId)).toMatchObject({ hired_count: 1, status: 'filled' });
    const device = app.apiAs(worker.token, { 'idempotency-key': 'cancel-0001' });
    const input = { ...refOf(work), reason: 'Ill \u{1F912} مريض' };
    const called = await device.engagements.cancel(input);
    expect(called).toMatchObject({
      status: 'cancelled_by_worker',
      amountMinor: 0,
      actions: [],
      contact: null,
      cancelled: { late: false, compensationMinor: 0, reason: 'Ill \u{1F912} مريض' },
      releases: [],
    });
    expect(await device.engagements.cancel(input)).toEqual(called);
    expect(await worker.api.engagements.cancel({ ...refOf(work), reason: 'Again' })).toEqual(called);
    expect(await spots(work.jobId)).toMatchObject({ hired_count: 0, status: 'open' });
    expect(await signalsTo(recruiter, 'engagement-cancelled', work)).toMatchObject([
      {
        data: {
          reason: 'Ill \u{1F912} مريض',
          workerName: 'Leila Haddad',
          side: 'business',
          variant: 'in-time',
        },
      },
    ]);
  });

  it('costs neither side anything for five minutes after the booking', async () => {
    const soon = {
      startsAt: addMs(start, 3 * hourMs).toISOString(),
      endsAt: addMs(start, 9 * hourMs).toISOString(),
    };
    const work = await book(soon);
    const freeUntil = addMs(app.clock.now(), 5 * minuteMs).toISOString();
    expect(work.cancelling).toEqual({ late: true, compensationMinor: 0, freeUntil, setAsideAgain: false });
    const cancelled = { late: false, compensationMinor: 0 };
    app.clock.forward({ minutes: 4 });
    const byBusiness = await recruiter.api.engagements.cancel({ ...refOf(work), reason: 'The wrong job' });
    expect(byBusiness).toMatchObject({ cancelled, releases: [] });
    const again = await book(soon);
    expect(await worker.api.engagements.cancel({ ...refOf(again), reason: 'The wrong day' })).toMatchObject({
      cancelled,
    });
    const third = await book(soon);
    app.clock.forward({ minutes: 5 });
    expect(await worker.api.engagements.cancel({ ...refOf(third), reason: 'Ill' })).toMatchObject({
      cancelled: { late: true },
    });
  });

  it('is refused if it costs more than the caller was shown', async () => {
    const work = await book({
      startsAt: addMs(start, 3 * hourMs).toISOString(),
      endsAt: addMs(start, 9 * hourMs).toISOString(),
    });
    const free = { ...refOf(work), reason: 'Closed', expects: { late: false, compensationMinor: 0 } };
    app.clock.forward({ minutes: 5 });
    const refused = await failure(recruiter.api.engagements.cancel(free));
    expect(refused).toMatchObject({ status: 409, code: 'engagement/costs-more', data: { late: true } });
    const { compensationMinor } = refused.data as { compensationMinor: number };
    expect(compensationMinor).toBeGreaterThan(0);
    expect(await failure(worker.api.engagements.cancel(free))).toMatchObject({
      data: { late: true, compensationMinor: 0 },
    });
    const short = { ...free, expects: { late: true, compensationMinor: compensationMinor - 1 } };
    expect(await failure(recruiter.api.engagements.cancel(short))).toMatchObject({
      code: 'engagement/costs-more',
    });
    expect(await spots(work.jobId)).toMatchObject({ hired_count: 1 });
    const agreed = { ...free, expects: { late: true, compensationMinor } };
    expect((await recruiter.api.engagements.cancel(agreed)).cancelled).toMatchObject(agreed.expects);
  });

  it('late by the business costs half of the pay, at most four hours, in whole cents', async () => {
    const work = await book({ payMinor: 1_751, title: 'Eight hours' });
    at(work.terms.startsAt, -24 * 60);
    expect((await recruiter.api.engagements.get({ engagementId: work.id })).cancelling).toEqual({
      late: false,
      compensationMinor: 0,
      freeUntil: null,
      setAsideAgain: false,
    });
    app.clock.forward({ seconds: 1 });
    expect((await worker.api.engagements.get({ engagementId: work.id })).cancelling).toEqual({
      late: true,
      compensationMinor: 0,
      freeUntil: null,
      setAsideAgain: false,
    });
    const called = await recruiter.api.engagements.cancel({ ...refOf(work), reason: 'No guests' });
    // Half of 7.5 paid hours at 17.51, which is less than four hours.
    expect(called).toMatchObject({
      status: 'cancelled_by_merchant',
      cancelled: { late: true, compensationMinor: 6_567 },
      amountMinor: 6_567,
      releases: [{ kind: 'compensation', amountMinor: 6_567, currency: 'EUR', state: 'released' }],
    });
    expect(await signalsTo(worker, 'engagement-cancelled', work)).toMatchObject([
      { data: { amountMinor: 6_567, currency: 'EUR', variant: 'late' } },
    ]);
    expect(await spots(work.jobId)).toMatchObject({ hired_count: 0 });
  });

  it('never costs more than four hours, and frees no spot after the start', async () => {
    const begin = addMs(start, 36 * hourMs);
    const work = await book({
      startsAt: begin.toISOString(),
      endsAt: addMs(begin, 12 * hourMs).toISOString(),
      breakMinutes: 0,
    });
    at(work.terms.startsAt, 5);
    expect(await failure(worker.api.engagements.cancel({ ...refOf(work), reason: 'Late' }))).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
    const called = await recruiter.api.engagements.cancel({ ...refOf(work), reason: 'Closed today' });
    expect(called.cancelled).toMatchObject({ late: true, compensationMinor: 4 * 1_750 });
    expect(await spots(work.jobId)).toMatchObject({ hired_count: 1 });
  });

  it('of a task is late once it was started', async () => {
    const work = await book(task);
    const begun = await worker.api.engagements.start(refOf(work));
    expect(
      (await recruiter.api.engagements.cancel({ ...refOf(begun), reason: 'Sold' })).cancelled,
    ).toMatchObject({
      late: true,
      compensationMinor: 6_000,
    });
  });

  it('tells the second of two what the first did', async () => {
    const work = await book();
    await recruiter.api.engagements.cancel({ ...refOf(work), reason: 'No guests' });
    // Colleagues see who cancelled; the worker sees only the business.
    for (const [person, by] of [
      [worker, 'Hotel Brouwers'],
      [owner, 'A recruiter'],
    ] as const)
      expect(await failure(person.api.engagements.cancel({ ...refOf(work), reason: 'x' }))).toMatchObject({
        status: 409,
        code: 'engagement/stale',
        data: { status: 'cancelled_by_merchant', by },
      });
  });

  it('is for the two sides, with a reason', async () => {
    const work = await book();
    const input = { ...refOf(work), reason: 'x' };
    expect(await failure(finance.api.engagements.cancel(input))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.engagements.cancel(input))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).engagements.cancel(input))).toMatchObject({ status: 401 });
    for (const wrong of [
      { reason: '' },
      { reason: 'a\u0000' },
      { reason: '\ud800' },
      { reason: 'x'.repeat(501) },
      { version: 1.5 },
      { version: 0 },
    ])
      expect(await failure(worker.api.engagements.cancel({ ...input, ...wrong }))).toMatchObject({
        status: 400,
      });
  });
});

describe('engagements.reportNoShow', () => {
  it('is possible from an hour after the start and frees the worker for other work', async () => {
    const work = await book();
    at(work.terms.startsAt, 59);
    expect(await failure(recruiter.api.engagements.reportNoShow(refOf(work)))).toMatchObject({
      status: 422,
      code: 'engagement/too-early',
    });
    app.clock.forward({ minutes: 1 });
    const view = await recruiter.api.engagements.get({ engagementId: work.id });
    expect(view.actions).toContain('report-no-show');
    const reported = await recruiter.api.engagements.reportNoShow(refOf(work));
    expect(reported).toMatchObject({
      status: 'no_show_reported',
      amountMinor: 0,
      noShow: { reportedAt: app.clock.now().toISOString(), contest: null },
      next: { kind: 'contest-over' },
    });
    expect(await recruiter.api.engagements.reportNoShow(refOf(work))).toEqual(reported);
    expect(await signalsTo(worker, 'engagement-no-show', work)).toMatchObject([
      { data: { by: reported.noShow?.contestBy, side: 'worker' } },
    ]);
    const { startsAt, endsAt } = work.terms;
    const later = new Date(Date.parse(startsAt ?? '') + 2 * hourMs).toISOString();
    expect(await book({ startsAt: later, endsAt: endsAt ?? '', breakMinutes: 0 })).toMatchObject({
      status: 'booked',
    });
    expect(await worker.api.engagements.contest({ ...refOf(reported), note: 'I was there' })).toMatchObject({
      status: 'contested',
    });
  });

  it('is refused for anyone who checked in, and to others', async () => {
    const work = await book();
    at(work.terms.startsAt);
    const here = await arrive(work);
    at(work.terms.startsAt, 61);
    expect(await failure(recruiter.api.engagements.reportNoShow(refOf(here)))).toMatchObject({
      status: 409,
      code: 'engagement/wrong-state',
    });
    expect(await failure(worker.api.engagements.reportNoShow(refOf(here)))).toMatchObject({ status: 403 });
    expect(await failure(finance.api.engagements.reportNoShow(refOf(here)))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.engagements.reportNoShow(refOf(here)))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).engagements.reportNoShow(refOf(here)))).toMatchObject({
      status: 401,
    });
  });

  it('is possible where only the timer submitted planned hours', async () => {
    const work = await book();
    at(work.terms.endsAt, 12 * 60);
    await app.runDue();
    const submitted = await recruiter.api.engagements.get({ engagementId: work.id });
    expect(submitted).toMatchObject({ status: 'submitted' });
    expect(submitted.actions).toContain('report-no-show');
    expect(await recruiter.api.engagements.reportNoShow(refOf(submitted))).toMatchObject({
      status: 'no_show_reported',
    });
  });
});

describe('engagements.contest', () => {
  it('is possible for a day, once, by the worker', async () => {
    const work = await book();
    at(work.terms.startsAt, 60);
    const reported = await recruiter.api.engagements.reportNoShow(refOf(work));
    app.clock.forward({ hours: 23, minutes: 59 });
    const input = { ...refOf(reported), note: 'I was at the back door' };
    expect(await failure(recruiter.api.engagements.contest(input))).toMatchObject({ status: 403 });
    expect(await failure(stranger.api.engagements.contest(input))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).engagements.contest(input))).toMatchObject({ status: 401 });
    expect(await failure(worker.api.engagements.contest({ ...input, note: '' }))).toMatchObject({
      status: 400,
    });
    const contested = await worker.api.engagements.contest(input);
    expect(contested).toMatchObject({ status: 'contested', noShow: { contest: 'I was at the back door' } });
    expect(await worker.api.engagements.contest(input)).toEqual(contested);
    expect(await signalsTo(recruiter, 'engagement-contested', work)).toHaveLength(1);
  });

  it('is refused after that', async () => {
    const work = await book();
    at(work.terms.startsAt, 60);
    const reported = await recruiter.api.engagements.reportNoShow(refOf(work));
    app.clock.forward({ hours: 24 });
    expect((await worker.api.engagements.get({ engagementId: work.id })).actions).toEqual([]);
    expect(await failure(worker.api.engagements.contest({ ...refOf(reported), note: 'x' }))).toMatchObject({
      status: 422,
      code: 'engagement/contest-over',
    });
    await app.runDue();
    expect(await worker.api.engagements.get({ engagementId: work.id })).toMatchObject({
      status: 'no_show_reported',
      next: null,
    });
  });
});
