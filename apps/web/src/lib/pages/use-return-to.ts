import { appPathShape } from '@nearhand/contract/app-paths';
import { useLocation } from 'react-router';

/** The page to return to from the person's bank; empty if the server would refuse its address. */
export function useReturnTo(): { returnTo?: string } {
  const { pathname, search } = useLocation();
  const path = `${pathname}${search}`;
  return appPathShape.test(path) ? { returnTo: path } : {};
}
