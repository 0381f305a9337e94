import { text } from './text.ts';
import type { Topics } from './topic.ts';

const why = text("You're receiving this because it's about your account on Nearhand.");
const reason = { part: 'all', lead: text('We wrote'), whole: true } as const;
const deleted = text('We delete your photos 30 days after this decision.');

export const identityTopics = {
  'identity-document-checked': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand checked their identity document',
    link: 'checks',
    icon: 'seal-check',
    name: text('Your identity document was checked'),
    title: () => text('Your identity document was checked'),
    text: () => [text('Businesses now see “Identity document checked” on your profile.')],
    button: text('View your checks'),
    mail: {
      subject: () => text('Your identity document was checked'),
      details: () => [deleted],
      why,
    },
  },
  'identity-document-asked': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand needs other photos of their identity document',
    link: 'checks',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'seal-check',
    name: text('We need other photos of your identity document'),
    title: () => text('We need other photos of your identity document'),
    text: () => [text('Take them again, then send them to us.')],
    quote: reason,
    button: text('Send new photos'),
    mail: {
      subject: () => text('We need other photos of your identity document'),
      why,
    },
  },
} satisfies Topics;
