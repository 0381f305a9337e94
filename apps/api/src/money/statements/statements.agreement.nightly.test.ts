import { sumOf } from '@nearhand/contract/arithmetic';
import { addMs, dayIn, dayMs, hourMs } from '@nearhand/contract/durations';
import type { StatementLine } from '@nearhand/contract/money/statements';
import type { Page } from '@nearhand/contract/operation';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { makeJob } from '../../hiring/jobs/jobs.fixtures.ts';
import { makeBusiness } from '../../people/businesses/businesses.fixtures.ts';
import { createSign } from '../../platform/sign.ts';
import { balanceAt } from '../ledger/ledger.fixtures.ts';
import type { LedgerAccount } from '../ledger/ledger.rules.ts';
import { balanceOf, balancesOf, reverseEntry } from '../ledger/ledger.ts';
import { carryOn, findCarryingFaults } from './balance-rollup.ts';
import {
  type Books,
  carryAll,
  makeHeldWork,
  makeRelease,
  makeReturn,
  makeTip,
  makeTopUp,
  makeWithdrawal,
  type Work,
} from './statements.fixtures.ts';

const app = useTestApp();
let nadia: Person;
let workers: Person[];
let books: Books;
const works: Work[] = [];
const moves = 400;
const moments: Date[] = [];

function seeded(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const pick = seeded(Number(process.env.SEED ?? 20_261_121));

const balanceAccount = (): LedgerAccount => ({ kind: 'business_balance', ownerId: books.businessId });
const moneyOf = (worker: Person): LedgerAccount[] =>
  (['worker_pending', 'worker_available', 'worker_reserved'] as const).map((kind) => ({
    kind,
    ownerId: worker.accountId,
  }));

async function someMove(at: Date): Promise<void> {
  const worker = workers[pick(workers.length)] as Person;
  const work = works[pick(works.length)];
  const amount = 1 + pick(20_000);
  const scope = { clock: { now: () => at }, sign: books.sign };
  const by = pick(2) === 0 ? 'card' : 'balance';
  const left = (of: Work) => balanceOf(app.db, { kind: 'hold', ownerId: of.holdId }, 'EUR');
  const available = () => balanceOf(app.db, moneyOf(worker)[1] as LedgerAccount, 'EUR');
  const balance = await balanceOf(app.db, balanceAccount(), 'EUR');
  switch (pick(8)) {
    case 0:
      await makeTopUp(books, at, amount * 3);
      return;
    case 1:
    case 2:
      if (by === 'balance' && balance < amount * 2) return;
      works.push(await makeHeldWork(books, at, { workerId: worker.accountId, payMinor: amount, by }));
      return;
    case 3:
    case 4: {
      const rest = work ? await left(work) : 0;
      if (!work || rest < 20) return;
      const fee = pick(Math.floor(rest / 10));
      const part = 1 + pick(rest - fee - 1);
      const entryId = await makeRelease(books, at, work, {
        amountMinor: part,
        feeMinor: fee,
        workerFeeMinor: pick(part),
        clearsAt: pick(3) === 0 ? addMs(at, 1) : undefined,
        kind: pick(5) === 0 ? 'compensation' : 'undisputed',
      });
      if (pick(6) === 0)
        await app.db
          .transaction()
          .execute((tx) => reverseEntry(tx, scope, { key: `undo/${entryId}`, entryId }));
      return;
    }
    case 5: {
      const rest = work ? await left(work) : 0;
      if (work && rest > 0) await makeReturn(books, at, work, rest);
      return;
    }
    case 6:
      if (work && (by === 'card' || balance >= amount)) await makeTip(books, at, work, amount, { by });
      return;
    default: {
      const max = await available();
      if (max < 200) return;
      const status = (['requested', 'in_transit', 'paid'] as const)[pick(3)];
      await makeWithdrawal(books, at, {
        workerId: worker.accountId,
        amountMinor: 160 + pick(max - 160),
        feeMinor: pick(150),
        status: status || undefined,
      });
    }
  }
}

beforeAll(async () => {
  nadia = await app.person({ name: 'Nadia' });
  workers = [await app.person({ name: 'Leila' }), await app.person({ name: 'Minh' })];
  const scope = app.scopeOf(nadia);
  const business = await makeBusiness(app.db, scope, { funded: false });
  const job = await makeJob(app.db, scope, business.id, { status: 'draft' });
  books = { db: app.db, sign: createSign(app.secret), businessId: business.id, jobId: job.id };
  let at = Date.parse('2026-02-20T00:00:00Z');
  for (let no = 0; no < moves; no += 1) {
    at += pick(3) === 0 ? hourMs * (1 + pick(30)) : 61_000 + pick(40_000_000);
    if (pick(4) === 0) {
      const edge = Math.ceil(at / dayMs) * dayMs - hourMs * (1 + pick(2)) + pick(3) - 1;
      // Time never moves back: the task worker of the previous step may still be running.
      at = edge < at ? edge + dayMs : edge;
    }
    moments.push(new Date(at));
    await someMove(new Date(at));
    if (no < moves * 0.9 && pick(25) === 0) await carryOn(app.db, 1 + pick(7));
    if (no === moves / 2) await carryAll(app.db);
  }
  app.clock.set(new Date(at + dayMs));
}, 120_000);

it('contains both materialized and other lines', async () => {
  const { rows } = await sql<{ carried: number; since: number }>`
    select (select count(*)::int from statement_lines) as carried, (select count(*)::int from statement_uncarried()) as since`.execute(
    app.db,
  );
  expect(rows[0]?.carried).toBeGreaterThan(moves / 5);
  expect(rows[0]?.since).toBeGreaterThan(moves / 20);
  expect(await findCarryingFaults(app.db, 10)).toEqual([]);
});

const someSpan = () => {
  const days = [0, 1].map(() => dayIn('Europe/Amsterdam', moments[pick(moments.length)] as Date)).sort();
  return { from: days[0] as string, to: days[1] as string };
};

const beginOf = (day: string, plusDays = 0): Date => {
  const midnight = Date.parse(`${day}T00:00:00Z`) + plusDays * dayMs;
  const items = [2, 1]
    .map((hours) => new Date(midnight - hours * hourMs))
    .find(
      (at) =>
        new Intl.DateTimeFormat('en-GB', {
          timeZone: 'Europe/Amsterdam',
          hour: '2-digit',
          hourCycle: 'h23',
        }).format(at) === '00',
    );
  if (!items) throw new Error(`no midnight of ${day}`);
  return items;
};

async function allLines(read: (cursor?: string) => Promise<Page<StatementLine>>) {
  const lines: StatementLine[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    lines.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return lines;
}

function expectChain(lines: readonly StatementLine[], opening: number, closing: number) {
  expect(new Set(lines.map((line) => line.id)).size).toBe(lines.length);
  let balance = closing;
  for (const line of lines) {
    expect(line.balanceMinor).toBe(balance);
    balance -= line.amountMinor;
  }
  expect(balance).toBe(opening);
}

describe('a statement and the ledger', () => {
  it('have enough data to compare', () => {
    expect(works.length).toBeGreaterThan(moves / 10);
  });
  it('detect a wrong cent, a missing line or a duplicate line', async () => {
    const { items, totals } = await nadia.api.statements.forBusiness({
      businessId: books.businessId,
      limit: 100,
      from: dayIn('Europe/Amsterdam', moments.at(-20) as Date),
    });
    const { openingMinor, closingMinor } = totals;
    const moving = items.findIndex((line) => line.amountMinor !== 0);
    const cent = items.map((line, no) =>
      no === moving ? { ...line, amountMinor: line.amountMinor + 1 } : line,
    );
    expectChain(items, openingMinor, closingMinor);
    for (const wrong of [cent, items.toSpliced(moving, 1), [...items, ...items.slice(-1)]])
      expect(() => expectChain(wrong, openingMinor, closingMinor)).toThrow();
  });
  it('agree for the business, over all time and any period', async () => {
    const { businessId } = books;
    const read = (request: object = {}) => nadia.api.statements.forBusiness({ businessId, ...request });
    const { totals } = await read();
    expect(totals.openingMinor + totals.inMinor - totals.outMinor).toBe(totals.closingMinor);
    expect(totals.closingMinor).toBe(await balanceOf(app.db, balanceAccount(), 'EUR'));
    const holds = works.map(({ holdId }): LedgerAccount => ({ kind: 'hold', ownerId: holdId }));
    const heldNow = sumOf(await balancesOf(app.db, holds), (balance) => balance.amountMinor);
    expect(totals.heldMinor).toBe(heldNow);
    expectChain(await allLines((cursor) => read({ limit: 7, cursor })), 0, totals.closingMinor);
    for (let no = 0; no < moves / 10; no += 1) {
      const span = someSpan();
      const part = (await read(span)).totals;
      const request = { accounts: [balanceAccount()], currency: 'EUR' } as const;
      expect(part.openingMinor).toBe(await balanceAt(app.db, { ...request, at: beginOf(span.from) }));
      expect(part.closingMinor).toBe(await balanceAt(app.db, { ...request, at: beginOf(span.to, 1) }));
      expect(part.openingMinor + part.inMinor - part.outMinor).toBe(part.closingMinor);
      if (no < 8)
        expectChain(
          await allLines((cursor) => read({ ...span, cursor, limit: 50 })),
          part.openingMinor,
          part.closingMinor,
        );
    }
  }, 60_000);
  it('agree for a worker, over all time and any period', async () => {
    for (const worker of workers) {
      const read = (request: object = {}) => worker.api.statements.mine(request);
      const { totals } = await read();
      const now = sumOf(await balancesOf(app.db, moneyOf(worker)), (balance) => balance.amountMinor);
      expect(totals.closingMinor).toBe(now);
      expect(totals.openingMinor + totals.inMinor - totals.outMinor).toBe(now);
      expect(totals.earnedMinor + totals.tipsMinor - totals.withdrawnMinor).toBe(now);
      expectChain(await allLines((cursor) => read({ limit: 7, cursor })), 0, now);
      for (let no = 0; no < moves / 20; no += 1) {
        const span = someSpan();
        const part = (await read(span)).totals;
        const request = { accounts: moneyOf(worker), currency: 'EUR' } as const;
        expect(part.openingMinor).toBe(await balanceAt(app.db, { ...request, at: beginOf(span.from) }));
        expect(part.closingMinor).toBe(await balanceAt(app.db, { ...request, at: beginOf(span.to, 1) }));
        expect(part.openingMinor + part.inMinor - part.outMinor).toBe(part.closingMinor);
      }
    }
  }, 60_000);
  it('agree in the file, whose amounts add up to the balance', async () => {
    const cents = (decimal = '') => Number(decimal.replace('.', ''));
    const { path } = await nadia.api.downloads.businessStatement({
      businessId: books.businessId,
      format: 'csv',
    });
    const rows = parse((await app.raw({ method: 'GET', url: `/api${path}` })).body, {
      bom: true,
      columns: true,
    }) as Record<string, string>[];
    const now = await balanceOf(app.db, balanceAccount(), 'EUR');
    expect(sumOf(rows, (row) => cents(row.Amount))).toBe(now);
    expect(cents(rows.at(-1)?.Balance)).toBe(now);
  });
  it('agree with the year and the plots, month by month', async () => {
    for (const worker of workers) {
      const year = await worker.api.statements.year({ year: 2026 });
      const { totals } = await worker.api.statements.mine({ from: '2026-01-01', to: '2026-12-31' });
      expect(year.totalMinor).toBe(totals.earnedMinor + totals.tipsMinor);
      expect(sumOf(year.months, (month) => month.earnedMinor)).toBe(totals.earnedMinor);
      expect(sumOf(year.businesses, (business) => business.earnedMinor)).toBe(year.totalMinor);
    }
    const { businessId } = books;
    const plots = await nadia.api.dashboard.figures({ businessId, months: 24 });
    for (const month of plots.months) {
      const last = new Date(Date.UTC(Number(month.month.slice(0, 4)), Number(month.month.slice(5)), 0));
      const span = { from: `${month.month}-01`, to: last.toISOString().slice(0, 10) };
      const { totals } = await nadia.api.statements.forBusiness({ businessId, ...span });
      expect([month.month, month.payMinor + month.tipsMinor, month.feesMinor]).toEqual([
        month.month,
        totals.paidMinor,
        totals.feesMinor,
      ]);
      expect(month.spendMinor).toBe(totals.paidMinor + totals.feesMinor);
    }
  }, 60_000);
});
