/** The largest amount a person may enter: 10 million major units, which is a safe integer. */
export const maxMinor = 1_000_000_000;

export const maxTotalMinor = 1_000 * maxMinor;

/** A share in basis points (10 % = 1000), rounded half up to the minor unit: fees must not depend on parity. */
export function shareOfAmount(amountMinor: number, basisPoints: number): number {
  const scaled = BigInt(amountMinor) * BigInt(basisPoints);
  return Number((scaled + 5_000n) / 10_000n);
}

/** Pay for time worked: hourly minor units times minutes, rounded half up to the minor unit. */
export function payForMinutes(perHourMinor: number, minutes: number): number {
  const scaled = BigInt(perHourMinor) * BigInt(minutes);
  return Number((scaled + 30n) / 60n);
}

/** Adds up what `pick` takes from each item, by default the items themselves. */
export function sumOf(numbers: readonly number[]): number;
export function sumOf<Item>(items: readonly Item[], pick: (item: Item) => number): number;
export function sumOf<Item>(items: readonly Item[], pick = (item: Item) => item as number): number {
  return items.reduce((sum, item) => sum + pick(item), 0);
}

/** Random fractions from 0 up to 1, the same for a seed on every machine (mulberry32). For tests and demo data, not for secrets. */
export function seededFractions(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
