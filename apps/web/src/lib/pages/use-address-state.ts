import { type Dispatch, type SetStateAction, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation } from 'react-router';

type AddressOptions<View> = {
  /** The page's own path. The view reaches the address only while it is shown. */
  path: string;
  /** Reads a view from a query and ignores what is invalid. It may keep parts of `before` that no address has. */
  read: (search: string, before?: View) => View;
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
 * not a navigation, so it bypasses the router. A link whose query has a view changes the state. Any other link keeps it
 * and so do Back and Forward, since the router's entries have the views of earlier: the state is written there.
 */
export function useAddressState<View>({
  path,
  read,
  write,
  start,
}: AddressOptions<View>): [View, Dispatch<SetStateAction<View>>] {
  const { key, search } = useLocation();
  const [view, setView] = useState(() => (search || !start ? read(search) : start()));
  const handledKeys = useRef(new Set([key]));

  const save = useEffectEvent((current: View) => {
    const { pathname, search: currentQuery } = globalThis.location;
    const query = write(current, currentQuery);
    if (pathname === path && currentQuery !== query)
      globalThis.history.replaceState(globalThis.history.state, '', path + query);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page whose path changes writes its view into the new address
  useEffect(() => save(view), [view, path]);

  const follow = useEffectEvent((entryKey: string) => {
    const isLink = !handledKeys.current.has(entryKey);
    handledKeys.current.add(entryKey);
    const linkView = read(search, view);
    const query = write(linkView, '');
    if (!isLink || query === '') save(view);
    else if (query !== write(view, '')) setView(linkView);
  });
  useEffect(() => follow(key), [key]);

  return [view, setView];
}
