import type { Notification } from '@nearhand/contract/notifications';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { useUser } from '../../lib/session.ts';

type Inbox = { pages: { items: Notification[]; unread: number; nextCursor: string | null }[] };

/** The own inbox, newest first, in keyset pages; the first page says how many are unread in all. */
export function useNotifications() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.notifications.list.infiniteOptions({
      input: (cursor: string | undefined) => (cursor ? { cursor } : {}),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      enabled: user !== null,
    }),
  );
}

/** How many notices are unread, for the dot on a bell; asked again every minute while the app is looked at. */
export function useUnreadCount(): number {
  const user = useUser();
  const { data } = useQuery(
    apiQuery.notifications.list.queryOptions({
      input: { limit: 1 },
      enabled: user !== null,
      refetchInterval: 60_000,
      select: (page) => page.unread,
    }),
  );
  return data ?? 0;
}

/** `notifications.read`: shown as read at once, put back when the server was not reached. */
export function useReadNotifications() {
  const client = useQueryClient();
  const listKey = apiQuery.notifications.list.key();
  return useMutation(
    apiQuery.notifications.read.mutationOptions({
      onMutate: ({ ids }) => {
        const before = client.getQueriesData<Inbox>({ queryKey: listKey });
        const now = new Date().toISOString();
        const read = (one: Notification): Notification =>
          one.readAt === null && (ids === 'all' || ids.includes(one.id)) ? { ...one, readAt: now } : one;
        client.setQueriesData<Inbox>({ queryKey: listKey }, (inbox) =>
          inbox && 'pages' in inbox
            ? { ...inbox, pages: inbox.pages.map((page) => ({ ...page, items: page.items.map(read) })) }
            : inbox,
        );
        return { before };
      },
      onError: (_error, _input, context) => {
        for (const [key, inbox] of context?.before ?? []) client.setQueryData(key, inbox);
      },
      onSettled: () => {
        void client.invalidateQueries({ queryKey: listKey });
        void client.invalidateQueries({ queryKey: apiQuery.accounts.me.key() });
      },
    }),
  );
}
