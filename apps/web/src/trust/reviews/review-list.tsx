import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { reportPath } from '@nearhand/contract/app-paths';
import { ratingLimits } from '@nearhand/contract/people/rating.rules';
import type { PublishedReview, ReviewPage } from '@nearhand/contract/trust/reviews';
import { reviewLimits } from '@nearhand/contract/trust/reviews.rules';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDay, formatTenths, joined, ownTimeZone } from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { reviewTagText, starsCount } from './review.labels.ts';
import { ReviewReply, ReviewText } from './review-text.tsx';
import { type Look, useReplyToReview } from './reviews.api.ts';
import { StarSpread } from './stars.tsx';
import './reviews.css';

type ReviewsQuery = UseInfiniteQueryResult<InfiniteData<ReviewPage, string | undefined>, Error>;

const orders = ['newest', 'highest', 'lowest'] as const;

export function ReviewList({
  query,
  look,
  onLook,
  needsNetwork,
  empty,
  againWords,
}: {
  query: ReviewsQuery;
  look: Look;
  onLook: (look: Look) => void;
  needsNetwork: (look: Look) => boolean;
  empty: React.ReactNode;
  againWords: { yes: string; no: string };
}) {
  const { t } = useLingui();
  const [replying, setReplying] = useState<PublishedReview | null>(null);
  return (
    <>
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load the reviews`}
        isEmpty={(data) => (data.pages[0]?.rating.count ?? 0) === 0}
        empty={empty}
      >
        {(data) => {
          const [first] = data.pages;
          const items = data.pages.flatMap((page) => page.items);
          return (
            <div className="col g4">
              {first ? <Figure page={first} {...{ look, onLook, needsNetwork }} /> : null}
              {data.pages.some((page) => page.rating.count > 1) ? (
                <div className="row g3 wrap end">
                  {look.stars === null ? null : (
                    <Button
                      kind="text"
                      size="s"
                      needsNetwork={needsNetwork({ ...look, stars: null })}
                      onClick={() => onLook({ ...look, stars: null })}
                    >
                      {t`Show all`}
                    </Button>
                  )}
                  <Select
                    label={t`Sort by`}
                    value={look.sort}
                    needsNetwork={orders.every(
                      (sort) => sort === look.sort || needsNetwork({ ...look, sort }),
                    )}
                    options={[
                      { value: 'newest', label: t`Newest first` },
                      { value: 'highest', label: t`Highest first` },
                      { value: 'lowest', label: t`Lowest first` },
                    ]}
                    onChange={(event) => onLook({ ...look, sort: event.target.value as Look['sort'] })}
                  />
                </div>
              ) : null}
              {items.length === 0 && look.stars !== null ? (
                <EmptyState title={t`No reviews with ${starsCount(look.stars)}`} level="h2">
                  <Trans>Show all to read the others.</Trans>
                </EmptyState>
              ) : (
                <ul className="card flush">
                  {items.map((review) => (
                    <One key={review.id} review={review} again={againWords} onReply={setReplying} />
                  ))}
                </ul>
              )}
              <LoadMore query={query} />
            </div>
          );
        }}
      </QueryState>
      <Sheet open={replying !== null} onClose={() => setReplying(null)} title={t`Reply in public`}>
        {replying ? <ReplyForm review={replying} onDone={() => setReplying(null)} /> : null}
      </Sheet>
    </>
  );
}

function Figure({
  page,
  look,
  onLook,
  needsNetwork,
}: {
  page: ReviewPage;
  look: Look;
  onLook: (look: Look) => void;
  needsNetwork: (look: Look) => boolean;
}) {
  const { t } = useLingui();
  const { rating, counts } = page;
  return (
    <Card as="section" roomy label={t`Rating`}>
      {rating.averageTenths === null || counts === null ? (
        <>
          <h2 className="h-m">{ratingText(rating)}</h2>
          <p className="sm mute">
            <Trans>An average appears from {ratingLimits.averageRatingsMin} reviews on.</Trans>
          </p>
        </>
      ) : (
        <div className="review-figure">
          <h2>
            <span className="h-xl num block">{formatTenths(rating.averageTenths)}</span>{' '}
            <span className="sm mute">
              <Plural value={rating.count} one="# review" other="# reviews" />
            </span>
          </h2>
          <StarSpread
            counts={counts}
            chosen={look.stars}
            needsNetwork={(stars) => needsNetwork({ ...look, stars })}
            onChoose={(stars) => onLook({ ...look, stars })}
          />
        </div>
      )}
    </Card>
  );
}

function One({
  review,
  again,
  onReply,
}: {
  review: PublishedReview;
  again: { yes: string; no: string };
  onReply: (review: PublishedReview) => void;
}) {
  const { t } = useLingui();
  const { author, stars, tags, body, jobTitle, publishedAt, reply } = review;
  const day = (at: string) => formatDay(at, ownTimeZone());
  return (
    <li className="review">
      <ReviewText
        level="h3"
        name={author}
        about={joined(jobTitle, day(publishedAt))}
        stars={stars}
        body={body}
      />
      {review.noShowOverturned ? (
        <p className="sm mt2">
          <Badge tone="wait">{t`Checked by Nearhand`}</Badge>{' '}
          {t`The business reported that they didn't come. We looked into it and decided that they worked.`}
        </p>
      ) : null}
      {tags.length > 0 || review.again !== null ? (
        <div className="row g2 wrap mt2">
          {tags.map((tag) => (
            <Badge key={tag} tone="plain">
              {reviewTagText(tag)}
            </Badge>
          ))}
          {review.again === null ? null : (
            <Badge tone={review.again ? 'good' : 'plain'}>{review.again ? again.yes : again.no}</Badge>
          )}
        </div>
      ) : null}
      {reply ? <ReviewReply title={t`Reply, ${day(reply.at)}`} body={reply.body} /> : null}
      <p className="row g4 mt3">
        {review.canReply ? (
          <Button kind="out" size="s" needsNetwork onClick={() => onReply(review)}>
            {t`Reply`}
            <span className="vh">: {author}</span>
          </Button>
        ) : null}
        <Link className="link sm" to={reportPath('review', review.id)}>
          {t`Report`}
          <span className="vh">: {author}</span>
        </Link>
      </p>
    </li>
  );
}

function ReplyForm({ review, onDone }: { review: PublishedReview; onDone: () => void }) {
  const { t } = useLingui();
  const send = useReplyToReview();
  const action = useAction();
  const draft = useTextDraft(`reply ${review.id}`);
  const [tried, setTried] = useState(false);
  const body = draft.value.trim();
  const problem = body === '' ? t`Write your reply.` : tooLong(body, reviewLimits.replyMax);
  return (
    <Form
      onSubmit={() => {
        setTried(true);
        if (problem) return;
        void action.run(async () => {
          await send.mutateAsync({ reviewId: review.id, body });
          draft.drop();
          showToast(t`Reply published`);
          onDone();
        });
      }}
    >
      <p className="mute">
        <Trans>
          Everyone who can read the review can read your reply. You can reply once, and not change it.
        </Trans>
      </p>
      <TextArea
        label={t`Your reply to ${review.author}`}
        rows={4}
        maxLength={reviewLimits.replyMax}
        length={draft.value.length}
        value={draft.value}
        error={tried ? problem : undefined}
        onChange={(event) => draft.set(event.target.value)}
      />
      <Refused text={action.refusal} />
      <div className="sheet-act">
        <Button kind="go" full type="submit" busy={action.busy}>
          {t`Publish reply`}
        </Button>
      </div>
    </Form>
  );
}
