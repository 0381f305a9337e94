import { useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useEngagement } from './engagements.api.ts';
import { WorkDetail } from './work-detail.tsx';

export function WorkAside({ engagementId }: { engagementId: string }) {
  const { t } = useLingui();
  const query = useEngagement(engagementId, 'worker');
  return (
    <div className="aside-detail" key={engagementId}>
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load this job`}>
        {(data: Engagement) => (
          <div>
            <WorkDetail work={data} level="h2" />
          </div>
        )}
      </QueryState>
    </div>
  );
}
