import type { ChatSettings, Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { isApiError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import type { side } from '../../lib/device/device-setting.ts';
import { useUser } from '../../lib/session.ts';

export type ChatMenuSide = ReturnType<typeof side.get>;

/** Hooks of `conversations.*`; messages are in `message-store.api.ts`, which is loaded with the screen. */
export type ChatFilter = { side: ChatMenuSide; jobId?: string; unread?: boolean; search?: string };

type Page = { items: Conversation[]; nextCursor: string | null; unread: number; found: Message[] };
type List = InfiniteData<Page>;

export const myConversations = (filter: ChatFilter) =>
  apiQuery.conversations.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      side: filter.side,
      jobId: filter.jobId || undefined,
      unread: filter.unread ? ('true' as const) : undefined,
      search: filter.search || undefined,
      cursor,
    }),
    ...pages,
  });

export function useConversations(filter: ChatFilter) {
  const user = useUser();
  const fresh = useFresh(20_000);
  return useInfiniteQuery({
    ...myConversations(filter),
    enabled: user?.emailVerified === true,
    ...fresh,
  });
}

export function useUnreadConversations(side?: ChatMenuSide): number {
  const user = useUser();
  const { data } = useQuery(
    apiQuery.conversations.unread.queryOptions({
      input: side ? { side } : {},
      enabled: user?.emailVerified === true,
      refetchInterval: 60_000,
      refetchOnWindowFocus: true,
    }),
  );
  return data?.conversations ?? 0;
}

/** One conversation. Falls back to the list's version while loading and offline. */
export function useConversation(conversationId: string | null) {
  const user = useUser();
  const fresh = useFresh(15_000);
  const query = useQuery(
    apiQuery.conversations.get.queryOptions({
      input: { conversationId: conversationId ?? '' },
      enabled: conversationId !== null && user?.emailVerified === true,
      ...fresh,
    }),
  );
  if (query.data || conversationId === null || isApiError(query.error, 'chat/not-found')) return query;
  return { ...query, data: inLists(conversationId) };
}

function inLists(conversationId: string): Conversation | undefined {
  for (const [, list] of queryClient.getQueriesData<List>({ queryKey: apiQuery.conversations.list.key() }))
    for (const page of list?.pages ?? [])
      for (const item of page.items) if (item.id === conversationId) return item;
  return undefined;
}

/** Stores a conversation's newest version; lists refetch separately. */
function cacheConversation(changed: Conversation): void {
  queryClient.setQueryData(
    apiQuery.conversations.get.queryKey({ input: { conversationId: changed.id } }),
    changed,
  );
  updateCachedConversation(changed.id, () => changed);
}

export function updateCachedConversation(
  conversationId: string,
  change: (before: Conversation) => Conversation,
): void {
  queryClient.setQueryData(
    apiQuery.conversations.get.queryKey({ input: { conversationId } }),
    (before: Conversation | undefined) => (before ? change(before) : before),
  );
  queryClient.setQueriesData<List>({ queryKey: apiQuery.conversations.list.key() }, (list) =>
    list && 'pages' in list
      ? {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            items: page.items.map((item) => (item.id === conversationId ? change(item) : item)),
          })),
        }
      : list,
  );
}

export function refetchChats(conversationId?: string): void {
  void queryClient.invalidateQueries({ queryKey: apiQuery.conversations.list.key() });
  void queryClient.invalidateQueries({ queryKey: apiQuery.conversations.unread.key() });
  void queryClient.invalidateQueries({
    queryKey: conversationId
      ? apiQuery.conversations.get.queryKey({ input: { conversationId } })
      : apiQuery.conversations.get.key(),
  });
}

/** Opens the conversation about a job with one worker (`conversations.open`); the worker omits `workerId`. */
export const useOpenConversation = () =>
  useMutation(
    apiQuery.conversations.open.mutationOptions({
      onSuccess: (opened) => cacheConversation(opened as Conversation),
    }),
  );

const changeOptions = {
  onSuccess: (changed: Conversation) => {
    cacheConversation(changed);
    refetchChats();
  },
};
export const useMuteConversation = () =>
  useMutation(apiQuery.conversations.mute.mutationOptions(changeOptions));
export const useBlockConversation = () =>
  useMutation(apiQuery.conversations.block.mutationOptions(changeOptions));

export const useChatSettings = () => useQuery(apiQuery.conversations.settings.queryOptions());

export function useSaveChatSettings() {
  const key = apiQuery.conversations.settings.queryKey();
  return useMutation(
    apiQuery.conversations.saveSettings.mutationOptions({
      onMutate: (next) => {
        const before = queryClient.getQueryData<ChatSettings>(key);
        queryClient.setQueryData(key, next);
        return { before };
      },
      onError: (_error, _input, context) => queryClient.setQueryData(key, context?.before),
      onSuccess: () => refetchChats(),
      // If one of several was refused, only the server knows the result.
      onSettled: () => queryClient.invalidateQueries({ queryKey: key }),
    }),
  );
}

export const useQuickReplies = () => useQuery(apiQuery.conversations.quickReplies.queryOptions());

export const useSaveQuickReplies = () =>
  useMutation(
    apiQuery.conversations.saveQuickReplies.mutationOptions({
      onSuccess: (saved) => queryClient.setQueryData(apiQuery.conversations.quickReplies.queryKey(), saved),
    }),
  );

export const readMessages = (input: Parameters<typeof api.conversations.messages>[0]) =>
  api.conversations.messages(input);

export const readRecent = () => api.conversations.recent({});

/** Reports the last messages that this device received and that were read (`conversations.acknowledge`). */
export const acknowledge = (items: Parameters<typeof api.conversations.acknowledge>[0]['items']) =>
  api.conversations.acknowledge({ items });
