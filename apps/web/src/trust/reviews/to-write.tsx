import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReviewToWrite } from '@nearhand/contract/trust/reviews';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import '../../work/business-engagements/business-work.css';
import { ReviewSheet } from './review-sheet.tsx';
import { type Author, useEngagementReviews, useReviewsToWrite } from './reviews.api.ts';

/**
 * Ended work to review; a shift of several people can be reviewed in one go. `first` is the work that a link
 * opens.
 */
export function ToWrite({ author, first }: { author: Author; first: string | null }) {
  const { t } = useLingui();
  const { reviewDays } = useSettings();
  const query = useReviewsToWrite(author);
  const [queue, setQueue] = useState<readonly ReviewToWrite[] | null>(null);
  const [linked, setLinked] = useState(first);
  const opened = useEngagementReviews(linked);
  const review = opened.data;
  const fromLink = review?.toWrite ?? null;
  const isHiring = author.businessId !== undefined;
  return (
    <>
      <Refused text={opened.error ? errorText(opened.error) : null} />
      {review && !fromLink ? (
        <Banner icon="info">
          {review.own ? t`You've already reviewed this work.` : t`The time to review this work is over.`}
        </Banner>
      ) : null}
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load what you can review`}
        isEmpty={(data) => data.pages.every((page) => page.items.length === 0)}
        empty={
          <EmptyState title={t`Nothing to review`} level="h2">
            {isHiring ? (
              <Trans>
                People who worked for you appear here for{' '}
                <Plural value={reviewDays} one="# day" other="# days" /> after their work ends.
              </Trans>
            ) : (
              <Trans>
                Businesses you worked for appear here for{' '}
                <Plural value={reviewDays} one="# day" other="# days" /> after the work ends.
              </Trans>
            )}
          </EmptyState>
        }
      >
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          return (
            <div className="col g4">
              {groupsOf(items).map((group) => (
                <Group key={group[0]?.engagementId} group={group} onWrite={setQueue} />
              ))}
              <LoadMore query={query} />
            </div>
          );
        }}
      </QueryState>
      <ReviewSheet
        queue={queue ?? (fromLink ? [fromLink] : null)}
        onClose={() => {
          setQueue(null);
          setLinked(null);
        }}
      />
    </>
  );
}

const groupsOf = (items: readonly ReviewToWrite[]): ReviewToWrite[][] => [
  ...Map.groupBy(items, (item) => (item.side === 'business' ? item.jobId : item.engagementId)).values(),
];

function Group({
  group,
  onWrite,
}: {
  group: readonly ReviewToWrite[];
  onWrite: (queue: readonly ReviewToWrite[]) => void;
}) {
  const { t } = useLingui();
  const [first] = group;
  const count = group.length;
  return (
    <section className="col g2" aria-label={first?.jobTitle}>
      {count > 1 ? (
        <div className="row wrap">
          <h2 className="h-s grow break">{first?.jobTitle}</h2>
          <Button kind="ink" size="s" icon="star" needsNetwork onClick={() => onWrite(group)}>
            {t`Review ${plural(count, { one: '# person', other: '# people' })}`}
          </Button>
        </div>
      ) : null}
      <ul className="card flush">
        {group.map((work) => (
          <ReviewToWriteRow
            key={work.engagementId}
            work={work}
            alone={count === 1}
            onWrite={() => onWrite([work])}
          />
        ))}
      </ul>
    </section>
  );
}

function ReviewToWriteRow({
  work,
  alone,
  onWrite,
}: {
  work: ReviewToWrite;
  alone: boolean;
  onWrite: () => void;
}) {
  const { t } = useLingui();
  const isHiring = work.side === 'business';
  const name = isHiring ? work.worker.name : work.business.name;
  const picture = isHiring ? work.worker.photoPath : work.business.logoPath;
  return (
    <li className="shift-row">
      <Avatar name={name} src={fileUrl(picture)} />
      <div className="who">
        <p className="mid break">{name}</p>
        {alone ? <p className="sm mute">{work.jobTitle}</p> : null}
        <p className="sm mute">{t`Until ${formatDate(work.closesAt, ownTimeZone())}`}</p>
      </div>
      <span className="above">
        <Button kind="out" size="s" needsNetwork onClick={onWrite}>
          {t`Write a review`}
          <span className="vh">: {name}</span>
        </Button>
      </span>
    </li>
  );
}
