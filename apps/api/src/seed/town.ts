import { hourMs, minuteMs } from '@nearhand/contract/durations';
import { providerAt } from '../money/sandbox/sandbox.service.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Tx } from '../platform/db.ts';
import type { FileStore } from '../platform/file-store.ts';
import type { Scope } from '../platform/http/scope.ts';
import type { Log } from '../platform/log.ts';
import type { PaymentProvider } from '../platform/payment-provider.ts';
import type { Sign } from '../platform/sign.ts';
import { type Chance, createChance } from './chance.ts';

/** What every part of the seed works with: one transaction, one chance, and the time at which the town stands. */
export type Town = {
  tx: Tx;
  chance: Chance;
  now: Date;
  /** Chance of minutes and seconds, apart from the rest: what else falls stays as it is. */
  uneven: Chance;
  /**
   * So many whole hours ago and up to 47 minutes more, since nobody does things on the minute. The same hours are the same time, and more hours are always
   * earlier.
   */
  hoursAgo(hours: number): Date;
  /** What a service gets when this account did something at that time. */
  scopeOf(accountId: string, at: Date): Scope;
  /** Says how far a part has come. */
  progress(what: string, done: number, all: number): void;
};

export type TownParts = {
  config: Config;
  log: Log;
  clock: Clock;
  fileStore: FileStore;
  provider: PaymentProvider;
  sign: Sign;
  /** Ends the making between two deeds. */
  stopped?: AbortSignal;
};

/** A person of the town, and what they are good at. */
export type Person = { accountId: string; name: string; trades: readonly string[]; years: number };

export function createTown(parts: TownParts, tx: Tx, chance: Chance, say: (message: string) => void): Town {
  const { config, log, fileStore } = parts;
  const notified = new Map<string, number>();
  const now = parts.clock.now();
  const uneven = createChance(13_17);
  const past = new Map<number, Date>();
  return {
    tx,
    chance,
    now,
    uneven,
    hoursAgo(hours) {
      const at = past.get(hours) ?? before(now, hours * hourMs + someMinutes(uneven));
      past.set(hours, at);
      return at;
    },
    scopeOf: (accountId, at) => {
      parts.stopped?.throwIfAborted();
      return {
        actor: { accountId, sessionId: accountId, emailVerified: true },
        clock: { now: () => at },
        config,
        fileStore,
        log,
        // What the town's past took and paid at the provider is of that past, and is there if the town is.
        provider: providerAt(parts.provider, { clock: { now: () => at }, db: tx }),
        sign: parts.sign,
        requestId: 'demo town',
        unmailed: true,
      };
    },
    progress(what, done, all) {
      const quarter = Math.floor((4 * done) / all);
      if (quarter === (notified.get(what) ?? 0)) return;
      notified.set(what, quarter);
      say(`  ${what}: ${done} of ${all}`);
    },
  };
}

/** Up to 47 minutes, in ms: two times a whole hour apart keep their order. */
export const someMinutes = (uneven: Chance): number => uneven.between(1, 47 * 60) * (minuteMs / 60);

export const before = (now: Date, ms: number): Date => new Date(now.getTime() - ms);
