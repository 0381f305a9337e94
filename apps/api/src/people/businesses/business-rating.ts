import type { StarCounts } from '@nearhand/contract/people/rating.rules';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';

/** Adds to the count of one number of stars. The version stays: nobody edits this. */
async function addReviewStars(
  tx: Tx,
  businessId: string,
  { stars, by }: { stars: number; by: 1 | -1 },
): Promise<void> {
  await sql`update businesses set review_stars[${stars}::integer] = review_stars[${stars}::integer] + ${by}::integer
    where id = ${businessId}`.execute(tx);
  emitRecord(tx, 'business', { id: businessId, businessId });
}

async function findReviewStars(db: Db, businessId: string): Promise<StarCounts> {
  const row = await db
    .selectFrom('businesses')
    .select('reviewStars')
    .where('id', '=', businessId)
    .executeTakeFirst();
  return row?.reviewStars ?? [];
}

/** For reviews alone: counts a published review of a business, or takes a removed one out (ADR 171). */
export const countBusinessReview = addReviewStars;

/** How many published reviews gave a business one star, two stars, and so on. */
export const businessStarCounts = findReviewStars;
