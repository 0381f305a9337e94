import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useBusinessProfile } from '../../hiring/jobs/jobs.api.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { useSettings } from '../../lib/settings.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { useWorker } from '../../people/profiles/profiles.api.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { GivenReviews } from './given-reviews.tsx';
import { ReviewList } from './review-list.tsx';
import { businessReviews, type Look, useBusinessReviews } from './reviews.api.ts';
import { type Part, reviewsLink } from './reviews-link.ts';
import { ToWrite } from './to-write.tsx';
import { WorkerReviews } from './worker-reviews.tsx';

/** Reviews of a business, for anyone, or of a worker who applied; a team also writes and replies here. */
export default function BusinessReviewScreen() {
  const start = reviewsLink(useLocation().search);
  const [link, setLink] = useState(start);
  useLinkQuery(reviewsLink, setLink);
  return link.workerId === null ? (
    <BusinessReviews link={link} onLink={setLink} />
  ) : (
    <ApplicantReviews workerId={link.workerId} />
  );
}

function ApplicantReviews({ workerId }: { workerId: string }) {
  const { t } = useLingui();
  const name = useWorker(workerId).data?.name;
  return (
    <Screen title={name ? t`Reviews of ${name}` : t`Reviews`} back={`/worker-details/${workerId}`}>
      <div className="col g4">
        <WorkerReviews
          workerId={workerId}
          empty={
            <EmptyState title={t`No reviews yet`} level="h2">
              <Trans>Businesses review a worker after the work. Published reviews appear here.</Trans>
            </EmptyState>
          }
        />
        <HelpLink article="reviews">{t`How reviews work`}</HelpLink>
      </div>
    </Screen>
  );
}

type Link = ReturnType<typeof reviewsLink>;

function BusinessReviews({ link, onLink: setLink }: { link: Link; onLink: (link: Link) => void }) {
  const { t } = useLingui();
  const { query, business, all } = useCurrentBusiness();
  const linkedId = link.businessId;
  const reviewed = linkedId === null ? business : all.find(({ id }) => id === linkedId);
  const businessId = linkedId ?? business?.id;
  const isTeam = reviewed != null && roleMay(reviewed.role, 'work');
  const profile = useBusinessProfile(reviewed || query.isLoading ? undefined : businessId);
  const name = reviewed?.name ?? profile.data?.name;
  const part = (isTeam ? link.part : null) ?? 'received';
  return (
    <Screen
      title={name ? t`Reviews of ${name}` : t`Reviews`}
      back="menu"
      actions={linkedId === null ? <BusinessPick named /> : undefined}
    >
      <div className="col g4">
        {isTeam ? (
          <Segmented<Part>
            label={t`Reviews`}
            options={[
              { value: 'received', label: t`Received` },
              { value: 'to-write', label: t`To write` },
              { value: 'given', label: t`Given` },
            ]}
            value={part}
            onChange={(next) => setLink({ ...link, part: next, write: null })}
          />
        ) : null}
        <QueryState query={query} loading={<RowsSkeleton />} errorTitle={t`We couldn't load your business`}>
          {() => {
            if (businessId === undefined) return <NoBusiness />;
            if (part === 'to-write')
              return (
                <ToWrite key={`${businessId} ${link.write}`} author={{ businessId }} first={link.write} />
              );
            if (part === 'given') return <GivenReviews author={{ businessId }} />;
            return <ReceivedReviews key={businessId} businessId={businessId} />;
          }}
        </QueryState>
        <HelpLink article="reviews">{t`How reviews work`}</HelpLink>
      </div>
    </Screen>
  );
}

function ReceivedReviews({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const { reviewDays } = useSettings();
  const [look, setLook] = useState<Look>({ sort: 'newest', stars: null });
  const query = useBusinessReviews(businessId, look);
  const canShow = useCanShow();
  return (
    <ReviewList
      query={query}
      look={look}
      onLook={setLook}
      needsNetwork={(next) => !canShow(businessReviews(businessId, next))}
      againWords={{ yes: t`Would work here again`, no: t`Wouldn't work here again` }}
      empty={
        <EmptyState title={t`No reviews yet`} level="h2">
          <Trans>
            Workers can review a business for <Plural value={reviewDays} one="# day" other="# days" /> after
            their work. Published reviews appear here.
          </Trans>
        </EmptyState>
      }
    />
  );
}

function NoBusiness() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Which business?`}
      level="h2"
      actions={
        <ButtonLink kind="out" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <Trans>Open a job to read what workers wrote about its business.</Trans>
    </EmptyState>
  );
}
