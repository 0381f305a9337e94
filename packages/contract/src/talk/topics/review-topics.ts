import { text } from './text.ts';
import { forJob, type Topics, why } from './topic.ts';

/** Reviews of both sides. About a hidden review, only its author's side is notified (ADR 171). */
export const reviewTopics = {
  'review-reminder': {
    group: 'reviews',
    to: 'both sides',
    when: 'they have not reviewed ended work after 2 and after 12 days',
    link: 'reviews',
    waiting: true,
    icon: 'star',
    name: text('Time to write a review'),
    title: ({ forBusiness }) =>
      forBusiness ? text('How was the work for {job}?') : text('How was working for {business}?'),
    text: ({ by }) => [by && text('You can review it until {by}.')],
    button: text('Write a review'),
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness ? text('How was the work for {job}?') : text('How was working for {business}?'),
      details: () => [text('Neither side sees the other review until both are written or the time is over.')],
      why: why.work,
    },
  },
  'review-published': {
    group: 'reviews',
    to: 'both sides',
    when: 'a review about them was published',
    link: 'reviews',
    gathers: true,
    icon: 'star',
    name: text('Someone reviewed you'),
    title: ({ forBusiness }) =>
      forBusiness ? text('{worker} reviewed {business}') : text('{business} reviewed you'),
    text: ({ count }) => [
      count === 1 ? text('1 star, for {job}.') : text('{count} stars, for {job}.'),
      text('You can reply once.'),
    ],
    button: text('Read the review'),
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness ? text('{worker} reviewed {business}') : text('{business} reviewed you'),
      why: why.work,
    },
  },
  'review-replied': {
    group: 'reviews',
    to: 'either side',
    when: 'the other side replied to their review',
    link: 'reviews',
    icon: 'chats-circle',
    name: text('A reply to your review'),
    title: () => text('{other} replied to your review'),
    text: () => [forJob],
    quote: { part: 'all', lead: text('They wrote') },
    button: text('Read the reply'),
    mail: { subject: () => text('{other} replied to your review'), why: why.work },
  },
  'review-removed': {
    group: 'reviews',
    to: 'both sides',
    when: 'staff removed a review',
    link: 'reviews',
    locked: ['app', 'email'],
    icon: 'warning-circle',
    name: text('We removed a review'),
    title: ({ variant }) =>
      variant === 'own'
        ? text('We removed your review of {other}')
        : text('We removed a review that {other} wrote about you'),
    text: () => [forJob],
    quote: { part: 'all', lead: text('The reason'), whole: true },
    button: text('View your reviews'),
    mail: {
      subject: ({ variant }) =>
        variant === 'own' ? text('We removed your review') : text('We removed a review about you'),
      details: () => [
        text('A person on our team decided this. If you disagree, contact us from the help center.'),
      ],
      why: why.work,
    },
  },
} satisfies Topics;
