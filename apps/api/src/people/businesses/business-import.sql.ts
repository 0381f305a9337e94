import type { BusinessStatus } from '@nearhand/contract/people/businesses';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

/** Serializes imports of an owner until the transaction ends, so that none registers a business twice. */
export async function lockOwnersImport(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import ' || ${accountId}, 0))`.execute(tx);
}

/** All businesses of an owner in any status, oldest first. */
export async function findOwned(
  db: Db,
  accountId: string,
): Promise<{ id: string; name: string; status: BusinessStatus }[]> {
  const rows = await db
    .selectFrom('businesses')
    .innerJoin('business_members', 'business_members.business_id', 'businesses.id')
    .select(['businesses.id', 'businesses.name', 'businesses.status'])
    .where('business_members.account_id', '=', accountId)
    .where('business_members.role', '=', 'owner')
    .orderBy('businesses.created_at')
    .orderBy('businesses.id')
    .execute();
  return rows as { id: string; name: string; status: BusinessStatus }[];
}
