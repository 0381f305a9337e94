import { limits } from '@nearhand/contract/limits';

/** The next choices of radius after the one asked for, in kilometres. */
export const widerRadii = (radiusKm: number): number[] =>
  limits.radiusChoicesKm.filter((choice) => choice > radiusKm);

/**
 * The radius in force: the one asked for while it holds enough, else the next choice that does, else the widest (product.md: widened when fewer than
 * 10 results, and said so). `nearestM` are the nearest results' distances in metres, in order, at least as many as are enough.
 */
export function radiusInForce(askedKm: number, nearestM: readonly number[]): number {
  const enough = limits.widenBelowResults;
  const farthestNeeded = nearestM[enough - 1];
  const choices = [askedKm, ...widerRadii(askedKm)];
  const fitting = choices.find((km) => farthestNeeded !== undefined && farthestNeeded <= km * 1000);
  return fitting ?? choices.at(-1) ?? askedKm;
}

/**
 * What a person typed as a query of PostgreSQL's full-text search: every word must occur, the last one may be unfinished. Null where nothing typed
 * is a word.
 */
export function wordQuery(typed: string): string | null {
  const words = typed.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu);
  if (!words) return null;
  return words
    .slice(0, 12)
    .map((word, index, all) => `'${word}'${index === all.length - 1 ? ':*' : ''}`)
    .join(' & ');
}
