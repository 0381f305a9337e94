import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { useUser } from '../../lib/session.ts';

/** The unread count without messages, for a bell's dot. */
export function useUnreadCount(): number {
  const user = useUser();
  const fresh = useFresh(60_000);
  const { data } = useQuery(
    apiQuery.notifications.list.queryOptions({
      input: { limit: 1 },
      enabled: user?.emailVerified === true,
      select: (page) => page.unread,
      ...fresh,
    }),
  );
  return data ?? 0;
}
