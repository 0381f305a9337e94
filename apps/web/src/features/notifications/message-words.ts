import { plural, t } from '@lingui/core/macro';
import { type GroupWords, sentences } from './notice-facts.ts';

/** Conversations, and the test that people send themselves. */
export const messageWords: GroupWords<'message' | 'test'> = {
  'message-received': ({ other, job, waiting, quote }) => ({
    icon: 'chats-circle',
    title:
      waiting > 1
        ? t`${plural(waiting, { one: '# message', other: '# messages' })} from ${other}`
        : t`${other} wrote to you`,
    text: sentences(quote, t`About ${job}.`),
  }),
  'test-notice': () => ({
    icon: 'bell-ringing',
    title: t`A test from Nearhand`,
    text: t`You asked for it. What matters about your work reaches you the same way.`,
  }),
};
