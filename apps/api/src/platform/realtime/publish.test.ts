import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/test-database.ts';
import { type Database, openPool, type Tx } from '../db.ts';
import { emit, signalsChannel } from './publish.ts';

let test: TestDatabase;
let database: Database;
let listener: pg.Client;
const received: string[] = [];
const resync = { kind: 'resync' } as const;
const room = (name: string) => [`account:${name}` as const];
const receivedSoFar = async () => {
  await listener.query('select');
  return received.splice(0).join();
};

beforeAll(async () => {
  test = await createTestDatabase();
  database = openPool(test.url, 1, () => {});
  listener = new pg.Client(test.url);
  await listener.connect();
  await listener.query(`listen ${signalsChannel}`);
  listener.on('notification', ({ payload = '' }) => received.push(payload));
});
afterAll(async () => {
  await listener?.end();
  await database?.close();
  await test?.drop();
});

const inTx = <Result>(work: (tx: Tx) => Promise<Result>) => database.db.transaction().execute(work);
describe('emit', () => {
  it('sends signals at commit, with any content, and none after a rollback', async () => {
    await inTx(async (tx) => emit(tx, room("it's \\ 'quoted'"), resync));
    expect(await receivedSoFar()).toContain("it's \\\\ 'quoted'");
    const undone = inTx(async (tx) => {
      emit(tx, room('undone'), resync);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await inTx((tx) => sql`select 1`.execute(tx));
    expect(await receivedSoFar()).toBe('');
  });

  it('sends as many notifications as needed', async () => {
    await inTx(async (tx) => {
      for (let n = 0; n < 300; n += 1) emit(tx, room(`${n}`.padStart(36, '0')), resync);
    });
    expect(JSON.parse(`[${await receivedSoFar()}]`).flat()).toHaveLength(300);
  });

  it('sends nothing when the commit fails, and reports the failure', async () => {
    await sql`create temporary table checked (id integer primary key deferrable initially deferred)`.execute(
      database.db,
    );
    const twice = inTx(async (tx) => {
      await sql`insert into checked values (1), (1)`.execute(tx);
      emit(tx, room('twice'), resync);
    });
    await expect(twice).rejects.toThrow('duplicate key');
    const aborted = inTx(async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => {});
      emit(tx, room('aborted'), resync);
    });
    await expect(aborted).rejects.toThrow('aborted');
    expect(await receivedSoFar()).toBe('');
    expect(
      (await sql<{ rows: number }>`select count(*)::integer as rows from checked`.execute(database.db)).rows,
    ).toEqual([{ rows: 0 }]);
  });
});
