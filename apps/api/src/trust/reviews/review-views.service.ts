import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { OwnReview, PublishedReview, ReviewToWrite } from '@nearhand/contract/trust/reviews';
import type { OwnReviewRow, PublishedRow } from './review-lists.sql.ts';
import { shownName } from './reviews.rules.ts';

const pathOf = (fileId: string | null) => (fileId === null ? null : fileContentPath(fileId));

/** Ended work, for the side that can review it. */
export const viewToWrite = (row: OwnReviewRow): ReviewToWrite => ({
  engagementId: row.engagement_id,
  jobId: row.job_id,
  jobTitle: row.job_title,
  side: row.author_side,
  worker: { id: row.worker_id, name: row.worker_name, photoPath: pathOf(row.worker_photo) },
  business: { id: row.business_id, name: row.business_name, logoPath: pathOf(row.business_logo) },
  cancelled: row.cancelled,
  endedAt: row.ended_at.toISOString(),
  closesAt: row.closes_at.toISOString(),
});

/** A written review, for its author's side. */
export function viewOwn(row: OwnReviewRow): OwnReview {
  const { state, stars, written_at: writtenAt } = row;
  if (state === 'open' || state === 'expired' || stars === null || writtenAt === null)
    throw new Error(`review ${row.id} was not written`);
  return {
    ...viewToWrite(row),
    id: row.id,
    version: row.version,
    state,
    stars,
    tags: row.tags,
    body: row.body,
    again: row.again,
    writtenAt: writtenAt.toISOString(),
    publishedAt: row.published_at?.toISOString() ?? null,
    reply: replyOf(row),
    removed:
      row.removed_at === null ? null : { reason: row.removed_reason ?? '', at: row.removed_at.toISOString() },
  };
}

/** A published review, for anyone who may see its subject. */
export const viewPublished = (row: PublishedRow, mayReply: boolean): PublishedReview => ({
  id: row.id,
  author: row.author_side === 'worker' ? shownName(row.author_name) : row.author_name,
  stars: row.stars,
  tags: row.tags,
  body: row.body,
  again: row.again,
  jobTitle: row.job_title,
  publishedAt: row.published_at.toISOString(),
  reply: replyOf(row),
  canReply: mayReply && row.reply === null,
});

const replyOf = ({ reply, replied_at: at }: { reply: string | null; replied_at: Date | null }) =>
  reply === null || at === null ? null : { body: reply, at: at.toISOString() };
