import { shortIdIn } from '@nearhand/contract/hiring/public-pages.rules';
import { homePath } from '../../lib/pages/next-path.ts';
import { routeOf } from '../routes.ts';

const appScheme = 'nearhand:';

/** The provider's answer in the link that returns a sign-in to the app (ADR 13); null for any other link. */
export function providerAnswerIn(url: string): string | null {
  const parsed = parse(url);
  return parsed?.protocol === appScheme && parsed.host === 'sign-in' ? parsed.search.slice(1) : null;
}

const appLinkFor = (answer: string): string => `${appScheme}//sign-in?${answer}`;

/**
 * The page of the app to return to from a page of the bank or the provider, with what that page added; null
 * for another address.
 */
export function wayBackIn(query: URLSearchParams): string | null {
  const page = insidePath(query.get('back'));
  if (page === null) return null;
  const added = new URLSearchParams(query);
  added.delete('back');
  return added.size === 0 ? page : `${page}${page.includes('?') ? '&' : '?'}${added}`;
}

/**
 * The link by which the phone's browser returns to the app, with a sign-in's answer or from a payment.
 */
export function handOverLink(query: URLSearchParams): string | null {
  const answer = query.get('app');
  if (answer) return appLinkFor(answer);
  const page = wayBackIn(query);
  return page === null ? null : `${appScheme}/${page}`;
}

const serverHosts = (): string[] =>
  ((import.meta.env.VITE_APP_HOSTS as string | undefined) ?? '').split(/[\s,]+/).filter(Boolean);

const allowedHosts = (): string[] => [globalThis.location?.host ?? '', ...serverHosts()].filter(Boolean);

/** Decoded until stable: `%252F` must not become a slash later. Null if it can't be decoded. */
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

/** Rejects disguised hosts, parent directories and characters that browsers drop. */
const suspicious = /^[^/]|\\|\/\/|(^|\/)\.{1,2}(\/|$)|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]/u;

/** A path and query that may be opened in the app; null otherwise. Guards deep links and every `?next=`. */
export function insidePath(text: string | null | undefined): string | null {
  if (!text || text.length > 1_000) return null;
  const end = text.search(/[?#]/);
  const path = end < 0 ? text : text.slice(0, end);
  const decoded = fullyDecoded(path);
  if (decoded === null || suspicious.test(path) || suspicious.test(decoded)) return null;
  const invite = /^\/r\/([\w-]{1,20})$/.exec(decoded);
  if (invite) return `/getting-started?ref=${invite[1]}`;
  const route = routeOf(decoded);
  if (!route) return null;
  const query = end < 0 || text[end] === '#' ? '' : (text.slice(end).split('#')[0] ?? '');
  return decoded.replace(/(.)\/$/, '$1') + (/[\p{Cc}\s\\]/u.test(query) ? '' : query);
}

/**
 * The app path of a deep link (spec §2): the part after the host, if the host is allowed. Anything else opens
 * home.
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
  return insidePath(writtenPath(url, parsed)) ?? homePath;
}

/** The path and query as written: the parsed URL resolves `..` and converts backslashes. */
function writtenPath(url: string, { protocol }: URL): string {
  const path = url
    .trim()
    .slice(protocol.length)
    .replace(/^\/\/[^/?#\\]*/, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/**
 * The address of a page served by the server, not by the app, such as `/b/…` or a mail's unsubscribe link.
 */
export function serverPageIn(url: string, hosts: readonly string[] = serverHosts()): string | null {
  const parsed = parse(url);
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password || !hosts.includes(parsed.host))
    return null;
  if (url.length > 2_000) return null;
  const [path = ''] = writtenPath(url, parsed).split(/[?#]/);
  const decoded = fullyDecoded(path);
  if (decoded === null || suspicious.test(path) || suspicious.test(decoded)) return null;
  return insidePath(path) === null ? parsed.href : null;
}

export function publicJobIn(url: string, hosts: readonly string[] = allowedHosts()): string | null {
  const parsed = parse(url);
  if (parsed?.protocol !== 'https:' || parsed.username || parsed.password || !hosts.includes(parsed.host))
    return null;
  const segment = /^\/j\/([^/]+)$/.exec(parsed.pathname)?.[1];
  return segment === undefined ? null : shortIdIn(fullyDecoded(segment) ?? '');
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

export function returnPath(search: string, otherwise: string = homePath): string {
  const path = insidePath(new URLSearchParams(search).get('next'));
  const route = path ? routeOf(path.split('?')[0] ?? '') : undefined;
  return path && route && !route.entry && typeof route.screen === 'string' ? path : otherwise;
}

export function entryPath(pathname: string, search: string, entry = '/getting-started'): string {
  const next = insidePath(pathname + search);
  return next && next !== homePath ? `${entry}?next=${encodeURIComponent(next)}` : entry;
}
