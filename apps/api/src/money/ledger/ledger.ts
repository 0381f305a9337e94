import type { Currency } from '@nearhand/contract/currencies';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Sign } from '../../platform/sign.ts';
import {
  accountId,
  accountName,
  type EntryKind,
  type EntryLine,
  entryText,
  inLockOrder,
  type LedgerAccount,
  linesFault,
  mayOverdraw,
  readAccountId,
  sealHeadText,
  sealText,
} from './ledger.rules.ts';
import {
  type BalanceRow,
  findLastSeal,
  findSeal,
  findSealHead,
  foldAccount,
  insertSeal,
  isCounterBehind,
  type LedgerEntryRow,
  listBrokenLinks,
  listDeferring,
  listEntries,
  listSealable,
  listSeals,
  listUnlikeSeals,
  listWrongBalances,
  lockSeals,
  type SealHead,
} from './ledger-audit.sql.ts';

export type LedgerFinding = { kind: string; id: string; detail: string };

const batch = 2_000;
const before = '00000000-0000-0000-0000-000000000000';

type Audit = { entries: number; findings: LedgerFinding[] };

const audit = (db: Db, sign: Sign): Promise<Audit> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => recomputeLedger(tx, sign));

/** Recomputes the ledger in an open transaction. */
export async function recomputeLedger(tx: Tx, sign: Sign): Promise<Audit> {
  const findings: LedgerFinding[] = [];
  let entries = 0;
  for (let after = before; ; ) {
    const rows = await listEntries(tx, after, batch);
    for (const row of rows) findings.push(...entryFindings(row, sign));
    entries += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < batch) break;
  }
  for (const { kind, id } of await listBrokenLinks(tx)) findings.push({ kind, id, detail: '' });
  for (const row of await listWrongBalances(tx)) findings.push(...balanceFindings(row));
  findings.push(...(await sealFindings(tx, sign)));
  for (const { kind, id, no } of await listUnlikeSeals(tx))
    findings.push({ kind, id, detail: no === null ? '' : `seal ${no}` });
  return { entries, findings };
}

function balanceFindings({ accountId: id, posted, kept, rowBalance }: BalanceRow): LedgerFinding[] {
  const detail = `postings sum to ${posted}, stored is ${kept}, of which ${rowBalance} in its row`;
  const kind = id.split(':')[0] as LedgerAccount['kind'];
  const isOverdrawn = (Number(kept) < 0 || Number(rowBalance) < 0) && !mayOverdraw(kind);
  return [
    ...(posted === kept ? [] : [{ kind: 'balance_differs', id, detail }]),
    ...(isOverdrawn ? [{ kind: 'overdrawn', id, detail }] : []),
  ];
}

function entryFindings(row: LedgerEntryRow, sign: Sign): LedgerFinding[] {
  const finding = (kind: string, detail = '') => [{ kind, id: row.id, detail }];
  if (row.lineNos.length < 2 || row.lineNos.some((no, index) => no !== index + 1))
    return finding('lines_missing', `lines ${row.lineNos.join(', ')}`);
  const sum = row.amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  const isOneCurrency = row.accountIds.every((id) => id.endsWith(`:${row.currency}`));
  const lines = row.accountIds.map((accountId, index) => ({
    accountId,
    amountMinor: Number(row.amounts[index]),
  }));
  const digest = sign.lasting('ledger entry', entryText({ ...row, lines }));
  return [
    ...(sum === 0n ? [] : finding('entry_unbalanced', `sum ${sum}`)),
    ...(isOneCurrency ? [] : finding('currency_mixed')),
    ...(row.asPosted
      ? []
      : finding('lines_differ', 'its postings differ from the lines it was written with')),
    ...(digest.equals(row.digest)
      ? []
      : finding('entry_changed', 'its signature does not match its content')),
  ];
}

async function sealFindings(tx: Tx, sign: Sign): Promise<LedgerFinding[]> {
  const seals = await listSeals(tx);
  const head = await findSealHead(tx);
  const findings: LedgerFinding[] = [];
  const addFinding = (kind: string, no: number, detail = '') =>
    findings.push({ kind, id: String(no), detail });
  let previous = '';
  let expected = 1;
  for (const seal of seals) {
    for (; expected < seal.no; expected += 1) addFinding('seal_missing', expected);
    expected = seal.no + 1;
    // After a missing seal, the chain continues with the second one after it.
    const hasPrevious = seal.no === 1 || seals.some(({ no }) => no === seal.no - 1);
    const fullSeal = hasPrevious && (await findSeal(tx, seal.no));
    if (fullSeal && !sign.lasting('ledger seal', sealText({ ...fullSeal, previous })).equals(seal.digest))
      addFinding('seal_changed', seal.no);
    previous = seal.digest.toString('hex');
  }
  if (!head) {
    if (seals.length > 0) addFinding('seal_head_missing', seals.length);
    return findings;
  }
  for (; expected <= head.no; expected += 1) addFinding('seal_missing', expected);
  if (!isHead(head, seals, sign)) addFinding('seal_head_changed', head.no);
  return findings;
}

function isHead(head: { no: number; digest: Buffer }, seals: readonly SealHead[], sign: Sign): boolean {
  const last = seals.find(({ no }) => no === head.no);
  if (!last) return head.no >= (seals.at(-1)?.no ?? 0);
  const isComplete = seals.at(-1)?.no === head.no;
  return (
    isComplete &&
    sign.lasting('ledger seal head', sealHeadText(head.no, last.digest.toString('hex'))).equals(head.digest)
  );
}

/**
 * Seals entries of finished transactions, unless the end of the chain is unsigned, since a new seal would
 * hide what is missing.
 */
async function seal(
  db: Db,
  { sign, at }: { sign: Sign; at: Date },
): Promise<{ no: number; digest: string; entries: number } | null> {
  return db.transaction().execute(async (tx) => {
    await lockSeals(tx);
    const last = await findLastSeal(tx);
    const head = await findSealHead(tx);
    if (last ? head?.no !== last.no || !isHead(head, [last], sign) : head !== undefined)
      throw new Error('the seals of the ledger do not end at the signed one');
    const { upto, entries } = await listSealable(tx, last?.upto ?? '0');
    if (entries.length === 0) return null;
    const no = (last?.no ?? 0) + 1;
    const previous = last?.digest.toString('hex') ?? '';
    const digest = sign.lasting('ledger seal', sealText({ no, previous, upto, at, entries }));
    const text = digest.toString('hex');
    await insertSeal(
      tx,
      { no, upto, entries, at, digest },
      sign.lasting('ledger seal head', sealHeadText(no, text)),
    );
    return { no, digest: text, entries: entries.length };
  });
}

export type LedgerScope = { clock: Clock; sign: Sign };

export type NewEntry = {
  /** Derived from the entry's subject, so a repeat is detected: `release/{releaseId}`. */
  key: string;
  kind: EntryKind;
  currency: Currency;
  /** The hold, charge, release, tip or withdrawal it is about. */
  about: string | null;
  lines: readonly EntryLine[];
};

export type PostedEntry = {
  entryId: string;
  /** False if the key was posted before with the same content. */
  posted: boolean;
};

/** A debit would take an account below zero. The transaction can only be rolled back. */
export class LedgerShortError extends Error {
  readonly account: LedgerAccount;
  readonly currency: Currency;
  constructor(account: LedgerAccount, currency: Currency, options?: ErrorOptions) {
    super(`not enough on ${accountId(account, currency)}`, options);
    this.account = account;
    this.currency = currency;
  }
}

/** A bug in the caller: an unbalanced entry, a reused key, a second reversal. */
export class LedgerRefusedError extends Error {}

/**
 * Posts an entry in the caller's transaction; idempotent by key. Lines are in minor units, sum to zero,
 * and are positive for what we owe the holder, so `provider_clearing` is minus what the provider holds.
 * @throws LedgerShortError when an account would go below zero, LedgerRefusedError on a bug in the caller
 */
export async function postEntry(tx: Tx, scope: LedgerScope, entry: NewEntry): Promise<PostedEntry> {
  return writeEntry(tx, scope, { ...entry, reverses: null });
}

/**
 * Posts the opposite of an entry, once; idempotent by key.
 * @throws LedgerShortError when an account would go below zero, LedgerRefusedError if already reversed
 */
export async function reverseEntry(
  tx: Tx,
  scope: LedgerScope,
  reversal: { key: string; entryId: string; about?: string | null; kind?: EntryKind },
): Promise<PostedEntry> {
  const entry = await findEntry(tx, reversal.entryId);
  if (!entry) throw new LedgerRefusedError(`there is no entry ${reversal.entryId}`);
  const lines = (await listLines(tx, entry.id)).map(({ accountId, amount }) => ({
    account: readAccountId(accountId).account,
    amountMinor: -amount,
  }));
  return writeEntry(tx, scope, {
    key: reversal.key,
    kind: reversal.kind ?? 'reversal',
    currency: entry.currency,
    about: reversal.about === undefined ? entry.about : reversal.about,
    reverses: entry.id,
    lines,
  });
}

/** Locks workers' accounts before several entries debit a shared one; a concurrent tip could deadlock (ADR 64). */
export const takeAccounts = (tx: Tx, accounts: readonly LedgerAccount[], currency: Currency): Promise<void> =>
  lockAccounts(
    tx,
    accounts.map((account) => accountId(account, currency)),
  );

/** An account's balance in one currency, in minor units; 0 if it was never used. */
export async function balanceOf(db: Db, account: LedgerAccount, currency: Currency): Promise<number> {
  return findBalance(db, accountId(account, currency));
}

/** Balances of accounts in all their currencies, in minor units, from one snapshot. */
export async function balancesOf(
  db: Db,
  accounts: readonly LedgerAccount[],
): Promise<{ account: LedgerAccount; currency: Currency; amountMinor: number }[]> {
  const rows = await listBalances(db, [...new Set(accounts.map(accountName))]);
  return rows.map((row) => ({ ...readAccountId(row.accountId), amountMinor: row.balance }));
}

/**
 * Recomputes the ledger from one snapshot; posting continues.
 * @returns the number of entries, and each fault
 */
export async function auditLedger(
  db: Db,
  { sign }: LedgerScope,
): Promise<{ entries: number; findings: LedgerFinding[] }> {
  return audit(db, sign);
}

/**
 * Signs all unsealed entries, chained to the previous seal.
 * @returns the new seal, or null if nothing was unsealed
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
  for (let from = 0; from < accounts.length; from += 20)
    await db.transaction().execute(async (tx) => {
      for (const account of accounts.slice(from, from + 20)) await foldAccount(tx, account);
    });
}

/** Warns at server start when a loaded dump's counter was not advanced (ADR 64). */
export async function warnOfYoungCounter(db: Db, log: { warn(message: string): void }): Promise<void> {
  if (await isCounterBehind(db))
    log.warn(
      'This PostgreSQL\'s transaction counter is behind the ledger that was restored into it: the auditor will report new entries, and statements stay slow. Advance the counter, see "The counter of transactions" in docs/operations.md.',
    );
}

async function writeEntry(
  tx: Tx,
  { clock, sign }: LedgerScope,
  { lines, ...entry }: NewEntry & { reverses: string | null },
): Promise<PostedEntry> {
  const fault = linesFault(lines);
  if (fault) throw new LedgerRefusedError(`${entry.key}: ${fault}`);
  const at = clock.now();
  const id = newId(at);
  const postings = lines
    .map(({ account, amountMinor }) => ({ accountId: accountId(account, entry.currency), amountMinor }))
    .sort(inLockOrder);
  const digest = sign.lasting('ledger entry', entryText({ ...entry, id, at, lines: postings }));
  try {
    const before = await callPost(tx, {
      ...entry,
      id,
      at,
      digest,
      accountIds: postings.map((line) => line.accountId),
      amounts: postings.map((line) => line.amountMinor),
    });
    if (before === null) for (const { account } of lines) notifyHolder(tx, account);
    return { entryId: before ?? id, posted: before === null };
  } catch (error) {
    throw refusalOf(error);
  }
}

function notifyHolder(tx: Tx, account: LedgerAccount): void {
  if (!('ownerId' in account) || account.kind === 'hold' || account.kind === 'hold_promo') return;
  const { ownerId: id } = account;
  if (account.kind.startsWith('business_')) emitRecord(tx, 'wallet', { id, businessId: id });
  else emitRecord(tx, 'balance', { id, workerId: id });
}

/** Translates the database's error codes (`0006_money.sql`); rethrows anything else. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error;
  if (error.code === 'LG001') {
    const { account, currency } = readAccountId(error.detail ?? '');
    return new LedgerShortError(account, currency, { cause: error });
  }
  const isLedgerError = error.code?.startsWith('LG') || error.constraint?.startsWith('ledger_');
  return isLedgerError ? new LedgerRefusedError(error.message, { cause: error }) : error;
}

type LedgerNewEntry = {
  id: string;
  key: string;
  kind: string;
  currency: Currency;
  about: string | null;
  reverses: string | null;
  at: Date;
  digest: Buffer;
  accountIds: readonly string[];
  amounts: readonly number[];
};

/**
 * Posts in one round trip (`ledger_post` in `0006_money.sql`).
 * @returns null, or the id of the entry posted before under this key
 */
async function callPost(tx: Tx, entry: LedgerNewEntry): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`${keptPlan}
    select ledger_post(${entry.id}, ${entry.key},
    ${entry.kind}, ${entry.currency}, ${entry.about}, ${entry.reverses}, ${entry.at}, ${entry.digest},
    ${entry.accountIds}, ${entry.amounts}) as before`.execute(tx);
  return rows[0]?.before ?? null;
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

const findEntry = (db: Db, entryId: string) =>
  db.selectFrom('ledger_entries').selectAll().where('id', '=', entryId).executeTakeFirst();

/** The id of the entry posted under this key; null if it is not posted. */
export async function findEntryByKey(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('ledger_entries').select('id').where('key', '=', key).executeTakeFirst();
  return row?.id ?? null;
}

/** The id of the entry that reverses this one. An entry is reversed once at most. */
export async function findReversalOf(db: Db, entryId: string): Promise<string | null> {
  const row = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('reverses', '=', entryId)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Returns the lines of an entry in order; their amounts sum to zero. */
const listLines = (db: Db, entryId: string) =>
  db
    .selectFrom('ledger_postings')
    .select(['lineNo', 'accountId', 'amount'])
    .where('entryId', '=', entryId)
    .orderBy('lineNo')
    .execute();

/** One statement, so that rows and deferred parts are from one snapshot. `names` are ids without the currency. */
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

async function lockAccounts(tx: Tx, accountIds: readonly string[]): Promise<void> {
  await sql`select from ledger_accounts where id = any(${[...accountIds]}::text[]) order by id for update`.execute(
    tx,
  );
}

/** The balance of an account with its deferred parts, as a value within a statement. Minor units. */
export const accountBalance = (accountId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(coalesce((select balance from ledger_accounts where id = ${accountId}), 0)
    + coalesce((select sum(amount) from ledger_deferred where account_id = ${accountId}), 0))::bigint`;

async function findBalance(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ balance: number }>`
    select ${accountBalance(sql`${accountId}`)} as balance`.execute(db);
  return rows[0]?.balance ?? 0;
}
