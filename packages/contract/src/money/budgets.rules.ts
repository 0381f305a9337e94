import type { Budget } from './budgets.ts';

/** The amount that a budget still allows; below 0 if it is exceeded. Without a limit, counted from 0. Minor units. */
export const restOf = ({
  limitMinor,
  raisedMinor,
  usedMinor,
}: Pick<Budget, 'limitMinor' | 'raisedMinor' | 'usedMinor'>): number =>
  (limitMinor ?? 0) + raisedMinor - usedMinor;
