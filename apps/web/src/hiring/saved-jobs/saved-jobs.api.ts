import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient, storeQueriesNow } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { canRetry, deviceQueue } from '../../lib/device/device-queue.ts';
import { useUser } from '../../lib/session.ts';

/** A tapped heart that has not reached the server: stored on the device, sent under a fixed key. */
type Change = { jobId: string; saved: boolean; key: string };

const isQueue = (value: unknown): value is Change[] =>
  Array.isArray(value) &&
  value.every(
    (entry) =>
      typeof entry?.jobId === 'string' && typeof entry?.saved === 'boolean' && typeof entry?.key === 'string',
  );
const queue = deviceQueue('saved-jobs-queue', isQueue);
const idsKey = apiQuery.savedJobs.ids.queryKey();

type Refusals = ReadonlyMap<string, unknown>;
let running: Promise<Refusals> | null = null;
/** The changes whose caller shows a refusal, so the queue doesn't. */
const awaited = new Set<string>();

/** Sends queued saves and removals, oldest first. Concurrent calls share one run. Never rejects. */
function flushSavedJobs(): Promise<Refusals> {
  running ??= flush().finally(() => {
    running = null;
  });
  return running;
}

async function flush(): Promise<Refusals> {
  const refusals = new Map<string, unknown>();
  let hasSent = false;
  for (let change = queue.entries()[0]; change; change = queue.entries()[0]) {
    const { jobId, key } = change;
    try {
      const call = change.saved ? api.savedJobs.save : api.savedJobs.remove;
      const { saved } = await call({ jobId }, { context: { idempotencyKey: key } });
      queryClient.setQueryData<string[]>(idsKey, (ids) => ids && withJob(ids, jobId, saved));
      await storeQueriesNow();
      hasSent = true;
    } catch (error) {
      if (canRetry(error)) break;
      refusals.set(key, error);
    }
    // A tap made during the request has its own key and stays queued.
    queue.put(queue.entries().filter((entry) => entry.key !== key));
  }
  if (hasSent) refetchChanged(['saved-job'], idsKey);
  return refusals;
}

const withJob = (ids: readonly string[], jobId: string, saved: boolean): string[] => {
  const otherIds = ids.filter((id) => id !== jobId);
  return saved ? [jobId, ...otherIds] : otherIds;
};

/** Saves or removes a job, now or once online. Returns the server's refusal; null if there is none. */
export async function setSaved(jobId: string, saved: boolean): Promise<unknown> {
  const key = crypto.randomUUID();
  const otherEntries = queue.entries().filter((entry) => entry.jobId !== jobId);
  awaited.add(key);
  queue.put([...otherEntries, { jobId, saved, key }]);
  const refusals = await flushSavedJobs();
  awaited.delete(key);
  return refusals.get(key) ?? null;
}

/** Ids of the saved jobs, including unsent changes. Empty for a guest. */
export function useSavedIds(): ReadonlySet<string> {
  const user = useUser();
  const { data } = useQuery(apiQuery.savedJobs.ids.queryOptions({ enabled: user !== null }));
  const changes = queue.useEntries();
  return useMemo(
    () => new Set(changes.reduce((ids, change) => withJob(ids, change.jobId, change.saved), data ?? [])),
    [data, changes],
  );
}

export const useUnsentSaves = (): boolean => queue.useEntries().length > 0;

/** Sends taps made offline. Returns a refusal that the user has not seen yet; null if there is none. */
export async function sendSavedJobs(): Promise<unknown> {
  const refusals = await flushSavedJobs();
  return [...refusals].find(([key]) => !awaited.has(key))?.[1] ?? null;
}

export const savedJobs = () =>
  apiQuery.savedJobs.list.infiniteOptions({
    input: (cursor: string | undefined) => ({ cursor }),
    ...pages,
  });

export function useSavedJobs() {
  const user = useUser();
  return useInfiniteQuery({ ...savedJobs(), enabled: user !== null });
}
