import { useAddressState } from '../../lib/pages/use-address-state.ts';
import { spanOf } from './statement-span.ts';
import { readStatementView, type StatementView, writeStatementView } from './statement-view.rules.ts';
import type { StatementFilter } from './statements.api.ts';

/** Filters of a statement, in the page's address (ADR 22). */
export function useStatementView<Group extends string>(path: string, groups: readonly Group[]) {
  const [view, setView] = useAddressState<StatementView<Group>>({
    path,
    read: (search) => readStatementView(search, groups),
    write: (current) => writeStatementView(current, groups),
  });
  const filterOf = ({ group, month, currency }: StatementView<Group>): StatementFilter<Group> => ({
    group,
    ...spanOf(month),
    ...(currency ? { currency } : {}),
  });
  return {
    ...view,
    filter: filterOf(view),
    filterAfter: (change: Partial<StatementView<Group>>) => filterOf({ ...view, ...change }),
    set: (change: Partial<StatementView<Group>>) => setView((before) => ({ ...before, ...change })),
  };
}
