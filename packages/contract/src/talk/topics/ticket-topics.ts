import type { NoticeFacts } from './notice-facts.ts';
import { text } from './text.ts';
import type { Topics } from './topic.ts';

const why = text("You're receiving this because you wrote to Nearhand.");
const view = text('View your request');
/** A reply to the mail reaches staff. */
const byMail = ({ mode }: NoticeFacts) => mode === 'mail';

/** Answers of staff to a request, which the notice names by its subject. */
export const ticketTopics = {
  'ticket-answered': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand answered a request',
    link: 'request',
    locked: ['app', 'email'],
    icon: 'question',
    name: text('We answered your request'),
    title: () => text('We answered your request'),
    text: () => [text('About “{subject}”.')],
    quote: { part: 'all', lead: text('We wrote'), whole: true },
    button: view,
    mail: {
      subject: () => text('Your request: {subject}'),
      details: (notice) => [
        byMail(notice)
          ? text('Reply in the app, or reply to this email.')
          : text('Reply in the app. Nobody reads replies to this email.'),
      ],
      why,
    },
  },
  'ticket-asked': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand asks them something about a case before it decides',
    link: 'request',
    urgent: true,
    locked: ['app', 'email'],
    waiting: true,
    icon: 'question',
    name: text('We have a question'),
    title: () => text('We have a question'),
    text: ({ by }) => [
      text('About “{subject}”.'),
      by !== '' && text('Answer by {by}. After that we decide with what we have.'),
    ],
    quote: { part: 'all', lead: text('We asked'), whole: true },
    button: text('Answer'),
    mail: {
      subject: () => text('We have a question: {subject}'),
      details: (notice) => [
        byMail(notice)
          ? text('Answer in the app, or reply to this email. You can attach files.')
          : text('Answer in the app, where you can add files. Nobody reads replies to this email.'),
      ],
      why: text("You're receiving this because it's about your account on Nearhand."),
    },
  },
  'ticket-solved': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand closed a request as solved',
    link: 'request',
    locked: ['app', 'email'],
    icon: 'check-circle',
    name: text('We closed your request'),
    title: () => text('We closed your request'),
    text: () => [text('About “{subject}”.'), text('Not solved? Your reply opens it again.')],
    button: view,
    mail: {
      subject: () => text('Solved: {subject}'),
      details: (notice) => [
        byMail(notice)
          ? text('Reply in the app, or reply to this email.')
          : text('Reply in the app. Nobody reads replies to this email.'),
      ],
      why,
    },
  },
} satisfies Topics;
