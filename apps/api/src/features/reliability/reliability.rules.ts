/** Below this many facts a figure would be chance, and none is shown. */
const leastFacts = 3;

/** Kept of all that counted, in whole percent; 100 only where nothing was broken. Null below three. */
export function keptPercent(kept: number, broken: number): number | null {
  const all = kept + broken;
  return all < leastFacts ? null : Math.floor((kept * 100) / all);
}
