import type { ReactNode } from 'react';
import { LoadMore, type PagedQuery } from '../ui/controls/load-more.tsx';
import type { ScreenQuery } from '../ui/pages/bare-query-state.tsx';
import { QueryState } from '../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../ui/pages/skeleton.tsx';

type PagedListProps<Item> = {
  query: ScreenQuery<{ pages: { items: Item[] }[] }> & PagedQuery;
  label: string;
  titled?: boolean;
  errorTitle: string;
  empty: ReactNode;
  flush?: boolean;
  children: (items: Item[]) => ReactNode;
};

export function PagedList<Item>({
  query,
  label,
  titled = false,
  errorTitle,
  empty,
  flush = true,
  children,
}: PagedListProps<Item>) {
  return (
    <section className={flush ? 'card flush' : 'card'} aria-label={label}>
      {titled ? <h2 className={flush ? 'h-s c-pad' : 'h-s'}>{label}</h2> : null}
      <QueryState
        query={query}
        loading={
          <div className={flush ? 'pad' : undefined}>
            <RowsSkeleton />
          </div>
        }
        errorTitle={errorTitle}
        isEmpty={({ pages: [first] }) => first?.items.length === 0}
        empty={empty}
      >
        {(data) => (
          <>
            {children(data.pages.flatMap(({ items }) => items))}
            <LoadMore query={query} />
          </>
        )}
      </QueryState>
    </section>
  );
}

/** Says that a list has only matches by similar names. */
export const SimilarOnly = () => (
  <p className="c-pad sm mute">Nothing is written exactly like that. These are similar.</p>
);
