import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
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
  type EntryRow,
  findLastSeal,
  findSeal,
  findSealHead,
  foldAccount,
  insertSeal,
  isCounterBehind,
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

/** A fault, and the entry, account or seal that has it. */
export type Finding = { kind: string; id: string; detail: string };

const batch = 2_000;
const before = '00000000-0000-0000-0000-000000000000';

type Audit = { entries: number; findings: Finding[] };

/** Recomputes everything from one snapshot. */
const audit = (db: Db, sign: Sign): Promise<Audit> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => recompute(tx, sign));

/** The same in an open transaction. */
export async function recompute(tx: Tx, sign: Sign): Promise<Audit> {
  const findings: Finding[] = [];
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

function balanceFindings({ accountId: id, posted, kept, rowBalance }: BalanceRow): Finding[] {
  const detail = `postings sum to ${posted}, stored is ${kept}, of which ${rowBalance} in its row`;
  const kind = id.split(':')[0] as LedgerAccount['kind'];
  const below = (Number(kept) < 0 || Number(rowBalance) < 0) && !mayOverdraw(kind);
  return [
    ...(posted === kept ? [] : [{ kind: 'balance_differs', id, detail }]),
    ...(below ? [{ kind: 'overdrawn', id, detail }] : []),
  ];
}

function entryFindings(row: EntryRow, sign: Sign): Finding[] {
  const finding = (kind: string, detail = '') => [{ kind, id: row.id, detail }];
  if (row.lineNos.length < 2 || row.lineNos.some((no, index) => no !== index + 1))
    return finding('lines_missing', `lines ${row.lineNos.join(', ')}`);
  const sum = row.amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  const own = row.accountIds.every((id) => id.endsWith(`:${row.currency}`));
  const lines = row.accountIds.map((accountId, index) => ({
    accountId,
    amountMinor: Number(row.amounts[index]),
  }));
  const digest = sign.lasting('ledger entry', entryText({ ...row, lines }));
  return [
    ...(sum === 0n ? [] : finding('entry_unbalanced', `sum ${sum}`)),
    ...(own ? [] : finding('currency_mixed')),
    ...(row.asPosted
      ? []
      : finding('lines_differ', 'its postings differ from the lines it was written with')),
    ...(digest.equals(row.digest)
      ? []
      : finding('entry_changed', 'its signature does not match its content')),
  ];
}

async function sealFindings(tx: Tx, sign: Sign): Promise<Finding[]> {
  const seals = await listSeals(tx);
  const head = await findSealHead(tx);
  const findings: Finding[] = [];
  const addFinding = (kind: string, no: number, detail = '') =>
    findings.push({ kind, id: String(no), detail });
  let previous = '';
  let expected = 1;
  for (const seal of seals) {
    for (; expected < seal.no; expected += 1) addFinding('seal_missing', expected);
    expected = seal.no + 1;
    // After a missing seal the chain continues at the one after the next.
    const hasPrevious = seal.no === 1 || seals.some(({ no }) => no === seal.no - 1);
    const whole = hasPrevious && (await findSeal(tx, seal.no));
    if (whole && !sign.lasting('ledger seal', sealText({ ...whole, previous })).equals(seal.digest))
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
  // Without that seal the head cannot be checked; the missing seal is reported on its own.
  if (!last) return head.no >= (seals.at(-1)?.no ?? 0);
  const whole = seals.at(-1)?.no === head.no;
  return (
    whole &&
    sign.lasting('ledger seal head', sealHeadText(head.no, last.digest.toString('hex'))).equals(head.digest)
  );
}

/** Seals all entries of finished transactions. Nothing is sealed after a chain whose end is not the signed one: that would hide what is missing. */
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
