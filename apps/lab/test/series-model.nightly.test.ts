import { tasks } from '@nearhand/api/src/app.ts';
import { makeJob } from '@nearhand/api/src/hiring/jobs/jobs.fixtures.ts';
import { fundBusiness } from '@nearhand/api/src/money/wallet/wallet.fixtures.ts';
import { makeBranch } from '@nearhand/api/src/people/branches/branches.fixtures.ts';
import { makeBusiness, makeMember } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import { signAccessToken } from '@nearhand/api/src/people/sign-in/access-tokens.ts';
import { runDueTasks } from '@nearhand/api/src/platform/tasks/due-tasks.ts';
import { hireFor, makeEngagement } from '@nearhand/api/src/work/engagements/engagements.fixtures.ts';
import { type Person, useTestApp } from '@nearhand/api/test/harness.ts';
import { dayMs, hourMs } from '@nearhand/contract/durations';
import { describe, expect, it } from 'vitest';
import { type Picture, partialBlocks } from '../experiments/series-model/series-rules.ts';
import {
  type Cast,
  newTally,
  runSeries,
  type Stage,
  startOf,
} from '../experiments/series-model/series-run.ts';

const app = useTestApp({
  APPLICATIONS_PER_DAY: '10000',
  WRITES_PER_MINUTE: '1000000',
  READS_PER_MINUTE: '1000000',
});
const timers =
  /^(timesheets.auto-submit|(jobs|applications|offers|engagements|giveaways|holds|payments)\.(?!rank|tell|warn|remind))/;
const fundedMinor = 215_000;

/**
 * Makes colleagues, since only these can be asked to swap: a shift that all of them worked. Two of them are booked for
 * shifts of their own, which they can swap.
 */
async function makeColleagues(owner: Person, workers: readonly Person[], businessId: string): Promise<void> {
  const recruiter = app.scopeOf(owner);
  const now = app.clock.now().getTime();
  const shiftAt = (at: number, hours: number) => ({
    startsAt: new Date(at).toISOString(),
    endsAt: new Date(at + hours * hourMs).toISOString(),
    breakMinutes: 0,
  });
  const { id: jobId } = await makeJob(app.db, recruiter, businessId, {
    ...shiftAt(now + 2 * hourMs, 1),
    headCount: workers.length,
  });
  for (const worker of workers) await hireFor(app.db, { worker: app.scopeOf(worker), recruiter }, jobId);
  await app.pool.query(`update engagements set status = 'completed' where job_id = $1`, [jobId]);
  await app.pool.query(`update jobs set status = 'closed' where id = $1`, [jobId]);
  for (const [index, worker] of workers.slice(0, 2).entries())
    await makeEngagement(app.db, { worker: app.scopeOf(worker), recruiter }, businessId, {
      ...shiftAt(now + (5 + index) * dayMs, 3),
      headCount: 1,
    });
}

async function makeStage(start: string): Promise<{ stage: Stage; cast: Cast }> {
  await app.pool.query('delete from graphile_worker._private_jobs');
  app.clock.set(start);
  const owner = await app.person({ name: 'Nadia Brandt' });
  const recruiter = await app.person({ name: 'Joris Bakker' });
  const workers = await Promise.all(['Leila', 'Noor', 'Sam', 'Tom'].map((name) => app.person({ name })));
  const { db, pool, clock } = app;
  const { id: businessId } = await makeBusiness(db, app.scopeOf(owner), {
    lat: 52.37,
    lng: 4.9,
    funded: false,
  });
  await fundBusiness(db, app.scopeOf(owner), businessId, { amountMinor: fundedMinor });
  await makeMember(db, clock, businessId, recruiter.accountId, 'recruiter');
  const branchIds: string[] = [];
  for (const giveaways of ['approval', 'free'] as const) {
    const branch = await makeBranch(db, app.scopeOf(owner), businessId, { giveaways, name: giveaways });
    branchIds.push(branch.id);
  }
  const { id: poolId } = await owner.api.pools.create({ businessId, name: 'Regulars' });
  const workerIds = workers.map(({ accountId }) => accountId);
  await pool.query(
    `with saved as (insert into saved_workers (business_id, worker_id, saved_at)
      select $1, unnest($2::uuid[]), $4 returning worker_id)
     insert into pool_workers (pool_id, business_id, worker_id, added_at) select $3, $1, worker_id, $4 from saved`,
    [businessId, workerIds, poolId, clock.now()],
  );
  await makeColleagues(owner, workers, businessId);
  const people = new Map([owner, recruiter, ...workers].map((person) => [person.accountId, person]));
  let drafts = 0;
  const scope = { ...app.scopeOf(owner), db, config: app.config, fileStore: app.fileStore };
  return {
    stage: {
      pool,
      clock,
      send: async (accountId, method, url, body = {}) => {
        const token = await signAccessToken(app.secret, clock, people.get(accountId) as Person);
        const headers = { authorization: `Bearer ${token}`, 'idempotency-key': crypto.randomUUID() };
        const response = await app.raw({ method, url: `/api${url}`, headers, payload: body });
        const answer = response.body === '' ? {} : JSON.parse(response.body);
        return {
          code: response.statusCode < 300 ? null : (answer.code ?? String(response.statusCode)),
          body: answer,
        };
      },
      runTimers: () =>
        runDueTasks(
          pool,
          tasks.filter(({ name }) => timers.test(name)),
          {
            ...scope,
            mailer: { send: async () => {} },
          },
        ),
    },
    cast: {
      businessId,
      ownerId: owner.accountId,
      recruiterId: recruiter.accountId,
      workerIds,
      fundedMinor,
      makeDraft: async (shift) => {
        drafts += 1;
        const branchId = branchIds[drafts % 2] ?? null;
        return (
          await makeJob(db, app.scopeOf(owner), businessId, {
            status: 'draft',
            breakMinutes: 30,
            branchId,
            ...shift,
          })
        ).id;
      },
    },
  };
}

const seed = Number(process.env.SERIES_SEED ?? 1);

async function drive(runs: number, from = seed) {
  const tally = newTally();
  for (let run = 0; run < runs; run += 1) {
    const { stage, cast } = await makeStage(startOf(from + run));
    await runSeries(stage, cast, { seed: from + run, commands: 40, tally });
  }
  return tally;
}

const blockDate = (id: string) => ({ id, seriesId: 'week', asBlock: true, status: 'open', startsAt: 1 });
const pictureOf = (jobs: readonly ReturnType<typeof blockDate>[]) =>
  ({ jobs, works: [], offers: [], giveaways: [], applications: [] }) as unknown as Picture;

const trigger = (name: string, table: string, when: string, body: string) => `
  create function ${name}() returns trigger language plpgsql as $$ begin ${body} end $$;
  create trigger ${name} before ${when} on ${table} for each row execute function ${name}()`;

// SERIES_RUNS=5000 SERIES_SEED=7 run longer (docs/experiments.md).
describe('random commands on series, changes and giveaways', { timeout: 0 }, () => {
  it('keep the rules of product.md', async () => {
    const { runs, commands, answers, states } = await drive(Number(process.env.SERIES_RUNS ?? 20));
    const figures = JSON.stringify([runs, seed, [...commands], [...answers], [...states]]);
    process.stdout.write(`series-model: ${figures}\n`);
    expect([...states]).toEqual(
      expect.arrayContaining([
        'booked',
        'planned',
        'funded',
        'given_away',
        'giveaway done',
        'swap done',
        'open change',
        'block',
      ]),
    );
  });

  it('notice a block that is booked in part', () => {
    const before = pictureOf([blockDate('monday'), blockDate('tuesday')]);
    const work = { id: 'work', workerId: 'leila', jobId: 'monday', status: 'booked' };
    const partial = { ...before, works: [work] } as unknown as Picture;
    expect([...partialBlocks(before, partial, 0)]).toEqual(['leila week has a block without tuesday']);
    const whole = {
      ...before,
      works: [work, { ...work, id: 'other', jobId: 'tuesday' }],
    } as unknown as Picture;
    expect([...partialBlocks(before, whole, 0)]).toEqual([]);
  });

  it.each([
    [
      'a lost notice',
      trigger(
        'lose_notice',
        'notifications',
        'insert',
        "if new.topic = 'engagement-cancelled' then return null; end if; return new;",
      ),
      'drop function lose_notice cascade',
      /notices are \[\] instead/,
    ],
    [
      'spots that are not freed',
      trigger(
        'keep_spot',
        'jobs',
        'update',
        'new.hired_count := greatest(new.hired_count, old.hired_count); return new;',
      ),
      'drop function keep_spot cascade',
      /counts \d hired/,
    ],
    [
      'pay that is set aside too late',
      trigger(
        'delay_funding',
        'holds',
        'insert',
        "new.fund_at := new.fund_at + interval '6 days'; new.fund_by := new.fund_by + interval '6 days'; return new;",
      ),
      'drop function delay_funding cascade',
      /still planned after/,
    ],
    [
      'half a swap',
      trigger(
        'keep_swapped',
        'engagements',
        'update',
        `if new.status = 'given_away' and exists (select from giveaways where swap_engagement_id = new.id)
         then new.status := old.status; end if; return new;`,
      ),
      'drop function keep_swapped cascade',
      /counts \d hired|is not funded/,
    ],
    [
      'double bookings',
      'alter table engagements drop constraint engagements_no_overlap',
      'select',
      /overlap/,
    ],
  ])('break a rule after %s', async (_, damage, repair, rule) => {
    await app.pool.query(damage);
    try {
      await expect(drive(90)).rejects.toThrow(rule);
    } finally {
      await app.pool.query(repair);
    }
  });
});
