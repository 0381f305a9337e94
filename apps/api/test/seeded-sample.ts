import { createHash } from 'node:crypto';

/** Everything is tried in `npm run test:nightly`, a sample in `npm test`. */
export const nightly = process.env.NIGHTLY === 'true';

/** The seed of this run's samples, printed by `global-setup.ts`; `SEED=` repeats them. */
const seed = process.env.SEED ?? '0';

/** Where a key lies between 0 and 1, the same in every run with this seed, whatever else is sampled. */
const position = (key: string) =>
  createHash('sha256').update(`${seed} ${key}`).digest().readUInt32BE() / 2 ** 32;

/** `count` of the items, or all of them in the nightly run. */
export function seededSample<Item>(items: Item[], count: number, keyOf: (item: Item) => string): Item[] {
  if (nightly) return items;
  return items.toSorted((a, b) => position(keyOf(a)) - position(keyOf(b))).slice(0, count);
}

const refusedShare = 0.15;

/**
 * Decides which refused calls a walk over every state, action and actor tries: the first of each group, such as an actor with an action, and a
 * seeded share of the others. It tries every allowed call.
 */
export function refusedSample(): (group: string, call: string) => boolean {
  const begun = new Set<string>();
  return (group, call) => {
    const isFirst = !begun.has(group);
    begun.add(group);
    return nightly || isFirst || position(call) < refusedShare;
  };
}
