import { useCallback, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { withNext } from '../lib/next-path.ts';

/**
 * Leaves a waiting screen, once, with the way back kept. Not a `<Navigate>`: a page may stay mounted under the next one, where it would navigate
 * again at every change of the address.
 */
export function useLeaveOnce(): (path: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const now = useRef({ navigate, search, left: false });
  useEffect(() => {
    if (now.current.left) return;
    now.current.navigate = navigate;
    now.current.search = search;
  }, [navigate, search]);
  const own = useRef(pathname).current;
  return useCallback(
    (path) => {
      // Somebody may have gone elsewhere meanwhile.
      if (now.current.left || globalThis.location.pathname !== own) return;
      now.current.left = true;
      now.current.navigate(withNext(path, now.current.search), { replace: true });
    },
    [own],
  );
}
