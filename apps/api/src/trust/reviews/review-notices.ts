import { reviewsPath, writeReviewPath } from '@nearhand/contract/app-paths';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';
import type { Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';
import { findReviewFacts, type ReviewRow } from './reviews.sql.ts';

type News = {
  topic: 'review-reminder' | 'review-published' | 'review-replied' | 'review-removed';
  to: readonly Side[];
  reason?: string;
  count?: number;
  by?: Date;
  /** Distinguishes news of one review. */
  event?: string;
};

/** Notifies the sides of a review that the news concerns. */
export async function notifyOfReview(
  tx: Tx,
  scope: ClockScope & Partial<Pick<Scope, 'unmailed' | 'config'>>,
  review: Pick<ReviewRow, 'id' | 'engagementId' | 'authorSide'>,
  news: News,
): Promise<void> {
  const facts = await findReviewFacts(tx, review.engagementId, rolesFor('work'));
  if (!facts) return;
  const data = {
    jobTitle: facts.jobTitle,
    businessName: facts.businessName,
    workerName: facts.workerName,
    reason: news.reason,
    count: news.count,
    by: news.by?.toISOString(),
  };
  const isReminder = news.topic === 'review-reminder';
  const noticeFor = (side: Side, accountId: string): Notice => ({
    accountId,
    topic: news.topic,
    data: { ...data, side, variant: side === review.authorSide ? 'own' : 'about' },
    path: isReminder
      ? writeReviewPath(side, { engagementId: review.engagementId, businessId: facts.businessId })
      : reviewsPath(side, {
          businessId: facts.businessId,
          part: side === review.authorSide ? 'given' : 'received',
        }),
    // A shift ends for many workers at once: its business is reminded of them together.
    dedupeKey:
      isReminder && side === 'business'
        ? `${news.topic}/${facts.jobId}/${news.event}`
        : `${news.topic}/${review.id}/${news.event ?? ''}`,
  });
  await notifyAll(
    tx,
    scope,
    news.to.flatMap((side) =>
      side === 'worker'
        ? [noticeFor(side, facts.workerId)]
        : facts.recruiters.map((accountId) => noticeFor(side, accountId)),
    ),
  );
}
