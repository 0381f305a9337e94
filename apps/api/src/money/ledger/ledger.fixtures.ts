import type { Currency } from '@nearhand/contract/currencies';
import type { Db } from '../../platform/db.ts';
import type { EntryLine, LedgerAccount } from './ledger.rules.ts';
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
