import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import { aboutJob, contestOnce, reviewedAgain, settlement, stillDismissed, type Topics } from './topic.ts';

const isContest = ({ mode }: NoticeFacts): boolean => mode === 'contest';
const isReporter = (notice: NoticeFacts): boolean => notice.mode === 'reporter' || isContest(notice);
const isDismissed = (notice: NoticeFacts): boolean => isReporter(notice) && notice.variant === 'dismiss';

/** An operator's decision; the reported side never learns who reported, or which message. */
function decision(notice: NoticeFacts): Text {
  switch (notice.variant) {
    case 'dismiss':
      return isContest(notice)
        ? stillDismissed
        : text('We found nothing that breaks our rules, so nothing changes.');
    case 'redact':
      return isReporter(notice)
        ? text('We removed the message.')
        : text('We removed a message of yours that breaks our rules.');
    case 'freeze':
      return text('You can both read the conversation, but neither of you can write in it.');
    default:
      return text('You and {other} can write to each other again.');
  }
}

const viewConversation = text('View conversation');
const inConversation = text(
  "You're receiving this because you have a conversation about this job on Nearhand.",
);

export const messageTopics = {
  'message-received': {
    group: 'messages',
    to: 'either side',
    when: 'the other sent a message; updated in place while unread',
    link: 'conversation',
    icon: 'chats-circle',
    name: text('Someone sent you a message'),
    title: ({ waiting }) =>
      waiting > 1
        ? text('{waiting, plural, one {# message} other {# messages}} from {other}')
        : text('{other} sent you a message'),
    text: ({ variant }) => [variant === 'files' && text('They sent files.'), aboutJob],
    quote: { part: 'all', lead: text('They wrote'), first: true },
    button: viewConversation,
    mail: {
      subject: () => text('{other} sent you a message: {job}'),
      details: () => [text('Reply in the app. Nobody reads replies to this email.')],
      why: inConversation,
    },
  },
  'report-decided': {
    group: 'account',
    to: 'both sides',
    when: 'an operator decided a report of a conversation, or lets both write again',
    link: 'reported',
    locked: ['app', 'email'],
    icon: 'shield-check',
    name: text('We decided a report of a conversation'),
    title: (notice) => {
      if (isContest(notice)) return reviewedAgain;
      return isReporter(notice)
        ? text('We reviewed your report')
        : text('We reviewed one of your conversations');
    },
    text: (notice) => [decision(notice), aboutJob],
    quote: { part: 'all', lead: text('Reason') },
    button: (notice) => (isDismissed(notice) ? text('View your reports') : viewConversation),
    mail: {
      subject: (notice) => {
        if (isContest(notice)) return text('We reviewed your report again: {job}');
        return isReporter(notice)
          ? text('We reviewed your report: {job}')
          : text('About your conversation: {job}');
      },
      details: (notice) => (isDismissed(notice) ? [isContest(notice) ? settlement : contestOnce] : []),
      why: inConversation,
    },
  },
  'test-notice': {
    group: 'account',
    to: 'the person concerned',
    when: 'they asked for a test',
    link: 'settings',
    urgent: true,
    locked: ['app', 'push', 'email'],
    icon: 'bell-ringing',
    name: text('Test notification'),
    title: () => text('Test notification'),
    text: () => [text('It works. Notifications about your work reach you the same way.')],
    button: text('View notification settings'),
    mail: {
      subject: () => text('Test notification from Nearhand'),
      why: text("You're receiving this because you requested a test on Nearhand."),
    },
  },
} satisfies Topics;
