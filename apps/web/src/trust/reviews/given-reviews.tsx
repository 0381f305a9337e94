import { Trans, useLingui } from '@lingui/react/macro';
import type { OwnReview } from '@nearhand/contract/trust/reviews';
import { useState } from 'react';
import { formatDate, formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { reviewTagText } from './review.labels.ts';
import { ReviewSheet } from './review-sheet.tsx';
import { ReviewReply, ReviewText } from './review-text.tsx';
import { type Author, isEditable, useGivenReviews } from './reviews.api.ts';
import './reviews.css';

export function GivenReviews({ author }: { author: Author }) {
  const { t } = useLingui();
  const query = useGivenReviews(author);
  const [editing, setEditing] = useState<OwnReview | null>(null);
  return (
    <>
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load your reviews`}
        isEmpty={(data) => data.pages.every((page) => page.items.length === 0)}
        empty={
          <EmptyState title={t`No reviews written yet`} level="h2">
            <Trans>Reviews you write appear here. You can change them until they're published.</Trans>
          </EmptyState>
        }
      >
        {(data) => (
          <>
            <ul className="card flush">
              {data.pages
                .flatMap((page) => page.items)
                .map((review) => (
                  <Given key={review.id} review={review} onEdit={() => setEditing(review)} />
                ))}
            </ul>
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
      <ReviewSheet queue={editing && [editing]} onClose={() => setEditing(null)} />
    </>
  );
}

function Given({ review, onEdit }: { review: OwnReview; onEdit: () => void }) {
  const { t } = useLingui();
  const { state, side, worker, business, jobTitle, stars, tags, body, reply, removed, closesAt } = review;
  const name = side === 'worker' ? business.name : worker.name;
  const day = (at: string) => formatDay(at, ownTimeZone());
  return (
    <li className="review">
      <ReviewText level="h2" name={name} about={jobTitle} stars={stars} body={body} />
      <div className="row g2 wrap mt2">
        {state === 'submitted' ? (
          <Badge
            tone="wait"
            icon="eye-slash"
          >{t`Hidden until ${formatDate(closesAt, ownTimeZone())} at the latest`}</Badge>
        ) : state === 'published' ? (
          <Badge tone="good">{t`Published ${day(review.publishedAt ?? closesAt)}`}</Badge>
        ) : (
          <Badge tone="bad">{t`Removed`}</Badge>
        )}
        {tags.map((tag) => (
          <Badge key={tag} tone="plain">
            {reviewTagText(tag)}
          </Badge>
        ))}
      </div>
      {removed ? (
        <div className="mt3">
          <Banner tone="bad" icon="warning-circle">
            <span className="break">{t`We removed it: ${ownText(removed.reason)}`}</span>
          </Banner>
        </div>
      ) : null}
      {reply ? <ReviewReply title={t`${name} replied, ${day(reply.at)}`} body={reply.body} /> : null}
      {isEditable(review) ? (
        <Button kind="out" size="s" icon="pencil-simple" className="mt3" needsNetwork onClick={onEdit}>
          {t`Edit`}
          <span className="vh">: {name}</span>
        </Button>
      ) : null}
    </li>
  );
}
