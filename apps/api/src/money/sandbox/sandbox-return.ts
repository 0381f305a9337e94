/** The native app's URL scheme. */
export const appScheme = 'nearhand:';

const returnUrlMax = 1_000;

/**
 * Where to send a person after confirming: the caller's address if it is ours, otherwise our front page, to prevent open redirects.
 * `publicUrl` has no trailing slash.
 */
export function ownReturn(wanted: string, publicUrl: string): string {
  const home = `${publicUrl}/`;
  if (
    wanted.length > returnUrlMax ||
    /[\p{Cc}\s\\]/u.test(wanted) ||
    !wanted.isWellFormed() ||
    !URL.canParse(wanted)
  )
    return home;
  const url = new URL(wanted);
  if (url.protocol === appScheme) return url.href;
  const ours = new URL(publicUrl);
  return url.origin === ours.origin && url.username === '' && url.password === '' ? url.href : home;
}
