import type { CreditLimitRow } from '@nearhand/contract/money/credit-limits';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pages } from '../../lib/api/query-options.ts';
import { formatCalendarDay, formatMoney } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList } from '../paged-list.tsx';
import { AccessReasonGate } from '../search/access-reason.tsx';

/** Businesses that hire on credit, and what they owe, for finance. */
export function CreditLimitsPage() {
  return (
    <Page
      title="Credit limits"
      lead="Businesses that hire before they pay. A limit is set on the page of its business."
    >
      <AccessReasonGate>{(access) => <CreditLimits access={access} />}</AccessReasonGate>
    </Page>
  );
}

const views = [
  { value: 'owing', label: 'Owing' },
  { value: 'overdue', label: 'Overdue' },
  { value: 'all', label: 'All' },
] as const;

function CreditLimits({ access }: { access: OperatorContext }) {
  const [view, setWhich] = useState<(typeof views)[number]['value']>('owing');
  const query = useInfiniteQuery(
    apiQuery.creditLimits.list.infiniteOptions({
      ...pages,
      input: (cursor) => ({ which: view, cursor }),
      context: { operator: access },
    }),
  );
  return (
    <div className="col g3">
      <Segmented label="Show" options={views} value={view} onChange={setWhich} />
      <PagedList
        query={query}
        label="Credit limits"
        errorTitle="We couldn't load the limits"
        empty={<p className="mute pad">None.</p>}
      >
        {(rows) => rows.map((row) => <LimitRow key={row.businessId} row={row} />)}
      </PagedList>
    </div>
  );
}

function LimitRow({ row }: { row: CreditLimitRow }) {
  const money = (minor: number) => formatMoney(minor, row.currency);
  const limit = row.ended ? 'limit ended' : `limit ${money(row.limitMinor)}`;
  return (
    <ListRow
      to={`/search/business/${row.businessId}`}
      title={row.name}
      note={`Owes ${money(row.owedMinor)}, ${limit}`}
      end={
        row.overdueSince ? (
          <Badge tone={row.stopped ? 'bad' : 'wait'}>
            {row.stopped ? 'Stopped' : 'Overdue'} since {formatCalendarDay(row.overdueSince)}
          </Badge>
        ) : null
      }
    />
  );
}
