import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../../test/use-ledger.ts';
import { clearing, fees, line, losses, makeBalance, makeEntry, someAccount } from './ledger.fixtures.ts';
import {
  auditLedger,
  balanceOf,
  balancesOf,
  entryLines,
  foldBalances,
  LedgerRefusedError,
  LedgerShortError,
  postEntry,
  reverseEntry,
} from './ledger.ts';

const app = useLedger();
const reverse = (reversal: Parameters<typeof reverseEntry>[2]) =>
  app.db.transaction().execute((tx) => reverseEntry(tx, app.scope, reversal));

describe('ledger.postEntry', () => {
  it('moves money between accounts, separately per currency', async () => {
    const business = someAccount('business_balance');
    const hold = someAccount('hold');
    await makeBalance(app.db, app.scope, business, 10_000);
    await makeBalance(app.db, app.scope, business, 77, 'USD');
    await makeEntry(app.db, app.scope, [line(business, -6_000), line(hold, 6_000)], { kind: 'fund' });
    expect(await balanceOf(app.db, business, 'EUR')).toBe(4_000);
    expect(await balanceOf(app.db, hold, 'EUR')).toBe(6_000);
    expect(await balanceOf(app.db, hold, 'USD')).toBe(0);
    expect(await balancesOf(app.db, [business, hold, business])).toEqual([
      { account: business, currency: 'EUR', amountMinor: 4_000 },
      { account: business, currency: 'USD', amountMinor: 77 },
      { account: hold, currency: 'EUR', amountMinor: 6_000 },
    ]);
  });

  it("doesn't post again under the same key, for any order of lines", async () => {
    const hold = someAccount('hold');
    const about = crypto.randomUUID();
    const key = `fund/${hold.ownerId}`;
    const lines = [line(clearing, -500), line(hold, 500)];
    const first = await makeEntry(app.db, app.scope, lines, { key, about, kind: 'fund' });
    expect(first.posted).toBe(true);
    app.forward(300_000);
    const again = await makeEntry(app.db, app.scope, lines.toReversed(), { key, about, kind: 'fund' });
    expect(again).toEqual({ entryId: first.entryId, posted: false });
    expect(await balanceOf(app.db, hold, 'EUR')).toBe(500);
  });

  it('rejects other content under the same key', async () => {
    const hold = someAccount('hold');
    const options = { key: `fund/${hold.ownerId}`, kind: 'fund', about: hold.ownerId } as const;
    const lines = [line(clearing, -500), line(hold, 500)];
    await makeEntry(app.db, app.scope, lines, options);
    const changed = [
      makeEntry(app.db, app.scope, [line(clearing, -501), line(hold, 501)], options),
      makeEntry(app.db, app.scope, [line(losses, -500), line(hold, 500)], options),
      makeEntry(app.db, app.scope, [line(clearing, -500), line(hold, 400), line(hold, 100)], options),
      makeEntry(app.db, app.scope, lines, { ...options, kind: 'tip' }),
      makeEntry(app.db, app.scope, lines, { ...options, currency: 'USD' }),
      makeEntry(app.db, app.scope, lines, { ...options, about: null }),
    ];
    for (const attempt of await Promise.allSettled(changed))
      expect(attempt).toMatchObject({ status: 'rejected', reason: expect.any(LedgerRefusedError) });
    expect(await balanceOf(app.db, hold, 'EUR')).toBe(500);
  });

  it('posts once for concurrent calls with the same key', async () => {
    const hold = someAccount('hold');
    const lines = [line(clearing, -500), line(hold, 500)];
    const attempts = await Promise.all(
      Array.from({ length: 20 }, () => makeEntry(app.db, app.scope, lines, { key: `once/${hold.ownerId}` })),
    );
    expect(attempts.filter(({ posted }) => posted)).toHaveLength(1);
    expect(new Set(attempts.map(({ entryId }) => entryId)).size).toBe(1);
    expect(await balanceOf(app.db, hold, 'EUR')).toBe(500);
  });

  it('rejects an overdraft, naming the account, and moves nothing', async () => {
    const business = someAccount('business_balance');
    const worker = someAccount('worker_available');
    await makeBalance(app.db, app.scope, business, 100);
    await makeBalance(app.db, app.scope, worker, 100);
    for (const account of [business, worker, someAccount('hold'), someAccount('business_balance')]) {
      const attempt = makeEntry(app.db, app.scope, [line(account, -101), line(clearing, 101)]);
      await expect(attempt).rejects.toThrow(LedgerShortError);
      await expect(attempt).rejects.toMatchObject({ account, currency: 'EUR' });
    }
    await expect(
      makeEntry(app.db, app.scope, [line(fees, -1_000_000_000), line(losses, 1_000_000_000)]),
    ).rejects.toMatchObject({ account: fees, currency: 'EUR' });
    expect(await balanceOf(app.db, business, 'EUR')).toBe(100);
    await makeEntry(app.db, app.scope, [line(business, -100), line(clearing, 100)]);
    expect(await balanceOf(app.db, business, 'EUR')).toBe(0);
  });

  it("counts earlier deposits, including the same transaction's", async () => {
    const business = someAccount('business_balance');
    const hold = someAccount('hold');
    for (const amount of [30, 40, 50]) await makeBalance(app.db, app.scope, business, amount);
    await app.db.transaction().execute(async (tx) => {
      const entry = { kind: 'top_up', currency: 'EUR', about: null } as const;
      await postEntry(tx, app.scope, {
        ...entry,
        key: crypto.randomUUID(),
        lines: [line(clearing, -5), line(business, 5)],
      });
      await postEntry(tx, app.scope, {
        ...entry,
        key: crypto.randomUUID(),
        lines: [line(business, -125), line(hold, 125)],
      });
    });
    expect(await balancesOf(app.db, [business, hold])).toMatchObject([
      { amountMinor: 0 },
      { amountMinor: 125 },
    ]);
  });

  it('accepts exactly as many as the balance covers', async () => {
    const business = someAccount('business_balance');
    for (let part = 0; part < 10; part += 1) await makeBalance(app.db, app.scope, business, 10);
    const attempts = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        makeEntry(app.db, app.scope, [line(business, -30), line(someAccount('hold'), 30)]),
      ),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await balanceOf(app.db, business, 'EUR')).toBe(10);
  });

  it('never fails falsely while someone withdraws and deposits concurrently', async () => {
    const business = someAccount('business_balance');
    await makeBalance(app.db, app.scope, business, 20_000);
    const other = { at: Promise.resolve<unknown>(null) };
    await app.db.transaction().execute(async (tx) => {
      await postEntry(tx, app.scope, {
        key: crypto.randomUUID(),
        kind: 'fund',
        currency: 'EUR',
        about: null,
        lines: [line(business, -7_000), line(business, 7_000)],
      });
      other.at = makeEntry(app.db, app.scope, [line(business, -19_000), line(clearing, 19_000)]);
      await sql`select pg_sleep(0.3)`.execute(tx);
    });
    await other.at;
    expect(await balanceOf(app.db, business, 'EUR')).toBe(1_000);
  });

  it('pays from a busy account concurrently, to the last cent and no further', async () => {
    const business = someAccount('business_balance');
    await makeBalance(app.db, app.scope, business, 100_000);
    for (const amount of [1_000, 30_000]) {
      const attempts = await Promise.allSettled(
        Array.from({ length: 40 }, () =>
          makeEntry(app.db, app.scope, [line(business, -amount), line(someAccount('hold'), amount)]),
        ),
      );
      const refused = attempts.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
      expect(refused.every((reason) => reason instanceof LedgerShortError)).toBe(true);
      expect(refused).toHaveLength(amount === 1_000 ? 0 : 38);
    }
    expect(await balanceOf(app.db, business, 'EUR')).toBe(0);
  });

  it('folds deposits into the row at the first withdrawal, then reads only the row', async () => {
    const business = someAccount('business_balance');
    const lying = async () => {
      const { rows } = await app.pool.query<{ row: number | null; beside: number }>(
        `select (select balance from ledger_accounts where id = $1) as row,
          (select count(*)::integer from ledger_deferred where account_id = $1) as beside`,
        [`business_balance:${business.ownerId}:EUR`],
      );
      return rows[0];
    };
    for (const amount of [30, 70]) await makeBalance(app.db, app.scope, business, amount);
    expect(await lying()).toEqual({ row: null, beside: 2 });
    await makeEntry(app.db, app.scope, [line(business, -20), line(clearing, 20)]);
    expect(await lying()).toEqual({ row: 80, beside: 0 });
    await makeBalance(app.db, app.scope, business, 500);
    await makeEntry(app.db, app.scope, [line(business, -20), line(clearing, 20)]);
    expect(await lying()).toEqual({ row: 60, beside: 1 });
    await makeEntry(app.db, app.scope, [line(business, -61), line(clearing, 61)]);
    expect(await lying()).toEqual({ row: 499, beside: 0 });
  });

  it('takes from a part while another transaction locks the row', async () => {
    const business = someAccount('business_balance');
    const pay = (amount: number) =>
      makeEntry(app.db, app.scope, [line(business, -amount), line(clearing, amount)]);
    await makeBalance(app.db, app.scope, business, 1_000);
    await pay(1);
    await makeBalance(app.db, app.scope, business, 200);
    await app.db.transaction().execute(async (tx) => {
      await sql`select from ledger_accounts where id = ${`business_balance:${business.ownerId}:EUR`} for update`.execute(
        tx,
      );
      await pay(150);
    });
    expect(await balanceOf(app.db, business, 'EUR')).toBe(1_049);
  });

  it('plans once per connection', async () => {
    await app.db.transaction().execute(async (tx) => {
      await postEntry(tx, app.scope, {
        key: crypto.randomUUID(),
        kind: 'top_up',
        currency: 'EUR',
        about: null,
        lines: [line(clearing, -5), line(someAccount('hold'), 5)],
      });
      const { rows } =
        await sql`select from pg_prepared_statements where statement like '%ledger_post(%'`.execute(tx);
      expect(rows).toHaveLength(1);
    });
  });

  it('never deadlocks on entries over the same accounts', async () => {
    const accounts = [
      ...Array.from({ length: 3 }, () => someAccount('worker_available')),
      ...Array.from({ length: 3 }, () => someAccount('business_balance')),
    ];
    for (const account of accounts) await makeBalance(app.db, app.scope, account, 1_000);
    const transfers = accounts.flatMap((from) =>
      accounts.filter((to) => to !== from).map((to) => [line(from, -1), line(to, 1)]),
    );
    await Promise.all([...transfers, ...transfers].map((lines) => makeEntry(app.db, app.scope, lines)));
    for (const account of accounts) expect(await balanceOf(app.db, account, 'EUR')).toBe(1_000);
  });

  it('rejects invalid lines', async () => {
    const hold = someAccount('hold');
    for (const lines of [
      [],
      [line(hold, 5)],
      [line(hold, 5), line(clearing, -4)],
      [line(hold, 0), line(clearing, 0)],
      [line(hold, 0.5), line(clearing, -0.5)],
      [line(hold, Number.NaN), line(clearing, 1)],
      [line(hold, 2 ** 53), line(clearing, -(2 ** 53))],
      [line({ kind: 'hold', ownerId: 'somebody' }, 5), line(clearing, -5)],
    ])
      await expect(makeEntry(app.db, app.scope, lines)).rejects.toThrow(LedgerRefusedError);
    expect(await balanceOf(app.db, hold, 'EUR')).toBe(0);
  });
});

describe('ledger.entryLines', () => {
  it('returns an entry with its lines, and null for an unknown one', async () => {
    const hold = someAccount('hold');
    const worker = someAccount('worker_available');
    const about = crypto.randomUUID();
    await makeBalance(app.db, app.scope, hold, 500);
    const lines = [line(hold, -500), line(worker, 450), line(fees, 50)];
    const { entryId } = await makeEntry(app.db, app.scope, lines, { kind: 'release', about });
    const entry = await entryLines(app.db, entryId);
    expect(entry).toMatchObject({ kind: 'release', currency: 'EUR', about, reverses: null });
    expect(entry?.lines.map(({ account, amountMinor }) => ({ account, amountMinor }))).toEqual(
      expect.arrayContaining(lines),
    );
    expect(entry?.lines).toHaveLength(3);
    expect(await entryLines(app.db, crypto.randomUUID())).toBeNull();
  });
});

describe('ledger.reverseEntry', () => {
  it('reverses an entry once', async () => {
    const worker = someAccount('worker_available');
    const { entryId } = await makeBalance(app.db, app.scope, worker, 900);
    const key = `returned/${entryId}`;
    const first = await reverse({ key, entryId });
    expect(first.posted).toBe(true);
    expect(await reverse({ key, entryId })).toEqual({ ...first, posted: false });
    await expect(reverse({ key: `${key}/again`, entryId })).rejects.toThrow(LedgerRefusedError);
    expect(await balanceOf(app.db, worker, 'EUR')).toBe(0);
  });

  it('reverses once when two reversals race under different keys', async () => {
    const worker = someAccount('worker_available');
    await makeBalance(app.db, app.scope, worker, 900);
    const { entryId } = await makeBalance(app.db, app.scope, worker, 100);
    const attempts = await Promise.allSettled(
      ['a', 'b'].map((key) => reverse({ key: `${key}/${entryId}`, entryId })),
    );
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await balanceOf(app.db, worker, 'EUR')).toBe(900);
  });

  it('rejects an unknown entry and an overdraft', async () => {
    const worker = someAccount('worker_available');
    await expect(reverse({ key: 'nothing', entryId: crypto.randomUUID() })).rejects.toThrow(
      LedgerRefusedError,
    );
    const { entryId } = await makeBalance(app.db, app.scope, worker, 900);
    await makeEntry(app.db, app.scope, [line(worker, -1), line(clearing, 1)]);
    await expect(reverse({ key: entryId, entryId })).rejects.toThrow(LedgerShortError);
  });
});

describe('ledger.foldBalances', () => {
  it('changes no balance', async () => {
    const business = someAccount('business_balance');
    await makeBalance(app.db, app.scope, business, 30);
    await makeBalance(app.db, app.scope, business, 12);
    const clearingBefore = await balanceOf(app.db, clearing, 'EUR');
    await foldBalances(app.db);
    expect(await balanceOf(app.db, business, 'EUR')).toBe(42);
    expect(await balanceOf(app.db, clearing, 'EUR')).toBe(clearingBefore);
    const left = await app.db
      .selectFrom('ledger_deferred')
      .select('accountId')
      .orderBy('accountId')
      .execute();
    const unlimited = [
      'platform_credit:EUR',
      'platform_losses:EUR',
      'platform_marketing:EUR',
      'provider_clearing:EUR',
      'provider_clearing:USD',
    ];
    expect(left.map((row) => row.accountId)).toEqual(
      unlimited.filter((id) => left.some((row) => row.accountId === id)),
    );
  });

  it('leaves a ledger that passes the audit', async () => {
    const { entries, findings } = await auditLedger(app.db, app.scope);
    expect(findings).toEqual([]);
    expect(entries).toBeGreaterThan(50);
  });
});
