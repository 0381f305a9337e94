export const healthLimits = { days: 30, errorShown: 300, countMost: 1_000 } as const;

/** The share of filled spots, in whole percent; null without a spot. */
export const fillRate = (days: readonly { spots: number; filled: number }[]): number | null => {
  const spots = days.reduce((sum, day) => sum + day.spots, 0);
  const filled = days.reduce((sum, day) => sum + day.filled, 0);
  return spots === 0 ? null : Math.round((100 * filled) / spots);
};
