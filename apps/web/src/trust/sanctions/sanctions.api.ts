import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { useUser } from '../../lib/session.ts';

const freshMs = 60_000;

export function useSanctions() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.sanctions.mine.infiniteOptions({
      input: (cursor: string | undefined) => (cursor ? { cursor } : {}),
      ...pages,
      enabled: user !== null,
    }),
  );
}

export function useSanction(sanctionId: string) {
  const user = useUser();
  const fresh = useFresh(freshMs);
  return useQuery({
    ...apiQuery.sanctions.get.queryOptions({ input: { sanctionId }, enabled: user !== null }),
    ...fresh,
  });
}
