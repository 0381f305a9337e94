import { useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import type { StatementLine } from '@nearhand/contract/money/statements';
import type { InfiniteData, QueryKey } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton, RowsSkeleton, SkeletonBar } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import '../../ui/desk.css';
import './statements.css';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { spanChoices } from './statement-span.ts';
import type { StatementView } from './statement-view.rules.ts';
import type { useStatementView } from './use-statement-view.ts';

type Page = { items: StatementLine[]; currency: Currency; currencies: Currency[]; timeZone: string };
type Asked<Data> = ComponentProps<typeof QueryState<Data>>['query'];
type Pages<P> = Asked<InfiniteData<P>> &
  ComponentProps<typeof LoadMore>['query'] & { isPlaceholderData: boolean };

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
  queryOf: (filter: typeof view.filter) => { queryKey: QueryKey };
  tiles: (first: P) => ComponentProps<typeof StatementTiles>['tiles'];
  errorTitle: string;
  nothing: ReactNode;
  noneText: ReactNode;
  line: (id: string, timeZone: string) => ReactNode;
  children: (lines: readonly P['items'][number][], timeZone: string) => ReactNode;
}) {
  const { t } = useLingui();
  const first = query.data?.pages[0];
  const canShow = useCanShow();
  const [firstGroup] = groups;
  const isPlain = view.group === firstGroup?.value && view.month === '';
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
          isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
          empty={
            isPlain ? (
              nothing
            ) : (
              <EmptyState
                title={t`No matches`}
                actions={
                  <Button
                    kind="ink"
                    onClick={() => firstGroup && view.set({ group: firstGroup.value, month: '' })}
                  >
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

export function LoadedLine<Data>({
  query,
  children,
}: {
  query: Asked<Data>;
  children: (line: Data) => ReactNode;
}) {
  const { t } = useLingui();
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load this entry`}>
      {children}
    </QueryState>
  );
}

function StatementTiles({
  label,
  tiles,
}: {
  label: string;
  tiles: readonly { label: string; value: string }[];
}) {
  return (
    <dl className="statement-tiles" aria-label={label}>
      {tiles.map((tile) => (
        <div key={tile.label} className="statement-tile">
          <dt className="sm mute">{tile.label}</dt>
          <dd className="statement-tile-figure">{tile.value}</dd>
        </div>
      ))}
    </dl>
  );
}

const StatementTilesSkeleton = () => (
  <div className="statement-tiles" aria-hidden="true">
    {['a', 'b', 'c', 'd'].map((tile) => (
      <div key={tile} className="statement-tile">
        <span className="sm block">
          <SkeletonBar width={40} />
        </span>
        <span className="statement-tile-figure block">
          <SkeletonBar width={70} />
        </span>
      </div>
    ))}
  </div>
);

function LineCard({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const { t } = useLingui();
  const wide = useWide();
  if (!wide)
    return (
      <Sheet open={open} onClose={onClose} title={t`Entry`}>
        {open ? children : null}
      </Sheet>
    );
  return open ? (
    <aside
      className="card p5 statement-line"
      aria-label={t`Selected entry`}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <span className="statement-close">
        <IconButton icon="x" label={t`Close`} onClick={onClose} />
      </span>
      {children}
    </aside>
  ) : null;
}

function StatementFilters<Group extends string>({
  groups,
  view,
  currency,
  currencies,
  needsNetwork,
  onChange,
}: {
  groups: readonly { value: Group; label: string }[];
  view: StatementView<Group>;
  currency: Currency | undefined;
  currencies: readonly Currency[];
  needsNetwork: (change: Partial<StatementView<Group>>) => boolean;
  onChange: (change: Partial<StatementView<Group>>) => void;
}) {
  const { t } = useLingui();
  return (
    <div className="statement-filters">
      <div className="statement-groups">
        <Segmented
          label={t`Filter entries`}
          options={groups}
          value={view.group}
          needsNetwork={(group) => needsNetwork({ group })}
          onChange={(group) => onChange({ group, line: null })}
        />
      </div>
      <div className="row wrap g2">
        <PickButton
          label={t`Month or year`}
          icon="calendar-blank"
          value={view.month}
          options={[{ value: '', label: t`All time` }, ...spanChoices(new Date(), view.month)]}
          needsNetwork={(month) => needsNetwork({ month })}
          onChange={(month) => onChange({ month, line: null })}
        />
        {currencies.length > 1 ? (
          <Chips label={t`Currency`} wrap>
            {currencies.map((code) => (
              <Chip
                key={code}
                pressed={code === currency}
                needsNetwork={code !== currency && needsNetwork({ currency: code })}
                onClick={() => onChange({ currency: code, line: null })}
              >
                {code}
              </Chip>
            ))}
          </Chips>
        ) : null}
      </div>
    </div>
  );
}
