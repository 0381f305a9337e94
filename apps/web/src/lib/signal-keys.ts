import { limits } from '@nearhand/contract/limits';
import type { Signal } from '@nearhand/contract/realtime';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { apiQuery } from './api.ts';
import { keysOf, partsOf } from './changed-records.ts';

/** The queries that a signal speaks of; `all` for everything, none for what the screens of chat follow themselves. */
export function keysOfSignal(signal: Signal): QueryKey[] | 'all' {
  switch (signal.kind) {
    case 'record':
      // A newer server may name a record that this app does not know: then everything may be about it.
      return Object.hasOwn(partsOf, signal.record) ? keysOf(signal.record) : 'all';
    case 'notice':
      return [apiQuery.notifications.list.key(), apiQuery.accounts.me.key()];
    case 'resync':
      return 'all';
    default:
      return [];
  }
}

/** Signals come in bursts: one press of a merchant may name ten records. */
const gatherMs = 300;
/** An answer that does not come must not hold up the next round. */
const longestRoundMs = 5_000;
/** While a write of this device is under way its answer comes first, or a screen would show the old state between the two; not for ever. */
const maxWaits = 20;

/**
 * A listener for `onSignal`: asks again what is on screen and marks the rest as old. One round at a time, so that a stream of signals cannot keep starting the
 * same question over before it is answered; what comes meanwhile is the next round.
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

  /** What nobody looks at is asked when they do. */
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
    const asked: Promise<unknown> = all
      ? client.invalidateQueries()
      : Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
    await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, longestRoundMs))]);
    busy = false;
    if (everything || waiting.size > 0) plan(gatherMs);
  }

  return (signal: Signal): void => {
    const keys = keysOfSignal(signal);
    if (keys === 'all') {
      everything = true;
      // Everybody is told at the same moment that something may have been missed.
      plan(signal.kind === 'resync' ? random() * limits.resyncSpreadMs : gatherMs);
      return;
    }
    for (const key of keys) waiting.set(JSON.stringify(key), key);
    if (keys.length > 0) plan(gatherMs);
  };
}
