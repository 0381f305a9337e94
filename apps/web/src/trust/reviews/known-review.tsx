import { formatDay, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Card } from '../../ui/card.tsx';
import { ReviewText } from './review-text.tsx';
import { useKnownReview } from './reviews.api.ts';

/** A published review from a list on this device; reviews have no page to load. */
export function KnownReview({ reviewId }: { reviewId: string }) {
  const review = useKnownReview(reviewId);
  if (!review) return null;
  const { author, jobTitle, publishedAt, stars, body } = review;
  return (
    <Card roomy>
      <ReviewText
        level="h2"
        name={author}
        about={joined(jobTitle, formatDay(publishedAt, ownTimeZone()))}
        {...{ stars, body }}
      />
    </Card>
  );
}
