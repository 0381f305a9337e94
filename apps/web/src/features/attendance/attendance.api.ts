import type { Engagement } from '@nearhand/contract/engagements';
import { isApiError } from '../../lib/api-error.ts';
import { deviceQueue, goesLater } from '../../lib/device-queue.ts';
import { type Attendance, type AttendanceInput, sendAttendance } from '../engagements/engagements.api.ts';

/**
 * Attendance goes through a queue on the device, with or without a connection (ADR 0051): what happened is kept with its own time first and then sent,
 * in order, under a key that stays the same. `refusal` is the code it was refused with when it was sent later, for its person to look at.
 */
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
    (one) =>
      typeof one?.key === 'string' &&
      typeof one?.engagementId === 'string' &&
      typeof one?.at === 'string' &&
      kinds.includes(one?.kind),
  );

const queue = deviceQueue(queueKey, isQueue);

/** What waits for the account that is signed in, oldest first. */
export const queuedAttendance = queue.entries;
const { put } = queue;

const without = (key: string) => put(queuedAttendance().filter((one) => one.key !== key));

/** Takes one out that will not be sent any more; what came after it goes on. */
export const dropAttendance = (key: string): void => void without(key);

export const useQueuedAttendance = (engagementId?: string): readonly QueuedAttendance[] => {
  const all = queue.useEntries();
  return engagementId === undefined ? all : all.filter((one) => one.engagementId === engagementId);
};

export type Sent = { entry: QueuedAttendance; engagement: Engagement | null; refusal: string | null };

let running: Promise<Sent[]> | null = null;

/** Sends what waits, one after the other; two calls at once are one. Never rejects. */
export function flushAttendance(): Promise<Sent[]> {
  running ??= flush().finally(() => {
    running = null;
  });
  return running;
}

/** The oldest that may go: nothing overtakes a refused one of the same work, because a check-out without its check-in says something else. */
function nextToSend(): QueuedAttendance | undefined {
  const held = new Set<string>();
  for (const one of queuedAttendance()) {
    if (one.refusal !== null) held.add(one.engagementId);
    else if (!held.has(one.engagementId)) return one;
  }
  return undefined;
}

async function flush(): Promise<Sent[]> {
  const results: Sent[] = [];
  for (let entry = nextToSend(); entry; entry = nextToSend()) {
    const { key, kind, engagementId, at, position, code } = entry;
    try {
      // The device's clock of now: the server takes the age of the event off its own clock.
      const sentAt = new Date(Math.max(Date.now(), Date.parse(at))).toISOString();
      const engagement = await sendAttendance(kind, { engagementId, at, sentAt, position, code }, key);
      without(key);
      results.push({ entry, engagement, refusal: null });
    } catch (error) {
      if (goesLater(error)) break;
      // It arrived before and only the answer was lost; sent again, it carries another `sentAt` under the same key.
      if (isApiError(error, 'idempotency/key-reused')) {
        without(key);
        results.push({ entry, engagement: null, refusal: null });
        continue;
      }
      const refusal = isApiError(error) ? error.code : 'request/invalid';
      put(queuedAttendance().map((one) => (one.key === key ? { ...one, refusal } : one)));
      results.push({ entry, engagement: null, refusal });
    }
  }
  return results;
}

export type Recorded =
  | { state: 'sent'; engagement: Engagement | null }
  | { state: 'waiting' }
  | { state: 'refused'; refusal: string }
  /** The device could not keep it and the server was not reached. */
  | { state: 'lost' };

/**
 * Records a fact of attendance now: on the device first, then to the server if it can be reached. A refusal while the person stands there is told at
 * once and nothing of it stays in the queue.
 */
export async function recordAttendance(
  fact: Pick<QueuedAttendance, 'engagementId' | 'title' | 'kind' | 'position' | 'code'>,
  now = new Date(),
): Promise<Recorded> {
  const key = crypto.randomUUID();
  const kept = put([
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
  if (navigator.onLine !== false) {
    const results = await flushAttendance();
    const mine = results.find(({ entry }) => entry.key === key);
    if (mine?.refusal) {
      dropAttendance(key);
      return { state: 'refused', refusal: mine.refusal };
    }
    if (mine) return { state: 'sent', engagement: mine.engagement };
  }
  if (kept) return { state: 'waiting' };
  dropAttendance(key);
  return { state: 'lost' };
}
