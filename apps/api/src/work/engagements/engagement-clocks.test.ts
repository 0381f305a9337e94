import { addMs, hourMs, minuteMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { tasks } from '../../app.ts';
import { makeApplication } from '../../hiring/applications/applications.fixtures.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeOffer } from '../../hiring/offers/offers.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { openPool } from '../../platform/db.ts';
import { leaseTimes } from '../../platform/tasks/task-leases.ts';
import { startRunner } from '../../platform/tasks/task-runner.ts';
import type { AnyTask } from '../../platform/tasks/tasks.ts';
import { evidenceAt, hireFor, makeEngagement } from './engagements.fixtures.ts';

const app = useTestApp({ APPLICATIONS_PER_DAY: '1000', DATABASE_POOL: '8' });
let owner: Person;
let worker: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
});
beforeEach(async () => {
  app.clock.set('2026-11-21T09:00:00Z');
  worker = await app.person({ name: 'Leila Haddad' });
});

const book = (startsAt: string, endsAt: string, breakMinutes = 0) =>
  makeEngagement(app.db, { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) }, businessId, {
    startsAt,
    endsAt,
    breakMinutes,
  });
/** Reads the table, because the tests' far future is past the life of a session. */
const noticesOf = async (person: Person, topic: string, id: string) =>
  app.db
    .selectFrom('notifications')
    .select('data')
    .where('accountId', '=', person.accountId)
    .where('topic', '=', topic)
    .where('path', 'like', `%${id}`)
    .execute();
const reminders = (id: string) => noticesOf(worker, 'engagement-confirm-asked', id);
const warnings = (id: string) => noticesOf(owner, 'engagement-not-confirmed', id);

describe('the clock of a booking', () => {
  it('asks twice by day, then offers the spot to others as a late cancellation', async () => {
    const { id, terms, jobId } = await book('2026-11-26T09:00:00Z', '2026-11-26T17:00:00Z');
    expect(terms.confirmBy).toBe('2026-11-25T17:00:00.000Z');
    const questions = [];
    for (const now of ['19:59:59', '20:00:00', '20:00:01']) {
      app.clock.set(`2026-11-24T${now}Z`);
      await app.runDue();
      questions.push((await reminders(id)).length);
    }
    for (const now of ['12:59:59', '13:00:00', '16:59:59']) {
      app.clock.set(`2026-11-25T${now}Z`);
      await app.runDue();
      questions.push((await reminders(id)).length);
    }
    expect(questions).toEqual([0, 1, 1, 1, 2, 2]);
    const [first] = await reminders(id);
    expect(first).toMatchObject({ data: { by: terms.confirmBy, variant: 'or-lost', side: 'worker' } });
    const get = () => worker.api.engagements.get({ engagementId: id });
    expect(await get()).toMatchObject({
      status: 'booked',
      next: { kind: 'confirm-by', at: terms.confirmBy },
    });
    app.clock.set('2026-11-25T17:00:00Z');
    await app.runDue();
    await app.runDue();
    const lapsed = await get();
    expect(lapsed).toMatchObject({
      status: 'cancelled_by_worker',
      unconfirmed: true,
      funding: 'not_funded',
      cancelled: { late: true, compensationMinor: 0, reason: '' },
      actions: [],
    });
    expect(lapsed.steps.at(-1)).toMatchObject({ action: 'lapse', by: 'timer' });
    expect(await warnings(id)).toMatchObject([{ data: { variant: 'lost', side: 'business' } }]);
    expect(await noticesOf(worker, 'engagement-not-confirmed', id)).toHaveLength(1);
    const job = await app.db.selectFrom('jobs').selectAll().where('id', '=', jobId).executeTakeFirstOrThrow();
    expect(job).toMatchObject({ status: 'open', hiredCount: 0 });
    const late = await owner.api.reliability.ofWorker({ workerId: worker.accountId });
    expect(late).toMatchObject({ lateCancellations: 1 });
  });

  it('offers the spot to the waitlist first, otherwise invites colleagues who are free', async () => {
    const colleague = await app.person();
    const colleagueWork = await makeEngagement(
      app.db,
      { worker: app.scopeOf(colleague), recruiter: app.scopeOf(owner) },
      businessId,
      { startsAt: '2026-11-21T10:00:00Z', endsAt: '2026-11-21T12:00:00Z', breakMinutes: 0 },
    );
    await app.db
      .updateTable('engagements')
      .set({ status: 'completed' })
      .where('id', '=', colleagueWork.id)
      .execute();
    const waits = await app.person();
    const scopes = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const hours = { startsAt: '2026-11-26T06:00:00Z', endsAt: '2026-11-26T08:00:00Z', headCount: 1 };
    const { id: jobId } = await makeJob(app.db, scopes.recruiter, businessId, hours);
    const application = await makeApplication(app.db, app.scopeOf(waits), jobId);
    await hireFor(app.db, scopes, jobId);
    const otherWork = await book('2026-11-26T09:00:00Z', '2026-11-26T11:00:00Z');
    await app.runDue();
    app.clock.forward({ hours: 1 });
    await app.runDue();
    await waits.api.waitlist.join({ applicationId: application.id });
    for (const now of ['24T20:00', '25T13:00', '25T17:00']) {
      app.clock.set(`2026-11-${now}:00Z`);
      await app.runDue();
    }
    expect(await waits.api.offers.mine({ group: 'live' })).toMatchObject({ items: [{ jobId }] });
    const invitedTo = async () =>
      (await app.db.selectFrom('job_invitations').select(['jobId', 'workerId']).execute())
        .filter(({ workerId }) => workerId === colleague.accountId)
        .map((invitation) => invitation.jobId);
    expect(await invitedTo()).toEqual([otherWork.jobId]);
    // Nobody on the waitlist takes it, so that colleagues are invited after all.
    const [offer] = (await waits.api.offers.mine({ group: 'live' })).items;
    await waits.api.offers.decline({ offerId: offer?.id ?? '', version: offer?.version ?? 0 });
    app.clock.forward({ minutes: 30 });
    await app.runDue();
    app.clock.forward({ minutes: 30 });
    await app.runDue();
    expect((await invitedTo()).toSorted()).toEqual([jobId, otherWork.jobId].toSorted());
  });

  it("keeps the booking if a question wasn't sent, or the terms have no deadline", async () => {
    const missed = await book('2026-11-26T09:00:00Z', '2026-11-26T17:00:00Z');
    const old = await book('2026-11-27T09:00:00Z', '2026-11-27T17:00:00Z');
    await sql`update engagements set terms = terms - 'confirmBy' where id = ${old.id}`.execute(app.db);
    for (const now of ['25T14:00', '25T20:00', '26T13:00', '26T17:00']) {
      app.clock.set(`2026-11-${now}:00Z`);
      await app.runDue();
    }
    for (const { id } of [missed, old]) {
      expect(await worker.api.engagements.get({ engagementId: id })).toMatchObject({ status: 'booked' });
      expect(await warnings(id)).toHaveLength(1);
    }
    expect([await reminders(missed.id), await reminders(old.id)].map((list) => list.length)).toEqual([1, 2]);
  });

  it('skips questions and deadline for someone hired too late to be asked twice', async () => {
    const { id, next, terms } = await book('2026-11-22T20:00:00Z', '2026-11-22T23:00:00Z');
    expect(terms.confirmBy).toBeNull();
    expect(next).toMatchObject({ kind: 'auto-submit', at: '2026-11-23T11:00:00.000Z' });
    app.clock.set('2026-11-22T19:59:00Z');
    await app.runDue();
    expect([await reminders(id), await warnings(id)]).toEqual([[], []]);
  });

  it('ends in the morning instead of the night, for both sides', async () => {
    const { id } = await book('2026-11-26T18:30:00Z', '2026-11-26T22:30:00Z');
    const next = { kind: 'confirm-by', at: '2026-11-26T07:00:00.000Z' };
    for (const now of ['24T20:00', '25T20:00', '26T06:59']) {
      app.clock.set(`2026-11-${now}:00Z`);
      await app.runDue();
    }
    for (const { api } of [worker, owner])
      expect(await api.engagements.get({ engagementId: id })).toMatchObject({ status: 'booked', next });
    app.clock.set('2026-11-26T07:00:00Z');
    await app.runDue();
    expect((await worker.api.engagements.get({ engagementId: id })).status).toBe('cancelled_by_worker');
  });

  it('drops the deadline of an offer that is accepted too late to be asked twice', async () => {
    app.clock.set('2026-11-24T19:00:00Z');
    const scopes = { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) };
    const hours = { startsAt: '2026-11-26T09:00:00Z', endsAt: '2026-11-26T17:00:00Z' };
    const { id: jobId } = await makeJob(app.db, scopes.recruiter, businessId, hours);
    const application = await makeApplication(app.db, scopes.worker, jobId);
    const offer = await makeOffer(app.db, scopes.recruiter, application.id);
    expect(offer.terms.confirmBy).toBe('2026-11-25T17:00:00.000Z');
    app.clock.set('2026-11-24T20:00:00Z');
    const { engagementId } = await worker.api.offers.accept({ offerId: offer.id, version: offer.version });
    const work = await worker.api.engagements.get({ engagementId: engagementId ?? '' });
    expect(work.terms.confirmBy).toBeNull();
  });

  it('notifies nobody twice when the clock is set back', async () => {
    const { id } = await book('2026-11-26T09:00:00Z', '2026-11-26T17:00:00Z');
    for (const now of ['24T20:00', '20T00:00', '24T20:00', '25T13:00', '24T20:00', '25T16:30']) {
      app.clock.set(`2026-11-${now}:00Z`);
      await app.runDue();
    }
    expect(await reminders(id)).toHaveLength(2);
    expect(await worker.api.engagements.get({ engagementId: id })).toMatchObject({ status: 'booked' });
  });

  it('is silent once the work has begun, after long downtime', async () => {
    const { id } = await book('2026-11-26T09:00:00Z', '2026-11-26T17:00:00Z');
    app.clock.set('2026-11-26T09:00:00Z');
    await app.runDue();
    expect([await reminders(id), await warnings(id)]).toEqual([[], []]);
  });

  it('runs once with two runners', async () => {
    // Far ahead of the database's clock, so that a rescheduled timer does not come due in this test.
    app.clock.set('2090-11-20T09:00:00Z');
    const works: string[] = [];
    for (let day = 1; day <= 12; day += 1) {
      const date = new Date(Date.UTC(2090, 11, day, 9));
      const ends = addMs(date, hourMs);
      works.push((await book(date.toISOString(), ends.toISOString())).id);
    }
    app.clock.set('2090-11-30T10:00:00Z');
    await app.pool.query(
      "update graphile_worker._private_jobs set run_at = now() - interval '1 second' where key like 'engagements.%'",
    );
    const scope = {
      ...app.scopeOf(owner),
      db: app.db,
      mailer: { send: async () => {} },
    };
    const runs = new Map<string, number>();
    const counted = tasks.map((task) => ({
      ...task,
      run: async (taskScope: typeof scope, payload: never) => {
        const { engagementId } = payload as { engagementId?: string };
        if (task.name === 'engagements.confirm-watch' && engagementId)
          runs.set(engagementId, (runs.get(engagementId) ?? 0) + 1);
        await task.run(taskScope, payload);
      },
    }));
    const { connectionString = '' } = app.pool.options;
    const pools = [1, 2].map(() => openPool(connectionString, 12, () => {}));
    const runners = await Promise.all(
      pools.map(({ pool }) => startRunner(pool, counted, scope, leaseTimes(15))),
    );
    try {
      await expect
        .poll(() => works.filter((id) => runs.has(id)).length, { timeout: 60_000 })
        .toBe(works.length);
    } finally {
      await Promise.all(runners.map((runner) => runner.stop()));
      await Promise.all(pools.map(({ close }) => close()));
    }
    expect([...new Set(works.map((id) => runs.get(id)))]).toEqual([1]);
    const [first = '', second = ''] = works;
    expect([await reminders(first), await warnings(first)].map((list) => list.length)).toEqual([1, 0]);
    expect([await reminders(second), await warnings(second)].map((list) => list.length)).toEqual([0, 0]);
    const waiting = await app.pool.query(
      'select count(*)::int as count from graphile_worker.jobs where key = any($1)',
      [works.map((id) => `engagements.confirm-watch/${id}`)],
    );
    expect(waiting.rows[0].count).toBe(12);
  }, 90_000);

  it('processes the same timer twice concurrently', async () => {
    const { id } = await book('2026-11-26T09:00:00Z', '2026-11-26T17:00:00Z');
    app.clock.set('2026-11-25T22:00:00Z');
    const scope = { ...app.scopeOf(owner), db: app.db, mailer: { send: async () => {} } };
    const watch: AnyTask | undefined = tasks.find(({ name }) => name === 'engagements.confirm-watch');
    await Promise.all([1, 2, 3].map(() => watch?.run(scope, { engagementId: id })));
    await watch?.run(scope, { engagementId: crypto.randomUUID() });
    expect(await warnings(id)).toHaveLength(1);
  });
});

describe('a night when the clocks change', () => {
  it('pays elapsed minutes: seven hours from 22:00 to 06:00 in Amsterdam on 27 March 2027', async () => {
    app.clock.set('2027-03-20T12:00:00Z');
    const work = await book('2027-03-27T21:00:00Z', '2027-03-28T04:00:00Z', 30);
    const { startsAt, endsAt, timeZone, paidMinutes, payTotalMinor } = work.terms;
    const local = (instant: string | null) =>
      new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
        new Date(instant ?? ''),
      );
    expect([local(startsAt), local(endsAt)]).toEqual(['27/03/2027, 22:00', '28/03/2027, 06:00']);
    expect([paidMinutes, payTotalMinor]).toEqual([390, 11_375]);
    expect(work.next).toMatchObject({ kind: 'confirm', at: '2027-03-26T09:00:00.000Z' });
    app.clock.set('2027-03-27T21:07:00Z');
    const here = await worker.api.attendance.checkIn(evidenceAt(work, app.clock.now()));
    expect(here.lateMinutes).toBe(7);
    // Local time jumped from 02:00 to 03:00, and the device's offset shows it.
    app.clock.set('2027-03-28T04:00:00Z');
    const gone = await worker.api.attendance.checkOut({
      ...evidenceAt(work, app.clock.now()),
      at: '2027-03-28T06:00:00+02:00',
      sentAt: '2027-03-28T06:00:00+02:00',
    });
    expect(gone).toMatchObject({ checkedOutAt: '2027-03-28T04:00:00.000Z', attendance: [{}, { flags: [] }] });
    const minutes = (Date.parse(gone.checkedOutAt ?? '') - Date.parse(gone.checkedInAt ?? '')) / minuteMs;
    expect(minutes).toBe(413);
    app.clock.set('2027-03-28T16:00:00Z');
    await app.runDue();
    const submitted = await worker.api.engagements.get({ engagementId: work.id });
    expect(submitted).toMatchObject({ status: 'submitted', claims: [{ by: 'timer' }] });
    expect(submitted.amountMinor).toBe(submitted.claims[0]?.amountMinor);
  });

  it('pays nine hours from 22:00 to 06:00 on 24 October 2026, and extends a task’s due date an hour', async () => {
    app.clock.set('2026-10-10T12:00:00Z');
    const work = await book('2026-10-24T20:00:00Z', '2026-10-25T05:00:00Z');
    expect(work.terms.paidMinutes).toBe(540);
    const task = await makeEngagement(
      app.db,
      { worker: app.scopeOf(worker), recruiter: app.scopeOf(owner) },
      businessId,
      { kind: 'task', dueOn: '2026-10-25' },
    );
    const row = await app.db
      .selectFrom('engagements')
      .select('workEndsAt')
      .where('id', '=', task.id)
      .executeTakeFirstOrThrow();
    expect(row.workEndsAt).toEqual(new Date('2026-10-25T23:00:00Z'));
  });
});
