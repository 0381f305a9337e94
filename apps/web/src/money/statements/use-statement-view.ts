import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { spanOf } from './statement-span.ts';
import { readStatementView, type StatementView, writeStatementView } from './statement-view.rules.ts';
import type { StatementFilter } from './statements.api.ts';

/**
 * Filters of a statement, in the page's address (ADR 22). A change is not a navigation, so it bypasses the
 * router.
 */
export function useStatementView<Group extends string>(path: string, groups: readonly Group[]) {
  const { search } = useLocation();
  const [view, setView] = useState(() => readStatementView(search, groups));
  const lastWritten = useRef(writeStatementView(view, groups));

  useEffect(() => {
    // An empty query is not a request, so opening the page again keeps its view.
    if (!search || search === lastWritten.current) return;
    const next = readStatementView(search, groups);
    lastWritten.current = writeStatementView(next, groups);
    setView(next);
  }, [search, groups]);

  useEffect(() => {
    const next = writeStatementView(view, groups);
    lastWritten.current = next;
    if (globalThis.location.pathname === path && globalThis.location.search !== next)
      globalThis.history.replaceState(globalThis.history.state, '', path + next);
  }, [view, path, groups]);

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
