import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from 'react-router-dom';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useEngagement } from './engagements.api.ts';
import { MerchantDetail } from './merchant-detail.tsx';

/** One worker on one job: hours with their evidence, deliveries, approval and its exits, for the business. */
export default function MerchantEngagementScreen() {
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
          title={t`This work is not here`}
          art="door"
          actions={
            <ButtonLink kind="out" full to="/merchant-ongoing-jobs">
              {t`See who is on shift`}
            </ButtonLink>
          }
        >
          <Trans>It belongs to a business that you are not a member of, or the link is not complete.</Trans>
        </EmptyState>
      ) : (
        <QueryState
          query={query}
          loading={<PageSkeleton />}
          errorTitle={t`We could not load this work`}
          describe={errorText}
          asOf={formatAgo}
          offlineNote={t`Approving waits for a connection.`}
        >
          {(work) => <MerchantDetail key={work.id} work={work} />}
        </QueryState>
      )}
    </Screen>
  );
}
