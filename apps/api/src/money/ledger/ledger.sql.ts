import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';

type NewEntry = {
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
export async function callPost(tx: Tx, entry: NewEntry): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`${keptPlan}
    select ledger_post(${entry.id}, ${entry.key},
    ${entry.kind}, ${entry.currency}, ${entry.about}, ${entry.reverses}, ${entry.at}, ${entry.digest},
    ${entry.accountIds}, ${entry.amounts}) as before`.execute(tx);
  return rows[0]?.before ?? null;
}

export const findEntry = (db: Db, entryId: string) =>
  db.selectFrom('ledger_entries').selectAll().where('id', '=', entryId).executeTakeFirst();

export async function findIdOfKey(db: Db, key: string): Promise<string | null> {
  const row = await db.selectFrom('ledger_entries').select('id').where('key', '=', key).executeTakeFirst();
  return row?.id ?? null;
}

/** The entry that reverses this one; null if none does. */
export async function findReversal(db: Db, entryId: string): Promise<string | null> {
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
    .select(['line_no', 'account_id', 'amount'])
    .where('entry_id', '=', entryId)
    .orderBy('line_no')
    .execute();

/**
 * Balances of accounts in all their currencies. `names` are ids without the currency. One statement, so rows and deferred parts are from
 * one snapshot.
 */
export async function listBalances(
  db: Db,
  names: readonly string[],
): Promise<{ account_id: string; balance: number }[]> {
  const { rows } = await sql<{ account_id: string; balance: number }>`
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
export async function lockAccounts(tx: Tx, accountIds: readonly string[]): Promise<void> {
  await sql`select from ledger_accounts where id = any(${[...accountIds]}::text[]) order by id for update`.execute(
    tx,
  );
}

/** The balance of one account in one currency. */
export async function findBalance(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ balance: number }>`
    select (coalesce((select balance from ledger_accounts where id = ${accountId}), 0)
      + coalesce((select sum(amount) from ledger_deferred where account_id = ${accountId}), 0))::bigint as balance`.execute(
    db,
  );
  return rows[0]?.balance ?? 0;
}
