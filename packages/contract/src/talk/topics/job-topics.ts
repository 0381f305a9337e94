import type { NotificationTopic } from '../notification-topics.ts';
import { text } from './text.ts';
import { type Topic, why } from './topic.ts';

/** Jobs and the business itself. */
export const jobTopics = {
  'job-changed': {
    group: 'jobs',
    to: 'worker',
    when: 'pay, hours, place or spots changed after applying',
    link: 'job',
    icon: 'pencil-simple',
    name: text('A job you applied for changed'),
    title: () => text('{business} changed a job'),
    text: () => [text('Check whether {job} still works for you.')],
    button: text('See the job'),
    mail: {
      subject: () => text('Changed: {job}'),
      details: () => [text("If it doesn't, you can withdraw your application.")],
      why: why.applied,
    },
  },
  'job-expiring': {
    group: 'jobs',
    to: 'business',
    when: '5 days before the job expires',
    link: 'job',
    icon: 'clock',
    name: text('Your job expires soon'),
    title: () => text('{job} expires soon'),
    text: ({ expires }) => [expires && text('Workers can find it until {expires}.')],
    button: text('View job'),
    mail: {
      subject: () => text('Expires soon: {job}'),
      details: () => [text("After that, workers can't find it. You can reopen it at any time.")],
      facts: ({ zoned }) => [[text('Expires'), zoned.expires]],
      why: why.hires,
    },
  },
  'job-expired': {
    group: 'jobs',
    to: 'business',
    when: 'the job expired',
    link: 'job',
    icon: 'calendar-x',
    name: text('Your job expired'),
    title: () => text('{job} has expired'),
    text: () => [text("Workers can't find it any more. You can reopen it.")],
    button: text('View job'),
    mail: {
      subject: () => text('Expired: {job}'),
      details: () => [
        text('Its time ran out, or the work has started. Applicants are still waiting for your reply.'),
      ],
      why: why.hires,
    },
  },
  'business-verified': {
    group: 'account',
    to: 'business',
    when: 'the business was verified',
    link: 'business',
    icon: 'seal-check',
    name: text('Your business was verified'),
    title: () => text('{business} is verified'),
    text: () => [text('Your jobs now show it.')],
    button: text('View my business'),
    mail: {
      subject: () => text('{business} is verified'),
      details: () => [text('You can now have as many open jobs as you need.')],
      why: why.hires,
    },
  },
} satisfies Partial<Record<NotificationTopic, Topic>>;
