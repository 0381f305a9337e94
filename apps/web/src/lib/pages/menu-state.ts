import { useLocation, useNavigate } from 'react-router';

/** The open menu drawer is a separate history entry, so that Back closes it. */
export const menuOpen = { menu: true } as const;

export const useIsMenuOpen = (): boolean => (useLocation().state as { menu?: unknown } | null)?.menu === true;

export function useOpenMenu(): () => void {
  const navigate = useNavigate();
  return () => {
    // Read from the browser: some pages write their filters into the address without the router.
    const { pathname, search } = globalThis.location;
    navigate(pathname + search, { state: menuOpen });
  };
}

/** Reads the current state: a link pressed in the menu may already have replaced its entry. */
export const isMenuOpenNow = (): boolean =>
  (globalThis.history.state as { usr?: { menu?: unknown } | null } | null)?.usr?.menu === true;
