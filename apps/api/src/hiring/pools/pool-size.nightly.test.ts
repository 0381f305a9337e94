import { minuteMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { pagesRead } from '../../../test/pages-read.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { makeJob } from '../jobs/jobs.fixtures.ts';
import {
  countPoolWorkers,
  findPools,
  findPoolWorkers,
  findSavedTags,
  findSavedWorkers,
  type PoolRow,
} from './pools.ts';

const app = useTestApp();
const saved = hiringLimits.poolsMax * hiringLimits.poolWorkersMax;
let owner: Person;
let business: Business;
let pool: PoolRow;

beforeAll(async () => {
  owner = await app.person();
  const scope = app.scopeOf(owner);
  business = await makeBusiness(app.db, scope);
  const job = await makeJob(app.db, scope, business.id);
  await sql`with made_pool as (
      insert into pools (id, business_id, name, created_by, created_at)
      select gen_random_uuid(), ${business.id}, 'Pool ' || n, ${owner.accountId}, now() from generate_series(1, ${hiringLimits.poolsMax}::int) n
      returning id
    ), made_worker as (
      insert into accounts (id, name, email, email_verified)
      select gen_random_uuid(), 'Worker ' || n, n || '@pools.example', true from generate_series(1, ${saved}::int) n
      returning id
    ), pool as (select id, row_number() over () as no from made_pool
    ), worker as (select id, row_number() over () as no from made_worker
    ), application as (
      insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
      select gen_random_uuid(), ${job.id}, ${business.id}, id, 'viewed', now(), now(), now() from worker
    ), kept as (
      insert into saved_workers (business_id, worker_id, saved_at)
      select ${business.id}, id, now() - no * interval '1 minute' from worker
    ), tagged as (
      insert into saved_worker_tags (business_id, worker_id, tag)
      select ${business.id}, id, 'Tag ' || no % 40 from worker where no % 10 = 0
    )
    insert into pool_workers (pool_id, business_id, worker_id, added_at)
    select pool.id, ${business.id}, worker.id, now() from worker join pool on pool.no = 1 + worker.no % ${hiringLimits.poolsMax}::int`.execute(
    app.db,
  );
  pool = (await findPools(app.db, business.id))[0] as PoolRow;
  await sql`vacuum analyze accounts, applications, saved_workers, pools, pool_workers, saved_worker_tags`.execute(
    app.db,
  );
}, 60_000);

const read = async (work: Parameters<typeof pagesRead>[1]) => (await pagesRead(app.pool, work)).pages;
const page: Parameters<typeof findSavedWorkers>[2] = {
  poolId: null,
  nameWords: [],
  tag: null,
  after: null,
  limit: 21,
};

describe('with 10,000 saved workers', () => {
  it('reads only the rows of a page, at any offset', async () => {
    const list = (options: Partial<typeof page>) =>
      read((tx) => findSavedWorkers(tx, business.id, { ...page, ...options }));
    const late = new Date(Date.now() - (saved - 100) * minuteMs).toISOString();
    expect(await list({})).toBeLessThan(600);
    expect(await list({ after: [late, owner.accountId] })).toBeLessThan(600);
    expect(await list({ tag: 'Tag 10' })).toBeLessThan(1_000);
    expect(await list({ poolId: pool.id })).toBeLessThan(5_000);
    expect(await list({ nameWords: ['worker', '77'] })).toBeLessThan(6_000);
    expect(await list({ nameWords: ['nobody'] })).toBeLessThan(1_000);
  });

  it('reads only the workers of one pool', async () => {
    expect(await countPoolWorkers(app.db, pool.id)).toBe(hiringLimits.poolWorkersMax);
    expect(await read((tx) => countPoolWorkers(tx, pool.id))).toBeLessThan(1_500);
    expect(await read((tx) => findPoolWorkers(tx, pool))).toBeLessThan(2_500);
  });

  it('checks current relations once for all pools and tags', async () => {
    const pools = await findPools(app.db, business.id);
    expect(pools.map(({ workers }) => workers)).toEqual(
      Array(hiringLimits.poolsMax).fill(hiringLimits.poolWorkersMax),
    );
    expect(await read((tx) => findPools(tx, business.id))).toBeLessThan(1_000);
    expect(await read((tx) => findSavedTags(tx, business.id, 50))).toBeLessThan(5_000);
  });
});
