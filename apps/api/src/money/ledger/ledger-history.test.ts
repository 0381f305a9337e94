import { sumOf } from '@nearhand/contract/arithmetic';
import { beforeAll, describe, expect, it } from 'vitest';
import { useLedger } from '../../../test/use-ledger.ts';
import { clearing, fees, line, makeBalance, makeEntry, someAccount } from './ledger.fixtures.ts';
import type { EntryKind, LedgerAccount } from './ledger.rules.ts';
import { balanceAt, entryLines, historyOf, sumsOf } from './ledger-history.ts';

const app = useLedger();
const worker = someAccount('worker_available');
const pending = someAccount('worker_pending');
const business = someAccount('business_balance');
const kinds = ['release', 'tip', 'clear', 'fund'] as const;
const history: {
  account: LedgerAccount;
  amountMinor: number;
  balanceMinor: number;
  kind: EntryKind;
  at: Date;
}[] = [];

beforeAll(async () => {
  const balances = new Map<LedgerAccount, number>();
  for (let step = 0; step < 120; step += 1) {
    app.forward(step % 3 === 0 ? 0 : 60_000);
    const account = [worker, pending, business][step % 3] as LedgerAccount;
    const kind = kinds[step % 4] as EntryKind;
    const balance = balances.get(account) ?? 0;
    const amountMinor = balance > 500 ? -((step * 37) % 500) - 1 : 100 + ((step * 91) % 700);
    await makeEntry(app.db, app.scope, [line(clearing, -amountMinor), line(account, amountMinor)], { kind });
    balances.set(account, balance + amountMinor);
    history.push({
      account,
      amountMinor,
      balanceMinor: balance + amountMinor,
      kind,
      at: app.scope.clock.now(),
    });
    if (step % 5 === 0) await makeBalance(app.db, app.scope, worker, 7, 'USD');
  }
});

const asTold = (lines: Awaited<ReturnType<typeof historyOf>>) =>
  lines.map(({ account, amountMinor, balanceMinor, kind, at }) => ({
    account,
    amountMinor,
    balanceMinor,
    kind,
    at,
  }));

describe('ledger.historyOf', () => {
  it("returns an account's lines newest first, each with the balance after it", async () => {
    const lines = await historyOf(app.db, { accounts: [worker], currency: 'EUR', limit: 1_000 });
    expect(asTold(lines)).toEqual(history.filter(({ account }) => account === worker).toReversed());
  });

  it('pages through the lines of several accounts without duplicates or gaps', async () => {
    const pages: Awaited<ReturnType<typeof historyOf>> = [];
    for (;;) {
      const page = await historyOf(app.db, {
        accounts: [worker, pending, business, worker],
        currency: 'EUR',
        limit: 17,
        before: pages.at(-1),
      });
      pages.push(...page);
      if (page.length < 17) break;
    }
    expect(asTold(pages)).toEqual(history.toReversed());
  });

  it('filters by period and kind, with balances that include everything', async () => {
    const from = history[20]?.at as Date;
    const to = history[90]?.at as Date;
    const expected = history.filter(
      ({ account, at, kind }) => account === business && at >= from && at < to && kind === 'tip',
    );
    const lines = await historyOf(app.db, {
      accounts: [business],
      currency: 'EUR',
      from,
      to,
      limit: 100,
      kinds: ['tip'],
    });
    expect(asTold(lines)).toEqual(expected.toReversed());
    expect(expected.length).toBeGreaterThan(3);
    const next = await historyOf(app.db, {
      accounts: [business],
      currency: 'EUR',
      from,
      to,
      limit: 100,
      before: lines[1],
      kinds: ['tip'],
    });
    expect(next).toEqual(lines.slice(2));
  });

  it('returns nothing for an unused account, another currency or another period', async () => {
    const query = { accounts: [pending], currency: 'EUR', limit: 10 } as const;
    expect(await historyOf(app.db, { ...query, accounts: [] })).toEqual([]);
    expect(await historyOf(app.db, { ...query, accounts: [someAccount('hold')] })).toEqual([]);
    expect(await historyOf(app.db, { ...query, currency: 'USD' })).toEqual([]);
    expect(await historyOf(app.db, { ...query, from: new Date('2030-01-01') })).toEqual([]);
    expect(await historyOf(app.db, { ...query, to: new Date(0) })).toEqual([]);
  });
});

describe('ledger.sumsOf and ledger.balanceAt', () => {
  it('sum a period by kind, matching the balances at its ends', async () => {
    const from = history[30]?.at as Date;
    const to = history[100]?.at as Date;
    const accounts = [worker, business];
    const within = history.filter(
      ({ account, at }) => accounts.some((name) => name === account) && at >= from && at < to,
    );
    const sums = await sumsOf(app.db, { accounts, currency: 'EUR', from, to });
    for (const kind of kinds) {
      const amounts = within.filter((line) => line.kind === kind).map(({ amountMinor }) => amountMinor);
      const sum = (some: number[]) => sumOf(some);
      expect(sums.find((sum) => sum.kind === kind)).toEqual({
        kind,
        inMinor: sum(amounts.filter((amount) => amount > 0)),
        outMinor: -sum(amounts.filter((amount) => amount < 0)),
        lines: amounts.length,
      });
    }
    const opening = await balanceAt(app.db, { accounts, currency: 'EUR', at: from });
    const closing = await balanceAt(app.db, { accounts, currency: 'EUR', at: to });
    const change = sumOf(sums, ({ inMinor, outMinor }) => inMinor - outMinor);
    expect(closing).toBe(opening + change);
    expect(await balanceAt(app.db, { accounts, currency: 'EUR', at: new Date(0) })).toBe(0);
  });
});

describe('ledger.entryLines', () => {
  it('returns an entry with its lines, and null for an unknown one', async () => {
    const hold = someAccount('hold');
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
