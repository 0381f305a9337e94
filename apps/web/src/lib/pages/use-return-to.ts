import { appPathShape } from '@nearhand/contract/app-paths';
import { useLocation } from 'react-router';

/** The page that someone pays from, for the way back from their bank; nothing where its address would be refused. */
export function useReturnTo(): { returnTo?: string } {
  const { pathname, search } = useLocation();
  const path = `${pathname}${search}`;
  return appPathShape.test(path) ? { returnTo: path } : {};
}
