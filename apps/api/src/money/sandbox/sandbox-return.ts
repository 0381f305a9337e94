/** The native app's own addresses. */
export const appScheme = 'nearhand:';

/**
 * Where a person is led after confirming: the address the caller gave if it is one of ours, else our front page. Nothing else, so that the page is no way to lead
 * people elsewhere. `publicUrl` has no slash at its end.
 */
export function ownReturn(wanted: string, publicUrl: string): string {
  const home = `${publicUrl}/`;
  if (
    wanted.length > 1_000 ||
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
