import type { Business, BusinessInput } from '@nearhand/contract/businesses';
import type { StoredFile } from '@nearhand/contract/files';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { api, apiQuery } from '../../lib/api.ts';
import { session, useUser } from '../../lib/session.ts';

/** The businesses the signed-in account is a member of, by name. Not asked while nobody verified is signed in. */
export function useMyBusinesses() {
  const user = useUser();
  return useQuery(apiQuery.businesses.mine.queryOptions({ enabled: user?.emailVerified === true }));
}

/** After a write the answer is the newest truth: it goes into the list at once, and everything that counts jobs is asked again. */
function keep(client: QueryClient, changed: Business): void {
  client.setQueryData(apiQuery.businesses.get.queryKey({ input: { businessId: changed.id } }), changed);
  client.setQueryData(apiQuery.businesses.mine.queryKey(), (before: Business[] | undefined) =>
    before?.some((one) => one.id === changed.id)
      ? before.map((one) => (one.id === changed.id ? changed : one))
      : [...(before ?? []), changed],
  );
  void client.invalidateQueries({ queryKey: apiQuery.businesses.key() });
  void client.invalidateQueries({ queryKey: apiQuery.accounts.me.key() });
}

/** With the same key the same business is made once, however often it is sent. */
export function useRegisterBusiness() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ input, idempotencyKey }: { input: BusinessInput; idempotencyKey: string }) =>
      api.businesses.register(input, { context: { idempotencyKey } }),
    onSuccess: (made) => {
      keep(client, made as Business);
      chooseBusiness(made.id);
    },
  });
}

export function useUpdateBusiness() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.businesses.update.mutationOptions({ onSuccess: (changed) => keep(client, changed as Business) }),
  );
}

export function useSubmitBusiness() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.businesses.submit.mutationOptions({ onSuccess: (changed) => keep(client, changed as Business) }),
  );
}

export function useCloseBusiness() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.businesses.close.mutationOptions({ onSuccess: (changed) => keep(client, changed as Business) }),
  );
}

/** Stores a logo; the business gets it when the form is sent. */
export function useUploadLogo() {
  const upload = useMutation(apiQuery.files.upload.mutationOptions());
  return {
    ...upload,
    send: async (file: File): Promise<StoredFile> =>
      (await upload.mutateAsync({ purpose: 'logo', file })) as StoredFile,
  };
}

const listeners = new Set<() => void>();
const chosenKey = () => `nearhand-business:${session.user()?.id ?? 'guest'}`;
let chosenWithoutStorage: string | null = null;

function chosen(): string | null {
  try {
    return globalThis.localStorage.getItem(chosenKey()) ?? chosenWithoutStorage;
  } catch {
    return chosenWithoutStorage;
  }
}

/** Which of several businesses the merchant's screens speak of; kept on the device for this account. */
export function chooseBusiness(businessId: string): void {
  chosenWithoutStorage = businessId;
  try {
    globalThis.localStorage.setItem(chosenKey(), businessId);
  } catch {
    // The choice then lasts as long as the page.
  }
  for (const listener of [...listeners]) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/**
 * The business in use: the chosen one, else the first that is not closed. `query` gives the states of loading; `business` is undefined
 * until it is known and null where the account has none.
 */
export function useCurrentBusiness() {
  const query = useMyBusinesses();
  const id = useSyncExternalStore(subscribe, chosen, () => null);
  const all = query.data as Business[] | undefined;
  const business = all
    ? (all.find((one) => one.id === id) ?? all.find((one) => one.status !== 'closed') ?? all[0] ?? null)
    : undefined;
  return { query, business, all: all ?? [] };
}
