import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useEngagement } from '../engagements/engagements.api.ts';
import { BusinessWorkDetail } from './business-work-detail.tsx';

export default function BusinessEngagementScreen() {
  const { t } = useLingui();
  const { engagementid = '' } = useParams();
  const query = useEngagement(engagementid, 'business');
  const foreign =
    isApiError(query.error, 'engagement/not-found', 'request/invalid') || query.data?.side === 'worker';
  return (
    <Screen
      title={query.data && !foreign ? query.data.terms.title : t`On shift`}
      heading={null}
      back="/merchant-ongoing-jobs"
      onRefresh={() => query.refetch()}
    >
      {foreign ? (
        <EmptyState
          level="h1"
          title={t`Job not found`}
          art="door"
          actions={
            <ButtonLink kind="out" full to="/merchant-ongoing-jobs">
              {t`See who's on shift`}
            </ButtonLink>
          }
        >
          <Trans>It belongs to a business you're not a member of, or the link is incomplete.</Trans>
        </EmptyState>
      ) : (
        <QueryState
          query={query}
          loading={<PageSkeleton />}
          errorTitle={t`We couldn't load this job`}
          offlineNote={t`You can approve once you're back online.`}
        >
          {(work) => <BusinessWorkDetail key={work.id} work={work} />}
        </QueryState>
      )}
    </Screen>
  );
}
