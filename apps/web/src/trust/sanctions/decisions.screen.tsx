import { useLingui } from '@lingui/react/macro';
import { sanctionPath } from '@nearhand/contract/app-paths';
import { useLocation, useNavigate } from 'react-router';
import { useUser } from '../../lib/session.ts';
import { formatAgoWithin, joined } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState, SignedOutState } from '../../ui/pages/states.tsx';
import { ReportList } from '../reports/report-list.tsx';
import { sanctionState, sanctionTitle, targetName } from './sanction.labels.ts';
import { useSanctions } from './sanctions.api.ts';

const path = '/tabs/menu/decisions';

export default function DecisionsScreen() {
  const { t } = useLingui();
  const user = useUser();
  const navigate = useNavigate();
  const list = new URLSearchParams(useLocation().search).get('show') === 'reports' ? 'reports' : 'decisions';
  const title = t`Decisions and reports`;
  if (!user)
    return (
      <Screen title={title} heading={null} back="/tabs/menu/help">
        <SignedOutState level="h1" title={title} next={path}>
          <p>{t`Log in to see what we decided, and why.`}</p>
        </SignedOutState>
      </Screen>
    );
  return (
    <Screen title={title} back="/help-center">
      <div className="col g5">
        <Segmented
          label={t`Show`}
          value={list}
          options={[
            { value: 'decisions', label: t`About you` },
            { value: 'reports', label: t`Your reports` },
          ]}
          onChange={(value) =>
            navigate(value === 'reports' ? `${path}?show=reports` : path, { replace: true })
          }
        />
        {list === 'reports' ? <ReportList /> : <SanctionList />}
      </div>
    </Screen>
  );
}

function SanctionList() {
  const { t, i18n } = useLingui();
  const query = useSanctions();
  const sanctions = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load the decisions`}
      isEmpty={() => sanctions.length === 0}
      empty={
        <EmptyState art="door" title={t`No decisions about you`}>
          <p>{t`If we ever warn you, remove something you wrote, hide a job or suspend an account, you find the reasons here and can appeal.`}</p>
        </EmptyState>
      }
    >
      {() => (
        <>
          <Card flush>
            {sanctions.map((sanction) => {
              const state = sanctionState(sanction);
              return (
                <ListRow
                  key={sanction.id}
                  to={sanctionPath(sanction.id)}
                  title={i18n._(sanctionTitle(sanction))}
                  note={
                    <span dir="auto">
                      {joined(targetName(sanction), formatAgoWithin(sanction.decidedAt))}
                    </span>
                  }
                  end={<Badge tone={state.tone}>{state.text}</Badge>}
                />
              );
            })}
          </Card>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}
