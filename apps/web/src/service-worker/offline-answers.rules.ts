/** How the worker answers a request; null leaves it to the browser. */
export type Answer = 'kept-file' | 'page' | 'fresh-file' | null;

type Request = { method: string; mode: string; url: string };

/** What the server draws or answers itself: the app has no page there. */
const notOfTheApp =
  /^\/(api|dev|sandbox|health|metrics|operator|j|b|r|jobs|page-fonts|pictures|sitemaps|sitemap\.xml|robots\.txt|\.well-known)(\/|$)/;

/**
 * Files whose names carry their content come from the device; pages come from the network and, without one, from the device. Everything about people is in the
 * API, which is never kept here.
 * @param cachedPaths the files without a hash that the worker keeps, by path
 */
export function howToAnswer(
  { method, mode, url }: Request,
  origin: string,
  cachedPaths: ReadonlySet<string>,
): Answer {
  const { origin: targetOrigin, pathname } = new URL(url);
  if (method !== 'GET' || targetOrigin !== origin) return null;
  if (pathname.startsWith('/assets/')) return 'kept-file';
  if (notOfTheApp.test(pathname)) return null;
  if (mode === 'navigate') return 'page';
  return cachedPaths.has(pathname) ? 'fresh-file' : null;
}
