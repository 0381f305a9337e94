import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { arrivalPath } from '../lib/home-path.ts';
import { useUser } from '../lib/session.ts';
import { isLeaving } from '../lib/sign-out.ts';
import { entryPath, wayBack } from './open-url.ts';
import { type Route, routeOf } from './routes.ts';

/**
 * Who may see a screen (spec §4 and §5). A guarded one opens only for a signed-in user with a verified email; a verified user does not stay on
 * the screens one signs in on. A courtesy: the API guards every record itself.
 */
export function Guard({ route, children }: { route: Route; children: ReactNode }) {
  const user = useUser();
  const { pathname, search } = useLocation();
  // Pages below the top of the stack stay mounted. They must not navigate; without their user they show nothing.
  const onTop = routeOf(pathname)?.path === route.path;
  const verified = user?.emailVerified === true;

  if (route.guarded && !verified) {
    if (!onTop) return null;
    return <Navigate to={isLeaving() ? '/getting-started' : entryPath(pathname, search)} replace />;
  }
  if (route.entry === 'guest' && verified) {
    return onTop ? <Navigate to={wayBack(search, arrivalPath())} replace /> : null;
  }
  return children;
}
