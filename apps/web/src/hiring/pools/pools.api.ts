import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';

export function usePools(businessId: string | undefined) {
  return useQuery(
    apiQuery.pools.list.queryOptions({
      input: { businessId: businessId ?? '' },
      enabled: Boolean(businessId),
      ...neverPersist,
    }),
  );
}

export type SavedAsk = { poolId?: string; q?: string; tag?: string };

export const savedWorkers = (businessId: string, ask: SavedAsk) =>
  apiQuery.pools.workers.infiniteOptions({
    input: (cursor: string | undefined) => ({ businessId, ...ask, cursor }),
    ...pages,
    ...neverPersist,
  });

export const useSavedWorkers = (businessId: string | undefined, ask: SavedAsk) =>
  useInfiniteQuery({ ...savedWorkers(businessId ?? '', ask), enabled: Boolean(businessId) });

export function useSavedState(businessId: string | undefined, workerId: string) {
  return useQuery(
    apiQuery.pools.ofWorker.queryOptions({
      input: { businessId: businessId ?? '', workerId },
      enabled: Boolean(businessId),
      ...neverPersist,
    }),
  );
}

export function useSavedNotes(businessId: string, workerId: string) {
  return useInfiniteQuery(
    apiQuery.pools.notes.infiniteOptions({
      input: (cursor: string | undefined) => ({ businessId, workerId, cursor }),
      ...pages,
      ...neverPersist,
    }),
  );
}

function useChanged(): () => void {
  return () => refetchChanged(['pool']);
}

export const useCreatePool = () => {
  const onSuccess = useChanged();
  return useMutation(apiQuery.pools.create.mutationOptions({ onSuccess }));
};
export const useRenamePool = () => {
  const onSuccess = useChanged();
  return useMutation(apiQuery.pools.rename.mutationOptions({ onSuccess }));
};
export const useDeletePool = () => {
  const onSuccess = useChanged();
  return useMutation(apiQuery.pools.delete.mutationOptions({ onSuccess }));
};
export const useAddToPool = () => {
  const onSettled = useChanged();
  return useMutation(apiQuery.pools.add.mutationOptions({ onSettled }));
};
export const useRemoveFromPool = () => {
  const onSettled = useChanged();
  return useMutation(apiQuery.pools.remove.mutationOptions({ onSettled }));
};
export const useSetSavedTags = () => {
  const onSettled = useChanged();
  return useMutation(apiQuery.pools.setTags.mutationOptions({ onSettled }));
};
export const useAddSavedNote = () => {
  const onSuccess = useChanged();
  return useMutation(apiQuery.pools.addNote.mutationOptions({ onSuccess }));
};
export const useDeleteSavedNote = () => {
  const onSuccess = useChanged();
  return useMutation(apiQuery.pools.deleteNote.mutationOptions({ onSuccess }));
};

/** The people a pool invitation would reach. Never stored: bookings change by the minute. */
export function useInvitees(poolId: string, jobId: string | null) {
  return useQuery(
    apiQuery.pools.invitees.queryOptions({
      input: { poolId, jobId: jobId ?? '' },
      enabled: jobId !== null,
      staleTime: 0,
      gcTime: 60_000,
      ...neverPersist,
    }),
  );
}

export const useInvitePool = () =>
  useMutation(apiQuery.pools.invite.mutationOptions({ onSettled: () => refetchChanged(['application']) }));
