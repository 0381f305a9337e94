import { reviewsPath, writeReviewPath } from '@nearhand/contract/app-paths';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.service.ts';
import { findReviewFacts, type ReviewRow } from './reviews.sql.ts';

type News = {
  topic: 'review-reminder' | 'review-published' | 'review-replied' | 'review-removed';
  /** The sides to notify. */
  to: readonly Side[];
  reason?: string;
  /** Stars. */
  count?: number;
  by?: Date;
  /** Distinguishes news of one review. */
  event?: string;
};

/** Notifies the worker, or the recruiters of the business. */
export async function notifyOfReview(
  tx: Tx,
  scope: Pick<Scope, 'clock'> & Partial<Pick<Scope, 'unmailed' | 'config'>>,
  review: Pick<ReviewRow, 'id' | 'engagement_id' | 'author_side'>,
  news: News,
): Promise<void> {
  const facts = await findReviewFacts(tx, review.engagement_id, rolesFor('work'));
  if (!facts) return;
  const data = {
    jobTitle: facts.job_title,
    businessName: facts.business_name,
    workerName: facts.worker_name,
    ...(news.reason === undefined ? {} : { reason: news.reason }),
    ...(news.count === undefined ? {} : { count: news.count }),
    ...(news.by === undefined ? {} : { by: news.by.toISOString() }),
  };
  const isReminder = news.topic === 'review-reminder';
  const noticeFor = (side: Side, accountId: string): Notice => ({
    accountId,
    topic: news.topic,
    data: { ...data, side, what: side === review.author_side ? 'own' : 'about' },
    path: isReminder
      ? writeReviewPath(side, { engagementId: review.engagement_id, businessId: facts.business_id })
      : reviewsPath(side, {
          businessId: facts.business_id,
          part: side === review.author_side ? 'given' : 'received',
        }),
    // A shift ends for many workers at once: its business is reminded of them together.
    dedupeKey:
      isReminder && side === 'business'
        ? `${news.topic}/${facts.job_id}/${news.event}`
        : `${news.topic}/${review.id}/${news.event ?? ''}`,
  });
  await notifyAll(
    tx,
    scope,
    news.to.flatMap((side) =>
      side === 'worker'
        ? [noticeFor(side, facts.worker_id)]
        : facts.recruiters.map((accountId) => noticeFor(side, accountId)),
    ),
  );
}
