import { minuteMs } from '@nearhand/contract/durations';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { ApiError, isApiError } from '../../lib/api/api-error.ts';
import { queryClient, storeQueriesNow } from '../../lib/api/query.ts';
import { persistForDay } from '../../lib/api/query-options.ts';
import { canRetry, deviceQueue } from '../../lib/device/device-queue.ts';
import { isOnline, useOnline } from '../../lib/device/online.ts';
import { oneEngagement, storeEngagement } from '../engagements/engagements.api.ts';
import { type Attendance, type AttendanceInput, readEngagement, sendAttendance } from './send-attendance.ts';

/** An attendance event in the device queue (ADR 51), sent in order under a fixed key. */
export type QueuedAttendance = {
  key: string;
  engagementId: string;
  title: string;
  kind: Attendance;
  at: string;
  position: AttendanceInput['position'];
  code: string | null;
  refusal: string | null;
};

const queueKey = 'attendance-queue';
const kinds: readonly string[] = ['checkIn', 'startBreak', 'endBreak', 'checkOut'];
const isQueue = (value: unknown): value is QueuedAttendance[] =>
  Array.isArray(value) &&
  value.every(
    (entry) =>
      typeof entry?.key === 'string' &&
      typeof entry?.engagementId === 'string' &&
      typeof entry?.at === 'string' &&
      kinds.includes(entry?.kind),
  );

const queue = deviceQueue(queueKey, isQueue);

export const queuedAttendance = queue.entries;
const { put: store } = queue;

const storeWithout = (key: string) => store(queuedAttendance().filter((entry) => entry.key !== key));

/** Removes an event from the queue; later ones are still sent. */
export const dropAttendance = (key: string): void => void storeWithout(key);

export const useQueuedAttendance = (engagementId?: string): readonly QueuedAttendance[] => {
  const all = queue.useEntries();
  return engagementId === undefined ? all : all.filter((entry) => entry.engagementId === engagementId);
};

export type SentRecord = { entry: QueuedAttendance; engagement: Engagement | null; refusal: string | null };

let running: Promise<SentRecord[]> | null = null;

/** Sends queued events one at a time; concurrent calls share one run. Never rejects. */
export function flushAttendance(): Promise<SentRecord[]> {
  running ??= flush().finally(() => {
    running = null;
  });
  return running;
}

/** The oldest event that may be sent. A refused one blocks later ones of the same work. */
function nextToSend(): QueuedAttendance | undefined {
  const heldIds = new Set<string>();
  for (const entry of queuedAttendance()) {
    if (entry.refusal !== null) heldIds.add(entry.engagementId);
    else if (!heldIds.has(entry.engagementId)) return entry;
  }
  return undefined;
}

async function deliverEvent({
  key,
  kind,
  engagementId,
  at,
  position,
  code,
}: QueuedAttendance): Promise<Engagement> {
  // The server subtracts the event's age (sentAt - at) from its own clock.
  const sentAt = new Date(Math.max(Date.now(), Date.parse(at))).toISOString();
  try {
    return await sendAttendance(kind, { engagementId, at, sentAt, position, code }, key);
  } catch (error) {
    // An earlier attempt arrived but its response was lost. The retry has another `sentAt` under the same key.
    if (isApiError(error, 'idempotency/key-reused')) return readEngagement(engagementId);
    throw error;
  }
}

async function flush(): Promise<SentRecord[]> {
  const results: SentRecord[] = [];
  for (let entry = nextToSend(); entry; entry = nextToSend()) {
    try {
      const engagement = await deliverEvent(entry);
      storeEngagement(engagement);
      // The order matters: a page closed in between must not restart with the state before the press.
      await storeQueriesNow();
      storeWithout(entry.key);
      results.push({ entry, engagement, refusal: null });
    } catch (error) {
      if (canRetry(error)) break;
      const refusal = isApiError(error) ? error.code : 'request/invalid';
      store(queuedAttendance().map((item) => (item.key === entry.key ? { ...item, refusal } : item)));
      results.push({ entry, engagement: null, refusal });
    }
  }
  return results;
}

export type Recorded =
  | { state: 'sent'; engagement: Engagement | null }
  | { state: 'waiting' }
  | { state: 'refused'; refusal: string }
  | { state: 'lost' };

/** Records an event on the device first, then on the server. An immediate refusal leaves nothing queued. */
export async function recordAttendance(
  fact: Pick<QueuedAttendance, 'engagementId' | 'title' | 'kind' | 'position' | 'code'>,
  now = new Date(),
): Promise<Recorded> {
  const key = crypto.randomUUID();
  const isStored = store([
    ...queuedAttendance(),
    {
      engagementId: fact.engagementId,
      title: fact.title,
      kind: fact.kind,
      position: fact.position,
      code: fact.code,
      key,
      at: now.toISOString(),
      refusal: null,
    },
  ]);
  if (isOnline()) {
    const results = await flushAttendance();
    const ownResult = results.find(({ entry }) => entry.key === key);
    if (ownResult?.refusal) {
      dropAttendance(key);
      return { state: 'refused', refusal: ownResult.refusal };
    }
    if (ownResult) return { state: 'sent', engagement: ownResult.engagement };
  }
  if (isStored) return { state: 'waiting' };
  dropAttendance(key);
  return { state: 'lost' };
}

const recordings = new Map<Promise<unknown>, { engagementId: string }>();

/** Counts a press as in progress from now on: the device is located before its event is in the queue. */
export async function trackRecording(engagementId: string, recording: Promise<unknown>): Promise<void> {
  recordings.set(recording, { engagementId });
  try {
    await recording;
  } finally {
    recordings.delete(recording);
  }
}

/**
 * Sends the queued attendance of an engagement and returns the version that the next move must name. Each
 * event makes another version, and none is accepted after the hours.
 * @throws network/failed if an event still waits on the device
 */
export async function sendQueuedAttendance(work: { engagementId: string; version: number }): Promise<number> {
  const next = () => queuedAttendance().find(({ engagementId }) => engagementId === work.engagementId);
  const inProgress = [...recordings].flatMap(([recording, { engagementId }]) =>
    engagementId === work.engagementId ? [recording] : [],
  );
  if (inProgress.length === 0 && next() === undefined) return work.version;
  await Promise.allSettled(inProgress);
  await flushAttendance();
  // A refused event, and events behind it, are no longer sent.
  if (next()?.refusal === null) throw new ApiError('network/failed');
  const engagement = queryClient.getQueryData(oneEngagement(work.engagementId).queryKey);
  return Math.max(work.version, engagement?.version ?? 0);
}

type SiteCode = { code: string; validUntil: string; ahead: readonly string[] };

/** The current code and its end; offline, a code from the last response. Null once they are used up. */
export function codeAt(siteCode: SiteCode, now: Date): { code: string; validUntil: Date } | null {
  const end = Date.parse(siteCode.validUntil);
  const later = Math.max(0, Math.floor((now.getTime() - end) / minuteMs) + 1);
  const code = later === 0 ? siteCode.code : siteCode.ahead[later - 1];
  return code === undefined ? null : { code, validUntil: new Date(end + later * minuteMs) };
}

export const siteCodeOf = (jobId: string) =>
  apiQuery.attendance.siteCode.queryOptions({ input: { jobId }, staleTime: 0, ...persistForDay });

/** Fetches the check-in code, and again when it expires (`attendance.siteCode`). For the business. */
export function useSiteCode(jobId: string | undefined, visible = true) {
  return useQuery({
    ...siteCodeOf(jobId ?? ''),
    enabled: Boolean(jobId) && visible,
    refetchInterval: (query: { state: { data?: { validUntil: string } } }) => {
      const until = query.state.data?.validUntil;
      // Offline, codes of the last response are used; the query retries every few seconds.
      return until ? Math.max(5_000, Date.parse(until) - Date.now() + 500) : 5_000;
    },
  });
}

/** Returns whether a job's code can be shown: a stored one is still valid, or there is a network. */
export function useCanShowCode(): (jobId: string, now: Date) => boolean {
  const online = useOnline();
  return (jobId, now) => {
    const queryData = queryClient.getQueryData(siteCodeOf(jobId).queryKey);
    return online || (queryData !== undefined && codeAt(queryData, now) !== null);
  };
}
