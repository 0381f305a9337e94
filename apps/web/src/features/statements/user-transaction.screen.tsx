import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import type { StatementLine } from '@nearhand/contract/statements';
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
import { useWide } from '../../ui/wide.ts';
import { StatementDetail } from './statement-detail.tsx';
import { StatementFiles } from './statement-files.tsx';
import { StatementFilters } from './statement-filters.tsx';
import { StatementList } from './statement-list.tsx';
import { spanOf } from './statement-span.ts';
import { StatementTiles } from './statement-tiles.tsx';
import './statements.css';
import { useStatement, useStatementLine, useStatementLink, type WorkerGroup } from './statements.api.ts';
import { YearSummary } from './year-summary.tsx';

/** What the worker earned and took out, line by line down to the work. */
export default function UserTransactionScreen() {
  const { t } = useLingui();
  const wide = useWide();
  const [group, setGroup] = useState<WorkerGroup>('all');
  const [month, setMonth] = useState('');
  const [currency, setCurrency] = useState<Currency | undefined>();
  const [open, setOpen] = useState<StatementLine | null>(null);
  const [year, setYear] = useState(false);
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
  return (
    <Screen
      title={t`Earnings`}
      lead={t`What you were paid and took out, each with the work it is for.`}
      back="/withdraw"
      width="wide"
      onRefresh={() => query.refetch()}
      aside={wide && open ? <Detail key={open.id} id={open.id} /> : undefined}
      asideLabel={t`The line opened`}
    >
      <div className="statement-head">
        <StatementFiles ask={(format) => link.mutateAsync({ ...filter, format })} />
        <Button kind="out" size="s" icon="calendar-blank" onClick={() => setYear(true)}>
          {t`Year`}
        </Button>
      </div>
      {first ? (
        <StatementTiles
          label={t`Totals`}
          tiles={[
            { label: t`Pay`, value: formatMoney(first.totals.earnedMinor, first.currency) },
            { label: t`Tips`, value: formatMoney(first.totals.tipsMinor, first.currency) },
            { label: t`Taken out`, value: formatMoney(first.totals.withdrawnMinor, first.currency) },
            { label: t`Balance at the end`, value: formatMoney(first.totals.closingMinor, first.currency) },
          ]}
        />
      ) : null}
      <StatementFilters
        groups={groups}
        group={group}
        onGroup={setGroup}
        month={month}
        onMonth={setMonth}
        currency={first?.currency}
        currencies={first?.currencies ?? []}
        onCurrency={setCurrency}
      />
      <QueryState
        query={query}
        loading={<RowsSkeleton count={5} />}
        errorTitle={t`We could not load your statement`}
        describe={errorText}
        asOf={formatAgo}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={
          <EmptyState
            title={t`Nothing here yet`}
            actions={
              <ButtonLink kind="ink" to="/tabs/menu/explore">
                {t`Find work nearby`}
              </ButtonLink>
            }
          >
            <Trans>Your pay, tips and withdrawals of this time will stand here.</Trans>
          </EmptyState>
        }
      >
        {({ pages }) => (
          <>
            <StatementList lines={pages.flatMap(({ items }) => items)} side="worker" onOpen={setOpen} />
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
      <Sheet open={!wide && open !== null} onClose={() => setOpen(null)} title={t`Line`}>
        {open && !wide ? <Detail key={open.id} id={open.id} /> : null}
      </Sheet>
      <Sheet open={year} onClose={() => setYear(false)} title={t`Your year`}>
        {year ? <YearSummary /> : null}
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
