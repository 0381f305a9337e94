import { plural, t } from '@lingui/core/macro';
import { type GroupWords, type NoticeFacts, sentences } from './notice-facts.ts';

/** What our staff decided, for whoever reported and for whoever it was about. */
function reportText({ mode, what, other }: NoticeFacts): string {
  const reported = mode === 'reporter';
  if (what === 'dismiss') return t`Nothing breaks our rules; it stays as it was.`;
  if (what === 'redact')
    return reported ? t`The message was taken away.` : t`A message of yours was taken away.`;
  if (what === 'freeze') return t`Both can read it, and neither can write.`;
  return t`You and ${other} can write to one another again.`;
}

/** Conversations, what our staff decided about them, and the test that people send themselves. */
export const messageWords: GroupWords<'message' | 'report' | 'test'> = {
  'report-decided': (notice) => ({
    icon: 'shield-check',
    title:
      notice.mode === 'reporter' ? t`Your report was decided` : t`Our staff decided about a conversation`,
    text: sentences(reportText(notice), t`About ${notice.job}.`, notice.quote),
  }),
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
