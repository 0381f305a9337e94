import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';

/** Devices are listed with the settings. */
const settingsKey = () => apiQuery.notificationSettings.get.queryKey();

/** `devices.remove`. */
export function useRemoveDevice() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.devices.remove.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: settingsKey() }),
    }),
  );
}

/** After this browser was added or removed, the list of devices has changed. */
export function useDevicesChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: settingsKey() });
}
