import { hourMs } from '@nearhand/contract/durations';
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
  businessId = (await makeBusiness(app.db, app.scopeOf(owner.accountId))).id;
});
const scopeOf = (person: Person) => app.scopeOf(person.accountId);
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
      const job = await makeJob(app.db, scopeOf(owner), businessId, { headCount: 6 });
      const offers = [];
      for (let index = 0; index < 6; index += 1) {
        const worker = await app.person();
        const { id } = await makeApplication(app.db, scopeOf(worker), job.id);
        offers.push({ worker, applicationId: id, offer: await makeOffer(app.db, scopeOf(owner), id) });
      }
      const late = await app.person();
      const lateApplication = await makeApplication(app.db, scopeOf(late), job.id);
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
    const job = await makeJob(app.db, scopeOf(owner), businessId, { headCount: 20 });
    const applications = [];
    for (let index = 0; index < 16; index += 1)
      applications.push(await makeApplication(app.db, scopeOf(await app.person()), job.id));
    const slot = new Date(app.clock.now().getTime() + 30 * hourMs).toISOString();
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
