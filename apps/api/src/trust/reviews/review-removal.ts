import { otherSide } from '@nearhand/contract/sides';
import type { FlaggedReview } from '@nearhand/contract/trust/reviews';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyOfReview } from './review-notices.ts';
import { findFlagged } from './review-views.ts';
import { clearFlag, findReview, lockReviews, type ReviewRow, updateReview } from './reviews.sql.ts';
import { countReview, mayDecideReview, publishRestored } from './reviews.ts';

/** A flagged review, or undefined. The caller checks access. */
export async function flaggedReview(db: Db, reviewId: string): Promise<FlaggedReview | undefined> {
  const row = await findFlagged(db, reviewId);
  return (
    row && {
      ...row,
      side: row.authorSide,
      author: row.authorName,
      worker: { id: row.workerId, name: row.workerName },
      business: { id: row.businessId, name: row.businessName },
      replyBody: row.reply,
      words: row.flaggedWords,
      flaggedAt: row.flaggedAt.toISOString(),
    }
  );
}

/** Keeps a flagged review, for operators. */
export async function keepReview(tx: Tx, scope: Scope, input: { reviewId: string }): Promise<{ id: string }> {
  const row = await openForStaff(tx, scope, input.reviewId);
  await clearFlag(tx, row.id);
  return { id: row.id };
}

/**
 * Removes a written review, for operators; it counts for nothing and cannot be rewritten. The caller sends
 * the reasons.
 * @returns false if it was removed before
 * @throws review/not-found, operator/own-record
 */
export async function removeReview(
  tx: Tx,
  scope: Scope,
  { reviewId, reason }: { reviewId: string; reason: string },
): Promise<boolean> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const row = await openForStaff(tx, scope, reviewId);
  if (row.state === 'removed') return false;
  await updateReview(
    tx,
    row,
    { action: 'remove', mover: 'operator', actor: accountId, reason, at: now },
    {
      removedAt: now,
      removedBy: accountId,
      removedReason: reason,
      flaggedWords: [],
      flaggedAt: null,
    },
  );
  if (row.state === 'published') {
    await countReview(tx, row, { by: -1, at: now });
    await notifyOfReview(tx, scope, row, {
      topic: 'review-removed',
      reason,
      to: [otherSide(row.authorSide)],
    });
  }
  return true;
}

/** Restores a removed review and counts it again. Idempotent. */
export async function restoreReview(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'actor'>,
  reviewId: string,
): Promise<void> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const review = await findReview(tx, reviewId, accountId);
  const row = review && (await lockReviews(tx, review.engagementId)).find(({ id }) => id === reviewId);
  if (row?.state !== 'removed') return;
  const wasPublished = row.publishedAt !== null;
  const action = wasPublished ? 'republish' : 'restore';
  const nobody = { removedAt: null, removedBy: null, removedReason: null };
  await updateReview(tx, row, { action, mover: 'operator', actor: accountId, at: now }, nobody);
  if (!wasPublished) return publishRestored(tx, scope, row);
  await countReview(tx, row, { by: 1, at: now });
  await notifyOfReview(tx, scope, row, {
    topic: 'review-published',
    to: [otherSide(row.authorSide)],
    count: row.stars ?? 0,
    event: 'restored',
  });
}

async function openForStaff(tx: Tx, { actor }: Scope, reviewId: string): Promise<ReviewRow> {
  const review = await findReview(tx, reviewId, actor.accountId);
  if (!review) throw new AppError('review/not-found');
  if (!mayDecideReview({ isWorker: review.workerId === actor.accountId, isMember: review.isMember }))
    throw new AppError('operator/own-record');
  const row = (await lockReviews(tx, review.engagementId)).find(({ id }) => id === reviewId);
  if (!row || row.stars === null) throw new AppError('review/not-found');
  return row;
}
