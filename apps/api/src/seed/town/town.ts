import { seededFractions } from '@nearhand/contract/arithmetic';
import { hourMs, minuteMs, subtractMs } from '@nearhand/contract/durations';
import { providerAt } from '../../money/sandbox/sandbox.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/db.ts';
import type { FileStore } from '../../platform/file-store/file-store.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Log } from '../../platform/log.ts';
import type { PaymentProvider } from '../../platform/payment-provider.ts';
import type { Sign } from '../../platform/sign.ts';

export type Town = {
  tx: Tx;
  chance: Chance;
  now: Date;
  /** Separate randomness for minutes and seconds, so that the rest does not change. */
  uneven: Chance;
  /** Equal hours give equal times, and more hours are always earlier. */
  hoursAgo(hours: number): Date;
  scopeOf(accountId: string, at: Date): Scope;
  progress(what: string, done: number, all: number): void;
};

export type TownParts = {
  config: Config;
  log: Log;
  clock: Clock;
  fileStore: FileStore;
  provider: PaymentProvider;
  sign: Sign;
  stopped?: AbortSignal;
};

export type Person = { accountId: string; name: string; trades: readonly string[]; years: number };

export function createTown(parts: TownParts, tx: Tx, chance: Chance, say: (message: string) => void): Town {
  const { config, log, fileStore } = parts;
  const notifiedAt = new Map<string, number>();
  const now = parts.clock.now();
  const uneven = createChance(13_17);
  const past = new Map<number, Date>();
  return {
    tx,
    chance,
    now,
    uneven,
    hoursAgo(hours) {
      const at = past.get(hours) ?? subtractMs(now, hours * hourMs + someMinutes(uneven));
      past.set(hours, at);
      return at;
    },
    scopeOf: (accountId, at) => {
      parts.stopped?.throwIfAborted();
      return {
        actor: { accountId, sessionId: accountId, emailVerified: true },
        clock: { now: () => at },
        // Screening is off because the businesses share texts.
        config: { ...config, JOB_SCREENING: 0 },
        fileStore,
        log,
        // Provider records are dated in the past and commit with the town.
        provider: providerAt(parts.provider, { clock: { now: () => at }, db: tx }),
        sign: parts.sign,
        requestId: 'demo town',
        unmailed: true,
      };
    },
    progress(what, done, all) {
      const quarter = Math.floor((4 * done) / all);
      if (quarter === (notifiedAt.get(what) ?? 0)) return;
      notifiedAt.set(what, quarter);
      say(`  ${what}: ${done} of ${all}`);
    },
  };
}

/** Up to 47 minutes in ms, so that times a whole hour apart keep their order. */
export const someMinutes = (uneven: Chance): number => uneven.between(1, 47 * 60) * (minuteMs / 60);

/** Seeded, so that the demo town is the same on every machine. */
export type Chance = ReturnType<typeof createChance>;

export function createChance(seed: number) {
  const next = seededFractions(seed);
  const between = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)] as Item;
  return {
    between,
    pick,
    percent: (share: number): boolean => next() * 100 < share,
    some: <Item>(items: readonly Item[], count: number): Item[] => {
      const remaining = items.map((_, index) => index);
      const indexes: number[] = [];
      while (indexes.length < count && remaining.length > 0)
        indexes.push(...remaining.splice(between(0, remaining.length - 1), 1));
      return indexes.sort((a, b) => a - b).map((index) => items[index] as Item);
    },
  };
}
