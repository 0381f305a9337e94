import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { Navigate, useParams } from 'react-router-dom';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useEngagement } from './engagements.api.ts';
import { WorkDetail } from './work-detail.part.tsx';

/** One piece of booked work, from the way there to the last payment (look 09). */
export default function EngagementScreen() {
  const { t } = useLingui();
  const { engagementid } = useParams();
  const query = useEngagement(engagementid, 'worker');
  const work = query.data as Engagement | undefined;
  // Who hires has a screen of their own for it.
  if (work?.side === 'business') return <Navigate to={`/tabs/menu/jobs/engagement/${work.id}`} replace />;
  return (
    <Screen
      title={work?.terms.title ?? t`Booked work`}
      heading={null}
      back="/tabs/menu/my-work"
      onRefresh={() => query.refetch()}
    >
      {isApiError(query.error, 'engagement/not-found', 'request/invalid') ? (
        <EmptyState
          level="h1"
          title={t`This work is not here`}
          actions={
            <ButtonLink kind="go" full to="/tabs/menu/my-work">
              {t`See my work`}
            </ButtonLink>
          }
        >
          <p>{t`It is not yours to see, or the link is not complete.`}</p>
        </EmptyState>
      ) : (
        <QueryState
          query={query}
          loading={<PageSkeleton />}
          errorTitle={t`We could not load this work`}
          describe={errorText}
          asOf={formatAgo}
          offlineNote={t`Checking in and out works: it is kept here and sent when you reconnect.`}
        >
          {(data) => <WorkDetail work={data} />}
        </QueryState>
      )}
    </Screen>
  );
}
