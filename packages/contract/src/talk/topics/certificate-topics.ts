import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import type { Topics } from './topic.ts';

const why = text("You're receiving this because it's about your account on Nearhand.");

const kind = ({ variant }: NoticeFacts): Text => {
  if (variant === 'food_hygiene') return text('It is your food hygiene certificate.');
  return variant === 'driving_licence'
    ? text('It is your driving licence.')
    : text('It is your first aid certificate.');
};

export const certificateTopics = {
  'certificate-checked': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand checked one of their certificates',
    link: 'checks',
    icon: 'seal-check',
    name: text('A certificate was checked'),
    title: () => text('Your certificate was checked'),
    text: (notice) => [kind(notice), text('Businesses see it until {by}.')],
    button: text('View your checks'),
    mail: { subject: () => text('Your certificate was checked'), why },
  },
  'certificate-expiring': {
    group: 'account',
    to: 'the person concerned',
    when: 'one of their certificates ends in 30 or 7 days',
    link: 'checks',
    icon: 'calendar-x',
    name: text('A certificate is about to expire'),
    title: ({ by }) =>
      by ? text('Your certificate expires on {by}') : text('A certificate is about to expire'),
    text: (notice) => [
      kind(notice),
      text('Send the new one before that, so that businesses keep seeing it.'),
    ],
    button: text('Send the new one'),
    mail: {
      subject: ({ by }) =>
        by ? text('Your certificate expires on {by}') : text('A certificate is about to expire'),
      why,
    },
  },
  'certificate-expired': {
    group: 'account',
    to: 'the person concerned',
    when: 'one of their certificates ended',
    link: 'checks',
    icon: 'calendar-x',
    name: text('A certificate has expired'),
    title: () => text('Your certificate has expired'),
    text: (notice) => [kind(notice), text('Businesses no longer see it.')],
    button: text('Send the new one'),
    mail: { subject: () => text('Your certificate has expired'), why },
  },
} satisfies Topics;
