import { useLingui } from '@lingui/react/macro';
import { useParams } from 'react-router';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import {
  ApplicationActions,
  ApplicationBody,
  ApplicationHero,
  ApplicationHeroSkeleton,
} from './application-detail.tsx';
import { useMyApplication } from './applications.api.ts';
import './applications.css';

export default function ApplicationScreen() {
  const { t } = useLingui();
  const { applicationid } = useParams();
  const query = useMyApplication(applicationid);
  const application = query.data;
  return (
    <Screen
      title={t`My application`}
      heading={null}
      back="/tabs/menu/my-work"
      hero={
        application ? (
          <ApplicationHero application={application} />
        ) : query.error ? undefined : (
          <ApplicationHeroSkeleton />
        )
      }
      dock={
        application ? (
          <ApplicationActions application={application} />
        ) : query.error ? undefined : (
          <span className="dock-sk" />
        )
      }
      width="wide"
      onRefresh={() => query.refetch()}
    >
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load your application`}
        offlineNote={t`You can make changes when you're back online.`}
      >
        {(data) => <ApplicationBody application={data} />}
      </QueryState>
    </Screen>
  );
}
