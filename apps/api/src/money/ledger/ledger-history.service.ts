import type { Currency } from '@nearhand/contract/currencies';
import type { Db } from '../../platform/db.ts';
import {
  accountId,
  type EntryKind,
  firstIdOf,
  type LedgerAccount,
  lastId,
  readAccountId,
} from './ledger.rules.ts';
import { findEntry, listLines } from './ledger.sql.ts';
import { type LinePlace, listHistory, sumBefore, sumByKind } from './ledger-history.sql.ts';

export type { LinePlace } from './ledger-history.sql.ts';

/** From this instant (inclusive) until that one (exclusive), in milliseconds. */
type Period = { from?: Date | undefined; to?: Date | undefined };

/** One line of an account, as a statement shows it. */
export type HistoryLine = LinePlace & {
  account: LedgerAccount;
  kind: EntryKind;
  about: string | null;
  /** The entry that this one reverses. */
  reverses: string | null;
  at: Date;
  /** Minor units; negative is a debit. */
  amountMinor: number;
  /** What the account held after it. */
  balanceMinor: number;
};

const lowest = '00000000-0000-0000-0000-000000000000';
const startOf = ({ from }: Period) => (from ? firstIdOf(from) : lowest);
const endOf = ({ to }: Period) => (to ? firstIdOf(to) : lastId);

/**
 * Lines of accounts in one currency, newest first, each with its account's balance after it. The caller checks access.
 * @param query.before the place of the previous page's last line, which is the cursor
 * @param query.kinds entries of these kinds only; the balances still count all of them
 */
export async function historyOf(
  db: Db,
  query: Period & {
    accounts: readonly LedgerAccount[];
    currency: Currency;
    kinds?: readonly EntryKind[] | undefined;
    before?: LinePlace | undefined;
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
    entryId: row.entry_id,
    lineNo: row.line_no,
    account: readAccountId(row.account_id).account,
    kind: row.kind as EntryKind,
    about: row.about,
    reverses: row.reverses,
    at: row.at,
    amountMinor: row.amount,
    balanceMinor: row.balance_after,
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

/** All lines of one entry with its facts, or null when there is none. */
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
    lines: lines.map(({ line_no, account_id, amount }) => ({
      lineNo: line_no,
      account: readAccountId(account_id).account,
      amountMinor: amount,
    })),
  };
}

const idsOf = ({ accounts, currency }: { accounts: readonly LedgerAccount[]; currency: Currency }) => [
  ...new Set(accounts.map((account) => accountId(account, currency))),
];
