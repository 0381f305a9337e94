import { useCallback, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { withNext } from '../../lib/pages/next-path.ts';

/** Leaves a waiting screen once, for its return path. A no-op if the user has already left. */
export function useLeaveOnce(): (path: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const latest = useRef({ navigate, search });
  latest.current = { navigate, search };
  const hasLeft = useRef(false);
  return useCallback(
    (path) => {
      if (hasLeft.current || globalThis.location.pathname !== pathname) return;
      hasLeft.current = true;
      latest.current.navigate(withNext(path, latest.current.search), { replace: true });
    },
    [pathname],
  );
}
