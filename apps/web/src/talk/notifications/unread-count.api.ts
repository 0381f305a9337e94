import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { useUser } from '../../lib/session.ts';

export const unreadCount = () =>
  apiQuery.notifications.list.queryOptions({ input: { limit: 1 }, select: (page) => page.unread });

export function useUnreadCount(): number {
  const user = useUser();
  const fresh = useFresh(60_000);
  const { data } = useQuery({ ...unreadCount(), enabled: user?.emailVerified === true, ...fresh });
  return data ?? 0;
}
