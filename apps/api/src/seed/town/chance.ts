/** Seeded random numbers: the demo town is the same on every machine. */
export type Chance = ReturnType<typeof createChance>;

export function createChance(seed: number) {
  let state = seed >>> 0;
  /** A fraction below 1 (mulberry32). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number, both ends included. */
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[between(0, items.length - 1)] as Item;
  return {
    between,
    pick,
    /** True in this many of a hundred cases. */
    percent: (share: number): boolean => next() * 100 < share,
    /** Some of the items, in order, without repeats. */
    some: <Item>(items: readonly Item[], count: number): Item[] => {
      const left = items.map((_, index) => index);
      const taken: number[] = [];
      while (taken.length < count && left.length > 0)
        taken.push(...left.splice(between(0, left.length - 1), 1));
      return taken.sort((a, b) => a - b).map((index) => items[index] as Item);
    },
  };
}
