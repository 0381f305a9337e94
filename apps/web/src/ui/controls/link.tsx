import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react';
import { useHref, useLocation, useNavigate } from 'react-router';
import { serverOrigin } from '../../lib/api/server-address.ts';
import { isNative } from '../../lib/device/platform.ts';

export type LinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target'> & {
  to: string;
  replace?: boolean;
  ref?: Ref<HTMLAnchorElement>;
};

/** Pages that the server renders: the browser loads them, and the native shell opens them outside. */
const servedPage = /^\/(j|b|jobs)(\/|$)/;

/** A link within the app. React Router's own carries prefetching, 3 KiB of the first load. */
export function Link({ to, replace, onClick, ...rest }: LinkProps) {
  const href = useHref(to);
  const navigate = useNavigate();
  const { pathname, search, hash } = useLocation();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlainClick =
      event.button === 0 && !(event.metaKey || event.altKey || event.ctrlKey || event.shiftKey);
    if (event.defaultPrevented || !isPlainClick || servedPage.test(to)) return;
    event.preventDefault();
    navigate(to, { replace: replace ?? href === pathname + search + hash });
  };
  return (
    <a {...rest} href={servedPage.test(to) && isNative() ? serverOrigin() + to : href} onClick={follow} />
  );
}
