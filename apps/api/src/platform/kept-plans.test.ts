import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { type Database, openPool } from './db.ts';
import { keptPlan } from './kept-plans.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = openPool(test.url, 1, () => {});
});
afterAll(async () => {
  await database?.close();
  await test?.drop();
});

const prepared = async () =>
  (
    await sql<{
      uses: number;
    }>`select (generic_plans + custom_plans)::integer as uses from pg_prepared_statements`.execute(
      database.db,
    )
  ).rows;

describe('a statement with a cached plan', () => {
  it('is prepared once per connection and returns the same, even after one that failed', async () => {
    const half = (n: unknown) =>
      sql<{ half: number }>`${keptPlan} select (${n}::integer / 2) as half`.execute(database.db);
    expect((await half(8)).rows).toEqual([{ half: 4 }]);
    await expect(half('x')).rejects.toThrow('integer');
    for (const n of [0, -7, 2_147_483_647])
      expect((await half(n)).rows).toEqual([{ half: Math.trunc(n / 2) }]);
    expect(await prepared()).toEqual([{ uses: 4 }]);
    await sql`select ${1}::integer`.execute(database.db);
    expect(await prepared()).toHaveLength(1);
    const built = database.db
      .selectFrom('accounts')
      .modifyFront(keptPlan)
      .select('id')
      .where('name', '=', 'x');
    expect(await built.execute()).toEqual([]);
    expect(await prepared()).toHaveLength(2);
  });
});

describe('a connection that prepares every statement', () => {
  it('does so for those with parameters, in promises and callbacks alike', async () => {
    const eager = openPool(test.url, 1, () => {}, {}, { keepAll: true });
    try {
      for (const n of [1, 2]) await sql`select ${n}::integer as n`.execute(eager.db);
      const { rows } = await eager.pool.query('select $1::text as word', ['said']);
      expect(rows).toEqual([{ word: 'said' }]);
      const { rows: kept } = await eager.pool.query(
        `select (generic_plans + custom_plans)::integer as uses from pg_prepared_statements order by 1 desc`,
      );
      expect(kept.map(({ uses }) => uses)).toEqual([2, 1]);
      await expect(eager.pool.query('select $1::integer', ['x'])).rejects.toThrow('integer');
    } finally {
      await eager.close();
    }
  });
});
