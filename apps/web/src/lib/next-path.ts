/**
 * The way back that a `?next=` asks for, to hand on from one sign-in screen to another: `withNext('/register', location.search)`. Whether it may
 * be opened is decided where it is opened (`app/open-url.ts`); here it only must look like a path.
 */
export function nextOf(search: string): string | null {
  const next = new URLSearchParams(search).get('next');
  return next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : null;
}

/** The path with the way back of this query kept. */
export function withNext(path: string, search: string): string {
  const next = nextOf(search);
  return next ? `${path}?next=${encodeURIComponent(next)}` : path;
}
