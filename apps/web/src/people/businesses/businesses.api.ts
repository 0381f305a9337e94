import type { Business, BusinessInput } from '@nearhand/contract/people/businesses';
import type { StoredFile } from '@nearhand/contract/people/files';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { withRecentProof } from '../../lib/api/confirmed.ts';
import { queryClient } from '../../lib/api/query.ts';
import { readStored, writeStored } from '../../lib/device/stored.ts';
import { session, useUser } from '../../lib/session.ts';
import { createListeners } from '../../lib/store.ts';

export function useMyBusinesses() {
  const user = useUser();
  return useQuery(apiQuery.businesses.mine.queryOptions({ enabled: user?.emailVerified === true }));
}

/** The user's role in a business; null until it is known, or without one. */
export function useRoleIn(businessId: string | undefined): Business['role'] | null {
  return useMyBusinesses().data?.find(({ id }) => id === businessId)?.role ?? null;
}

/** Stores a write's response in the list and refetches job counts. */
function cacheBusiness(changed: Business): void {
  queryClient.setQueryData(apiQuery.businesses.get.queryKey({ input: { businessId: changed.id } }), changed);
  queryClient.setQueryData(apiQuery.businesses.mine.queryKey(), (before: Business[] | undefined) =>
    before?.some((item) => item.id === changed.id)
      ? before.map((business) => (business.id === changed.id ? changed : business))
      : [...(before ?? []), changed],
  );
  refetchChanged(['business']);
}

/** Registers a business. Idempotent per key. */
export const useRegisterBusiness = () =>
  useMutation({
    mutationFn: ({ input, idempotencyKey }: { input: BusinessInput; idempotencyKey: string }) =>
      api.businesses.register(input, { context: { idempotencyKey } }),
    onSuccess: (business) => {
      cacheBusiness(business);
      chooseBusiness(business.id);
    },
  });

export const useUpdateBusiness = () =>
  useMutation(apiQuery.businesses.update.mutationOptions({ onSuccess: cacheBusiness }));

export const useSubmitBusiness = () =>
  useMutation(apiQuery.businesses.submit.mutationOptions({ onSuccess: cacheBusiness }));

export const useCloseBusiness = () =>
  useMutation({
    ...apiQuery.businesses.close.mutationOptions({ onSuccess: cacheBusiness }),
    mutationFn: withRecentProof(api.businesses.close),
  });

export function useUploadPicture(purpose: 'logo' | 'photo') {
  const upload = useMutation(apiQuery.files.upload.mutationOptions());
  return {
    ...upload,
    send: async (file: File): Promise<StoredFile> => await upload.mutateAsync({ purpose, file }),
  };
}

const { notify, subscribe } = createListeners();
const chosenKey = () => `nearhand-business:${session.user()?.id ?? 'guest'}`;
const tabStorage = () => globalThis.sessionStorage;
let chosenWithoutStorage: string | null = null;

/** The business of this tab: a choice in another tab must not move screens and their actions to another business. */
function chosenId(): string | null {
  const key = chosenKey();
  const id = readStored(key, tabStorage);
  if (id !== null) return id;
  const lastId = readStored(key) ?? '';
  return writeStored(key, lastId, tabStorage) ? lastId : chosenWithoutStorage;
}

/** Selects the business that this tab shows, and tabs opened later, per account. */
export function chooseBusiness(businessId: string): void {
  chosenWithoutStorage = businessId;
  writeStored(chosenKey(), businessId, tabStorage);
  writeStored(chosenKey(), businessId);
  notify();
}

const currentOf = (all: readonly Business[], id: string | null): Business | null =>
  all.find((business) => business.id === id) ??
  all.find((business) => business.status !== 'closed') ??
  all[0] ??
  null;

export const fetchCurrentBusiness = async (staleTime: number): Promise<Business | null> =>
  currentOf(
    await queryClient.fetchQuery({ ...apiQuery.businesses.mine.queryOptions(), staleTime, retry: false }),
    chosenId(),
  );

/**
 * The selected business, otherwise the first that isn't closed. Undefined while loading, null if there is
 * none.
 */
export function useCurrentBusiness() {
  const query = useMyBusinesses();
  const id = useSyncExternalStore(subscribe, chosenId, () => null);
  const all = query.data;
  const business = all ? currentOf(all, id) : undefined;
  return { query, business, all: all ?? [] };
}
