import type { NotificationTopic } from '../notification-topics.ts';
import type { NoticeFacts } from './notice-facts.ts';
import { text } from './text.ts';
import type { Topic } from './topic.ts';

const why = text("You're receiving this because you wrote to Nearhand.");
const view = text('View your request');
/** A reply to the mail reaches staff. */
const byMail = ({ mode }: NoticeFacts) => mode === 'mail';

/** Answers of staff. The subject of the request is the `job` of the notice. */
export const ticketTopics = {
  'ticket-answered': {
    group: 'account',
    to: 'the requester',
    when: 'Nearhand answered a request',
    link: 'request',
    locked: ['app', 'email'],
    icon: 'question',
    name: text('We answered your request'),
    title: () => text('We answered your request'),
    text: () => [text('About “{job}”.')],
    quote: { what: 'all', lead: text('We wrote'), whole: true },
    button: view,
    mail: {
      subject: () => text('Your request: {job}'),
      details: (notice) => [
        byMail(notice)
          ? text('Reply in the app, or reply to this email.')
          : text('Reply in the app. Nobody reads replies to this email.'),
      ],
      why,
    },
  },
  'ticket-solved': {
    group: 'account',
    to: 'the requester',
    when: 'Nearhand closed a request as solved',
    link: 'request',
    locked: ['app', 'email'],
    icon: 'check-circle',
    name: text('We closed your request'),
    title: () => text('We closed your request'),
    text: () => [text('About “{job}”.'), text('Not solved? Your reply opens it again.')],
    button: view,
    mail: {
      subject: () => text('Solved: {job}'),
      details: (notice) => [
        byMail(notice)
          ? text('Reply in the app, or reply to this email.')
          : text('Reply in the app. Nobody reads replies to this email.'),
      ],
      why,
    },
  },
} satisfies Partial<Record<NotificationTopic, Topic>>;
