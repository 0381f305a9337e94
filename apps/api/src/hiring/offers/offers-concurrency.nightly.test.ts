import { addMs, dayMs, hourMs } from '@nearhand/contract/durations';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, type Person, useTestApp } from '../../../test/harness.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeApplication } from '../applications/applications.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import { makeOffer } from './offers.fixtures.ts';

const app = useTestApp();
let owner: Person;
let businessId: string;
beforeAll(async () => {
  owner = await app.person();
  businessId = (await makeBusiness(app.db, app.scopeOf(owner))).id;
});
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    async (error) => (await failure(Promise.reject(error))).code as string,
  );

const movesAtFirst = 1;

describe('concurrent moves', () => {
  it("never deadlock and keep the job's counts right", { timeout: 60_000 }, async () => {
    const statuses = new Set<string>();
    for (let round = 0; round < 4; round += 1) {
      const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 6 });
      const offers = [];
      for (let index = 0; index < 6; index += 1) {
        const worker = await app.person();
        const { id } = await makeApplication(app.db, app.scopeOf(worker), job.id);
        offers.push({ worker, applicationId: id, offer: await makeOffer(app.db, app.scopeOf(owner), id) });
      }
      const late = await app.person();
      const lateApplication = await makeApplication(app.db, app.scopeOf(late), job.id);
      const calls = offers.flatMap(({ worker, applicationId, offer }) => {
        const offerRef = { offerId: offer.id, version: offer.version };
        return [
          worker.api.offers.accept(offerRef),
          worker.api.applications.withdraw({ applicationId }),
          worker.api.offers.decline(offerRef),
          owner.api.offers.withdraw(offerRef),
        ];
      });
      const outcomes = await Promise.all(
        [
          ...calls,
          owner.api.offers.make({ applicationId: lateApplication.id }),
          owner.api.jobs.update({ jobId: job.id, version: job.version, headCount: 7 }),
          ...(round % 2 === 0 ? [owner.api.jobs.close({ jobId: job.id })] : []),
        ].map(outcomeOf),
      );
      for (const outcome of outcomes) statuses.add(outcome);
      const { rows } = await app.pool.query(
        `select hired_count = (select count(*) from engagements where job_id = $1) as hires,
          offered_count = (select count(*) from offers where job_id = $1 and status in ('funding', 'sent')) as offers,
          not exists (select from offers join applications on applications.id = offers.application_id
            where offers.job_id = $1 and (offers.status = 'sent') <> (applications.status = 'offered')
              and offers.id = (select id from offers latest where latest.application_id = applications.id
                order by created_at desc, id desc limit 1)) as agree
         from jobs where id = $1`,
        [job.id],
      );
      expect(rows).toEqual([{ hires: true, offers: true, agree: true }]);
    }
    expect([...statuses].filter((code) => code.startsWith('request/'))).toEqual([]);
    const { rows } = await app.pool.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });

  it("don't deadlock with interviews of the same applications", async () => {
    const job = await makeJob(app.db, app.scopeOf(owner), businessId, { headCount: 20 });
    const applications = [];
    for (let index = 0; index < 16; index += 1)
      applications.push(await makeApplication(app.db, app.scopeOf(await app.person()), job.id));
    const slot = addMs(app.clock.now(), 30 * hourMs).toISOString();
    const outcomes = await Promise.all(
      applications.map(({ id: applicationId }) =>
        Promise.all(
          [
            owner.api.interviews.propose({ applicationId, mode: 'in_person', slots: [slot] }),
            owner.api.offers.make({ applicationId }),
            owner.api.applicants.shortlist({ applicationId }),
          ].map(outcomeOf),
        ),
      ),
    );
    const late = ['done', 'application/wrong-state'];
    for (const [proposed, offered, shortlisted] of outcomes) {
      expect(offered).toBe('done');
      expect(late).toContain(proposed);
      expect(late).toContain(shortlisted);
    }
    const { rows } = await app.pool.query(
      `select applications.id, applications.status,
         (select count(*)::int from interviews where application_id = applications.id) as interviews,
         (select count(*)::int from offers where application_id = applications.id and status = 'sent') as offers,
         (select count(*)::int from application_moves where application_id = applications.id) as moves
       from applications where job_id = $1`,
      [job.id],
    );
    const rowsById = new Map(rows.map(({ id, ...row }) => [id, row]));
    expect(applications.map(({ id }) => rowsById.get(id))).toEqual(
      outcomes.map((of) => ({
        status: 'offered',
        interviews: of[0] === 'done' ? 1 : 0,
        offers: 1,
        moves: movesAtFirst + of.filter((outcome) => outcome === 'done').length,
      })),
    );
    const counts = await app.pool.query('select offered_count from jobs where id = $1', [job.id]);
    expect(counts.rows).toEqual([{ offered_count: 16 }]);
  });
});

describe('concurrent moves of a series never deadlock', () => {
  async function series() {
    const nadia = await app.person();
    const business = await makeBusiness(app.db, app.scopeOf(nadia));
    const draft = await makeJob(app.db, app.scopeOf(nadia), business.id, { status: 'draft', headCount: 3 });
    const dayAfter = (days: number) =>
      new Date(Date.parse(draft.startsAt ?? '') + days * dayMs).toISOString().slice(0, 10);
    const { dates } = await nadia.api.jobs.publish({
      jobId: draft.id,
      alsoOn: [1, 2, 3, 4, 5].map(dayAfter),
    });
    return { nadia, businessId: business.id, jobIds: dates.map(({ jobId }) => jobId) };
  }
  async function applied(jobIds: readonly string[]) {
    const worker = await app.person();
    const [jobId = '', ...alsoFor] = jobIds;
    await worker.api.applications.submit({ jobId, alsoFor });
    const { items } = await worker.api.applications.mine({});
    return items.map(({ id }) => id).toSorted();
  }
  async function withoutDeadlock(calls: Promise<unknown>[], outcomes: readonly string[]) {
    for (const outcome of await Promise.all(calls.map(outcomeOf))) expect(outcomes).toContain(outcome);
    // A backend reports its statistics at most once a second.
    await app.pool.query('select pg_sleep(1.1)');
    const { rows } = await app.pool.query(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    expect(rows).toEqual([{ deadlocks: 0 }]);
  }

  it('an offer for all of its shifts, and one for each', async () => {
    const { nadia, jobIds } = await series();
    const [first = '', ...alsoFor] = await applied(jobIds);
    const others = await applied(jobIds);
    await withoutDeadlock(
      [
        nadia.api.offers.make({ applicationId: first, alsoFor }),
        ...others.map((applicationId) => nadia.api.offers.make({ applicationId })),
      ],
      ['done'],
    );
  });

  it('an application from its last shift on, and the closing of the business', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { nadia, businessId, jobIds } = await series();
      const workers = await Promise.all([1, 2, 3].map(() => app.person()));
      const [jobId = '', ...alsoFor] = jobIds.toReversed();
      await withoutDeadlock(
        [
          ...workers.map((worker) => worker.api.applications.submit({ jobId, alsoFor })),
          nadia.api.businesses.close({ businessId, closeJobs: true }),
        ],
        ['done', 'job/not-open', 'job/not-found', 'business/has-money'],
      );
    }
  });

  it('two members who open different shifts of one worker', async () => {
    const { nadia, jobIds } = await series();
    const applicationIds = await applied(jobIds);
    await withoutDeadlock(
      applicationIds.map((applicationId) => nadia.api.applicants.view({ applicationId })),
      ['done'],
    );
    const { rows } = await app.pool.query(
      `select count(*)::int as moves, count(distinct application_id)::int as applications from application_moves
        where action = 'view' and application_id = any($1)`,
      [applicationIds],
    );
    expect(rows).toEqual([{ moves: 6, applications: 6 }]);
  });
});
