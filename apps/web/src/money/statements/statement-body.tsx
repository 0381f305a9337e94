import { useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import type { StatementLine } from '@nearhand/contract/money/statements';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { formatAgo, ownTimeZone } from '../../lib/words/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { LineCard } from './line-card.tsx';
import { StatementFilters } from './statement-filters.tsx';
import { StatementTiles, StatementTilesSkeleton } from './statement-tiles.tsx';
import '../../ui/desk.css';
import './statements.css';
import type { useStatementView } from './use-statement-view.ts';

type Page = { items: StatementLine[]; currency: Currency; currencies: Currency[]; timeZone: string };
type Asked<Data> = ComponentProps<typeof QueryState<Data>>['query'];
type Pages<P> = Asked<InfiniteData<P>> &
  ComponentProps<typeof LoadMore>['query'] & { isPlaceholderData: boolean };

/** The shared part of workers' and businesses' statements: totals, filters, the lines in their states, and the open line next to them. */
export function StatementBody<Group extends string, P extends Page>({
  view,
  groups,
  query,
  queryOf,
  tiles,
  errorTitle,
  nothing,
  noneText,
  line,
  children,
}: {
  view: ReturnType<typeof useStatementView<Group>>;
  groups: readonly { value: Group; label: string }[];
  query: Pages<P>;
  /** The query of another choice. */
  queryOf: (filter: typeof view.filter) => { queryKey: QueryKey };
  /** The totals of what is shown. */
  tiles: (first: P) => ComponentProps<typeof StatementTiles>['tiles'];
  errorTitle: string;
  /** If there is no line at all. */
  nothing: ReactNode;
  /** If there is none of this kind in this period. */
  noneText: ReactNode;
  /** The open line, by its id, in the statement's zone. */
  line: (id: string, timeZone: string) => ReactNode;
  /** The lines, and the zone of their days. */
  children: (lines: readonly StatementLine[], timeZone: string) => ReactNode;
}) {
  const { t } = useLingui();
  const first = query.data?.pages[0];
  const canShow = useCanShow();
  const [whole] = groups;
  const plain = view.group === whole?.value && view.month === '';
  return (
    <>
      {first ? (
        <StatementTiles label={t`Totals`} tiles={tiles(first)} />
      ) : query.error ? null : (
        <StatementTilesSkeleton />
      )}
      <StatementFilters
        groups={groups}
        view={view}
        currency={first?.currency}
        currencies={first?.currencies ?? []}
        needsNetwork={(change) => !canShow(queryOf(view.filterAfter(change)))}
        onChange={view.set}
      />
      <div className={view.line ? 'statement-cols' : undefined}>
        <QueryState
          query={query}
          loading={<RowsSkeleton count={6} />}
          errorTitle={errorTitle}
          describe={errorText}
          asOf={formatAgo}
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={
            plain ? (
              nothing
            ) : (
              <EmptyState
                title={t`No matches`}
                actions={
                  <Button kind="ink" onClick={() => whole && view.set({ group: whole.value, month: '' })}>
                    {t`Clear filters`}
                  </Button>
                }
              >
                {noneText}
              </EmptyState>
            )
          }
        >
          {({ pages }) => (
            <div className={query.isPlaceholderData ? 'stale' : undefined}>
              {children(
                pages.flatMap(({ items }) => items),
                pages[0]?.timeZone ?? 'UTC',
              )}
              <LoadMore query={query} />
            </div>
          )}
        </QueryState>
        <LineCard open={view.line !== null} onClose={() => view.set({ line: null })}>
          {view.line === null ? null : line(view.line, first?.timeZone ?? ownTimeZone())}
        </LineCard>
      </div>
    </>
  );
}

/** One line once it is loaded. */
export function LoadedLine<Data>({
  query,
  children,
}: {
  query: Asked<Data>;
  children: (line: Data) => ReactNode;
}) {
  const { t } = useLingui();
  return (
    <QueryState
      query={query}
      loading={<PageSkeleton />}
      errorTitle={t`We couldn't load this entry`}
      describe={errorText}
      asOf={formatAgo}
    >
      {children}
    </QueryState>
  );
}
