import type { BusinessStatus } from '@nearhand/contract/businesses';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

/** One import of an owner at a time, until the end of the transaction: two would each register the same business. */
export async function lockOwnersImport(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import ' || ${accountId}, 0))`.execute(tx);
}

/** All businesses of an owner, whatever their state; the oldest first. Which of them a posting names is for `importName` alone to say. */
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
