import type { StarCounts } from '@nearhand/contract/people/rating.rules';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';

/** Adds to the count of one number of stars. The version stays: nobody edits this. */
export async function addReviewStars(
  tx: Tx,
  businessId: string,
  { stars, by }: { stars: number; by: 1 | -1 },
): Promise<void> {
  await sql`update businesses set review_stars[${stars}::integer] = review_stars[${stars}::integer] + ${by}::integer
    where id = ${businessId}`.execute(tx);
  emitRecord(tx, 'business', { id: businessId, businessId });
}

export async function findReviewStars(db: Db, businessId: string): Promise<StarCounts> {
  const row = await db
    .selectFrom('businesses')
    .select('review_stars')
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row?.review_stars ?? [];
}
