import type { IdentityStatus } from '@nearhand/contract/money/payouts';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import type { PayoutIdentities } from '../../platform/tables.gen.ts';

export type IdentityRow = Omit<Selectable<PayoutIdentities>, 'status'> & {
  status: Exclude<IdentityStatus, 'none'>;
};

export async function findIdentity(db: Db, accountId: string): Promise<IdentityRow | undefined> {
  const { rows } = await sql<IdentityRow>`
    select * from payout_identities where account_id = ${accountId}`.execute(db);
  return rows[0];
}

/** The position of the home in the profile; undefined if not given. */
export async function findHome(db: Db, accountId: string): Promise<{ lat: number; lng: number } | undefined> {
  const { rows } = await sql<{ lat: number; lng: number }>`
    select home_lat as lat, home_lng as lng from profiles
    where account_id = ${accountId} and home_lat is not null and home_lng is not null`.execute(db);
  return rows[0];
}

/** Stores the identity that was submitted, replacing the previous one. */
export async function putIdentity(tx: Tx, row: IdentityRow): Promise<void> {
  await tx
    .insertInto('payout_identities')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  emitRecord(tx, 'balance', { id: row.account_id, workerId: row.account_id });
}

export async function lockIdentity(tx: Tx, accountId: string): Promise<IdentityRow | undefined> {
  const { rows } = await sql<IdentityRow>`
    select * from payout_identities where account_id = ${accountId} for update`.execute(tx);
  return rows[0];
}

/** Stores the decision about a pending identity. */
export async function decideIdentity(
  tx: Tx,
  accountId: string,
  decision: { status: 'verified' | 'refused'; reason: string | null; decided_at: Date },
): Promise<void> {
  await tx.updateTable('payout_identities').set(decision).where('account_id', '=', accountId).execute();
  emitRecord(tx, 'balance', { id: accountId, workerId: accountId });
}

/** Accounts whose identity has been pending since before a moment, by id, a page at a time. */
export async function listPending(db: Db, askedBefore: Date, after: string | null, limit: number) {
  const { rows } = await sql<{ account_id: string }>`
    select account_id from payout_identities
    where status = 'pending' and asked_at < ${askedBefore} and (${after}::uuid is null or account_id > ${after}::uuid)
    order by account_id limit ${limit}`.execute(db);
  return rows.map((row) => row.account_id);
}

/** For a removed account: the provider knows who was paid, and keeps that as long as its own duties last. */
export async function forgetIdentity(tx: Tx, accountId: string, name: string): Promise<void> {
  await tx
    .updateTable('payout_identities')
    .set({ legal_name: name })
    .where('account_id', '=', accountId)
    .execute();
}
