import { dayMs } from '@nearhand/contract/durations';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import type { WorkOutcomes } from '../../work/outcomes.ts';
import { notifyOfReview } from './review-notices.service.ts';
import { setPublication, setReminders } from './review-timers.ts';
import { insertReviews, lockReviews } from './reviews.sql.ts';

/** Opens the reviews of both sides when work ends: from now on they can be written. A repeat is a no-op. */
export const openReviews: WorkOutcomes['workEnded'] = async (tx, scope, work) => {
  const endedAt = scope.clock.now();
  const closesAt = new Date(endedAt.getTime() + scope.config.REVIEW_DAYS * dayMs);
  const shared = {
    engagement_id: work.engagementId,
    job_id: work.jobId,
    worker_id: work.workerId,
    business_id: work.businessId,
    state: 'open',
    ended_at: endedAt,
    closes_at: closesAt,
  };
  const opened = await insertReviews(tx, [
    { ...shared, id: newId(endedAt), author_side: 'worker' },
    { ...shared, id: newId(endedAt), author_side: 'business' },
  ]);
  if (!opened) return;
  await setPublication(tx, work.engagementId, closesAt);
  await setReminders(tx, work.engagementId, { endedAt, closesAt });
};

/** For the runner: reminds each side that has not written. Nobody else learns who has. */
export async function runReminder(scope: TaskScope, engagementId: string, day: number): Promise<void> {
  await scope.db.transaction().execute(async (tx: Tx) => {
    const now = scope.clock.now();
    for (const review of await lockReviews(tx, engagementId))
      if (review.state === 'open' && review.closes_at > now)
        await notifyOfReview(tx, scope, review, {
          topic: 'review-reminder',
          to: [review.author_side],
          by: review.closes_at,
          event: String(day),
        });
  });
}
