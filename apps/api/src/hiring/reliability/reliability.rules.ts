import { limits } from '@nearhand/contract/limits';

/** Below this many facts a percentage would be chance, and none is shown. */
export const isEnough = (facts: number): boolean => facts >= limits.reliabilityLeastFacts;

/** The share kept of all that counted, in whole percent; 100 only where nothing was broken. Null below three. */
export function keptPercent(kept: number, broken: number): number | null {
  const all = kept + broken;
  return isEnough(all) ? Math.floor((kept * 100) / all) : null;
}
