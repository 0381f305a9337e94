import type { SavedSearch } from '@nearhand/contract/hiring/saved-searches';
import { useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { useUser } from '../../lib/session.ts';

export type SearchToSave = Omit<SavedSearch, 'id' | 'name' | 'alert' | 'savedAt'>;

export function useSavedSearches() {
  const user = useUser();
  return useQuery(apiQuery.savedSearches.list.queryOptions({ enabled: user !== null }));
}

function useRefetch() {
  return { onSuccess: () => refetchChanged(['saved-search']) };
}

export const useCreateSavedSearch = () =>
  useMutation(apiQuery.savedSearches.create.mutationOptions(useRefetch()));

export const useUpdateSavedSearch = () =>
  useMutation(apiQuery.savedSearches.update.mutationOptions(useRefetch()));

export const useRemoveSavedSearch = () =>
  useMutation(apiQuery.savedSearches.remove.mutationOptions(useRefetch()));

export const useRestoreSavedSearch = () =>
  useMutation(apiQuery.savedSearches.restore.mutationOptions(useRefetch()));
