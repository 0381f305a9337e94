import { addDays, dayMs } from '../durations.ts';

/** Days after the due day on which a business is reminded; after the last one, new hires stop. */
export const creditReminderDays = [3, 10, 17] as const;
const lastReminderDay = Math.max(...creditReminderDays);

/** The debt of one month and its due day. Minor units. */
export type CreditDue = { dueOn: string; amountMinor: number };

/** The last day of the month after a month `YYYY-MM`. */
export function creditDueOn(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number + 1, 0)).toISOString().slice(0, 10);
}

/**
 * Splits what is owed by the months in which it was drawn, oldest first. Repayments pay the oldest month, so what is
 * owed is what was drawn last.
 * @param spending sums by month, newest first; an amount that is owed from earlier than all of them is due with the oldest
 */
export function creditDues(
  owedMinor: number,
  spending: readonly { month: string; amountMinor: number }[],
): CreditDue[] {
  const dues: CreditDue[] = [];
  let restMinor = owedMinor;
  for (const { month, amountMinor } of spending) {
    if (restMinor <= 0) break;
    const partMinor = Math.min(restMinor, amountMinor);
    restMinor -= partMinor;
    dues.unshift({ dueOn: creditDueOn(month), amountMinor: partMinor });
  }
  if (dues[0] && restMinor > 0) dues[0].amountMinor += restMinor;
  return dues;
}

/** Days since a due day; 0 or less if it has not passed. Days are calendar days. */
export const daysOverdue = (dueOn: string, today: string): number =>
  Math.round((Date.parse(today) - Date.parse(dueOn)) / dayMs);

/** The reminder that is due, the latest of those whose day has come; null before the first. */
export const creditReminder = (days: number): number | null =>
  creditReminderDays.findLast((reminderDay) => reminderDay <= days) ?? null;

/** The first day on which nothing new is set aside for a business with something due on a day. */
export const creditStopsOn = (dueOn: string): string => addDays(dueOn, lastReminderDay + 1);
