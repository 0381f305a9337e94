import { minuteMs } from '@nearhand/contract/durations';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';

/** Which ways to sign in are configured; their buttons show only then. */
export function useSignInOptions() {
  return useQuery(apiQuery.signIn.options.queryOptions({ staleTime: 10 * minuteMs }));
}
