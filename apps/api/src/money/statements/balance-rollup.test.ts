import { addMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { carryBalances, carryOn, checkCarried, findCarryingFaults, startCarrying } from './balance-rollup.ts';
import {
  type Books,
  carryAll,
  makeHeldWork,
  makeRelease,
  makeTip,
  makeTopUp,
  makeWithdrawal,
} from './statements.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let leila: Person;
let books: Books;
const day = (of: number, minute = 0) => new Date(Date.UTC(2026, 9, of, 9, minute));

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia' });
});
beforeEach(async () => {
  leila = await app.person({ name: 'Leila' });
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { funded: false });
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  books = { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
});

const statement = () => nadia.api.statements.forBusiness({ businessId: books.businessId });
const own = () => leila.api.statements.mine({});
const countLines = async () => {
  const { rows } = await sql<{ holder: string; lines: number }>`
    select holder, count(*)::int as lines from statement_lines
    where holder = any(${[`business:${books.businessId}:EUR`, `worker:${leila.accountId}:EUR`]}::text[])
    group by holder order by holder`.execute(app.db);
  return rows.map(({ lines }) => lines);
};

async function someHistory() {
  await makeTopUp(books, day(1), 50_000);
  const work = await makeHeldWork(books, day(2), { workerId: leila.accountId, payMinor: 10_000 });
  await makeRelease(books, day(3), work);
  await makeTip(books, day(4), work, 700, { by: 'card' });
  await makeWithdrawal(books, day(5), { workerId: leila.accountId, amountMinor: 6_000, feeMinor: 150 });
  await makeWithdrawal(books, day(6), {
    workerId: leila.accountId,
    amountMinor: 1_000,
    status: 'in_transit',
  });
  return work;
}

describe('materialized lines', () => {
  it('match the lines without them, each once, even when run again', async () => {
    await someHistory();
    const before = [await statement(), await own()];
    for (let time = 0; time < 3; time += 1) {
      await carryAll(app.db);
      expect([await statement(), await own()]).toEqual(before);
      expect(await countLines()).toEqual([4, 3]);
    }
    expect(before[0]?.items.map(({ balanceMinor }) => balanceMinor)).toEqual([
      39_000, 39_000, 39_000, 50_000,
    ]);
    expect(await findCarryingFaults(app.db, 10)).toEqual([]);
  });

  it('insert late entries between existing lines', async () => {
    const work = await someHistory();
    await carryAll(app.db);
    await makeTopUp(books, day(1, 30), 1_000);
    await makeTip(books, day(3, 30), work, 300);
    const before = [await statement(), await own()];
    expect(before[0]?.items.map(({ balanceMinor }) => balanceMinor)).toEqual([
      39_700, 39_700, 40_000, 40_000, 51_000, 50_000,
    ]);
    await carryAll(app.db, 1);
    expect([await statement(), await own()]).toEqual(before);
    expect(await findCarryingFaults(app.db, 10)).toEqual([]);
  });

  it('exclude what an open transaction can still write, and include it later', async () => {
    await makeTopUp(books, day(1), 50_000);
    await carryAll(app.db);
    const before = await app.pool.connect();
    try {
      await before.query('begin');
      await before.query('select pg_current_xact_id()');
      await makeTopUp(books, day(2), 1_000);
      await carryOn(app.db);
      expect(await countLines()).toEqual([1]);
      expect((await statement()).totals.closingMinor).toBe(51_000);
      await before.query('commit');
    } finally {
      before.release();
    }
    await carryAll(app.db);
    expect(await countLines()).toEqual([2]);
    expect((await statement()).totals.closingMinor).toBe(51_000);
  });

  it('are written by one process at a time, each entry once', async () => {
    await someHistory();
    const before = await statement();
    await Promise.all([1, 2, 3, 4].map((size) => carryOn(app.db, size)));
    await carryAll(app.db);
    expect(await countLines()).toEqual([4, 3]);
    expect(await statement()).toEqual(before);
    expect(await findCarryingFaults(app.db, 10)).toEqual([]);
  });

  it('are reported when any number differs from the ledger', async () => {
    await someHistory();
    await carryAll(app.db);
    const wrong = [
      'balance',
      'came',
      'went',
      'holding',
      'earned',
      'tips',
      'charged',
      'withdrawn',
      'moved',
      'paid',
    ];
    for (const column of wrong) {
      const set = (by: number) =>
        sql`update statement_lines set ${sql.ref(column)} = ${sql.ref(column)} + ${by}
          where holder = ${`business:${books.businessId}:EUR`} and entry_id = (
            select max(entry_id::text)::uuid from statement_lines where holder = ${`business:${books.businessId}:EUR`})`.execute(
          app.db,
        );
      await set(1);
      expect(await findCarryingFaults(app.db, 10), column).toHaveLength(1);
      await set(-1);
    }
    await sql`delete from statement_lines where holder = ${`worker:${leila.accountId}:EUR`}`.execute(app.db);
    const said: string[] = [];
    const log = { error: (_fault: unknown, text: string) => said.push(text) };
    const scope = { db: app.db, log, clock: app.clock };
    await checkCarried(scope as unknown as Parameters<typeof checkCarried>[0]);
    expect(said).toHaveLength(3);
    expect(said[0]).toContain(`worker:${leila.accountId}`);
    await sql`delete from statement_lines`.execute(app.db);
    await sql`update statement_carried set upto = '0'`.execute(app.db);
    await carryAll(app.db, 3);
    expect(await findCarryingFaults(app.db, 10)).toEqual([]);
  });

  it('are deleted when the mark belongs to another cluster or new entries would be skipped', async () => {
    await someHistory();
    await carryAll(app.db);
    await sql`update statement_carried set upto = '9000000000'`.execute(app.db);
    await makeTopUp(books, day(7), 1_000);
    await startCarrying(app.db);
    expect((await statement()).totals.closingMinor).toBe(40_000);
    await carryAll(app.db);
    expect((await statement()).totals.closingMinor).toBe(40_000);
    expect(await findCarryingFaults(app.db, 10)).toEqual([]);
  });

  it('are deleted under a running server after a dump was loaded', async () => {
    await startCarrying(app.db);
    await someHistory();
    await carryAll(app.db);
    await sql`update statement_carried set upto = '9000000000'`.execute(app.db);
    await makeTopUp(books, day(7), 1_000);
    await carryBalances({ db: app.db, clock: app.clock });
    expect((await statement()).totals.closingMinor).toBe(40_000);
    await carryAll(app.db);
    expect(await countLines()).toEqual([5, 3]);
    expect(await findCarryingFaults(app.db, 10)).toEqual([]);
  });

  it('are written every minute', async () => {
    await someHistory();
    const jobs = async () =>
      (await app.pool.query("select run_at from graphile_worker.jobs where key = 'statements.carry'")).rows;
    await startCarrying(app.db);
    await startCarrying(app.db);
    expect(await jobs()).toHaveLength(1);
    await app.runDue();
    expect(await jobs()).toEqual([{ run_at: addMs(app.clock.now(), 60_000) }]);
    await carryBalances({ db: app.db, clock: app.clock });
    expect(await jobs()).toHaveLength(1);
    await carryAll(app.db);
    expect(await countLines()).toEqual([4, 3]);
  });
});
