import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { arrive } from '../lib/pages/arrival.ts';
import { useUser } from '../lib/session.ts';
import { isLeaving } from '../lib/sign-out.ts';
import { entryPath, insidePath, wayBack } from './native/open-url.ts';
import { homePath, type Route } from './routes.ts';

/**
 * Who may see a screen (spec §4 and §5). A guarded one requires a signed-in user with a verified email; a verified user is redirected from
 * sign-in screens. For convenience only: the API guards every record itself.
 */
export function Guard({ route, children }: { route: Route; children: ReactNode }) {
  const user = useUser();
  const { pathname, search } = useLocation();
  const verified = user?.emailVerified === true;

  if (route.guarded && !verified) {
    return <Navigate to={isLeaving() ? '/getting-started' : entryPath(pathname, search)} replace />;
  }
  // The account is being deleted: it can be kept there, and its data downloaded.
  if (user?.leaving && (route.guarded || route.tab) && pathname !== '/account-settings')
    return <Navigate to="/account-settings" replace />;
  if (route.entry === 'guest' && verified) {
    return <Arrival search={search}>{children}</Arrival>;
  }
  return children;
}

/** Redirects from the sign-in screens: to the return path, to where the person was going when they signed up, or to their side. */
function Arrival({ search, children }: { search: string; children: ReactNode }) {
  const [path, setPath] = useState(() => wayBack(search, ''));
  // With a return path too: the account may still know an older one, which is then forgotten.
  useEffect(() => {
    void arrive().then((arrival) => setPath((known) => known || insidePath(arrival) || homePath));
  }, []);
  return path ? <Navigate to={path} replace /> : children;
}
