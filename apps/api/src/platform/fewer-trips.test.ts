import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/test-database.ts';
import { type Database, openPool, type Tx } from './db.ts';
import { keptPlan } from './fewer-trips.ts';
import { signalsChannel, tell } from './tell.ts';

let test: TestDatabase;
let database: Database;
let listener: pg.Client;
const heard: string[] = [];
const resync = { kind: 'resync' } as const;
const room = (name: string) => [`account:${name}` as const];
/** What other connections were told by now. */
const told = async () => {
  await listener.query('select');
  return heard.splice(0).join();
};

beforeAll(async () => {
  test = await createTestDatabase();
  database = openPool(test.url, 1, () => {});
  listener = new pg.Client(test.url);
  await listener.connect();
  await listener.query(`listen ${signalsChannel}`);
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
});
afterAll(async () => {
  await listener?.end();
  await database?.close();
  await test?.drop();
});

const inTx = <Result>(work: (tx: Tx) => Promise<Result>) => database.db.transaction().execute(work);
const prepared = async () =>
  (
    await sql<{
      uses: number;
    }>`select (generic_plans + custom_plans)::integer as uses from pg_prepared_statements`.execute(
      database.db,
    )
  ).rows;

describe('a statement with a kept plan', () => {
  it('is prepared once on its connection and answers as it did, also after one that failed', async () => {
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

describe('what is told', () => {
  it('goes out with the commit, whatever is in it, and not with a rollback', async () => {
    await inTx(async (tx) => tell(tx, room("it's \\ 'quoted'"), resync));
    expect(await told()).toContain("it's \\\\ 'quoted'");
    const undone = inTx(async (tx) => {
      tell(tx, room('undone'), resync);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await inTx((tx) => sql`select 1`.execute(tx));
    expect(await told()).toBe('');
  });

  it('goes out in as many packs as it needs', async () => {
    await inTx(async (tx) => {
      for (let n = 0; n < 300; n += 1) tell(tx, room(`${n}`.padStart(36, '0')), resync);
    });
    expect(JSON.parse(`[${await told()}]`).flat()).toHaveLength(300);
  });

  it('goes out with nothing where the commit is refused, and that is said', async () => {
    await sql`create temporary table checked (id integer primary key deferrable initially deferred)`.execute(
      database.db,
    );
    const twice = inTx(async (tx) => {
      await sql`insert into checked values (1), (1)`.execute(tx);
      tell(tx, room('twice'), resync);
    });
    await expect(twice).rejects.toThrow('duplicate key');
    const aborted = inTx(async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => {});
      tell(tx, room('aborted'), resync);
    });
    await expect(aborted).rejects.toThrow('aborted');
    expect(await told()).toBe('');
    expect(
      (await sql<{ rows: number }>`select count(*)::integer as rows from checked`.execute(database.db)).rows,
    ).toEqual([{ rows: 0 }]);
  });
});
