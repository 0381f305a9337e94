import { plural, t } from '@lingui/core/macro';

/** "3 not opened": the count next to a list of applications. Many languages inflect the words. */
export const unopenedOnes = (count: number): string =>
  t`${plural(count, { one: '# not opened', other: '# not opened' })}`;

export const shiftCount = (count: number): string => plural(count, { one: '# shift', other: '# shifts' });

/** The heading of a block, whose dates are hired all together or not at all. */
export const allDates = (count: number): string => plural(count, { one: '# date', other: 'All # dates' });

export const unreadOnes = (count: number): string =>
  t`${plural(count, { one: '# unread', other: '# unread' })}`;
