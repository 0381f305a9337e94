import { limits } from '@nearhand/contract/limits';
import type { Signal } from '@nearhand/contract/realtime';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { apiQuery } from './api.ts';
import { keysOf, partsOf } from './changed-records.ts';

/** The queries that a signal affects; `all` for everything, none for what chat screens follow themselves. */
export function keysOfSignal(signal: Signal): QueryKey[] | 'all' {
  switch (signal.kind) {
    case 'record':
      // A newer server may name an unknown record: then everything may be affected.
      return Object.hasOwn(partsOf, signal.record) ? keysOf(signal.record) : 'all';
    case 'notice':
      return [apiQuery.notifications.list.key(), apiQuery.accounts.me.key()];
    case 'resync':
      return 'all';
    default:
      return [];
  }
}

/** Signals come in bursts: one action of a merchant may name ten records. */
const gatherMs = 300;
/** A missing response must not hold up the next round. */
const longestRoundMs = 5_000;
/** While a write of this device is in flight its response comes first, or a screen would show the old state in between; not forever. */
const maxWaits = 20;

/**
 * A listener for `onSignal`: refetches what is on screen and marks the rest as stale. One round at a time, so that a stream of signals
 * can't keep restarting a query; what arrives in the meantime is the next round.
 */
export function askAgainOn(client: QueryClient, random: () => number = Math.random) {
  let waiting = new Map<string, QueryKey>();
  let everything = false;
  let busy = false;
  let waits = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const plan = (inMs: number) => {
    if (timer === undefined && !busy) timer = setTimeout(() => void round(), inMs);
  };

  /** Hidden pages refetch when they become visible. */
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
    if (client.isMutating() > 0 && waits < maxWaits) {
      waits += 1;
      plan(gatherMs);
      return;
    }
    waits = 0;
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
      // Everyone gets a resync at the same moment.
      plan(signal.kind === 'resync' ? random() * limits.resyncSpreadMs : gatherMs);
      return;
    }
    for (const key of keys) waiting.set(JSON.stringify(key), key);
    if (keys.length > 0) plan(gatherMs);
  };
}
