import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { spanOf } from './statement-span.ts';
import { readStatementView, type StatementView, writeStatementView } from './statement-view.rules.ts';
import type { StatementFilter } from './statements.api.ts';

/**
 * What of a statement is shown, in the address of its page (ADR 0022): it survives a reload and coming back. The page stays mounted under others, and only the
 * address of its own path counts; it is written past the router, to which this is still the same page.
 */
export function useStatementView<Group extends string>(path: string, groups: readonly Group[]) {
  const { pathname, search } = useLocation();
  const onTop = pathname === path;
  const [view, setView] = useState(() => readStatementView(onTop ? search : '', groups));
  const written = useRef(writeStatementView(view, groups));

  useEffect(() => {
    // An empty query is no wish: the page pressed again keeps what it shows.
    if (!onTop || !search || search === written.current) return;
    const next = readStatementView(search, groups);
    written.current = writeStatementView(next, groups);
    setView(next);
  }, [onTop, search, groups]);

  useEffect(() => {
    const next = writeStatementView(view, groups);
    written.current = next;
    if (onTop && globalThis.location.pathname === path && globalThis.location.search !== next)
      globalThis.history.replaceState(globalThis.history.state, '', path + next);
  }, [view, onTop, path, groups]);

  const { group, month, currency } = view;
  const filter: StatementFilter<Group> = { group, ...spanOf(month), ...(currency ? { currency } : {}) };
  return {
    ...view,
    /** The same as the API is asked. */
    filter,
    set: (change: Partial<StatementView<Group>>) => setView((before) => ({ ...before, ...change })),
  };
}
