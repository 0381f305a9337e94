import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import {
  accountId,
  type EntryKind,
  firstIdOf,
  type LedgerAccount,
  lastId,
  readAccountId,
} from './ledger.rules.ts';
import { findEntry, listLines } from './ledger.ts';

export type LinePlace = { entryId: string; lineNo: number };

type HistoryRow = {
  accountId: string;
  entryId: string;
  lineNo: number;
  kind: string;
  about: string | null;
  reverses: string | null;
  at: Date;
  amount: number;
  balanceAfter: number;
};

type HistoryQuery = {
  accountIds: readonly string[];
  fromEntry: string;
  before: LinePlace;
  kinds: readonly string[] | null;
  limit: number;
};

/**
 * Derives balances by subtracting everything later from today's. An index-only scan, so the newest page sums nothing.
 */
async function listHistory(db: Db, query: HistoryQuery): Promise<HistoryRow[]> {
  const { accountIds, fromEntry, before, kinds, limit } = query;
  const { rows } = await sql<HistoryRow>`
    with page as (
      select line.* from unnest(${accountIds}::text[]) as account (id)
      cross join lateral (
        select posting.account_id, posting.entry_id, posting.line_no, posting.amount,
          entry.kind, entry.about, entry.reverses, entry.at
        from ledger_postings posting join ledger_entries entry on entry.id = posting.entry_id
        where posting.account_id = account.id and posting.entry_id >= ${fromEntry}::uuid
          and (posting.entry_id, posting.line_no) < (${before.entryId}::uuid, ${before.lineNo}::smallint)
          and (${kinds}::text[] is null or entry.kind = any (${kinds}::text[]))
        order by posting.entry_id desc, posting.line_no desc limit ${limit}
      ) line
      order by line.entry_id desc, line.line_no desc limit ${limit}
    ),
    newest as (select distinct on (account_id) * from page order by account_id, entry_id desc, line_no desc),
    oldest as (select distinct on (account_id) * from page order by account_id, entry_id, line_no),
    running as (
      select posting.entry_id, posting.line_no, later.balance - coalesce(sum(posting.amount) over (
          partition by newest.account_id order by posting.entry_id desc, posting.line_no desc
          rows between unbounded preceding and 1 preceding), 0) as balance_after
      from newest
      join oldest on oldest.account_id = newest.account_id
      cross join lateral (
        select coalesce((select balance from ledger_accounts where id = newest.account_id), 0)
          + coalesce((select sum(amount) from ledger_deferred where account_id = newest.account_id), 0)
          - coalesce((select sum(posting.amount) from ledger_postings posting where posting.account_id = newest.account_id
              and (posting.entry_id, posting.line_no) > (newest.entry_id, newest.line_no)), 0) as balance
      ) later
      join ledger_postings posting on posting.account_id = newest.account_id
        and (posting.entry_id, posting.line_no) >= (oldest.entry_id, oldest.line_no)
        and (posting.entry_id, posting.line_no) <= (newest.entry_id, newest.line_no)
    )
    select page.account_id, page.entry_id, page.line_no, page.kind, page.about, page.reverses, page.at, page.amount,
      running.balance_after::bigint as balance_after
    from page join running on running.entry_id = page.entry_id and running.line_no = page.line_no
    order by page.entry_id desc, page.line_no desc`.execute(db);
  return rows;
}

type SumRow = { kind: string; added: number; taken: number; lines: number };

async function sumByKind(
  db: Db,
  query: { accountIds: readonly string[]; fromEntry: string; beforeEntry: string },
): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    select entry.kind, coalesce(sum(posting.amount) filter (where posting.amount > 0), 0)::bigint as added,
      coalesce(-sum(posting.amount) filter (where posting.amount < 0), 0)::bigint as taken, count(*) as lines
    from ledger_postings posting join ledger_entries entry on entry.id = posting.entry_id
    where posting.account_id = any (${query.accountIds}::text[])
      and posting.entry_id >= ${query.fromEntry}::uuid and posting.entry_id < ${query.beforeEntry}::uuid
    group by entry.kind order by entry.kind`.execute(db);
  return rows;
}

async function sumBefore(db: Db, accountIds: readonly string[], entryId: string): Promise<number> {
  const { rows } = await sql<{ balance: number }>`
    select (coalesce((select sum(balance) from ledger_accounts where id = any (${accountIds}::text[])), 0)
      + coalesce((select sum(amount) from ledger_deferred where account_id = any (${accountIds}::text[])), 0)
      - coalesce((select sum(amount) from ledger_postings
          where account_id = any (${accountIds}::text[]) and entry_id >= ${entryId}::uuid), 0))::bigint as balance`.execute(
    db,
  );
  return rows[0]?.balance ?? 0;
}

/** `from` is inclusive, `to` exclusive; milliseconds. */
type Period = { from?: Date; to?: Date };

export type HistoryLine = LinePlace & {
  account: LedgerAccount;
  kind: EntryKind;
  about: string | null;
  reverses: string | null;
  at: Date;
  amountMinor: number;
  balanceMinor: number;
};

const lowest = '00000000-0000-0000-0000-000000000000';
const startOf = ({ from }: Period) => (from ? firstIdOf(from) : lowest);
const endOf = ({ to }: Period) => (to ? firstIdOf(to) : lastId);

/**
 * Returns lines of accounts with balances, newest first. The caller checks access.
 * @param query.kinds limits the lines; balances still count all kinds
 */
export async function historyOf(
  db: Db,
  query: Period & {
    accounts: readonly LedgerAccount[];
    currency: Currency;
    kinds?: readonly EntryKind[];
    before?: LinePlace;
    limit: number;
  },
): Promise<HistoryLine[]> {
  const end: LinePlace = { entryId: endOf(query), lineNo: 0 };
  const rows = await listHistory(db, {
    accountIds: idsOf(query),
    fromEntry: startOf(query),
    before: query.before && query.before.entryId < end.entryId ? query.before : end,
    kinds: query.kinds ?? null,
    limit: query.limit,
  });
  return rows.map((row) => ({
    entryId: row.entryId,
    lineNo: row.lineNo,
    account: readAccountId(row.accountId).account,
    kind: row.kind as EntryKind,
    about: row.about,
    reverses: row.reverses,
    at: row.at,
    amountMinor: row.amount,
    balanceMinor: row.balanceAfter,
  }));
}

/** Credits and debits of accounts in a period, by kind of entry; minor units, both positive. */
export async function sumsOf(
  db: Db,
  query: Period & { accounts: readonly LedgerAccount[]; currency: Currency },
): Promise<{ kind: EntryKind; inMinor: number; outMinor: number; lines: number }[]> {
  const rows = await sumByKind(db, {
    accountIds: idsOf(query),
    fromEntry: startOf(query),
    beforeEntry: endOf(query),
  });
  return rows.map(({ kind, added, taken, lines }) => ({
    kind: kind as EntryKind,
    inMinor: added,
    outMinor: taken,
    lines,
  }));
}

/** The total balance of accounts before an instant, in minor units. */
export async function balanceAt(
  db: Db,
  query: { accounts: readonly LedgerAccount[]; currency: Currency; at: Date },
): Promise<number> {
  return sumBefore(db, idsOf(query), firstIdOf(query.at));
}

/** One entry with its accounts and amounts in minor units, for operators and receipts. */
export async function entryLines(
  db: Db,
  entryId: string,
): Promise<{
  kind: EntryKind;
  currency: Currency;
  about: string | null;
  reverses: string | null;
  at: Date;
  lines: { lineNo: number; account: LedgerAccount; amountMinor: number }[];
} | null> {
  const entry = await findEntry(db, entryId);
  if (!entry) return null;
  const lines = await listLines(db, entryId);
  return {
    kind: entry.kind as EntryKind,
    currency: entry.currency as Currency,
    about: entry.about,
    reverses: entry.reverses,
    at: entry.at,
    lines: lines.map(({ lineNo, accountId, amount }) => ({
      lineNo,
      account: readAccountId(accountId).account,
      amountMinor: amount,
    })),
  };
}

const idsOf = ({ accounts, currency }: { accounts: readonly LedgerAccount[]; currency: Currency }) => [
  ...new Set(accounts.map((account) => accountId(account, currency))),
];
