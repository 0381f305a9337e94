import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Reviews and replies with words to check. Index: `reviews_flagged`. */
export const flaggedReviewSource: CaseSource = {
  kind: 'flagged_review',
  open: sql`
    select review.id, review.flagged_at, null::timestamptz, coalesce(engagement.terms->>'title', ''), review.state, null::int,
      review.business_id, array[review.worker_id, review.author_id]
    from reviews review join engagements engagement on engagement.id = review.engagement_id
    where review.flagged_at is not null`,
};
