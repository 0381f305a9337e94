export type Answer = 'kept-file' | 'page' | 'fresh-file' | null;

type Request = { method: string; mode: string; url: string };

/** Paths that the server renders or answers itself; the app has no page there. */
const notOfTheApp =
  /^\/(api|dev|sandbox|health|metrics|operator|j|b|r|jobs|page-fonts|pictures|sitemaps|sitemap\.xml|robots\.txt|\.well-known)(\/|$)/;

/** Hashed files come from the cache, pages from the network first. The API, with personal data, is never cached. */
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
