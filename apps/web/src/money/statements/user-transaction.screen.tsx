import { Trans, useLingui } from '@lingui/react/macro';
import { workerGroups } from '@nearhand/contract/money/statements.rules';
import { useState } from 'react';
import { formatMoney } from '../../lib/words/format.ts';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useStatementLink } from '../downloads/downloads.api.ts';
import { StatementFiles } from '../downloads/statement-files.tsx';
import { LoadedLine, StatementBody } from './statement-body.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { StatementList } from './statement-list.tsx';
import { myStatement, useStatement, useStatementLine } from './statements.api.ts';
import { useStatementView } from './use-statement-view.ts';
import { YearSummary } from './year-summary.tsx';

const path = '/user-transaction';

export default function UserTransactionScreen() {
  const { t } = useLingui();
  const view = useStatementView(path, workerGroups);
  const [year, setYear] = useState(false);
  const query = useStatement(view.filter);
  const link = useStatementLink();
  return (
    <Screen
      title={t`Statement`}
      heading={null}
      back="/withdraw"
      width="wide"
      onRefresh={() => query.refetch()}
    >
      <div className="desk-head statement-head">
        <h1 className="h-xl grow">{t`Statement`}</h1>
        <Button kind="out" size="s" icon="calendar-blank" onClick={() => setYear(true)}>
          {t`Year`}
        </Button>
        <StatementFiles ask={(format) => link.mutateAsync({ ...view.filter, format })} />
      </div>
      <StatementBody
        view={view}
        groups={[
          { value: 'all', label: t`All` },
          { value: 'earned', label: t`Pay` },
          { value: 'tips', label: t`Tips` },
          { value: 'withdrawals', label: t`Out` },
        ]}
        query={query}
        queryOf={myStatement}
        tiles={({ totals, currency }) => [
          { label: t`Pay`, value: formatMoney(totals.earnedMinor, currency) },
          { label: t`Tips`, value: formatMoney(totals.tipsMinor, currency) },
          {
            label: t({ message: 'Withdrawn', context: 'money' }),
            value: formatMoney(totals.withdrawnMinor, currency),
          },
          {
            label: view.month ? t`Closing balance` : t`Balance`,
            value: formatMoney(totals.closingMinor, currency),
          },
        ]}
        errorTitle={t`We couldn't load your statement`}
        nothing={
          <EmptyState
            title={t`Nothing here yet`}
            actions={
              <ButtonLink kind="ink" to="/tabs/menu/explore">
                {t`Find work nearby`}
              </ButtonLink>
            }
          >
            <Trans>Your pay, tips and withdrawals will appear here.</Trans>
          </EmptyState>
        }
        noneText={<Trans>Nothing matches these filters.</Trans>}
        line={(id, timeZone) => <Detail key={id} id={id} timeZone={timeZone} />}
      >
        {(lines, timeZone) => (
          <StatementList
            lines={lines}
            side="worker"
            timeZone={timeZone}
            onOpen={({ id }) => view.set({ line: id })}
          />
        )}
      </StatementBody>
      <Sheet open={year} onClose={() => setYear(false)} title={t`Your year`}>
        {year ? <YearSummary currency={query.data?.pages[0]?.currency} /> : null}
      </Sheet>
    </Screen>
  );
}

function Detail({ id, timeZone }: { id: string; timeZone: string }) {
  return (
    <LoadedLine query={useStatementLine(id)}>
      {(line) => <StatementDetail line={line} side="worker" timeZone={timeZone} />}
    </LoadedLine>
  );
}
