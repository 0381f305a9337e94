import { useLingui } from '@lingui/react/macro';
import type { Business } from '@nearhand/contract/people/businesses';
import { useLocation } from 'react-router';
import { whenText } from '../../lib/words/job.labels.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { Sign } from '../../ui/art/sign.tsx';
import { ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { JobListSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useListedJobs } from '../jobs/jobs.api.ts';
import { ShareTools } from './share-tools.tsx';
import '../../ui/desk.css';
import './share-job.css';
import { NoBusiness } from '../../people/businesses/no-business.tsx';

/** Shares one job outside Nearhand (spec: `/share-job`). Without `?job=` an open one is chosen first. */
export default function ShareJobScreen() {
  const { t } = useLingui();
  const { search } = useLocation();
  const jobId = new URLSearchParams(search).get('job');
  const { query, business } = useCurrentBusiness();
  return (
    <Screen title={t`Share a job`} back={jobId ? '/share-job' : 'menu'} width="wide">
      {jobId ? (
        <ShareTools key={jobId} jobId={jobId} />
      ) : (
        <QueryState
          query={query}
          loading={<JobListSkeleton />}
          errorTitle={t`We couldn't load your business`}
        >
          {() =>
            business ? (
              <PickJob key={business.id} business={business} />
            ) : (
              <NoBusiness title={t`No business yet`}>
                <p>{t`Register a business and post a job. Then you can share it here.`}</p>
              </NoBusiness>
            )
          }
        </QueryState>
      )}
    </Screen>
  );
}

function PickJob({ business }: { business: Business }) {
  const { t } = useLingui();
  const query = useListedJobs(business.id, { status: 'open' });
  return (
    <>
      <BusinessPick />
      <QueryState
        query={query}
        loading={<JobListSkeleton />}
        errorTitle={t`We couldn't load your jobs`}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <EmptyState
            title={t`No open jobs`}
            actions={
              <ButtonLink kind="go" full to="/create-job">
                {t`Create job`}
              </ButtonLink>
            }
          >
            <p>{t`An open job has a page that anyone can read. Its link, QR code and poster appear here.`}</p>
          </EmptyState>
        }
      >
        {({ pages }) => (
          <>
            <h2 className="h-m mt4">{t`Which job?`}</h2>
            <ul className="share-pick mt2">
              {pages.flatMap(({ items }) =>
                items.map((job) => (
                  <li key={job.id}>
                    <ListRow
                      lead={<Sign category={job.category} />}
                      title={job.title}
                      note={whenText(job) ?? job.place.label}
                      to={`/share-job?job=${job.id}`}
                    />
                  </li>
                )),
              )}
            </ul>
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </>
  );
}
