import { useSyncExternalStore } from 'react';
import { giveUpAfter } from '../api/abort-after.ts';
import { serverOrigin } from '../api/server-address.ts';

/** A server that answers this late can't be used either. */
const patienceMs = 5_000;
/** Between probes: doubled each time, and spread, so that a server that is back is not asked by everyone at once. */
const shortestMs = 2_000;
const longestMs = 60_000;

const listeners = new Set<() => void>();
// The service worker marks the page that it starts without an answer of the network (ADR 103).
let unreached = globalThis.document?.documentElement.dataset.kept === '';
let answers = 0;
let waitMs = shortestMs;
let isProbing = false;
let isAskedAgain = false;
let timer: ReturnType<typeof setTimeout> | undefined;

function notify(): void {
  for (const listener of [...listeners]) listener();
}

const hasNetwork = (): boolean => navigator.onLine !== false;

/** Whether the server can be reached, as far as is known, for code outside rendering: the device has a network, and it leads to us. */
export const isOnline = (): boolean => hasNetwork() && !unreached;

/** Calls back when `isOnline` may have changed, until the returned function is called. */
export function watchOnline(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back each time the server can be reached again, until the returned function is called. */
export const onBackOnline = (back: () => void): (() => void) => watchOnline(() => isOnline() && back());

/** Returns whether the server can be reached (`isOnline`). Combine with `query.dataUpdatedAt` to show the data's age. */
export const useOnline = (): boolean => useSyncExternalStore(watchOnline, isOnline, () => true);

/** Returns whether the device has a network, which may lead nowhere. */
export const useNetwork = (): boolean => useSyncExternalStore(watchOnline, hasNetwork, () => true);

export function reportAnswer(): void {
  answers += 1;
  if (!unreached) return;
  unreached = false;
  clearTimeout(timer);
  waitMs = shortestMs;
  notify();
}

/** A call got no answer of our server. One that was lost is nothing yet: a probe confirms it. */
export function reportNoAnswer(): void {
  if (isOnline()) void probe();
}

/** The server's own words; where a proxy says that it can't reach the server, the network is fine. */
const isOurs = async (response: Response): Promise<boolean> =>
  (response.status > 501 && response.status < 505) || (await response.json()).status === 'live';

async function probe(): Promise<void> {
  clearTimeout(timer);
  if (isProbing) {
    isAskedAgain = true;
    return;
  }
  isProbing = true;
  isAskedAgain = false;
  const before = answers;
  const { signal, stop } = giveUpAfter(patienceMs);
  try {
    const request = { cache: 'no-store', credentials: 'omit', redirect: 'manual', signal } as const;
    if (await isOurs(await fetch(`${serverOrigin()}/health/live`, request))) reportAnswer();
  } catch {
    // No answer, or not ours.
  }
  stop();
  isProbing = false;
  if (answers !== before || !hasNetwork()) return;
  // The network may have changed in the meantime.
  if (isAskedAgain && unreached) return probe();
  timer = setTimeout(probeIfSeen, waitMs * (0.5 + Math.random()));
  waitMs = Math.min(2 * waitMs, longestMs);
  if (unreached) return;
  unreached = true;
  notify();
}

/** Someone wants to know now: a press on "Try again". */
export function lookAgain(): void {
  if (unreached) void probe();
}

function probeIfSeen(): void {
  if (unreached && !document.hidden) void probe();
}

if (globalThis.document) {
  addEventListener('online', () => {
    waitMs = shortestMs;
    if (unreached) void probe();
    else notify();
  });
  addEventListener('offline', notify);
  addEventListener('focus', probeIfSeen);
  document.addEventListener('visibilitychange', probeIfSeen);
  if (unreached) void probe();
}
