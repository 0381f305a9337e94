import { useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { useState } from 'react';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { formatMinutes, formatMoney, formatMonth } from '../../lib/words/format.ts';
import { SumRow } from '../../ui/card.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Table } from '../../ui/pages/table.tsx';
import { statementYear, useStatementYear } from './statements.api.ts';

export function YearSummary({ currency }: { currency: Currency | undefined }) {
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
