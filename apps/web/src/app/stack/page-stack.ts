import type { Location, NavigationType } from 'react-router';

export type StackPage = { id: number; location: Location };

export type Motion = 'forward' | 'back' | 'none';

type Entry = { key: string; page: number };

export type PageStack = {
  pages: readonly StackPage[];
  shownId: number;
  entries: Readonly<Record<number, Entry>>;
  index: number;
  motion: Motion;
  nextId: number;
};

export type Navigation = {
  location: Location;
  action: NavigationType | `${NavigationType}`;
  /** The new index in the browser history; derived from the stack if the history has no indexes. */
  index?: number;
};

/** The number of history pages that stay mounted, including the one on screen. Tab roots are not counted. */
const maxHistoryPages = 6;

export function initialStack(location: Location, index = 0): PageStack {
  return {
    pages: [{ id: 0, location }],
    shownId: 0,
    entries: { [index]: { key: location.key, page: 0 } },
    index,
    motion: 'none',
    nextId: 1,
  };
}

export function shownPage(stack: PageStack): StackPage {
  const page = stack.pages.find(({ id }) => id === stack.shownId);
  if (!page) throw new Error('The shown page is not in the stack');
  return page;
}

/** The stack after a navigation: a new path opens a page, Back shows the page of its entry. A tab root has one page. */
export function nextStack(
  stack: PageStack,
  navigation: Navigation,
  isTab: (pathname: string) => boolean,
): PageStack {
  const { location, action } = navigation;
  const index = navigation.index ?? indexOf(stack, navigation);
  const current = shownPage(stack);
  const page = (action === 'POP' ? pageOfEntry(stack, index, location) : undefined) ??
    (current.location.pathname === location.pathname ? current : undefined) ??
    (isTab(location.pathname) ? pageOfPath(stack, location.pathname) : undefined) ?? {
      id: stack.nextId,
      location,
    };

  const entries: Record<number, Entry> = {};
  for (const [place, entry] of Object.entries(stack.entries))
    if (action !== 'PUSH' || Number(place) < index) entries[Number(place)] = entry;
  entries[index] = { key: location.key, page: page.id };

  // Opening the menu adds a history entry, but the page under it keeps its address.
  const shownAt = page === current && isMenuEntry(location) ? current.location : location;
  const isNew = page.id === stack.nextId;
  const recent = recentPages(entries, index);
  // React moves reordered elements, and moved elements lose their scroll position.
  const pages = (isNew ? [...stack.pages, page] : stack.pages)
    .map((entry) =>
      entry.id === page.id && !isSameAddress(entry.location, shownAt)
        ? { id: entry.id, location: shownAt }
        : entry,
    )
    .filter(({ id, location: { pathname } }) => recent.has(id) || isTab(pathname));
  const mounted = new Set(pages.map(({ id }) => id));
  return {
    pages,
    shownId: page.id,
    entries: Object.fromEntries(Object.entries(entries).filter(([, entry]) => mounted.has(entry.page))),
    index,
    motion: page.id === current.id ? 'none' : motionOf(stack, navigation, index, isTab),
    nextId: isNew ? stack.nextId + 1 : stack.nextId,
  };
}

/** Unmounts every hidden page, which may show data of a user who has signed out. */
export function dropHiddenPages(stack: PageStack): PageStack {
  if (stack.pages.length === 1) return stack;
  const entries = Object.entries(stack.entries).filter(([, { page }]) => page === stack.shownId);
  return { ...stack, pages: [shownPage(stack)], entries: Object.fromEntries(entries), motion: 'none' };
}

const isMenuEntry = ({ state }: Location): boolean => (state as { menu?: unknown } | null)?.menu === true;

/** A page renders again whenever its object changes, including when a menu over it opens or closes. */
const isSameAddress = (a: Location, b: Location): boolean =>
  a.key === b.key && a.pathname === b.pathname && a.search === b.search && a.hash === b.hash;

const pageOfPath = (stack: PageStack, pathname: string): StackPage | undefined =>
  stack.pages.find(({ location }) => location.pathname === pathname);

/** The page of a history entry; none if it was unmounted or the entry now has another address. */
function pageOfEntry(stack: PageStack, index: number, { key, pathname }: Location): StackPage | undefined {
  const entry = stack.entries[index];
  if (entry?.key !== key) return undefined;
  return stack.pages.find(({ id, location }) => id === entry.page && location.pathname === pathname);
}

function indexOf({ entries, index }: PageStack, { action, location }: Navigation): number {
  if (action === 'PUSH') return index + 1;
  if (action === 'REPLACE') return index;
  const entry = Object.entries(entries).find(([, { key }]) => key === location.key);
  return entry ? Number(entry[0]) : index - 1;
}

function recentPages(entries: Readonly<Record<number, Entry>>, index: number): ReadonlySet<number> {
  const places = Object.keys(entries)
    .map(Number)
    .filter((place) => place <= index)
    .sort((a, b) => b - a);
  const recent = new Set<number>();
  for (const place of places) {
    const entry = entries[place];
    if (entry && recent.size < maxHistoryPages) recent.add(entry.page);
  }
  return recent;
}

/** Tab switches do not animate. A replaced page animates only if the navigation requests it. */
function motionOf(
  stack: PageStack,
  { action, location }: Navigation,
  index: number,
  isTab: (pathname: string) => boolean,
): Motion {
  if (action === 'REPLACE') return requestedMotion(location.state);
  const toTab = isTab(location.pathname);
  if (action === 'PUSH') return toTab ? 'none' : 'forward';
  if (toTab && isTab(shownPage(stack).location.pathname)) return 'none';
  return index > stack.index ? 'forward' : 'back';
}

function requestedMotion(state: unknown): Motion {
  const motion = (state as { motion?: unknown } | null)?.motion;
  return motion === 'back' || motion === 'forward' ? motion : 'none';
}
