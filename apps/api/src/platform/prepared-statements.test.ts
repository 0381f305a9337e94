import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { inOneRoundTrip, sendLast } from './database/pipelined.ts';
import { type Database, openPool } from './db.ts';
import { keptPlan, keptRead } from './prepared-statements.ts';

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
  it('is prepared once per connection and returns the same, even after a failed one', async () => {
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

describe('an instant', () => {
  const instants = [
    ['2026-11-29 22:41:26.723999+00', '2026-11-29T22:41:26.723Z'],
    ['1969-12-31 23:59:59.9995+00', '1969-12-31T23:59:59.999Z'],
    ['0044-03-15 12:00:00+00', '0044-03-15T12:00:00.000Z'],
    ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
    ['12026-01-01 00:00:00+00', '+012026-01-01T00:00:00.000Z'],
  ];
  it.each(instants)(
    '%s is read to the millisecond, whatever the time zone of the connection',
    async (text, expected) => {
      for (const zone of ['UTC', 'America/St_Johns', 'Asia/Kathmandu']) {
        const rows = await database.db.transaction().execute(async (tx) => {
          await sql`select set_config('TimeZone', ${zone}, true)`.execute(tx);
          return (await sql<{ at: Date }>`select ${text}::timestamptz as at`.execute(tx)).rows;
        });
        expect(rows[0]?.at.toISOString()).toBe(expected);
      }
    },
  );
});

describe('a connection that prepares every statement', () => {
  it('prepares those with parameters, in promises and callbacks alike', async () => {
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

const half = (n: unknown) => sql<{ half: number }>`${keptPlan} select (${n}::integer / 2) as half`;

/** Counts round trips: how many times PostgreSQL reports that it is ready for a query. */
async function roundTrips(work: () => Promise<unknown>): Promise<number> {
  const client = await database.pool.connect();
  // An earlier statement that failed has rejected before its own round trip ended.
  await client.query('select 1');
  client.release();
  const { connection } = client as unknown as { connection: pg.Connection };
  let count = 0;
  const ready = () => {
    count += 1;
  };
  connection.on('readyForQuery', ready);
  await work().finally(() => connection.off('readyForQuery', ready));
  return count;
}

describe('reads outside transactions', () => {
  const halfRead = (n: unknown) =>
    sql<{ half: number }>`${keptRead} select (${n}::integer / 2) as half`.execute(database.db);

  it('of one turn take one round trip, and the next one for more than four', async () => {
    const results: unknown[] = [];
    const read = async (n: number) => results.push((await halfRead(n)).rows[0]?.half);
    expect(await roundTrips(() => Promise.all([2, 4, 6, 8].map(read)))).toBe(1);
    expect(await roundTrips(() => Promise.all([10, 12, 14, 16, 18].map(read)))).toBe(2);
    expect(results).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('fail alone', async () => {
    const outcomes = await Promise.allSettled(['2', 'x', '6', 'y'].map(halfRead));
    expect(
      outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.rows : 'failed')),
    ).toEqual([[{ half: 1 }], 'failed', [{ half: 3 }], 'failed']);
  });
});

describe('statements that are awaited together', () => {
  it('take one round trip, with the begin of their transaction, and keep their order', async () => {
    const results: unknown[] = [];
    const work = () =>
      database.db.transaction().execute(async (tx) => {
        const all = await inOneRoundTrip(tx, (pipelined) =>
          Promise.all([half(2), half(8), half(null)].map((statement) => statement.execute(pipelined))),
        );
        results.push(...all.map(({ rows }) => rows[0]?.half));
      });
    expect(await roundTrips(work)).toBe(2);
    expect(results).toEqual([1, 4, null]);
  });

  it('are one transaction with the statements before and after', async () => {
    const write = (name: string) =>
      sql`${keptPlan} insert into start_places (id, label, lat, lng) values (${name}, ${name}, 1, 1)`;
    await sql`create table start_places (id text primary key, label text, lat integer, lng integer)`.execute(
      database.db,
    );
    const failing = database.db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      await write('first').execute(tx);
      await inOneRoundTrip(tx, (pipelined) =>
        Promise.all(
          [write('second'), write('first'), half(2)].map((statement) => statement.execute(pipelined)),
        ),
      );
    });
    await expect(failing).rejects.toThrow('duplicate key');
    const { rows } = await sql`select id from start_places`.execute(database.db);
    expect(rows).toEqual([]);
    await database.db.transaction().execute(async (tx) => {
      await inOneRoundTrip(tx, (pipelined) =>
        Promise.all([write('third').execute(pipelined), write('fourth').execute(pipelined)]),
      );
    });
    expect((await sql`select id from start_places order by id`.execute(database.db)).rows).toEqual([
      { id: 'fourth' },
      { id: 'third' },
    ]);
  });

  it("fail one by one when a value can't be sent", async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    await database.db.transaction().execute(async (tx) => {
      const all = await inOneRoundTrip(tx, (pipelined) =>
        Promise.allSettled([half(6).execute(pipelined), half(circle).execute(pipelined)]),
      );
      expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    });
    expect((await half(6).execute(database.db)).rows).toEqual([{ half: 3 }]);
  });

  it('work without names, as behind a pooler', async () => {
    const pooled = openPool(test.url, 1, () => {}, undefined, { pooled: true });
    const results = await pooled.db
      .transaction()
      .execute((tx) =>
        inOneRoundTrip(tx, (pipelined) =>
          Promise.all([half(2).execute(pipelined), half(8).execute(pipelined)]),
        ),
      );
    expect(results.map(({ rows }) => rows[0]?.half)).toEqual([1, 4]);
    const { rows } = await sql`select name from pg_prepared_statements`.execute(pooled.db);
    expect(rows).toEqual([]);
    await pooled.close();
  });

  it('send nothing for a transaction without a statement', async () => {
    expect(await roundTrips(() => database.db.transaction().execute(async () => 1))).toBe(0);
  });
});

describe('the last statement of a transaction', () => {
  const write = (n: number) => sql`${keptPlan} insert into last_ones (n) values (${n})`;
  const ending = (n: number) =>
    database.db.transaction().execute(async (tx) => ({ last: await sendLast(tx, write(n)) }));
  const storedRows = async () =>
    (await sql<{ n: number }>`select n from last_ones order by n`.execute(database.db)).rows.map(
      ({ n }) => n,
    );
  beforeAll(() => sql`create table last_ones (n integer primary key check (n > 0))`.execute(database.db));

  it('takes one round trip with begin and commit', async () => {
    expect(await roundTrips(() => ending(1))).toBe(1);
    expect(await roundTrips(() => ending(2))).toBe(1);
    expect(await storedRows()).toEqual([1, 2]);
  });

  it('fails the commit and rolls back the whole transaction', async () => {
    const failing = database.db.transaction().execute(async (tx) => {
      await write(3).execute(tx);
      return { last: await sendLast(tx, write(-1)) };
    });
    await expect(failing).rejects.toThrow('check constraint');
    expect(await storedRows()).toEqual([1, 2]);
  });

  it('is sent before a commit that takes another round trip, and fails it too', async () => {
    const slow = openPool(test.url, 1, () => {}, undefined, { onCommit: () => {} });
    let failed: Promise<unknown> | undefined;
    const failing = slow.db.transaction().execute(async (tx) => {
      failed = (await sendLast(tx, write(-1))).answer;
    });
    await expect(failing).rejects.toThrow('rolled back');
    await expect(failed).rejects.toThrow('check constraint');
    const { last } = await slow.db
      .transaction()
      .execute(async (tx) => ({ last: await sendLast(tx, write(4)) }));
    await last.answer;
    await slow.close();
    expect(await storedRows()).toEqual([1, 2, 4]);
  });
});
