import { rankWorker } from '../../hiring/matching/ranking.ts';
import { countBusinessReview } from '../../people/businesses/business-rating.ts';
import { countWorkerReview } from '../../people/profiles/worker-rating.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTasks, type TaskScope } from '../../platform/tasks/tasks.ts';
import { lockReviews, notifyOfReview, type ReviewRow, updateReview } from './review-notices.ts';
import { publicationKey, reminderKeys, setPublication } from './review-openings.ts';
import { otherSide } from './review-views.ts';

type PublishScope = Pick<Scope, 'clock'> & Partial<Pick<Scope, 'unmailed' | 'config'>>;

/** Publishes both reviews of an engagement once both are in; the caller has locked them. */
export async function publishWhenComplete(tx: Tx, scope: PublishScope, engagementId: string): Promise<void> {
  const reviews = await lockReviews(tx, engagementId);
  if (reviews.length === 0 || reviews.some(({ state }) => state !== 'submitted')) return;
  for (const review of reviews) await publish(tx, scope, review);
  await cancelTasks(tx, [publicationKey(engagementId), ...reminderKeys(engagementId)]);
}

/** For the runner, when the time is over: publishes what is written, ends what is not. A repeat is a no-op; too early it sets itself again. */
export async function runPublication(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const now = scope.clock.now();
    const reviews = await lockReviews(tx, engagementId);
    const early = reviews.find((review) => review.closesAt > now);
    if (early) return setPublication(tx, engagementId, early.closesAt);
    for (const review of reviews) {
      if (review.state === 'submitted') await publish(tx, scope, review);
      if (review.state === 'open')
        await updateReview(tx, review, { action: 'expire', to: 'expired', actor: 'timer', at: now });
    }
  });
}

/** For a review that is shown again after its removal: publishes it if both are in or the time is over. The caller has locked both. */
export async function publishRestored(
  tx: Tx,
  scope: PublishScope,
  review: Pick<ReviewRow, 'id' | 'engagementId'>,
): Promise<void> {
  const reviews = await lockReviews(tx, review.engagementId);
  const row = reviews.find(({ id, state }) => id === review.id && state === 'submitted');
  if (row && row.closesAt <= scope.clock.now()) return publish(tx, scope, row);
  await publishWhenComplete(tx, scope, review.engagementId);
}

async function publish(tx: Tx, scope: PublishScope, review: ReviewRow): Promise<void> {
  const now = scope.clock.now();
  await updateReview(
    tx,
    review,
    { action: 'publish', to: 'published', actor: 'timer', at: now },
    { publishedAt: now },
  );
  await countReview(tx, review, { by: 1, at: now });
  await notifyOfReview(tx, scope, review, {
    topic: 'review-published',
    to: [otherSide(review.authorSide)],
    count: review.stars ?? 0,
  });
}

/** Counts a review in the rating of its subject, or takes it out again; a worker is ranked again. */
export async function countReview(
  tx: Tx,
  review: Pick<ReviewRow, 'authorSide' | 'workerId' | 'businessId' | 'stars'>,
  change: { by: 1 | -1; at: Date },
): Promise<void> {
  const { stars } = review;
  if (stars === null) throw new Error('a review without stars');
  if (review.authorSide === 'worker')
    return countBusinessReview(tx, review.businessId, { stars, by: change.by });
  await countWorkerReview(tx, review.workerId, { stars, ...change });
  await rankWorker(tx, review.workerId);
}
