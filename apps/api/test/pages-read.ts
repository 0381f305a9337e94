import { type CompiledQuery, Kysely } from 'kysely';
import type pg from 'pg';
import { NearhandDialect } from '../src/platform/database/column-names.ts';
import type { Tx } from '../src/platform/db.ts';
import type { DB } from '../src/platform/tables.gen.ts';

const ofTransactions = /^(begin|commit|rollback|start transaction)/;

export async function onOneConnection<Result>(
  pool: pg.Pool,
  work: (db: Kysely<DB>, client: pg.PoolClient) => Promise<Result>,
  onQuery: (query: CompiledQuery) => void = () => {},
): Promise<Result> {
  const client = await pool.connect();
  const release = client.release.bind(client);
  const lent = Object.assign(client, { release: () => {} });
  const dialect = new NearhandDialect(Object.assign(Object.create(pool), { connect: async () => lent }));
  try {
    return await work(new Kysely<DB>({ dialect, log: ({ query }) => onQuery(query) }), client);
  } finally {
    release();
  }
}

/**
 * Pages do not depend on the machine's load. Each statement runs once more to be measured, planned as in production,
 * and is rolled back.
 */
export async function pagesRead(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<unknown>,
): Promise<{ pages: number; plans: string }> {
  const queries: CompiledQuery[] = [];
  const measure = async (db: Kysely<DB>, client: pg.PoolClient) => {
    const tx = await db.startTransaction().execute();
    await work(tx);
    await tx.rollback().execute();
    let pages = 0;
    const plans: string[] = [];
    await client.query('begin');
    // `npm test` plans simply elsewhere (test-server.ts).
    await client.query('set local plan_cache_mode = auto');
    await client.query('set local join_collapse_limit = 8');
    await client.query('set local from_collapse_limit = 8');
    for (const { sql, parameters } of queries.filter((query) => !ofTransactions.test(query.sql))) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, buffers, timing off, costs off) ${sql}`,
        [...parameters],
      );
      const lines = rows.map((row) => row['QUERY PLAN']);
      // The first line of each kind covers the whole statement.
      const buffers = lines.find((line) => line.includes('Buffers: shared')) ?? '';
      for (const [, count] of buffers.matchAll(/(?:hit|read)=(\d+)/g)) pages += Number(count);
      plans.push(...lines);
    }
    await client.query('rollback');
    return { pages, plans: plans.join('\n') };
  };
  return onOneConnection(pool, measure, (query) => queries.push(query));
}
