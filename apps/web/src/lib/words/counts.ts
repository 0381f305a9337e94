import { plural, t } from '@lingui/core/macro';

/** "3 new": what a number next to a list counts. Many languages inflect the word. */
export const newOnes = (count: number): string =>
  t`${plural(count, { one: '# not opened', other: '# not opened' })}`;

/** "3 unread": the same of messages. */
export const unreadOnes = (count: number): string =>
  t`${plural(count, { one: '# unread', other: '# unread' })}`;
