import { Trans, useLingui } from '@lingui/react/macro';
import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { errorText } from '../../lib/api/error-text.ts';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { useUser } from '../../lib/session.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { jobStatusMeaning, jobStatusWords } from '../../lib/words/job-status-text.ts';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import '../../ui/desk.css';
import './listed-job.css';
import { BusinessPick } from '../../people/businesses/business-pick.part.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { useListedJobs } from './jobs.api.ts';
import { ListedJobCards, ListedJobTable } from './listed-job-rows.tsx';

const order: readonly JobStatus[] = [
  'open',
  'draft',
  'in_review',
  'paused',
  'filled',
  'expired',
  'suspended',
  'rejected',
  'closed',
  'archived',
];

function askedStatus(search: string): JobStatus | null {
  const asked = new URLSearchParams(search).get('status');
  return order.find((status) => status === asked) ?? null;
}

/** The business's jobs by status. Also the Jobs tab, which is public: guests see what it is for. */
export default function ListedJobScreen() {
  const { t } = useLingui();
  const user = useUser();
  const { query, business } = useCurrentBusiness();
  if (!user?.emailVerified) {
    return (
      <Screen title={t`Jobs`} back="menu">
        {user ? (
          <UnverifiedState>
            <p>{t`Then you can post jobs and see who applied.`}</p>
          </UnverifiedState>
        ) : (
          <SignedOutState title={t`Post a job nearby`} next="/tabs/menu/jobs">
            <Trans>Log in to see your jobs and who applied.</Trans>
          </SignedOutState>
        )}
      </Screen>
    );
  }
  return (
    <Screen title={t`Jobs`} back="menu" width="wide" heading={null}>
      <div className="desk-head">
        <h1 className="h-xl grow">{t`Jobs`}</h1>
        <BusinessPick />
        {business?.actions.includes('create-job') ? (
          <ButtonLink kind="go" size="s" icon="plus" to="/create-job">
            {t`Create job`}
          </ButtonLink>
        ) : null}
      </div>
      <QueryState
        query={query}
        loading={<JobListSkeleton />}
        errorTitle={t`We couldn't load your business`}
        describe={errorText}
        asOf={formatAgo}
      >
        {() => (business ? <Listed key={business.id} business={business} /> : <NoBusiness />)}
      </QueryState>
    </Screen>
  );
}

function NoBusiness() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No business yet`}
      actions={
        <ButtonLink kind="go" full to="/register-business">
          {t`Register a business`}
        </ButtonLink>
      }
    >
      <Trans>Register a business, then post your first job.</Trans>
    </EmptyState>
  );
}

function Listed({ business }: { business: Business }) {
  const { t } = useLingui();
  const wide = useWide();
  const settings = useSettings();
  const { search } = useLocation();
  const [status, setStatus] = useState(() => askedStatus(search));
  useLinkQuery(askedStatus, setStatus);
  const all = useListedJobs(business.id);
  const filtered = useListedJobs(business.id, status ?? undefined);
  const query = status ? filtered : all;
  const counts = (filtered.data ?? all.data)?.pages[0]?.counts ?? {};
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const present = order.filter((one) => (counts[one] ?? 0) > 0 || one === status);

  return (
    <>
      {total > 0 ? (
        <div className="list-filters">
          <Chips label={t`Status`} wrap={wide}>
            <Chip pressed={status === null} onClick={() => setStatus(null)}>
              {t`All ${total}`}
            </Chip>
            {present.map((one) => (
              <Chip key={one} pressed={status === one} onClick={() => setStatus(one)}>
                {jobStatusWords(one).label} {counts[one] ?? 0}
              </Chip>
            ))}
          </Chips>
        </div>
      ) : null}
      {status ? <p className="sm mute list-meaning">{jobStatusMeaning(status, settings)}</p> : null}
      <QueryState
        query={query}
        loading={<JobListSkeleton />}
        errorTitle={t`We couldn't load your jobs`}
        describe={errorText}
        asOf={formatAgo}
        isEmpty={(data) => data.pages.every((page) => page.items.length === 0)}
        empty={<NoJobs business={business} filtered={total > 0} />}
      >
        {(data) => {
          const jobs = data.pages.flatMap((page) => page.items);
          return (
            <>
              {wide ? (
                <Card flush as="section" label={t`Jobs`}>
                  <ListedJobTable jobs={jobs} caption={t`Jobs at ${business.name}`} />
                </Card>
              ) : (
                <ListedJobCards jobs={jobs} />
              )}
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
    </>
  );
}

function NoJobs({ business, filtered }: { business: Business; filtered: boolean }) {
  const { t } = useLingui();
  if (filtered) {
    return (
      <EmptyState title={t`No jobs with this status`}>
        <Trans>Choose another status above to see your other jobs.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={t`No jobs yet`}
      actions={
        business.actions.includes('create-job') ? (
          <ButtonLink kind="out" full icon="plus" to="/create-job">
            {t`Create your first job`}
          </ButtonLink>
        ) : null
      }
    >
      <Trans>A job takes about four minutes. Workers nearby see it at once.</Trans>
    </EmptyState>
  );
}
