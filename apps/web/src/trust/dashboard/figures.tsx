import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import { type ReactNode, useState } from 'react';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import {
  formatCalendarDay,
  formatMinutes,
  formatMoney,
  formatMonth,
  formatNumber,
} from '../../lib/words/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { Table } from '../../ui/pages/table.tsx';
import './figures.css';
import { figuresQuery, useBusinessFigures } from './dashboard.api.ts';
import { BarPlot, FillStrip, scaleTop } from './plots.tsx';

const spanMonths = 6;
const hoursText = (hours: number): string =>
  hours < 1 ? formatMinutes(Math.round(hours * 60)) : `${formatNumber(Math.round(hours))} h`;

/** Spend, cost per hour and time to fill, each plot with its table. For owners, managers and finance. */
export default function FiguresSection({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const [currency, setCurrency] = useState<Currency | undefined>();
  const query = useBusinessFigures(businessId, spanMonths, currency);
  const canShow = useCanShow();
  return (
    <section className="analytics" aria-labelledby="figures-head">
      <div className="row wrap g3 base">
        <h2 className="h-l grow" id="figures-head">
          {t`Figures`}
        </h2>
        {(query.data?.currencies.length ?? 0) > 1 ? (
          <Chips label={t`Currency`} wrap>
            {query.data?.currencies.map((currency) => (
              <Chip
                key={currency}
                pressed={currency === query.data?.currency}
                needsNetwork={
                  currency !== query.data?.currency &&
                  !canShow(figuresQuery(businessId, spanMonths, currency))
                }
                onClick={() => setCurrency(currency)}
              >
                {currency}
              </Chip>
            ))}
          </Chips>
        ) : null}
      </div>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={3} />}
        errorTitle={t`We couldn't load the figures`}
      >
        {(data) =>
          data.filled.length === 0 &&
          data.months.every((month) => month.spendMinor === 0 && month.hires === 0) ? (
            <p className="mute mt3">
              <Trans>Spend, cost per hour and time to fill appear here after your first hire.</Trans>
            </p>
          ) : (
            <div className="analytics-parts">
              <Spend data={data} />
              <CostPerHour data={data} />
              <TimeToFill data={data} />
            </div>
          )
        }
      </QueryState>
    </section>
  );
}

type Figures = NonNullable<ReturnType<typeof useBusinessFigures>['data']>;

const moneyIn = (currency: Currency) => (minor: number) => formatMoney(Math.round(minor), currency);

function Spend({ data: { months, currency } }: { data: Figures }) {
  const { t } = useLingui();
  const money = moneyIn(currency);
  return (
    <Figure
      title={t`Spend`}
      figure={money(sumOf(months, (month) => month.spendMinor))}
      note={<Trans>in {spanMonths} months, including fees and tips</Trans>}
      plot={
        <BarPlot
          top={scaleTop(Math.max(...months.map(({ spendMinor }) => spendMinor)))}
          format={money}
          bars={months.map((month) => ({
            key: month.month,
            label: formatMonth(month.month, 'short'),
            parts: [
              { value: month.spendMinor - month.feesMinor - month.tipsMinor, colour: 'var(--good)' },
              { value: month.feesMinor, colour: 'var(--wait)' },
              { value: month.tipsMinor, colour: 'var(--here)' },
            ],
          }))}
        />
      }
      legend={
        <p className="xs mute plot-legend">
          <span className="plot-key good" /> {t`Pay`} <span className="plot-key wait" /> {t`Fees`}{' '}
          <span className="plot-key here" /> {t`Tips`}
        </p>
      }
      table={
        <Table
          caption={t`Spend by month`}
          density="tight"
          rows={months}
          rowKey={({ month }) => month}
          columns={[
            { key: 'month', head: t`Month`, cell: ({ month }) => formatMonth(month, 'brief') },
            { key: 'pay', head: t`Pay`, number: true, cell: (row) => money(row.payMinor) },
            { key: 'fees', head: t`Fees`, number: true, cell: (row) => money(row.feesMinor) },
            { key: 'tips', head: t`Tips`, number: true, cell: (row) => money(row.tipsMinor) },
            { key: 'all', head: t`Spend`, number: true, cell: (row) => money(row.spendMinor) },
          ]}
        />
      }
    />
  );
}

function CostPerHour({ data: { months, currency } }: { data: Figures }) {
  const { t } = useLingui();
  const money = moneyIn(currency);
  const minutes = sumOf(months, (month) => month.paidMinutes);
  const costs = months.map(({ costPerHourMinor }) => costPerHourMinor ?? 0);
  return (
    <Figure
      title={t`Cost per hour`}
      figure={
        minutes === 0
          ? '–'
          : money(
              months.reduce(
                (sum, month) => sum + ((month.costPerHourMinor ?? 0) * month.paidMinutes) / minutes,
                0,
              ),
            )
      }
      note={<Trans>for shift work including fees, over {formatMinutes(minutes)}</Trans>}
      plot={
        <BarPlot
          top={scaleTop(Math.max(...costs))}
          format={money}
          bars={months.map((month, index) => ({
            key: month.month,
            label: formatMonth(month.month, 'short'),
            parts: [{ value: costs[index] ?? 0, colour: 'var(--good)' }],
          }))}
        />
      }
      table={
        <Table
          caption={t`Cost per hour by month`}
          density="tight"
          rows={months}
          rowKey={({ month }) => month}
          columns={[
            { key: 'month', head: t`Month`, cell: ({ month }) => formatMonth(month, 'brief') },
            {
              key: 'time',
              head: t`Time paid`,
              number: true,
              cell: (row) => formatMinutes(row.paidMinutes),
            },
            {
              key: 'cost',
              head: t`Per hour`,
              number: true,
              cell: ({ costPerHourMinor }) => (costPerHourMinor === null ? '–' : money(costPerHourMinor)),
            },
            { key: 'hires', head: t`Hires`, number: true, cell: (row) => formatNumber(row.hires) },
          ]}
        />
      }
    />
  );
}

function TimeToFill({ data: { filled, medianHours, medianHoursBefore } }: { data: Figures }) {
  const { t } = useLingui();
  const faster = medianHours !== null && medianHoursBefore !== null ? medianHoursBefore - medianHours : null;
  const within = filled.filter(({ hours }) => hours <= 24).length;
  const note = () => {
    if (medianHours === null) return <Trans>No jobs were filled in this period.</Trans>;
    if (faster === null) return <Trans>median</Trans>;
    if (faster < 0) return <Trans>median, {hoursText(-faster)} slower than before</Trans>;
    return <Trans>median, {hoursText(faster)} faster than before</Trans>;
  };
  return (
    <Figure
      title={t`Time to fill`}
      figure={medianHours === null ? '–' : hoursText(medianHours)}
      note={note()}
      plot={<FillStrip hours={filled.map(({ hours }) => hours)} median={medianHours} />}
      legend={
        <p className="xs mute">
          <Trans>Each dot is a job. Dots closer to the start were filled sooner.</Trans>{' '}
          {filled.length > 0 ? (
            <Plural
              value={within}
              one={`# of ${filled.length} within a day.`}
              other={`# of ${filled.length} within a day.`}
            />
          ) : null}
        </p>
      }
      table={
        <Table
          caption={t`Filled jobs`}
          density="tight"
          rows={filled}
          rowKey={({ jobId }) => jobId}
          columns={[
            { key: 'day', head: t`Filled`, cell: ({ day }) => formatCalendarDay(day) },
            { key: 'job', head: t`Job`, cell: ({ title }) => title },
            { key: 'hours', head: t`Took`, number: true, cell: ({ hours }) => hoursText(hours) },
          ]}
        />
      }
    />
  );
}

function Figure({
  title,
  figure,
  note,
  plot,
  legend,
  table,
}: {
  title: string;
  figure: string;
  note: ReactNode;
  plot: ReactNode;
  legend?: ReactNode;
  table: ReactNode;
}) {
  const { t } = useLingui();
  const [showsTable, setShowsTable] = useState(false);
  return (
    <section className={`card p5 figure${showsTable ? ' wide' : ''}`} aria-label={title}>
      <h3 className="h-m">{title}</h3>
      <p className="mt2">
        <span className="analytics-figure">{figure}</span> <span className="sm mute">{note}</span>
      </p>
      {plot}
      {legend}
      <Button
        kind="text"
        size="s"
        className="figure-table"
        aria-expanded={showsTable}
        onClick={() => setShowsTable(!showsTable)}
      >
        {showsTable ? t`Hide table` : t`Show table`}
        <span className="vh">: {title}</span>
      </Button>
      {showsTable ? table : null}
    </section>
  );
}
