import { facts, type GroupWords, lines, type NoticeText, quoting } from './notice-text.ts';

/** What an operator decided, for whoever reported and for whoever it was about: never who reported, nor which message. */
function reportParagraph({ mode, what, other }: NoticeText): string {
  const words: Record<string, string> =
    mode === 'reporter'
      ? {
          dismiss: 'We found nothing that breaks our rules; the conversation stays as it was.',
          redact: 'We took the message away.',
          freeze: 'We stopped the conversation: both of you can read it, and neither can write.',
        }
      : {
          dismiss:
            'We looked at this conversation and found nothing that breaks our rules; it stays as it was.',
          redact: 'We took away a message of yours that breaks our rules.',
          freeze: 'We stopped this conversation: both of you can read it, and neither can write.',
        };
  return words[what] ?? `You and ${other} can write to one another again.`;
}

/** Mail about conversations, what our staff decided about them, and the test that people send themselves. */
export const messageWords: GroupWords<'message' | 'report' | 'test'> = {
  'report-decided': (notice) => ({
    subject: `A decision about a conversation: ${notice.job}`,
    heading:
      notice.mode === 'reporter' ? 'Your report was decided' : 'Our staff decided about a conversation',
    paragraphs: lines(
      reportParagraph(notice),
      `It is about ${notice.job}, with ${notice.other}.`,
      quoting('The reason', notice.wrote),
    ),
    facts: facts(),
    action: 'Open the conversation',
    why: 'You get this because you have a conversation about this job on Nearhand.',
  }),
  'message-received': (notice) => ({
    subject: `${notice.other} wrote to you: ${notice.job}`,
    heading: `${notice.other} wrote to you about ${notice.job}`,
    paragraphs: lines(
      quoting('They wrote', notice.wrote),
      notice.what === 'files' && 'They sent files.',
      notice.count > 1 && `${notice.count} messages wait to be read.`,
      'Answer in the app; an answer to this mail reaches nobody.',
    ),
    facts: facts(),
    action: 'Open the conversation',
    why: 'You get this because you have a conversation about this job on Nearhand.',
  }),
  'test-notice': () => ({
    subject: 'A test from Nearhand',
    heading: 'It works',
    paragraphs: ['You asked for this test. What matters about your work will reach you the same way.'],
    action: 'Open the settings',
    why: 'You get this because you asked for a test on Nearhand.',
  }),
};
