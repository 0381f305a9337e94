import { plural, t } from '@lingui/core/macro';

/** "3 not opened": what a number next to a list of applications counts. Many languages inflect the words. */
export const unopenedOnes = (count: number): string =>
  t`${plural(count, { one: '# not opened', other: '# not opened' })}`;

/** "3 unread": the same of messages and notices. */
export const unreadOnes = (count: number): string =>
  t`${plural(count, { one: '# unread', other: '# unread' })}`;
