import { useLocation, useNavigate } from 'react-router';

/** The open menu drawer is a history entry of its own, so that Back closes it. */
export const menuOpen = { menu: true } as const;

export const useIsMenuOpen = (): boolean => (useLocation().state as { menu?: unknown } | null)?.menu === true;

export function useOpenMenu(): () => void {
  const navigate = useNavigate();
  return () => {
    // From the browser: some pages write their filters into the address without the router.
    const { pathname, search } = globalThis.location;
    navigate(pathname + search, { state: menuOpen });
  };
}

/** Returns whether the menu drawer is open right now: a link pressed in it may already have replaced its entry. */
export const isMenuOpenNow = (): boolean =>
  (globalThis.history.state as { usr?: { menu?: unknown } | null } | null)?.usr?.menu === true;
