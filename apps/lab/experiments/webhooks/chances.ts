/** A seeded generator (mulberry32) from 0 up to 1. */
export function chancesOf(seed: number) {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    happens: (share: number): boolean => next() < share,
    between: (min: number, max: number): number => min + Math.floor(next() * (max - min + 1)),
    oneOf: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
    shuffled: <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => [next(), item] as const)
        .sort(([a], [b]) => a - b)
        .map(([, item]) => item),
  };
}
export type Chances = ReturnType<typeof chancesOf>;
