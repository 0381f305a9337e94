import { plural, t } from '@lingui/core/macro';
import type { Rating } from '@nearhand/contract/people/rating.rules';
import { formatNumber, formatTenths } from './format.ts';

/** "4.8 from 12 reviews"; with fewer than three only their number; null if there are none. */
export function ratingText({ count, averageTenths }: Rating): string | null {
  if (count === 0) return null;
  const reviews = plural(count, { one: '# review', other: '# reviews' });
  return averageTenths === null ? reviews : t`${formatTenths(averageTenths)} from ${reviews}`;
}

/** "4.8 (12)", and in full for screen readers. Null with fewer than three reviews, which have no average. */
export function ratingMark(rating: Rating): { short: string; full: string } | null {
  const full = ratingText(rating);
  if (rating.averageTenths === null || full === null) return null;
  return { short: `${formatTenths(rating.averageTenths)} (${formatNumber(rating.count)})`, full };
}
