import { Trans, useLingui } from '@lingui/react/macro';
import { workerGroups } from '@nearhand/contract/statements';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoney } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { LineCard } from './line-card.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { StatementFiles } from './statement-files.tsx';
import { StatementFilters } from './statement-filters.tsx';
import { StatementList } from './statement-list.tsx';
import { spanOf } from './statement-span.ts';
import { StatementTiles } from './statement-tiles.tsx';
import '../../ui/desk.css';
import './statements.css';
import { useStatement, useStatementLine, useStatementLink, type WorkerGroup } from './statements.api.ts';
import { useStatementView } from './use-statement-view.ts';
import { YearSummary } from './year-summary.tsx';

const path = '/user-transaction';

/** What the worker earned and took out, line by line down to the work. */
export default function UserTransactionScreen() {
  const { t } = useLingui();
  const view = useStatementView(path, workerGroups);
  const [year, setYear] = useState(false);
  const { group, month, currency, line } = view;
  const filter = { group, ...spanOf(month), ...(currency ? { currency } : {}) };
  const query = useStatement(filter);
  const link = useStatementLink();
  const first = query.data?.pages[0];
  const groups: { value: WorkerGroup; label: string }[] = [
    { value: 'all', label: t`All` },
    { value: 'earned', label: t`Pay` },
    { value: 'tips', label: t`Tips` },
    { value: 'withdrawals', label: t`Out` },
  ];
  const close = () => view.set({ line: null });
  const plain = group === 'all' && month === '';
  return (
    <Screen
      title={t`Statement`}
      heading={null}
      back="/withdraw"
      width="wide"
      onRefresh={() => query.refetch()}
    >
      <div className="desk-head">
        <h1 className="h-xl grow">{t`Statement`}</h1>
        <Button kind="out" size="s" icon="calendar-blank" onClick={() => setYear(true)}>
          {t`Year`}
        </Button>
        <StatementFiles ask={(format) => link.mutateAsync({ ...filter, format })} />
      </div>
      {first ? (
        <StatementTiles
          label={t`Totals`}
          tiles={[
            { label: t`Pay`, value: formatMoney(first.totals.earnedMinor, first.currency) },
            { label: t`Tips`, value: formatMoney(first.totals.tipsMinor, first.currency) },
            { label: t`Taken out`, value: formatMoney(first.totals.withdrawnMinor, first.currency) },
            {
              label: month ? t`Balance at the end` : t`Balance`,
              value: formatMoney(first.totals.closingMinor, first.currency),
            },
          ]}
        />
      ) : null}
      <StatementFilters
        groups={groups}
        view={view}
        currency={first?.currency}
        currencies={first?.currencies ?? []}
        onChange={view.set}
      />
      <div className={line ? 'statement-cols' : undefined}>
        <QueryState
          query={query}
          loading={<RowsSkeleton count={6} />}
          errorTitle={t`We could not load your statement`}
          describe={errorText}
          asOf={formatAgo}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={
            plain ? (
              <EmptyState
                title={t`Nothing here yet`}
                actions={
                  <ButtonLink kind="ink" to="/tabs/menu/explore">
                    {t`Find work nearby`}
                  </ButtonLink>
                }
              >
                <Trans>Your pay, tips and what you take out will stand here.</Trans>
              </EmptyState>
            ) : (
              <EmptyState
                title={t`None of these`}
                actions={
                  <Button kind="ink" onClick={() => view.set({ group: 'all', month: '' })}>
                    {t`Show everything`}
                  </Button>
                }
              >
                <Trans>There are no lines of this kind in this time.</Trans>
              </EmptyState>
            )
          }
        >
          {({ pages }) => (
            <div className={query.isPlaceholderData ? 'stale' : undefined}>
              <StatementList
                lines={pages.flatMap(({ items }) => items)}
                side="worker"
                timeZone={pages[0]?.timeZone ?? 'UTC'}
                onOpen={({ id }) => view.set({ line: id })}
              />
              <LoadMore query={query} />
            </div>
          )}
        </QueryState>
        <LineCard open={line !== null} onClose={close}>
          {line ? <Detail key={line} id={line} /> : null}
        </LineCard>
      </div>
      <Sheet open={year} onClose={() => setYear(false)} title={t`Your year`}>
        {year ? <YearSummary currency={first?.currency} /> : null}
      </Sheet>
    </Screen>
  );
}

function Detail({ id }: { id: string }) {
  const { t } = useLingui();
  const query = useStatementLine(id);
  return (
    <QueryState
      query={query}
      loading={<PageSkeleton />}
      errorTitle={t`We could not load this line`}
      describe={errorText}
      asOf={formatAgo}
    >
      {(line) => <StatementDetail line={line} side="worker" />}
    </QueryState>
  );
}
