import type { StarCounts } from '@nearhand/contract/people/rating.rules';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';

/**
 * Counts a published review, or subtracts a removed one (ADR 171). The version is unchanged, because stars are
 * not edited.
 */
export async function addToBusinessRating(
  tx: Tx,
  businessId: string,
  { stars, by }: { stars: number; by: 1 | -1 },
): Promise<void> {
  await sql`update businesses set review_stars[${stars}::integer] = review_stars[${stars}::integer] + ${by}::integer
    where id = ${businessId}`.execute(tx);
  emitRecord(tx, 'business', { id: businessId, businessId });
}

export async function businessStarCounts(db: Db, businessId: string): Promise<StarCounts> {
  const row = await db
    .selectFrom('businesses')
    .select('reviewStars')
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row?.reviewStars ?? [];
}
