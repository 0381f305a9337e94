import { addMs, dayMs, hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { byHand } from '../../../test/signal-watch.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { newId } from '../../platform/ids.ts';
import type { Applications, Engagements, Interviews } from '../../platform/tables.gen.ts';
import { makeEngagement } from '../../work/engagements/engagements.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { keptPercent, measureWorkers } from './reliability.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let businessId: string;
const daysAgo = (days: number) => subtractMs(app.clock.now(), days * dayMs);

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia Brandt' });
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila Haddad' });
  ({ id: businessId } = await makeBusiness(app.db, app.scopeOf(nadia)));
});

type Ending = {
  status: Engagements['status'];
  ago: number;
  late?: boolean;
  amount?: number;
  arrivedAfter?: number;
  contest?: string;
};
let week = 0;
async function worked({ status, ago, late = false, amount = 13_125, arrivedAfter = 0, contest }: Ending) {
  week += 1;
  const startsAt = addMs(app.clock.now(), week * dayMs);
  const { id } = await makeEngagement(
    app.db,
    { worker: app.scopeOf(leila), recruiter: app.scopeOf(nadia) },
    businessId,
    {
      startsAt: startsAt.toISOString(),
      endsAt: addMs(startsAt, 8 * hourMs).toISOString(),
    },
  );
  const then = daysAgo(ago);
  await app.db
    .updateTable('engagements')
    .set({
      status,
      approvedAt: status === 'completed' ? then : null,
      updatedAt: then,
      amountMinor: amount,
      cancelledLate: status.startsWith('cancelled') ? late : null,
      noShowAt: status === 'no_show_reported' || status === 'contested' ? then : null,
      contest: contest ?? null,
      checkedInAt: addMs(startsAt, arrivedAfter * minuteMs),
    })
    .where('id', '=', id)
    .execute();
  return id;
}
async function missedInterview(status: Interviews['status'], ago: number, contest: string | null = null) {
  const startsAt = addMs(app.clock.now(), 3 * dayMs + 12 * hourMs);
  const job = await makeJob(app.db, app.scopeOf(nadia), businessId, {
    startsAt: startsAt.toISOString(),
    endsAt: addMs(startsAt, 2 * hourMs).toISOString(),
  });
  const { id } = await makeApplication(app.db, app.scopeOf(leila), job.id);
  await app.db
    .insertInto('interviews')
    .values({
      id: newId(app.clock.now()),
      applicationId: id,
      jobId: job.id,
      businessId,
      workerId: leila.accountId,
      status,
      mode: 'phone',
      whereText: '+31 20 000 0000',
      minutes: 30,
      startsAt: daysAgo(ago),
      noShowAt: daysAgo(ago),
      contest,
      createdAt: daysAgo(ago),
      updatedAt: daysAgo(ago),
    })
    .execute();
}

describe('keptPercent', () => {
  it('rounds down, and returns null below three facts', () => {
    expect(keptPercent(2, 0)).toBeNull();
    expect(keptPercent(0, 3)).toBe(0);
    expect(keptPercent(2, 1)).toBe(66);
    expect(keptPercent(999, 1)).toBe(99);
    expect(keptPercent(3, 0)).toBe(100);
  });
});

describe('reliability.mine', () => {
  it('counts kept and broken commitments of the last year', async () => {
    await worked({ status: 'completed', ago: 3 });
    await worked({ status: 'completed', ago: 30, arrivedAfter: 6 });
    await worked({ status: 'completed', ago: 40, arrivedAfter: 5 });
    await worked({ status: 'cancelled_by_worker', ago: 50, late: true });
    await worked({ status: 'no_show_reported', ago: 60 });
    await missedInterview('no_show_worker', 5);
    expect(await leila.api.reliability.mine()).toEqual({
      percent: 50,
      kept: 3,
      lateCancellations: 1,
      noShows: 1,
      lateArrivals: 1,
      interviewsMissed: 1,
    });
  });

  it('ignores allowed, contested, undecided, old and zero-settled ones', async () => {
    await worked({ status: 'cancelled_by_worker', ago: 5 });
    await worked({ status: 'cancelled_by_merchant', ago: 5, late: true });
    await worked({ status: 'contested', ago: 5, contest: 'I was there.' });
    await worked({ status: 'no_show_reported', ago: 0.5 });
    await worked({ status: 'no_show_reported', ago: 366 });
    await worked({ status: 'completed', ago: 366 });
    await worked({ status: 'completed', ago: 5, amount: 0 });
    await missedInterview('no_show_worker', 5, 'The phone did not ring.');
    await missedInterview('no_show_business', 5);
    expect(await leila.api.reliability.mine()).toEqual({
      percent: null,
      kept: 0,
      lateCancellations: 0,
      noShows: 0,
      lateArrivals: 0,
      interviewsMissed: 0,
    });
  });

  it('requires a verified session', async () => {
    expect(await failure(app.apiAs(null).reliability.mine())).toMatchObject({ status: 401 });
    const unverified = await app.person({ verified: false });
    expect(await failure(unverified.api.reliability.mine())).toMatchObject({ status: 403 });
  });
});

describe('reliability.ofWorker', () => {
  it('allows only recruiters of a business that the worker applied to', async () => {
    const input = { workerId: leila.accountId };
    expect(await failure(nadia.api.reliability.ofWorker(input))).toMatchObject({
      status: 404,
      code: 'profile/not-found',
    });
    await worked({ status: 'completed', ago: 3 });
    expect(await nadia.api.reliability.ofWorker(input)).toMatchObject({ kept: 1, percent: null });
    const stranger = await app.person();
    expect(await failure(stranger.api.reliability.ofWorker(input))).toMatchObject({ status: 404 });
    expect(await failure(app.apiAs(null).reliability.ofWorker(input))).toMatchObject({ status: 401 });
    expect(await failure(nadia.api.reliability.ofWorker({ workerId: 'x' }))).toMatchObject({ status: 400 });
  });
});

describe('reliability.ofBusiness', () => {
  const decided = async (status: Applications['status'], ago = 5) => {
    const job = await makeJob(app.db, app.scopeOf(nadia), businessId);
    const { id } = await makeApplication(app.db, app.scopeOf(await app.person()), job.id);
    await app.db
      .updateTable('applications')
      .set({ status, submittedAt: daysAgo(ago) })
      .where('id', '=', id)
      .execute();
  };

  it('returns replies, approvals and disputes to anyone', async () => {
    for (const hours of [1, 10, 30]) {
      const id = await worked({ status: 'completed', ago: 10 });
      await app.db
        .insertInto('engagement_moves')
        .values({
          id: newId(app.clock.now()),
          engagementId: id,
          actor: leila.accountId,
          side: 'worker',
          action: 'submit-hours',
          toStatus: 'submitted',
          at: subtractMs(daysAgo(10), hours * hourMs),
        })
        .execute();
    }
    await worked({ status: 'cancelled_by_merchant', ago: 5, late: true });
    await worked({ status: 'cancelled_by_merchant', ago: 5 });
    await missedInterview('no_show_business', 5);
    for (const status of [
      'rejected',
      'no_response',
      'withdrawn',
      'position_filled',
      'job_closed',
      'viewed',
    ] as const)
      await decided(status);
    await decided('no_response', 400);
    const reliability = await app.apiAs(null).reliability.ofBusiness({ businessId });
    expect(reliability).toEqual({
      percent: 60,
      kept: 3,
      lateCancellations: 1,
      interviewsMissed: 1,
      answeredPercent: 85,
      approvalHours: 10,
      disputes: 0,
    });
  });

  const approved = (like: string, { count, ago, hours }: { count: number; ago: number; hours: number }) =>
    app.db.transaction().execute(async (tx) => {
      byHand(tx);
      const at = daysAgo(ago);
      await sql`create temporary table made on commit drop as
        select gen_random_uuid() as work, job_id, business_id, worker_id
        from engagements, generate_series(1, ${count}::integer) where id = ${like}`.execute(tx);
      await sql`insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
        select work, job_id, business_id, worker_id, 'withdrawn', ${at}, ${at}, ${at} from made`.execute(tx);
      await sql`insert into offers (id, application_id, job_id, business_id, worker_id, status, source, terms, funding, expires_at, created_at, updated_at)
        select work, work, job_id, business_id, worker_id, 'accepted', 'business', '{}', 'funded', ${at}, ${at}, ${at} from made`.execute(
        tx,
      );
      await sql`insert into engagements (id, offer_id, application_id, job_id, business_id, worker_id, kind, status, terms, funding, amount_minor,
          approved_at, created_at, updated_at)
        select work, work, work, job_id, business_id, worker_id, 'shift', 'completed', '{}', 'funded', 100, ${at}, ${at}, ${at} from made`.execute(
        tx,
      );
      await sql`insert into engagement_moves (id, engagement_id, actor, side, action, to_status, at)
        select work, work, worker_id::text, 'worker', 'submit-hours', 'submitted', ${at}::timestamptz - ${hours}::integer * interval '1 hour' from made`.execute(
        tx,
      );
    });

  it('computes approval hours from the newest 200', async () => {
    const id = await worked({ status: 'completed', ago: 10 });
    await approved(id, { count: 205, ago: 200, hours: 40 });
    await approved(id, { count: 200, ago: 20, hours: 4 });
    const reliability = await app.apiAs(null).reliability.ofBusiness({ businessId });
    expect(reliability).toMatchObject({ kept: 406, approvalHours: 4 });
  });

  it('returns no percentage from too few facts, and 404 for an unknown business', async () => {
    expect(await nadia.api.reliability.ofBusiness({ businessId })).toEqual({
      percent: null,
      kept: 0,
      lateCancellations: 0,
      interviewsMissed: 0,
      answeredPercent: null,
      approvalHours: null,
      disputes: 0,
    });
    expect(
      await failure(nadia.api.reliability.ofBusiness({ businessId: crypto.randomUUID() })),
    ).toMatchObject({ status: 404, code: 'business/not-found' });
    expect(await failure(nadia.api.reliability.ofBusiness({ businessId: '%00' }))).toMatchObject({
      status: 400,
    });
  });
});

describe('workerReliabilityOf', () => {
  it('computes a hundred in one query, including those who never worked', async () => {
    await worked({ status: 'completed', ago: 3 });
    const ids = [leila.accountId, ...Array.from({ length: 99 }, () => crypto.randomUUID())];
    const workerReliability = await measureWorkers(app.db, ids, app.clock.now(), app.config);
    expect(workerReliability.size).toBe(100);
    expect(workerReliability.get(leila.accountId)?.kept).toBe(1);
    expect(await measureWorkers(app.db, [], app.clock.now(), app.config)).toEqual(new Map());
  });
});
