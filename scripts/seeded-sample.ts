import { createHash } from 'node:crypto';

export const nightly = process.env.NIGHTLY === 'true';

/** Printed by `vitest.config.ts`; `SEED=` repeats the samples. */
const seed = process.env.SEED ?? '0';

/** A position between 0 and 1 that depends on seed and key only. */
const position = (key: string) =>
  createHash('sha256').update(`${seed} ${key}`).digest().readUInt32BE() / 2 ** 32;

export function seededSample<Item>(items: Item[], count: number, keyOf: (item: Item) => string): Item[] {
  if (nightly) return items;
  return items.toSorted((a, b) => position(keyOf(a)) - position(keyOf(b))).slice(0, count);
}

const dailyShare = 0.15;

/** By day the first call of each group and a seeded share of the others; by night all. */
export function seededShare(): (group: string, call: string) => boolean {
  const begun = new Set<string>();
  return (group, call) => {
    const isFirst = !begun.has(group);
    begun.add(group);
    return nightly || isFirst || position(call) < dailyShare;
  };
}
