import { facts, type GroupWords, lines, theyWrote } from './notice-text.ts';

/** Mail about conversations, and the test that people send themselves. */
export const messageWords: GroupWords<'message' | 'test'> = {
  'message-received': (notice) => ({
    subject: `${notice.other} wrote to you: ${notice.job}`,
    heading: `${notice.other} wrote to you about ${notice.job}`,
    paragraphs: lines(
      theyWrote(notice),
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
