import { addMs, dayMs, hourMs, subtractMs } from '@nearhand/contract/durations';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { clearing, line, makeBalance } from '../../money/ledger/ledger.fixtures.ts';
import { balanceOf, postEntry } from '../../money/ledger/ledger.ts';
import { makeBusiness, makeMember } from '../../people/businesses/businesses.fixtures.ts';
import { makeSanction } from '../../trust/sanctions/sanctions.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { lockJob } from '../jobs/job-transitions.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { hire, makeOffer } from '../offers/offers.fixtures.ts';
import { freeHiredSpot } from '../spots/spots.ts';
import { offerToWaitlist } from './waitlist.ts';

const app = useTestApp();
let owner: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person({ name: 'Ingrid Solheim' });
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
});

async function applied(job: Job) {
  const worker = await app.person();
  return { worker, id: (await makeApplication(app.db, app.scopeOf(worker), job.id)).id };
}
type Applied = Awaited<ReturnType<typeof applied>>;
const statusOf = async ({ worker, id }: Applied) =>
  (await worker.api.applications.get({ applicationId: id })).status;
const hireOne = ({ worker, id }: Applied) =>
  hire(app.db, { recruiter: app.scopeOf(owner), worker: app.scopeOf(worker) }, id);
const waiting = async () => {
  for (;;) {
    const { rows } = await app.pool.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const spotsOf = (jobId: string) =>
  app.db
    .selectFrom('jobs')
    .select(['status', 'hiredCount', 'offeredCount'])
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();

async function full(hours: { startsAt?: string; endsAt?: string } = {}) {
  const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 1, ...hours });
  const hired = await applied(job);
  const second = await applied(job);
  const first = await applied(job);
  app.clock.forward({ seconds: 1 });
  await hireOne(hired);
  await app.runDue();
  for (const { worker, id } of [first, second]) {
    await worker.api.waitlist.join({ applicationId: id });
    app.clock.forward({ seconds: 1 });
  }
  return { job, hired, first, second };
}
const freeSpot = (jobId: string) =>
  app.db.transaction().execute(async (tx) => {
    const scope = app.scopeOf(owner);
    await lockJob(tx, jobId);
    await freeHiredSpot(tx, scope, jobId);
    await offerToWaitlist(tx, scope, jobId);
  });

describe('a freed spot', () => {
  it('reopens the job and goes to the waitlist in order, each time the previous one declines', async () => {
    const { job, first, second } = await full();
    await freeSpot(job.id);
    app.clock.forward({ seconds: 1 });
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 1 });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['offered', 'position_filled']);
    const [offer] = (await first.worker.api.offers.mine({})).items;
    expect(offer).toMatchObject({ source: 'waitlist', status: 'sent', steps: [{ by: 'timer' }] });
    await first.worker.api.offers.decline({ offerId: offer?.id ?? '', version: 1 });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['offer_declined', 'offered']);
    const [next] = (await second.worker.api.offers.mine({})).items;
    await second.worker.api.offers.accept({ offerId: next?.id ?? '', version: 1 });
    expect(await spotsOf(job.id)).toEqual({ status: 'filled', hiredCount: 1, offeredCount: 0 });
    const actions = await app.db
      .selectFrom('job_moves')
      .select('action')
      .where('jobId', '=', job.id)
      .orderBy('at')
      .orderBy('id')
      .execute();
    expect(actions.map(({ action }) => action)).toEqual(['publish', 'fill', 'free-spot', 'fill']);
  });

  it('goes to the next worker when an offer expires', async () => {
    const startsAt = addMs(app.clock.now(), 7 * dayMs);
    const { job, first, second } = await full({
      startsAt: startsAt.toISOString(),
      endsAt: addMs(startsAt, 8 * hourMs).toISOString(),
    });
    await freeSpot(job.id);
    const [offer] = (await first.worker.api.offers.mine({})).items;
    app.clock.set(offer?.expiresAt ?? '');
    await app.runDue();
    expect([await statusOf(first), await statusOf(second)]).toEqual(['offer_expired', 'offered']);
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 1 });
  });

  it('goes to the next worker when the application is withdrawn, and stays free after the last offer', async () => {
    const { job, first, second } = await full();
    await freeSpot(job.id);
    await first.worker.api.applications.withdraw({ applicationId: first.id });
    expect([await statusOf(first), await statusOf(second)]).toEqual(['withdrawn', 'offered']);
    expect((await first.worker.api.offers.mine({})).items[0]).toMatchObject({ status: 'declined' });
    const [next] = (await second.worker.api.offers.mine({})).items;
    await owner.api.offers.withdraw({ offerId: next?.id ?? '', version: 1 });
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 0 });
  });

  it('stays free with an empty waitlist, and is never offered after the work begins', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 1 });
    const application = await applied(job);
    await hireOne(application);
    await freeSpot(job.id);
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 0 });

    const begun = await full();
    const start = subtractMs(app.clock.now(), 1_000);
    await app.db
      .updateTable('jobs')
      .set({ startsAt: start, expiresAt: start })
      .where('id', '=', begun.job.id)
      .execute();
    await freeSpot(begun.job.id);
    expect(await spotsOf(begun.job.id)).toEqual({ status: 'filled', hiredCount: 0, offeredCount: 0 });
    expect(await statusOf(begun.first)).toBe('position_filled');
  });

  it('follows head count changes: more go to the waitlist, fewer fill the job', async () => {
    const { job, first, second } = await full();
    const edit = { jobId: job.id, version: job.version };
    await owner.api.jobs.update({ ...edit, headCount: 2 });
    expect(await statusOf(first)).toBe('offered');
    expect(await statusOf(second)).toBe('position_filled');
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 1, offeredCount: 1 });
    const [offer] = (await first.worker.api.offers.mine({})).items;
    await second.worker.api.waitlist.leave({ applicationId: second.id });
    await first.worker.api.offers.decline({ offerId: offer?.id ?? '', version: 1 });
    await owner.api.jobs.update({ ...edit, version: edit.version + 1, headCount: 1 });
    expect(await spotsOf(job.id)).toEqual({ status: 'filled', hiredCount: 1, offeredCount: 0 });
  });
});

describe('a freed spot whose money is spent concurrently', () => {
  it('sends no offer and leaves no trace of the attempt', async () => {
    const { job, first } = await full();
    const account = { kind: 'business_balance', ownerId: businessId } as const;
    const all = await balanceOf(app.db, account, 'EUR');
    let freed: Promise<void> | undefined;
    await app.db.transaction().execute(async (tx) => {
      await postEntry(tx, app.scopeOf(owner), {
        key: crypto.randomUUID(),
        kind: 'top_up',
        currency: 'EUR',
        about: null,
        lines: [line(account, -all), line(clearing, all)],
      });
      freed = freeSpot(job.id);
      await waiting();
    });
    await freed;
    const { rows } = await app.pool.query(
      `select (select count(*)::integer from offers where job_id = $1 and source = 'waitlist') as offers,
        (select count(*)::integer from holds where job_id = $1 and status = 'created') as holds`,
      [job.id],
    );
    expect(rows).toEqual([{ offers: 0, holds: 0 }]);
    expect(await statusOf(first)).toBe('position_filled');
    expect(await spotsOf(job.id)).toEqual({ status: 'open', hiredCount: 0, offeredCount: 0 });
    await makeBalance(app.db, app.scopeOf(owner), account, all);
  });
});

describe('closing a job', () => {
  it('withdraws its offers and keeps its hires', async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 3 });
    const hired = await applied(job);
    const offered = await applied(job);
    await hireOne(hired);
    const offer = await makeOffer(app.db, app.scopeOf(owner), offered.id);
    await owner.api.jobs.close({ jobId: job.id });
    expect(await offered.worker.api.offers.get({ offerId: offer.id })).toMatchObject({ status: 'withdrawn' });
    expect([await statusOf(hired), await statusOf(offered)]).toEqual(['hired', 'job_closed']);
    expect(await spotsOf(job.id)).toEqual({ status: 'closed', hiredCount: 1, offeredCount: 0 });
    await app.runDue();
  });
});

describe('a freed spot of a business in which everyone who may hire is suspended', () => {
  it('triggers no timed offers until someone can hire', async () => {
    const { job, first } = await full();
    const operator = await app.person();
    await makeSanction(app.db, app.scopeOf(operator), {
      target: { kind: 'account', id: owner.accountId },
      measure: 'suspension',
      scope: 'hiring',
    });
    const bookkeeper = await app.person();
    await makeMember(app.db, app.clock, businessId, bookkeeper.accountId, 'finance');
    await freeSpot(job.id);
    expect(await statusOf(first)).toBe('position_filled');
    const recruiter = await app.person();
    await makeMember(app.db, app.clock, businessId, recruiter.accountId, 'recruiter');
    await app.db.transaction().execute(async (tx) => offerToWaitlist(tx, app.scopeOf(owner), job.id));
    expect(await statusOf(first)).toBe('offered');
    await app.db.deleteFrom('sanctions').where('accountId', '=', owner.accountId).execute();
  });
});
