/** The `count` months up to and including `last`, as `YYYY-MM`, oldest first. */
export function monthsUpTo(last: string, count: number): string[] {
  const [year = 0, month = 1] = last.split('-').map(Number);
  return Array.from({ length: count }, (_, at) => {
    const index = year * 12 + (month - 1) - (count - 1 - at);
    return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
  });
}

/** The median; null for no values. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Hours, rounded to a tenth. */
export const hoursOf = (seconds: number): number => Math.round(seconds / 360) / 10;

/** Cost per hour in minor units, rounded half up; null without paid time. */
export function costPerHour(costMinor: number, minutes: number): number | null {
  if (minutes <= 0) return null;
  return Number((BigInt(costMinor) * 120n + BigInt(minutes)) / (2n * BigInt(minutes)));
}
