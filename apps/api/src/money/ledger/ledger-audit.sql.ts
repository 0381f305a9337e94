import type { Currency } from '@nearhand/contract/currencies';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

export type LedgerEntryRow = {
  id: string;
  key: string;
  kind: string;
  currency: Currency;
  about: string | null;
  reverses: string | null;
  at: Date;
  digest: Buffer;
  asPosted: boolean;
  lineNos: number[];
  accountIds: string[];
  amounts: string[];
};

export async function listEntries(db: Db, after: string, limit: number): Promise<LedgerEntryRow[]> {
  const { rows } = await sql<LedgerEntryRow>`
    select entry.id, entry.key, entry.kind, entry.currency, entry.about, entry.reverses, entry.at, entry.digest,
      entry.accounts is not distinct from line.account_ids and entry.amounts::text[] is not distinct from line.amounts as as_posted,
      coalesce(line.nos, '{}') as line_nos, coalesce(line.account_ids, '{}') as account_ids,
      coalesce(line.amounts, '{}') as amounts
    from (select * from ledger_entries where id > ${after}::uuid order by id limit ${limit}) entry
    left join lateral (
      select array_agg(line_no::int4 order by line_no) as nos, array_agg(account_id::text order by line_no) as account_ids,
        array_agg(amount::text order by line_no) as amounts
      from ledger_postings where entry_id = entry.id
    ) line on true
    order by entry.id`.execute(db);
  return rows;
}

export type BalanceRow = { accountId: string; posted: string; kept: string; rowBalance: string };

/** Accounts whose stored balance (row and deferred parts) is negative or not the sum of their postings. */
export async function listWrongBalances(db: Db): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select account_id, sum(posted)::text as posted, sum(kept)::text as kept, sum(row_balance)::text as row_balance
    from (
      select account_id, sum(amount) as posted, 0 as kept, 0 as row_balance from ledger_postings group by account_id
      union all select id, 0, balance, balance from ledger_accounts
      union all select account_id, 0, sum(amount), 0 from ledger_deferred group by account_id
    ) part
    group by account_id
    having sum(posted) <> sum(kept) or ((sum(kept) < 0 or sum(row_balance) < 0)
      and not (account_id ^@ 'provider_' or account_id ^@ 'platform_losses:' or account_id ^@ 'platform_marketing:' or account_id ^@ 'platform_credit:'))
    order by account_id`.execute(db);
  return rows;
}

/** Lines without an entry, entries that reverse inexactly or twice, and duplicate keys. */
export async function listBrokenLinks(db: Db): Promise<{ kind: string; id: string }[]> {
  const { rows } = await sql<{ kind: string; id: string }>`
    select distinct 'line_without_entry' as kind, posting.entry_id as id from ledger_postings posting
      where not exists (select from ledger_entries where id = posting.entry_id)
    union all
    select 'reversal_inexact', reversal.id from ledger_entries reversal
      where reversal.reverses is not null
        and (select array_agg(row (account_id, amount)::text order by account_id, amount)
          from ledger_postings where entry_id = reversal.id)
        is distinct from (select array_agg(row (account_id, -amount)::text order by account_id, -amount)
          from ledger_postings where entry_id = reversal.reverses)
    union all
    select 'reversed_twice', reverses from ledger_entries where reverses is not null group by reverses having count(*) > 1
    union all
    select 'key_twice', entry.id from ledger_entries entry
      where key in (select key from ledger_entries group by key having count(*) > 1)
    order by 1, 2`.execute(db);
  return rows;
}

export type SealRow = { no: number; upto: string; entries: string[]; at: Date; digest: Buffer };

export type SealHead = Pick<SealRow, 'no' | 'digest'>;

export const listSeals = (db: Db): Promise<SealHead[]> =>
  db.selectFrom('ledger_seals').select(['no', 'digest']).orderBy('no').execute();

export const findSeal = (db: Db, no: number): Promise<SealRow> =>
  db.selectFrom('ledger_seals').selectAll().where('no', '=', no).executeTakeFirstOrThrow();

export const findLastSeal = (db: Db): Promise<SealRow | undefined> =>
  db.selectFrom('ledger_seals').selectAll().orderBy('no', 'desc').limit(1).executeTakeFirst();

export const findSealHead = (db: Db) =>
  db.selectFrom('ledger_seal_head').select(['no', 'digest']).executeTakeFirst();

/**
 * Sealed entries that are missing or changed transaction, and entries of sealed transactions that no seal
 * lists.
 */
export async function listUnlikeSeals(db: Db): Promise<{ kind: string; id: string; no: number | null }[]> {
  const { rows } = await sql<{ kind: string; id: string; no: number | null }>`
    with sealed as (select no, upto, unnest(entries) as id from ledger_seals)
    select 'entry_missing' as kind, sealed.id, sealed.no from sealed
      where not exists (select from ledger_entries where id = sealed.id)
    union all
    select 'entry_transaction_changed', sealed.id, sealed.no from sealed
      join ledger_entries entry on entry.id = sealed.id where entry.xact >= sealed.upto
    union all
    select 'entry_slipped_in', entry.id, null from ledger_entries entry
      where entry.xact < (select upto from ledger_seals order by no desc limit 1)
        and not exists (select from sealed where sealed.id = entry.id)
    order by 1, 2`.execute(db);
  return rows;
}

/** Serializes sealing, while reads go on. */
export async function lockSeals(tx: Tx): Promise<void> {
  await sql`lock table ledger_seals in share row exclusive mode`.execute(tx);
}

/** Returns entries of transactions that have all finished, so that none can appear before them later. */
export async function listSealable(tx: Tx, after: string): Promise<{ upto: string; entries: string[] }> {
  const { rows } = await sql<{ upto: string; entries: string[] }>`
    select pg_snapshot_xmin(pg_current_snapshot()) as upto, coalesce((
      select array_agg(id order by xact, id) from ledger_entries
      where xact >= ${after}::xid8 and xact < pg_snapshot_xmin(pg_current_snapshot())), '{}') as entries`.execute(
    tx,
  );
  return rows[0] as { upto: string; entries: string[] };
}

export async function insertSeal(tx: Tx, seal: SealRow, headDigest: Buffer): Promise<void> {
  await tx.insertInto('ledger_seals').values(seal).execute();
  const head = { no: seal.no, digest: headDigest };
  await tx
    .insertInto('ledger_seal_head')
    .values(head)
    .onConflict((conflict) => conflict.column('single').doUpdateSet(head))
    .execute();
}

export async function listDeferring(db: Db): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    select distinct account_id from ledger_deferred order by account_id`.execute(db);
  return rows.map((row) => row.accountId);
}

/** Adds deferred parts to the account's row under the row lock of a debit; a trigger moves the sum. */
export async function foldAccount(tx: Tx, accountId: string): Promise<void> {
  await sql`select from ledger_accounts where id = ${accountId} for update`.execute(tx);
  await sql`delete from ledger_deferred where account_id = ${accountId}`.execute(tx);
}

/** Returns whether the counter is behind the stored entries, as after loading a dump into a new cluster. */
export async function isCounterBehind(db: Db): Promise<boolean> {
  const { rows } = await sql<{ behind: boolean }>`
    select coalesce((select xact from ledger_entries order by xact desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot()), false)
      or coalesce((select upto from ledger_seals order by no desc limit 1) > pg_snapshot_xmax(pg_current_snapshot()), false)
      as behind`.execute(db);
  return rows[0]?.behind ?? false;
}
