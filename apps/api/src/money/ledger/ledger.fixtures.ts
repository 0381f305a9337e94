import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { accountId, type EntryLine, firstIdOf, type LedgerAccount } from './ledger.rules.ts';
import { type LedgerScope, type NewEntry, type PostedEntry, postEntry } from './ledger.ts';

export const clearing = { kind: 'provider_clearing' } as const satisfies LedgerAccount;
export const fees = { kind: 'platform_fees' } as const satisfies LedgerAccount;
export const losses = { kind: 'platform_losses' } as const satisfies LedgerAccount;

type Owned = Extract<LedgerAccount, { ownerId: string }>['kind'];

export const someAccount = <Kind extends Owned>(kind: Kind) => ({ kind, ownerId: crypto.randomUUID() });

export const line = (account: LedgerAccount, amountMinor: number): EntryLine => ({ account, amountMinor });

export function makeEntry(
  db: Db,
  scope: LedgerScope,
  lines: readonly EntryLine[],
  options: Partial<Omit<NewEntry, 'lines'>> = {},
): Promise<PostedEntry> {
  const entry = {
    key: crypto.randomUUID(),
    kind: 'top_up',
    currency: 'EUR',
    about: null,
    ...options,
  } as const;
  return db.transaction().execute((tx) => postEntry(tx, scope, { ...entry, lines }));
}

export const makeBalance = (
  db: Db,
  scope: LedgerScope,
  account: LedgerAccount,
  amountMinor: number,
  currency: Currency = 'EUR',
): Promise<PostedEntry> =>
  makeEntry(db, scope, [line(clearing, -amountMinor), line(account, amountMinor)], { currency });

/** The total balance of accounts before an instant, counted back from today's. Minor units. */
export async function balanceAt(
  db: Db,
  { accounts, currency, at }: { accounts: readonly LedgerAccount[]; currency: Currency; at: Date },
): Promise<number> {
  const ids = [...new Set(accounts.map((account) => accountId(account, currency)))];
  const { rows } = await sql<{ balance: number }>`
    select (coalesce((select sum(balance) from ledger_accounts where id = any (${ids}::text[])), 0)
      + coalesce((select sum(amount) from ledger_deferred where account_id = any (${ids}::text[])), 0)
      - coalesce((select sum(amount) from ledger_postings
          where account_id = any (${ids}::text[]) and entry_id >= ${firstIdOf(at)}::uuid), 0))::bigint as balance`.execute(
    db,
  );
  return rows[0]?.balance ?? 0;
}
