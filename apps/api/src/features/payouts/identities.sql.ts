import type { IdentityStatus } from '@nearhand/contract/payouts';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { PayoutIdentities } from '../../platform/tables.gen.ts';
import { tellRecord } from '../../platform/tell-records.ts';

export type IdentityRow = Omit<Selectable<PayoutIdentities>, 'status'> & {
  status: Exclude<IdentityStatus, 'none'>;
};

export async function findIdentity(db: Db, accountId: string): Promise<IdentityRow | undefined> {
  const { rows } = await sql<IdentityRow>`
    select * from payout_identities where account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** Where the home in the profile lies; undefined where none is given. */
export async function findHome(db: Db, accountId: string): Promise<{ lat: number; lng: number } | undefined> {
  const { rows } = await sql<{ lat: number; lng: number }>`
    select home_lat as lat, home_lng as lng from profiles
    where account_id = ${accountId} and home_lat is not null and home_lng is not null`.execute(db);
  return rows[0];
}

/** Writes who was asked about, in place of what was known of them. */
export async function putIdentity(tx: Tx, row: IdentityRow): Promise<void> {
  await tx
    .insertInto('payout_identities')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  tellRecord(tx, 'balance', { id: row.account_id, workerId: row.account_id });
}

export async function lockIdentity(tx: Tx, accountId: string): Promise<IdentityRow | undefined> {
  const { rows } = await sql<IdentityRow>`
    select * from payout_identities where account_id = ${accountId} for update`.execute(tx);
  return rows[0];
}

/** Writes down what was decided about somebody who was waiting. */
export async function decideIdentity(
  tx: Tx,
  accountId: string,
  decision: { status: 'verified' | 'refused'; reason: string | null; decided_at: Date },
): Promise<void> {
  await tx.updateTable('payout_identities').set(decision).where('account_id', '=', accountId).execute();
  tellRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

/** Accounts about which the provider was asked before this and has not decided, as far as we know; a page at a time in the order of their ids. */
export async function listPending(db: Db, askedBefore: Date, after: string | null, limit: number) {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from payout_identities
    where status = 'pending' and asked_at < ${askedBefore} and (${after}::uuid is null or account_id > ${after}::uuid)
    order by account_id limit ${limit}`.execute(db);
  return rows.map((row) => row.account_id);
}
