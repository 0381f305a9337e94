import type { Notification } from '@nearhand/contract/talk/notifications';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { useUser } from '../../lib/session.ts';

type Page = { items: Notification[]; unread: number; nextCursor: string | null };
/** All lists of notices share a key prefix: inbox pages, pending ones, and the count. */
type Listed = Page | InfiniteData<Page>;

const freshMs = 30_000;

export function useNotifications() {
  const user = useUser();
  const fresh = useFresh(freshMs);
  return useInfiniteQuery(
    apiQuery.notifications.list.infiniteOptions({
      input: (cursor: string | undefined) => (cursor ? { cursor } : {}),
      ...pages,
      enabled: user?.emailVerified === true,
      staleTime: 0,
      ...fresh,
    }),
  );
}

const maxWaiting = 50;

export function useWaitingNotices() {
  const user = useUser();
  const fresh = useFresh(freshMs);
  return useQuery(
    apiQuery.notifications.list.queryOptions({
      input: { waiting: 'true', limit: maxWaiting },
      enabled: user?.emailVerified === true,
      staleTime: 0,
      ...fresh,
    }),
  );
}

const listedIn = (lists: readonly (readonly [unknown, Listed | undefined])[]): Map<string, Notification> =>
  new Map(
    lists.flatMap(([, listed]) =>
      (listed === undefined ? [] : 'pages' in listed ? listed.pages : [listed]).flatMap(({ items }) =>
        items.map((notice) => [notice.id, notice] as const),
      ),
    ),
  );

function change(
  choose: (notices: ReadonlyMap<string, Notification>) => (notice: Notification) => Notification,
): () => void {
  const queryKey = apiQuery.notifications.list.key();
  const before = queryClient.getQueriesData<Listed>({ queryKey });
  const notices = listedIn(before);
  const changed = choose(notices);
  const page = (old: Page, lessUnread: number): Page => ({
    ...old,
    items: old.items.map(changed),
    unread: Math.max(0, old.unread - lessUnread),
  });
  const fewer = [...notices.values()].filter(
    // Messages are counted with their conversations.
    (notice) =>
      notice.topic !== 'message-received' && notice.readAt === null && changed(notice).readAt !== null,
  ).length;
  queryClient.setQueriesData<Listed>({ queryKey }, (listed) => {
    if (listed === undefined) return listed;
    if (!('pages' in listed)) return page(listed, fewer);
    return { ...listed, pages: listed.pages.map((listPage) => page(listPage, fewer)) };
  });
  return () => {
    for (const [key, listed] of before) queryClient.setQueryData(key, listed);
  };
}

const refetchNotices = () => {
  void queryClient.invalidateQueries({ queryKey: apiQuery.notifications.list.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.accounts.me.key() });
};

/** Marks notices as read (`notifications.read`): optimistic, rolled back if the server was not reached. */
export const useReadNotifications = () =>
  useMutation(
    apiQuery.notifications.read.mutationOptions({
      onMutate: ({ ids }) => {
        const readAt = new Date().toISOString();
        const undo = change(
          () => (notice) =>
            notice.readAt === null && (ids === 'all' || ids.includes(notice.id))
              ? { ...notice, readAt }
              : notice,
        );
        return { undo };
      },
      onError: (_error, _input, context) => context?.undo(),
      onSettled: refetchNotices,
    }),
  );

/**
 * Marks a followed notice and earlier ones of its group (`notifications.open`). Most end with their record (ADR 16).
 */
export const useOpenNotification = () =>
  useMutation(
    apiQuery.notifications.open.mutationOptions({
      onMutate: ({ notificationId }) => {
        const readAt = new Date().toISOString();
        const undo = change((notices) => {
          const opened = notices.get(notificationId);
          const withIt = (notice: Notification) =>
            notice.id === notificationId ||
            (opened !== undefined &&
              opened.group !== null &&
              notice.group === opened.group &&
              notice.createdAt <= opened.createdAt);
          return (notice) => (withIt(notice) ? { ...notice, readAt: notice.readAt ?? readAt } : notice);
        });
        return { undo };
      },
      onError: (_error, _input, context) => context?.undo(),
      onSettled: refetchNotices,
    }),
  );
