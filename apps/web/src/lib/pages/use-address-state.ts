import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';

type AddressOptions<View> = {
  /** The page's own path. The view reaches the address only while it is shown. */
  path: string;
  /** Reads a view from a query and ignores what is invalid. */
  read: (search: string) => View;
  /**
   * Writes the query of a view, such as `?view=map`: only what differs from the default. It may keep parts of the
   * page's current query that are not part of the view.
   */
  write: (view: View, current: string) => string;
  /** The view of a page that is opened without a query, if it is not the default. */
  start?: () => View;
};

/**
 * State of a page that is kept in its address, so that it survives a reload and can be shared (ADR 22). A change is
 * not a navigation, so it bypasses the router. A link with another query changes the state; one without a query
 * does not.
 */
export function useAddressState<View>({
  path,
  read,
  write,
  start,
}: AddressOptions<View>): [View, Dispatch<SetStateAction<View>>] {
  const { search } = useLocation();
  const [view, setView] = useState(() => (search || !start ? read(search) : start()));
  const lastWritten = useRef(write(view, ''));

  const follow = useEffectEvent((linkSearch: string) => {
    const linkView = read(linkSearch);
    const query = write(linkView, '');
    if (query === lastWritten.current) return;
    lastWritten.current = query;
    setView(linkView);
  });
  useEffect(() => {
    // An empty query is not a request, so opening the page again keeps its view.
    if (search) follow(search);
  }, [search]);

  const save = useEffectEvent((current: View) => {
    lastWritten.current = write(current, '');
    const { pathname, search: currentQuery } = globalThis.location;
    const query = write(current, currentQuery);
    if (pathname === path && currentQuery !== query)
      globalThis.history.replaceState(globalThis.history.state, '', path + query);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page whose path changes writes its view there
  useEffect(() => save(view), [view, path]);

  return [view, setView];
}
