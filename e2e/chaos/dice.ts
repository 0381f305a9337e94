import { seededFractions } from '@nearhand/contract/arithmetic';

export function dice(seed: number) {
  const next = seededFractions(seed);
  return {
    chance: (share: number): boolean => next() < share,
    one<Item>(items: readonly Item[]): Item {
      const item = items[Math.floor(next() * items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
    weighted<Name extends string>(weights: Readonly<Record<Name, number>>): Name {
      const names = Object.keys(weights) as Name[];
      let left = next() * names.reduce((sum, name) => sum + weights[name], 0);
      for (const name of names) {
        left -= weights[name];
        if (left < 0) return name;
      }
      return names[0] as Name;
    },
  };
}
export type Dice = ReturnType<typeof dice>;
