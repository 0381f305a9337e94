import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Sign } from '../../platform/sign.ts';
import { audit, type Finding, seal } from './ledger.audit.ts';
import {
  accountId,
  accountName,
  type EntryKind,
  type EntryLine,
  entryText,
  inLockOrder,
  type LedgerAccount,
  linesFault,
  readAccountId,
} from './ledger.rules.ts';
import { foldAccount, isCounterBehind, listDeferring } from './ledger-audit.sql.ts';

export type { Finding } from './ledger.audit.ts';
export type { EntryKind, EntryLine, LedgerAccount } from './ledger.rules.ts';

/** The parts of a scope that posting needs; both calls and tasks have them. */
export type LedgerScope = { clock: Clock; sign: Sign };

export type NewEntry = {
  /** Deterministic, from what the entry is about, so a repeat is detected: `release/{releaseId}`. */
  key: string;
  kind: EntryKind;
  currency: Currency;
  /** The hold, charge, release, tip or withdrawal it is about. */
  about: string | null;
  lines: readonly EntryLine[];
};

export type PostedEntry = {
  entryId: string;
  /** False when the key was posted before with the same content, so nothing moved. */
  posted: boolean;
};

/** A debit would take an account below zero that may not be. The transaction can only be rolled back. */
export class LedgerShort extends Error {
  readonly account: LedgerAccount;
  readonly currency: Currency;
  constructor(account: LedgerAccount, currency: Currency, options?: ErrorOptions) {
    super(`not enough on ${accountId(account, currency)}`, options);
    this.account = account;
    this.currency = currency;
  }
}

/** A bug in the caller: an unbalanced entry, a reused key, a second reversal. The transaction can only be rolled back. */
export class LedgerRefused extends Error {}

/**
 * Posts an entry in the caller's transaction. The lines sum to zero; a positive amount adds to what we owe the account's holder, so
 * `provider_clearing` is minus what the provider holds. Minor units. A repeat under the same key is a no-op.
 * @throws LedgerShort when an account would go below zero, LedgerRefused on a bug in the caller
 */
export async function postEntry(tx: Tx, scope: LedgerScope, entry: NewEntry): Promise<PostedEntry> {
  return write(tx, scope, { ...entry, reverses: null });
}

/**
 * Posts the exact opposite of an entry. An entry can be reversed once; a repeat under the same key is a no-op.
 * @param reversal.about what the reversal is about; the entry's by default
 * @param reversal.kind `reversal` by default
 * @throws LedgerShort when an account would go below zero, LedgerRefused when there is no such entry or it was reversed under another key
 */
export async function reverseEntry(
  tx: Tx,
  scope: LedgerScope,
  reversal: { key: string; entryId: string; about?: string | null; kind?: EntryKind },
): Promise<PostedEntry> {
  const entry = await findEntry(tx, reversal.entryId);
  if (!entry) throw new LedgerRefused(`there is no entry ${reversal.entryId}`);
  const lines = (await listLines(tx, entry.id)).map(({ accountId, amount }) => ({
    account: readAccountId(accountId).account,
    amountMinor: -amount,
  }));
  return write(tx, scope, {
    key: reversal.key,
    kind: reversal.kind ?? 'reversal',
    currency: entry.currency as Currency,
    about: reversal.about === undefined ? entry.about : reversal.about,
    reverses: entry.id,
    lines,
  });
}

/**
 * For a transaction that posts several entries: locks the workers' accounts that a later entry credits before the first debits a shared
 * account. One entry keeps that order by itself (ADR 64); across two, a concurrent tip to the same worker could deadlock.
 */
export const takeAccounts = (tx: Tx, accounts: readonly LedgerAccount[], currency: Currency): Promise<void> =>
  lockAccounts(
    tx,
    accounts.map((account) => accountId(account, currency)),
  );

/** The entry posted under a key; null if there is none. */
export const findEntryByKey = (db: Db, key: string): Promise<string | null> => findIdOfKey(db, key);

/** The entry that reverses this one; null if none does. */
export const findReversalOf = (db: Db, entryId: string): Promise<string | null> => findReversal(db, entryId);

/** An account's balance in one currency, in minor units; 0 if it was never used. */
export async function balanceOf(db: Db, account: LedgerAccount, currency: Currency): Promise<number> {
  return findBalance(db, accountId(account, currency));
}

/** The balances of accounts in every currency they were used in, in minor units, from one snapshot. */
export async function balancesOf(
  db: Db,
  accounts: readonly LedgerAccount[],
): Promise<{ account: LedgerAccount; currency: Currency; amountMinor: number }[]> {
  const rows = await listBalances(db, [...new Set(accounts.map(accountName))]);
  return rows.map((row) => ({ ...readAccountId(row.accountId), amountMinor: row.balance }));
}

/**
 * Recomputes everything from one snapshot: sums, currencies, reversals, balances, signatures and seals. Posting continues in the meantime.
 * @returns the number of entries, and each fault with its entry, account or seal
 */
export async function auditLedger(
  db: Db,
  { sign }: LedgerScope,
): Promise<{ entries: number; findings: Finding[] }> {
  return audit(db, sign);
}

/**
 * Signs a list of all unsealed entries of finished transactions, chained to the previous seal. From then on a removed or inserted entry is
 * detected.
 * @returns the new seal, or null when there was nothing to seal
 */
export async function sealLedger(
  db: Db,
  { clock, sign }: LedgerScope,
): Promise<{ no: number; digest: string; entries: number } | null> {
  return seal(db, { sign, at: clock.now() });
}

/** Adds deferred parts to their balances; the totals don't change. */
export async function foldBalances(db: Db): Promise<void> {
  const accounts = await listDeferring(db);
  // A few at a time: each waits for its row and locks it until the transaction ends.
  for (let from = 0; from < accounts.length; from += 20)
    await db.transaction().execute(async (tx) => {
      for (const account of accounts.slice(from, from + 20)) await foldAccount(tx, account);
    });
}

/** At server start: warns when a dump was loaded into a new cluster and its counter was not advanced (ADR 64). */
export async function warnOfYoungCounter(db: Db, log: { warn(message: string): void }): Promise<void> {
  if (await isCounterBehind(db))
    log.warn(
      'This PostgreSQL\'s transaction counter is behind the ledger that was restored into it: the auditor will report new entries, and statements stay slow. Advance the counter, see "The counter of transactions" in docs/operations.md.',
    );
}

async function write(
  tx: Tx,
  { clock, sign }: LedgerScope,
  { lines, ...entry }: NewEntry & { reverses: string | null },
): Promise<PostedEntry> {
  const fault = linesFault(lines);
  if (fault) throw new LedgerRefused(`${entry.key}: ${fault}`);
  const at = clock.now();
  const id = newId(at);
  const written = lines
    .map(({ account, amountMinor }) => ({ accountId: accountId(account, entry.currency), amountMinor }))
    .sort(inLockOrder);
  const digest = sign.lasting('ledger entry', entryText({ ...entry, id, at, lines: written }));
  try {
    const before = await callPost(tx, {
      ...entry,
      id,
      at,
      digest,
      accountIds: written.map((line) => line.accountId),
      amounts: written.map((line) => line.amountMinor),
    });
    if (before === null) for (const { account } of lines) notifyHolder(tx, account);
    return { entryId: before ?? id, posted: before === null };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Notifies the account's holder: a business of its wallet, a worker of theirs. The holds slice notifies about holds. */
function notifyHolder(tx: Tx, account: LedgerAccount): void {
  if (!('ownerId' in account) || account.kind === 'hold' || account.kind === 'hold_promo') return;
  const { ownerId: id } = account;
  if (account.kind === 'business_balance' || account.kind === 'business_promo')
    emitRecord(tx, 'wallet', { id, businessId: id });
  else emitRecord(tx, 'balance', { id, workerId: id });
}

/** Translates the database's errors (codes of migration 0019) into ours; anything else passes through. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === 'LG001') {
    const { account, currency } = readAccountId(error.detail ?? '');
    return new LedgerShort(account, currency, { cause: error });
  }
  const ours = error.code?.startsWith('LG') || error.constraint?.startsWith('ledger_');
  return ours ? new LedgerRefused(error.message, { cause: error }) : error;
}

type LedgerNewEntry = {
  id: string;
  key: string;
  kind: string;
  currency: string;
  about: string | null;
  reverses: string | null;
  at: Date;
  digest: Buffer;
  accountIds: readonly string[];
  amounts: readonly number[];
};

/**
 * Checks, writes and moves the balances in the database, in one round trip (migration 0019).
 * @returns null, or the id of the entry already posted under this key
 */
async function callPost(tx: Tx, entry: LedgerNewEntry): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`${keptPlan}
    select ledger_post(${entry.id}, ${entry.key},
    ${entry.kind}, ${entry.currency}, ${entry.about}, ${entry.reverses}, ${entry.at}, ${entry.digest},
    ${entry.accountIds}, ${entry.amounts}) as before`.execute(tx);
  return rows[0]?.before ?? null;
}

export const findEntry = (db: Db, entryId: string) =>
  db.selectFrom('ledger_entries').selectAll().where('id', '=', entryId).executeTakeFirst();

async function findIdOfKey(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('ledger_entries').select('id').where('key', '=', key).executeTakeFirst();
  return row?.id ?? null;
}

/** The entry that reverses this one; null if none does. */
async function findReversal(db: Db, entryId: string): Promise<string | null> {
  const row = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('reverses', '=', entryId)
    .executeTakeFirst();
  return row?.id ?? null;
}

export const listLines = (db: Db, entryId: string) =>
  db
    .selectFrom('ledger_postings')
    .select(['lineNo', 'accountId', 'amount'])
    .where('entryId', '=', entryId)
    .orderBy('lineNo')
    .execute();

/**
 * Balances of accounts in all their currencies. `names` are ids without the currency. One statement, so rows and deferred parts are from
 * one snapshot.
 */
async function listBalances(
  db: Db,
  names: readonly string[],
): Promise<{ accountId: string; balance: number }[]> {
  const { rows } = await sql<{ accountId: string; balance: number }>`
    select part.id as account_id, sum(part.amount)::bigint as balance
    from unnest(${names}::text[]) as account (name)
    cross join lateral (
      select id, balance as amount from ledger_accounts where id > name || ':' and id < name || ';'
      union all
      select account_id, amount from ledger_deferred where account_id > name || ':' and account_id < name || ';'
    ) part
    group by part.id order by part.id`.execute(db);
  return rows;
}

/** Locks the rows of accounts, where they exist, in a fixed order. */
async function lockAccounts(tx: Tx, accountIds: readonly string[]): Promise<void> {
  await sql`select from ledger_accounts where id = any(${[...accountIds]}::text[]) order by id for update`.execute(
    tx,
  );
}

/** The balance of one account in one currency. */
async function findBalance(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ balance: number }>`
    select (coalesce((select balance from ledger_accounts where id = ${accountId}), 0)
      + coalesce((select sum(amount) from ledger_deferred where account_id = ${accountId}), 0))::bigint as balance`.execute(
    db,
  );
  return rows[0]?.balance ?? 0;
}
