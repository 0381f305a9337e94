import { seededFractions } from '@nearhand/contract/arithmetic';

export function chancesOf(seed: number) {
  const next = seededFractions(seed);
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
