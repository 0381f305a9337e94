import { Trans, useLingui } from '@lingui/react/macro';
import { workerInvoicesPath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { workerGroups } from '@nearhand/contract/money/statements.rules';
import { useState } from 'react';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { formatMinutes, formatMoney, formatMonth } from '../../lib/words/format.ts';
import { SumRow } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { Table } from '../../ui/pages/table.tsx';
import { useStatementLink } from '../downloads/downloads.api.ts';
import { StatementFiles } from '../downloads/statement-files.tsx';
import { ReceiptButton } from '../receipts/receipts-list.tsx';
import { TaxOfficeScreen } from '../seller-reports/tax-office.tsx';
import { SelfBillingScreen } from '../worker-invoices/self-billing.tsx';
import { MyInvoices } from '../worker-invoices/worker-invoices.tsx';
import { LoadedLine, StatementBody } from './statement-body.tsx';
import { StatementDetail } from './statement-detail.tsx';
import { StatementList } from './statement-list.tsx';
import {
  myStatement,
  statementYear,
  useStatement,
  useStatementLine,
  useStatementYear,
} from './statements.api.ts';
import { useStatementView } from './use-statement-view.ts';

const path = '/user-transaction';

type WorkerView = ReturnType<typeof useStatementView<(typeof workerGroups)[number]>>;

export default function UserTransactionScreen() {
  const view = useStatementView(path, workerGroups);
  if (view.show === 'agreement') return <SelfBillingScreen back={workerInvoicesPath} />;
  if (view.show === 'tax-office') return <TaxOfficeScreen />;
  return <MyStatement view={view} />;
}

function MyStatement({ view }: { view: WorkerView }) {
  const { t } = useLingui();
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
        {view.show === 'entries' ? (
          <StatementFiles ask={(format) => link.mutateAsync({ ...view.filter, format })} />
        ) : null}
      </div>
      <Segmented
        label={t`View`}
        options={[
          { value: 'entries', label: t`Entries` },
          { value: 'invoices', label: t`Invoices` },
        ]}
        value={view.show === 'invoices' ? 'invoices' : 'entries'}
        onChange={(show) => view.set({ show, line: null })}
      />
      {view.show === 'invoices' ? <MyInvoices /> : <Entries view={view} query={query} />}
      <Sheet open={year} onClose={() => setYear(false)} title={t`Your year`}>
        {year ? <YearSummary currency={query.data?.pages[0]?.currency} /> : null}
      </Sheet>
    </Screen>
  );
}

function Entries({ view, query }: { view: WorkerView; query: ReturnType<typeof useStatement> }) {
  const { t } = useLingui();
  return (
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
        <>
          {lines.some(isUnderWay) ? (
            <p className="sm mute mt3">
              <Trans>
                Money on its way to your bank is already reserved. It’s deducted here once your bank has it.
              </Trans>
            </p>
          ) : null}
          <StatementList
            lines={lines}
            side="worker"
            timeZone={timeZone}
            onOpen={({ id }) => view.set({ line: id })}
          />
        </>
      )}
    </StatementBody>
  );
}

/** A withdrawal that has not left the balance yet. */
const isUnderWay = ({ kind, amountMinor, status }: StatementLine): boolean =>
  kind === 'withdrawal' && amountMinor === 0 && status !== 'failed' && status !== 'returned';

function Detail({ id, timeZone }: { id: string; timeZone: string }) {
  return (
    <LoadedLine query={useStatementLine(id)}>
      {(line) => (
        <StatementDetail
          line={line}
          side="worker"
          timeZone={timeZone}
          end={line.receiptId ? <ReceiptButton receiptId={line.receiptId} /> : null}
        />
      )}
    </LoadedLine>
  );
}

function YearSummary({ currency }: { currency: Currency | undefined }) {
  const { t } = useLingui();
  const [year, setYear] = useState(() => new Date().getFullYear());
  const query = useStatementYear(year, currency);
  const canShow = useCanShow();
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your year`}>
      {(data) => {
        const money = (minor: number) => formatMoney(minor, data.currency);
        const months = data.months.filter(
          (month) => month.earnedMinor !== 0 || month.tipsMinor !== 0 || month.feesMinor !== 0,
        );
        const years = [...new Set([new Date().getFullYear(), ...data.years])].sort((a, b) => b - a);
        return (
          <div className="col g4">
            <Select
              label={t`Year`}
              needsNetwork={years.every(
                (option) => option === year || !canShow(statementYear(option, currency)),
              )}
              options={years.map((year) => ({ value: String(year), label: String(year) }))}
              value={String(year)}
              onChange={(event) => setYear(Number(event.target.value))}
            />
            <div>
              <p className="sm mute">{t`Earned, including tips`}</p>
              <p className="statement-figure">{money(data.totalMinor)}</p>
            </div>
            {months.length === 0 ? (
              <p className="mute">{t`You earned nothing in ${year}.`}</p>
            ) : (
              <Table
                caption={t`Months of ${year}`}
                density="tight"
                rows={months}
                rowKey={({ month }) => month}
                columns={[
                  { key: 'month', head: t`Month`, cell: ({ month }) => formatMonth(month, 'long') },
                  {
                    key: 'time',
                    head: t`Paid time`,
                    number: true,
                    cell: (row) => formatMinutes(row.paidMinutes),
                  },
                  { key: 'earned', head: t`Pay`, number: true, cell: (row) => money(row.earnedMinor) },
                  { key: 'tips', head: t`Tips`, number: true, cell: (row) => money(row.tipsMinor) },
                  { key: 'fees', head: t`Fees`, number: true, cell: (row) => money(row.feesMinor) },
                ]}
              />
            )}
            {data.businesses.length > 0 ? (
              <section>
                <h3 className="h-s">{t`By business`}</h3>
                {data.businesses.map((business) => (
                  <SumRow key={business.name} label={business.name} value={money(business.earnedMinor)} />
                ))}
              </section>
            ) : null}
          </div>
        );
      }}
    </QueryState>
  );
}
