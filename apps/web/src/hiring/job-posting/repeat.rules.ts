import { addDays, dayMs, weekdayOf } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';

/** A weekly repeat of a shift, in calendar days of its place. */
export type Repeat = {
  /** 0 Sunday to 6 Saturday. */
  weekdays: readonly number[];
  /** 2 for every other week. Weeks begin on the reader's first weekday, as the preview shows. */
  everyWeeks: number;
  /** The last day, or the number of shifts with the first one. */
  ends: { on: string } | { after: number };
};

/** The last day that a repeat of a shift on `first` may reach. */
export const lastRepeatDay = (first: string): string => addDays(first, hiringLimits.alsoOnWeeksMax * 7);

/** The other days of a repeat, soonest first; never the shift's own. At most 59 within twelve weeks. */
export function repeatedDays(first: string, repeat: Repeat, weekStart: number): string[] {
  const { weekdays, everyWeeks, ends } = repeat;
  const max = Math.min(
    hiringLimits.alsoOnDaysMax,
    'after' in ends ? ends.after - 1 : hiringLimits.alsoOnDaysMax,
  );
  const last = [lastRepeatDay(first), ...('on' in ends ? [ends.on] : [])].sort()[0] ?? first;
  const begin = addDays(first, -((weekdayOf(first) - weekStart + 7) % 7));
  const days: string[] = [];
  for (let day = addDays(first, 1); day <= last && days.length < max; day = addDays(day, 1)) {
    const week = Math.floor((Date.parse(day) - Date.parse(begin)) / (7 * dayMs));
    if (week % everyWeeks === 0 && weekdays.includes(weekdayOf(day))) days.push(day);
  }
  return days;
}
