import type { Tx } from '../../platform/db.ts';
import { addReviewStars, lockProfile } from './profiles.ts';

/** Counts a published review of a worker, or uncounts a removed one (ADR 171). */
export async function countWorkerReview(
  tx: Tx,
  workerId: string,
  review: { stars: number; by: 1 | -1; at: Date },
): Promise<void> {
  await lockProfile(tx, workerId, review.at);
  await addReviewStars(tx, workerId, review.stars, review.by);
}
