import { useLingui } from '@lingui/react/macro';
import { Navigate, useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { CounterActions } from '../timesheets/counter-card.tsx';
import { useEngagement } from './engagements.api.ts';
import { WorkDetail } from './work-detail.tsx';

/** A booked job for its worker, from the route to the last payment. */
export default function EngagementScreen() {
  const { t } = useLingui();
  const { engagementid } = useParams();
  const query = useEngagement(engagementid, 'worker');
  const work = query.data;
  if (work?.side === 'business') return <Navigate to={`/tabs/menu/jobs/engagement/${work.id}`} replace />;
  return (
    <Screen
      title={work?.terms.title ?? t`Booked job`}
      heading={null}
      back="/tabs/menu/my-work"
      width="wide"
      dock={work?.status === 'counter_proposed' ? <CounterActions work={work} /> : undefined}
      onRefresh={() => query.refetch()}
    >
      {isApiError(query.error, 'engagement/not-found', 'request/invalid') ? (
        <EmptyState
          level="h1"
          title={t`Job not found`}
          actions={
            <ButtonLink kind="go" full to="/tabs/menu/my-work">
              {t`See my work`}
            </ButtonLink>
          }
        >
          <p>{t`You don't have access to it, or the link is incomplete.`}</p>
        </EmptyState>
      ) : (
        <QueryState
          query={query}
          loading={<PageSkeleton />}
          errorTitle={t`We couldn't load this job`}
          offlineNote={t`You can still check in and out. We'll send it when you reconnect.`}
        >
          {(data) => <WorkDetail work={data} />}
        </QueryState>
      )}
    </Screen>
  );
}
