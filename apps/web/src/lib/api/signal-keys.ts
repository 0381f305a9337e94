import { limits } from '@nearhand/contract/limits';
import type { Signal } from '@nearhand/contract/realtime';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { apiQuery } from './api.ts';
import { keysOf, partsOf } from './changed-records.ts';

/** The queries that a signal affects; `all` for everything, none for signals that chat screens handle. */
export function keysOfSignal(signal: Signal): QueryKey[] | 'all' {
  switch (signal.kind) {
    case 'record':
      // A newer server may name an unknown record, which may affect everything.
      return Object.hasOwn(partsOf, signal.record) ? keysOf(signal.record) : 'all';
    case 'notice':
      return [apiQuery.notifications.list.key(), apiQuery.accounts.me.key()];
    case 'resync':
      return 'all';
    default:
      return [];
  }
}

/** Signals come in bursts: one action of a business may name ten records. */
const gatherMs = 300;
/** A request without a response must not hold up the next round. */
const longestRoundMs = 5_000;
/** A write in flight gets its response first, or a screen would briefly show the old state. Bounded to 20 waits. */
const maxWaits = 20;

/** Refetches visible queries one round at a time, so that a stream of signals can't keep restarting a query. */
export function refetchOnSignals(client: QueryClient, random: () => number = Math.random) {
  let waiting = new Map<string, QueryKey>();
  let everything = false;
  let busy = false;
  let delayCount = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const plan = (inMs: number) => {
    if (timer === undefined && !busy) timer = setTimeout(() => void round(), inMs);
  };

  const whenSeen = () => {
    if (document.hidden) return;
    document.removeEventListener('visibilitychange', whenSeen);
    plan(0);
  };

  async function round(): Promise<void> {
    timer = undefined;
    if (document.hidden) {
      document.addEventListener('visibilitychange', whenSeen);
      return;
    }
    if (client.isMutating() > 0 && delayCount < maxWaits) {
      delayCount += 1;
      plan(gatherMs);
      return;
    }
    delayCount = 0;
    busy = true;
    const keys = [...waiting.values()];
    const all = everything;
    waiting = new Map();
    everything = false;
    const refetch: Promise<unknown> = all
      ? client.invalidateQueries()
      : Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    await Promise.race([refetch, new Promise((resolve) => setTimeout(resolve, longestRoundMs))]);
    busy = false;
    if (everything || waiting.size > 0) plan(gatherMs);
  }

  return (signal: Signal): void => {
    const keys = keysOfSignal(signal);
    if (keys === 'all') {
      everything = true;
      // Spreads the load, because every client gets a resync at the same moment.
      plan(signal.kind === 'resync' ? random() * limits.resyncSpreadMs : gatherMs);
      return;
    }
    for (const key of keys) waiting.set(JSON.stringify(key), key);
    if (keys.length > 0) plan(gatherMs);
  };
}
