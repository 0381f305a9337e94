/** The months `YYYY-MM` up to and with one, oldest first. */
export function monthsUpTo(last: string, count: number): string[] {
  const [year = 0, month = 1] = last.split('-').map(Number);
  return Array.from({ length: count }, (_, at) => {
    const index = year * 12 + (month - 1) - (count - 1 - at);
    return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
  });
}

/** The middle of some numbers, or the mean of the two in the middle; null of none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

/** Hours to a tenth. */
export const hoursOf = (seconds: number): number => Math.round(seconds / 360) / 10;

/** What an hour cost, in minor units, rounded half up; null where none was paid. */
export function costPerHour(costMinor: number, minutes: number): number | null {
  if (minutes <= 0) return null;
  return Number((BigInt(costMinor) * 120n + BigInt(minutes)) / (2n * BigInt(minutes)));
}
