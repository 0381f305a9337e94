import type { Tx } from '../../platform/db.ts';
import { addReviewStars, findReviewStars, lockProfile } from './profiles.ts';

/** For reviews alone: counts a published review of a worker, or takes a removed one out (ADR 171). */
export async function countWorkerReview(
  tx: Tx,
  workerId: string,
  review: { stars: number; by: 1 | -1; at: Date },
): Promise<void> {
  await lockProfile(tx, workerId, review.at);
  await addReviewStars(tx, workerId, review.stars, review.by);
}

/** How many published reviews gave a worker one star, two stars, and so on. */
export const workerStarCounts = findReviewStars;
