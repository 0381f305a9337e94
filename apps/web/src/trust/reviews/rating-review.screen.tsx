import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { useUser } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { GivenReviews } from './given-reviews.tsx';
import { type Part, reviewsLink } from './reviews-link.ts';
import { ToWrite } from './to-write.tsx';
import { WorkerReviews } from './worker-reviews.tsx';

export default function RatingReviewScreen() {
  const { t } = useLingui();
  const start = reviewsLink(useLocation().search);
  const [link, setLink] = useState(start);
  useLinkQuery(reviewsLink, setLink);
  const part = link.part ?? 'to-write';
  return (
    <Screen
      title={t`Reviews`}
      lead={t`What you and businesses write about each other after the work.`}
      back="menu"
    >
      <div className="col g4">
        <Segmented<Part>
          label={t`Reviews`}
          options={[
            { value: 'to-write', label: t`To write` },
            { value: 'received', label: t`Received` },
            { value: 'given', label: t`Given` },
          ]}
          value={part}
          onChange={(next) => setLink({ ...link, part: next, write: null })}
        />
        {part === 'to-write' ? <ToWrite key={link.write} author={{}} first={link.write} /> : null}
        {part === 'received' ? <Received /> : null}
        {part === 'given' ? <GivenReviews author={{}} /> : null}
        <HelpLink article="reviews">{t`How reviews work`}</HelpLink>
      </div>
    </Screen>
  );
}

function Received() {
  const { t } = useLingui();
  const user = useUser();
  const { reviewDays } = useSettings();
  return (
    <WorkerReviews
      workerId={user?.id ?? ''}
      empty={
        <EmptyState title={t`No reviews yet`} level="h2">
          <Trans>
            What a business writes about you appears here once both of you have written, or{' '}
            <Plural value={reviewDays} one="# day" other="# days" /> after the work.
          </Trans>
        </EmptyState>
      }
    />
  );
}
