import { addDays, daysPerWeek, weekdayOf } from '../durations.ts';
import type { Budget } from './budgets.ts';

/** A budget repeats every calendar month, or every week from Monday. */
export const budgetPeriods = ['month', 'week'] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];

/** The first day of the month or week that a day lies in. Days are `YYYY-MM-DD`. */
export const periodStart = (period: BudgetPeriod, day: string): string =>
  period === 'month' ? `${day.slice(0, 7)}-01` : addDays(day, -((weekdayOf(day) + 6) % daysPerWeek));

/** The first day of the period `steps` periods after the one that a day lies in. */
export function stepPeriod(period: BudgetPeriod, day: string, steps: number): string {
  const start = periodStart(period, day);
  if (period === 'week') return addDays(start, steps * daysPerWeek);
  const first = new Date(`${start}T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + steps);
  return first.toISOString().slice(0, 10);
}

/** The amount that a budget still allows; below 0 if it is exceeded. Without a limit, counted from 0. Minor units. */
export const restOf = ({
  limitMinor,
  raisedMinor,
  usedMinor,
}: Pick<Budget, 'limitMinor' | 'raisedMinor' | 'usedMinor'>): number =>
  (limitMinor ?? 0) + raisedMinor - usedMinor;
