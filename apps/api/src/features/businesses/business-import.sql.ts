import type { BusinessStatus } from '@nearhand/contract/businesses';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

/** One import of an owner at a time, until the end of the transaction: two would each register the same business. */
export async function lockOwnersImport(tx: Tx, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('import ' || ${accountId}, 0))`.execute(tx);
}

/** The businesses of an owner that bear one of these names, in any case of letters, whatever their state; the oldest first. */
export async function findOwnedByName(
  db: Db,
  accountId: string,
  names: readonly string[],
): Promise<{ id: string; name: string; status: BusinessStatus }[]> {
  const rows = await db
    .selectFrom('businesses')
    .innerJoin('business_members', 'business_members.business_id', 'businesses.id')
    .select(['businesses.id', 'businesses.name', 'businesses.status'])
    .where('business_members.account_id', '=', accountId)
    .where('business_members.role', '=', 'owner')
    .where((eb) =>
      eb(
        eb.fn<string>('lower', ['businesses.name']),
        'in',
        names.map((name) => name.toLowerCase()),
      ),
    )
    .orderBy('businesses.created_at')
    .orderBy('businesses.id')
    .execute();
  return rows as { id: string; name: string; status: BusinessStatus }[];
}
