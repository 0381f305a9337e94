import { limits } from '@nearhand/contract/limits';

/** The next radius choices after the requested one, in kilometres. */
export const widerRadii = (radiusKm: number): number[] =>
  limits.radiusChoicesKm.filter((choice) => choice > radiusKm);

/**
 * The radius in force: the requested one if it holds enough, otherwise the next choice that does, otherwise the widest (product.md:
 * widened when fewer than 10 results). `nearestM` are the nearest distances in metres, in order, at least as many as are enough.
 */
export function radiusInForce(askedKm: number, nearestM: readonly number[]): number {
  const enough = limits.widenBelowResults;
  const farthestNeeded = nearestM[enough - 1];
  const choices = [askedKm, ...widerRadii(askedKm)];
  const fitting = choices.find((km) => farthestNeeded !== undefined && farthestNeeded <= km * 1000);
  return fitting ?? choices.at(-1) ?? askedKm;
}

/** Typed words as a full-text query: every word must match, the last one as a prefix. Null without any words. */
export function wordQuery(typed: string): string | null {
  const words = typed.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu);
  if (!words) return null;
  return words
    .slice(0, 12)
    .map((word, index, all) => `'${word}'${index === all.length - 1 ? ':*' : ''}`)
    .join(' & ');
}
