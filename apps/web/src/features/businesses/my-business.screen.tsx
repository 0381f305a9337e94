import { Trans, useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/businesses';
import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatDay, ownTimeZone } from '../../lib/format.ts';
import { useUser } from '../../lib/session.ts';
import { fileUrl } from '../../lib/stored-file.ts';
import { BusinessMark } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, SumRow } from '../../ui/card.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/skeleton.tsx';
import { SignedOutState } from '../../ui/states.tsx';
import '../../ui/desk.css';
import './my-business.css';
import { lazyPart } from '../../lib/load-part.ts';
import { MerchantToday } from '../engagements/merchant-today.part.tsx';
import { useListedJobs } from '../jobs/jobs.api.ts';
import { WalletCard } from '../payments/wallet-card.part.tsx';
import { BusinessPick } from './business-pick.part.tsx';
import { BusinessStatusCard } from './business-status-card.tsx';
import { businessStatusWords } from './business-words.ts';
import { useCurrentBusiness } from './businesses.api.ts';
import { NoBusiness } from './no-business.part.tsx';
import { OpenJobs } from './open-jobs.tsx';
import { WaitingForYou } from './waiting-for-you.tsx';

const Analytics = lazyPart(() => import('../statements/analytics.part.tsx'));
/** Who may see what was spent. */
const lookers: readonly Business['role'][] = ['owner', 'manager', 'finance'];

/** What the business has to do today. Also the Business tab, which is open to anyone: a guest learns what it is for. */
export default function MyBusinessScreen() {
  const { t } = useLingui();
  const user = useUser();
  const { query, business } = useCurrentBusiness();
  if (!user?.emailVerified) {
    return (
      <Screen title={t`Business`} back="menu">
        <SignedOutState title={t`Hire people nearby`} next="/tabs/menu/business">
          {user ? (
            <Trans>Verify your email address first. The link is in your inbox.</Trans>
          ) : (
            <Trans>Register your business, post a job and see who applies, all from here.</Trans>
          )}
        </SignedOutState>
      </Screen>
    );
  }
  return (
    <Screen title={t`Business`} heading={null} back="menu" width="wide">
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load your business`}
        describe={errorText}
        asOf={formatAgo}
      >
        {() =>
          business ? (
            <Dashboard business={business} />
          ) : (
            <NoBusiness>
              <Trans>
                A shop, a café, your own household: register it, post a job, and workers a short walk away see
                it at once.
              </Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

function Dashboard({ business }: { business: Business }) {
  const { t } = useLingui();
  const open = useListedJobs(business.id, 'open');
  const counts = open.data?.pages[0]?.counts;
  const { label, tone } = businessStatusWords(business.status);
  return (
    <>
      <header className="desk-head">
        <BusinessMark
          size="l"
          category={business.category}
          src={business.logo ? fileUrl(business.logo.path) : null}
        />
        <div className="grow">
          <h1 className="h-xl">{business.name}</h1>
          <p className="mute mt1 row wrap g2">
            <Badge tone={tone} icon={business.status === 'verified' ? 'seal-check' : undefined}>
              {label}
            </Badge>
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
          {business.actions.includes('create-job') ? (
            <ButtonLink kind="go" size="s" icon="plus" to="/create-job">
              {t`Create job`}
            </ButtonLink>
          ) : null}
        </div>
      </header>
      <div className="desk two-cols">
        <div className="desk-main">
          <WaitingForYou business={business} drafts={counts?.draft ?? 0} expired={counts?.expired ?? 0} />
          <OpenJobs business={business} query={open} />
        </div>
        <div className="desk-side">
          <WalletCard businessId={business.id} />
          <MerchantToday businessId={business.id} />
          <Card as="section" label={t`Jobs`}>
            <div className="row base">
              <h2 className="h-m grow">{t`Jobs`}</h2>
              <Link className="link sm hit" to="/listed-job">
                {t`All jobs`}
              </Link>
            </div>
            <div className="mt3">
              <SumRow label={t`Open`} value={business.openJobs} />
              <SumRow label={t`Applicants not opened`} value={business.newApplicants} />
              {counts ? <SumRow label={t`Drafts`} value={counts.draft ?? 0} /> : null}
              {counts?.paused ? <SumRow label={t`Paused`} value={counts.paused} /> : null}
              {counts?.filled ? <SumRow label={t`Filled`} value={counts.filled} /> : null}
            </div>
          </Card>
          <BusinessStatusCard business={business} />
        </div>
      </div>
      {lookers.includes(business.role) ? (
        <Suspense fallback={<RowsSkeleton count={3} />}>
          <Analytics key={business.id} businessId={business.id} />
        </Suspense>
      ) : null}
    </>
  );
}
