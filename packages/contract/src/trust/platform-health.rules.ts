import { sumOf } from '../arithmetic.ts';
import { dayMs, hourMs } from '../durations.ts';

/** Checks of the books and of the operators' log, which run every night. */
export const dailyChecks = ['ledger', 'operators-log', 'provider', 'statements'] as const;
export type DailyCheck = (typeof dailyChecks)[number];

/** The UTC time at which daily tasks run. A server that was down catches up at its next start. */
export const dailyTasksAt = { hour: 3, minute: 17 } as const;

/**
 * `missed`: its last run is older than a day and an hour, so that a night without it shows. `never`: it has not run on
 * this database, as on a new server before its first night.
 */
export function checkState(
  audit: { at: string; findings: number } | undefined,
  now: Date,
): 'never' | 'missed' | 'passed' | 'findings' {
  if (!audit) return 'never';
  if (audit.findings > 0) return 'findings';
  return now.getTime() - Date.parse(audit.at) > dayMs + hourMs ? 'missed' : 'passed';
}

export const healthLimits = { days: 30, errorShown: 300, countMax: 1_000 } as const;

/** The share of filled spots, in whole percent; null if there are no spots. */
export const fillRate = (days: readonly { spots: number; filled: number }[]): number | null => {
  const spots = sumOf(days, (day) => day.spots);
  const filled = sumOf(days, (day) => day.filled);
  return spots === 0 ? null : Math.round((100 * filled) / spots);
};
