import type { NotificationSettings } from '@nearhand/contract/talk/notification-settings';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { queryClient } from '../../lib/api/query.ts';
import { applyChange, type SettingsChange, undoOf } from './settings.rules.ts';

const settingsKey = () => apiQuery.notificationSettings.get.queryKey();

export function useNotificationSettings() {
  return useQuery(apiQuery.notificationSettings.get.queryOptions({ staleTime: 0 }));
}

/**
 * Changes settings (`notificationSettings.update`), optimistically and in order. Ignores responses while a
 * later change is pending.
 */
export function useChooseNotifications() {
  const mutationKey = ['choose-notifications'];
  const show = (changed: (now: NotificationSettings) => NotificationSettings) =>
    queryClient.setQueryData(settingsKey(), (now) => (now ? changed(now as NotificationSettings) : now));
  const change = useMutation({
    ...apiQuery.notificationSettings.update.mutationOptions({
      onMutate: (input) => {
        const before = queryClient.getQueryData(settingsKey());
        const change = input as SettingsChange;
        if (!before) return { undo: {} };
        show((now) => applyChange(now, change));
        return { undo: undoOf(before, change) };
      },
      onSuccess: (settings) => {
        if (queryClient.isMutating({ mutationKey }) <= 1) queryClient.setQueryData(settingsKey(), settings);
      },
      onError: (_error, _input, context) => show((now) => applyChange(now, context?.undo ?? {})),
    }),
    mutationKey,
    scope: { id: 'choose-notifications' },
  });
  return {
    choose: (settingsChange: SettingsChange, onError: (failure: unknown) => void) =>
      change.mutate(settingsChange as Parameters<typeof change.mutate>[0], { onError }),
  };
}

export const useTestNotice = () => useMutation(apiQuery.notifications.test.mutationOptions());
