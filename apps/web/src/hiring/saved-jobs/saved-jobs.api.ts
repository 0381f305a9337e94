import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { canRetry, deviceQueue } from '../../lib/device/device-queue.ts';
import { useUser } from '../../lib/session.ts';

/** A tapped heart that has not reached the server: stored on the device, sent under a fixed key. */
type Change = { jobId: string; saved: boolean; key: string };

const isQueue = (value: unknown): value is Change[] =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      typeof one?.jobId === 'string' && typeof one?.saved === 'boolean' && typeof one?.key === 'string',
  );
const queue = deviceQueue('saved-jobs-queue', isQueue);
const idsKey = apiQuery.savedJobs.ids.queryKey();

/** `refusal`: the first error the server refused a change with. */
type Flushed = { refusal: unknown };
let running: Promise<Flushed> | null = null;

/** Sends taps, oldest first; concurrent calls share one run. Never rejects. */
export function flushSavedJobs(): Promise<Flushed> {
  running ??= flush().finally(() => {
    running = null;
  });
  return running;
}

async function flush(): Promise<Flushed> {
  let refusal: unknown = null;
  let sent = false;
  for (let change = queue.entries()[0]; change; change = queue.entries()[0]) {
    const { jobId, key } = change;
    try {
      const call = change.saved ? api.savedJobs.save : api.savedJobs.remove;
      const { saved } = await call({ jobId }, { context: { idempotencyKey: key } });
      queryClient.setQueryData<string[]>(idsKey, (ids) => ids && withJob(ids, jobId, saved));
      sent = true;
    } catch (error) {
      if (canRetry(error)) break;
      refusal ??= error;
    }
    // Tapped again while it was being sent: that tap has its own key and is still to be sent.
    queue.put(queue.entries().filter((one) => one.key !== key));
  }
  if (sent) refetchChanged(queryClient, ['saved-job'], idsKey);
  return { refusal };
}

const withJob = (ids: readonly string[], jobId: string, saved: boolean): string[] => {
  const others = ids.filter((id) => id !== jobId);
  return saved ? [jobId, ...others] : others;
};

/**
 * Saves or removes a job: shown at once, stored on the device, then sent. Returns the server's refusal; null when it was sent, or will be
 * once there is a connection.
 */
export async function setSaved(jobId: string, saved: boolean): Promise<unknown> {
  const others = queue.entries().filter((one) => one.jobId !== jobId);
  queue.put([...others, { jobId, saved, key: crypto.randomUUID() }]);
  const { refusal } = await flushSavedJobs();
  return refusal;
}

/** Ids of the saved jobs, including unsent changes. Empty for a guest. */
export function useSavedIds(): ReadonlySet<string> {
  const user = useUser();
  const { data } = useQuery(apiQuery.savedJobs.ids.queryOptions({ enabled: user !== null }));
  const changes = queue.useEntries();
  return useMemo(
    () => new Set(changes.reduce((ids, one) => withJob(ids, one.jobId, one.saved), data ?? [])),
    [data, changes],
  );
}

/** Sends offline taps as soon as there is a connection. */
export function useSendSavedJobs(): void {
  const user = useUser();
  useEffect(() => {
    if (!user) return;
    const send = () => void flushSavedJobs();
    send();
    globalThis.addEventListener('online', send);
    return () => globalThis.removeEventListener('online', send);
  }, [user]);
}

/** The saved jobs in their current state, last saved first, in keyset pages. Disabled for a guest. */
export function useSavedJobs() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.savedJobs.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...(cursor ? { cursor } : {}) }),
      ...pages,
      enabled: user !== null,
    }),
  );
}
