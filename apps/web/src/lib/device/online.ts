import { useSyncExternalStore } from 'react';
import { giveUpAfter } from '../api/abort-after.ts';
import { serverOrigin } from '../api/server-address.ts';
import { createListeners } from '../store.ts';

const patienceMs = 5_000;
/** The delay between probes doubles and is randomized, so that a recovering server is not flooded. */
const shortestMs = 2_000;
const longestMs = 60_000;

const { notify, subscribe } = createListeners();
// The service worker marks a page that it serves without a response (ADR 103).
let unreached = globalThis.document?.documentElement.dataset.kept === '';
let answers = 0;
let waitMs = shortestMs;
let isProbing = false;
let isAskedAgain = false;
let timer: ReturnType<typeof setTimeout> | undefined;

const hasNetwork = (): boolean => navigator.onLine !== false;

/** The last known state of the connection; for code outside rendering. */
export const isOnline = (): boolean => hasNetwork() && !unreached;

export const watchOnline = subscribe;

/** Calls back each time the connection returns. Returns the function that stops it. */
export const onBackOnline = (back: () => void): (() => void) => watchOnline(() => isOnline() && back());

export const useOnline = (): boolean => useSyncExternalStore(watchOnline, isOnline, () => true);

/** True even for a network that doesn't reach the server. */
export const useNetwork = (): boolean => useSyncExternalStore(watchOnline, hasNetwork, () => true);

/** Reports that the server responded, which ends the offline state. */
export function reportAnswer(): void {
  answers += 1;
  if (!unreached) return;
  unreached = false;
  clearTimeout(timer);
  waitMs = shortestMs;
  notify();
}

/** Reports a failed request. One failure is not enough: a probe confirms it before the app goes offline. */
export function reportNoAnswer(): void {
  if (isOnline()) void probe();
}

/** A response of the server, or of a proxy that can't reach it: the network is fine then. */
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
    // No response, or not one from our server.
  }
  stop();
  isProbing = false;
  if (answers !== before || !hasNetwork()) return;
  if (isAskedAgain && unreached) return probe();
  timer = setTimeout(probeIfSeen, waitMs * (0.5 + Math.random()));
  waitMs = Math.min(2 * waitMs, longestMs);
  if (unreached) return;
  unreached = true;
  notify();
}

/** Probes the server now instead of at the next interval. */
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
