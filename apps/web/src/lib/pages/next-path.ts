export const homePath = '/tabs/menu/explore';

/** Matches disguised hosts: browsers drop control characters, and read a backslash as a slash. */
const leavesTheApp = /^(?!\/)|\/\/|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s\\]/u;

/** The return path of `?next=`, inside the app. The guard also requires a known route (`app/native/open-url.ts`). */
export function nextOf(search: string): string | null {
  const next = new URLSearchParams(search).get('next');
  return next && !leavesTheApp.test(next.split(/[?#]/)[0] ?? '') ? next : null;
}

/** The token of the team invitation that the person came with. */
export const invitationTokenOf = (search: string): string | null =>
  /^\/join-team\/([^/?#]+)/.exec(nextOf(search) ?? '')?.[1] ?? null;

export function withNext(path: string, search: string): string {
  const next = nextOf(search);
  const joint = path.includes('?') ? '&' : '?';
  return next ? `${path}${joint}next=${encodeURIComponent(next)}` : path;
}
