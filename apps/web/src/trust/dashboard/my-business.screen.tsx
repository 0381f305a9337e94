import { Trans, useLingui } from '@lingui/react/macro';
import type { JobStanding } from '@nearhand/contract/hiring/jobs.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { roleMay } from '@nearhand/contract/people/team.rules';
import { Suspense } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useUser } from '../../lib/session.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { BellLink } from '../../talk/notifications/bell-link.tsx';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Card, SumRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton, SkeletonBar } from '../../ui/pages/skeleton.tsx';
import { SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import '../../ui/desk.css';
import './dashboard.css';
import { useListedJobs } from '../../hiring/jobs/jobs.api.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { MyBudget } from '../../money/budgets/budgets.tsx';
import { WalletCard } from '../../money/wallet/wallet-card.tsx';
import { useMayCreateJob } from '../../people/accounts/restrictions.tsx';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { BusinessStatusBadge, BusinessStatusCard } from '../../people/businesses/business-status-card.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { HiringCost } from '../../people/businesses/hiring-cost.tsx';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { ReceivedInvitations } from '../../people/team/received-invitations.tsx';
import { ApprovePlanned } from '../../work/business-engagements/approve-planned.tsx';
import { BusinessToday } from '../../work/business-engagements/business-today.tsx';
import { useDeskLoading } from './dashboard.api.ts';
import { OpenJobs } from './open-jobs.tsx';
import { FirstSteps, PaymentsToRelease, WaitingForYou } from './waiting-for-you.tsx';

const FiguresSection = lazyPart(() => import('./figures.tsx'));

/** The dashboard of a business. The Business tab is open to guests too, who learn what it's for. */
export default function MyBusinessScreen() {
  const { t } = useLingui();
  const user = useUser();
  const { query, business } = useCurrentBusiness();
  const wide = useWide();
  if (!user?.emailVerified) {
    return (
      <Screen title={t`Business`} back="menu">
        {user ? (
          <UnverifiedState>
            <p>{t`Then you can register your business and hire.`}</p>
          </UnverifiedState>
        ) : (
          <SignedOutState title={t`Hire people nearby`} next="/tabs/menu/business">
            <p>
              <Trans>Register your business, post a job and see who applies, all from here.</Trans>
            </p>
            <HiringCost />
          </SignedOutState>
        )}
      </Screen>
    );
  }
  return (
    <Screen
      title={t`Business`}
      heading={null}
      back="menu"
      width="wide"
      actions={wide ? undefined : <BellLink />}
    >
      <ReceivedInvitations />
      <QueryState
        query={query}
        loading={
          <>
            <div className="desk-head loading" aria-hidden="true">
              <span className="sk sk-sign" />
              <div className="grow sk-lines">
                <SkeletonBar width={40} tall />
                <SkeletonBar width={30} />
              </div>
            </div>
            <DeskSkeleton />
          </>
        }
        errorTitle={t`We couldn't load your business`}
        isPageAge
        offlineNote={t`You can make changes when you're back online.`}
      >
        {() =>
          business ? (
            <Dashboard key={business.id} business={business} />
          ) : (
            <NoBusiness>
              <Trans>
                A shop, a café, your own household: register it, post a job, and workers nearby see it right
                away.
              </Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

const DeskSkeleton = () => (
  <div className="desk two-cols">
    <div className="desk-main">
      <PageSkeleton />
    </div>
    <div className="desk-side" aria-hidden="true">
      <PageSkeleton />
    </div>
  </div>
);

function Dashboard({ business }: { business: Business }) {
  // Only recruiters see jobs and applicants: the server refuses finance members.
  const recruits = roleMay(business.role, 'applicants');
  const open = useListedJobs(recruits ? business.id : undefined, {
    status: 'open',
    sort: 'soonest',
    grouped: true,
  });
  const counts = open.data?.pages[0]?.counts ?? undefined;
  const hasPosted =
    counts && Object.entries(counts).some(([status, count]) => status !== 'draft' && count > 0);
  const isNew =
    ['draft', 'submitted', 'needs_info'].includes(business.status) && roleMay(business.role, 'details');
  const canRequest = business.actions.includes('submit');
  const loading = useDeskLoading(business.id, recruits, open);
  return (
    <>
      <DeskHead business={business} />
      {loading ? (
        <DeskSkeleton />
      ) : (
        <div className="desk two-cols">
          <div className="desk-main">
            {business.status === 'closed' ? (
              <ClosedCard />
            ) : recruits ? (
              <>
                {canRequest ? <BusinessStatusCard business={business} /> : null}
                {isNew ? <FirstSteps business={business} hasPosted={hasPosted} /> : null}
                <WaitingForYou
                  business={business}
                  isNew={isNew}
                  drafts={counts?.draft ?? 0}
                  expired={counts?.expired ?? 0}
                />
                <OpenJobs business={business} query={open} />
              </>
            ) : (
              <>
                <ApprovePlanned businessId={business.id} />
                <PaymentsToRelease business={business} />
                <FinanceCard business={business} />
              </>
            )}
          </div>
          <div className="desk-side">
            {roleMay(business.role, 'view-money') ? (
              <WalletCard businessId={business.id} closed={business.status === 'closed'} />
            ) : null}
            {roleMay(business.role, 'spend') && !roleMay(business.role, 'ownership') ? (
              <MyBudget businessId={business.id} />
            ) : null}
            {roleMay(business.role, 'work') ? <BusinessToday businessId={business.id} /> : null}
            <JobCounts business={business} counts={counts} isLinked={recruits} />
            {canRequest ? null : <BusinessStatusCard business={business} />}
          </div>
        </div>
      )}
      {roleMay(business.role, 'figures') && !loading ? (
        <Suspense fallback={<RowsSkeleton count={3} />}>
          <FiguresSection key={business.id} businessId={business.id} />
        </Suspense>
      ) : null}
    </>
  );
}

function DeskHead({ business }: { business: Business }) {
  const { t } = useLingui();
  const mayCreate = useMayCreateJob(business);
  return (
    <header className="desk-head">
      <BusinessMark
        size="l"
        category={business.category}
        src={business.logo ? fileUrl(business.logo.path) : null}
      />
      <div className="grow">
        <h1 className="h-xl">{business.name}</h1>
        <p className="mute mt1 row wrap g2">
          <BusinessStatusBadge status={business.status} />
          <span>{formatDay(new Date(), ownTimeZone(), { style: 'long' })}</span>
        </p>
      </div>
      <div className="row wrap g2">
        <BusinessPick named />
        {business.actions.includes('edit') ? (
          <ButtonLink kind="out" size="s" icon="pencil-simple" to="/edit-business">
            {t`Edit`}
          </ButtonLink>
        ) : null}
        {mayCreate ? (
          <ButtonLink kind="go" size="s" icon="plus" to="/create-job">
            {t`Create job`}
          </ButtonLink>
        ) : null}
      </div>
    </header>
  );
}

function ClosedCard() {
  const { t } = useLingui();
  return (
    <Card as="section" label={t`Closed`}>
      <h2 className="h-m">{t`This business is closed`}</h2>
      <p className="mute mt2">
        <Trans>You can still read its jobs, applicants, statement and reviews.</Trans>
      </p>
      <ButtonLink kind="out" size="s" icon="storefront" className="mt3" to="/register-business">
        {t`Register another business`}
      </ButtonLink>
    </Card>
  );
}

function FinanceCard({ business }: { business: Business }) {
  const { t } = useLingui();
  return (
    <Card as="section" label={t`Your role`}>
      <h2 className="h-m">{t`Your role is Finance`}</h2>
      <p className="mute mt2">
        <Trans>
          You approve hours and release pay, and see the balance, statement and figures of {business.name}.
          Recruiters handle its jobs and applicants.
        </Trans>
      </p>
    </Card>
  );
}

type JobCountsProps = {
  business: Business;
  counts: Partial<Record<JobStanding, number>> | undefined;
  isLinked: boolean;
};

function JobCounts({ business, counts, isLinked }: JobCountsProps) {
  const { t } = useLingui();
  return (
    <Card as="section" label={t`Jobs`}>
      <div className="row base">
        <h2 className="h-m grow">{t`Jobs`}</h2>
        {isLinked ? (
          <Link className="link sm hit" to="/listed-job">
            {t`All jobs`}
          </Link>
        ) : null}
      </div>
      <div className="mt3">
        <SumRow label={t({ message: 'Open', context: 'state' })} value={counts?.open ?? business.openJobs} />
        <SumRow label={t`Unopened applications`} value={business.newApplicants} />
        {counts ? <SumRow label={t`Drafts`} value={counts.draft ?? 0} /> : null}
        {counts?.in_review ? <SumRow label={t`In review`} value={counts.in_review} /> : null}
        {counts?.paused ? <SumRow label={t`Paused`} value={counts.paused} /> : null}
        {counts?.filled ? <SumRow label={t`Filled`} value={counts.filled} /> : null}
      </div>
    </Card>
  );
}
