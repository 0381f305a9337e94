import { homePath, routeOf } from './routes.ts';

/** The app's own scheme on a phone, besides the addresses of the web. */
const appScheme = 'nearhand:';

/** Hosts whose addresses open inside the app: where it runs, and those of the build's `VITE_APP_HOSTS`. */
function allowedHosts(): string[] {
  const configured = (import.meta.env.VITE_APP_HOSTS as string | undefined) ?? '';
  return [globalThis.location?.host ?? '', ...configured.split(/[\s,]+/)].filter(Boolean);
}

/** Decoded until nothing changes: `%252F` must not become a slash later on. Null when it cannot be decoded. */
function fullyDecoded(text: string): string | null {
  let before = text;
  for (let round = 0; round < 5; round += 1) {
    try {
      const after = decodeURIComponent(before);
      if (after === before) return after;
      before = after;
    } catch {
      return null;
    }
  }
  return null;
}

/** Not a path of ours: another host in disguise, a step upwards, or characters that browsers drop on the way. */
const suspicious = /^[^/]|\\|\/\/|(^|\/)\.{1,2}(\/|$)|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]/u;

/**
 * A path as it may be opened inside the app, with its query; null when it is none. Used for deep links and for every `?next=`.
 * The path must be one of the route table, so there is nothing to guess about.
 */
export function insidePath(text: string | null | undefined): string | null {
  if (!text || text.length > 1_000) return null;
  const end = text.search(/[?#]/);
  const path = end < 0 ? text : text.slice(0, end);
  const decoded = fullyDecoded(path);
  if (decoded === null || suspicious.test(path) || suspicious.test(decoded)) return null;
  const route = routeOf(decoded);
  if (!route) return null;
  const query = end < 0 || text[end] === '#' ? '' : (text.slice(end).split('#')[0] ?? '');
  return decoded.replace(/(.)\/$/, '$1') + (/[\p{Cc}\s\\]/u.test(query) ? '' : query);
}

/**
 * The inside path of an address that the app is opened with (spec §2, Deep links): the part after the host, when the host is ours.
 * Anything else lands on home.
 */
export function openUrl(url: string, hosts: readonly string[] = allowedHosts()): string {
  const parsed = parse(url);
  if (!parsed) return homePath;
  if (parsed.protocol === appScheme) {
    // `nearhand://job-desc/1` and `nearhand:///job-desc/1` both mean /job-desc/1.
    return insidePath(`/${url.slice(appScheme.length).replace(/^\/{0,3}/, '')}`) ?? homePath;
  }
  const secure =
    parsed.protocol === 'https:' || (parsed.protocol === 'http:' && parsed.hostname === 'localhost');
  if (!secure || parsed.username || parsed.password || !hosts.includes(parsed.host)) return homePath;
  // What was written counts, not what the parser made of it: it resolves `..` and turns backslashes round.
  const written = url
    .trim()
    .slice(parsed.protocol.length)
    .replace(/^\/\/[^/?#\\]*/, '');
  return insidePath(written.startsWith('/') ? written : `/${written}`) ?? homePath;
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** Where a person goes on after signing in: the way back that was kept, unless that is a screen one signs in on; `otherwise` where there is none. */
export function wayBack(search: string, otherwise: string = homePath): string {
  const path = insidePath(new URLSearchParams(search).get('next'));
  const route = path ? routeOf(path.split('?')[0] ?? '') : undefined;
  return path && route && !route.entry && typeof route.screen === 'string' ? path : otherwise;
}

/** `/getting-started` with the way back kept. */
export function entryPath(pathname: string, search: string, entry = '/getting-started'): string {
  const next = insidePath(pathname + search);
  return next && next !== homePath ? `${entry}?next=${encodeURIComponent(next)}` : entry;
}
