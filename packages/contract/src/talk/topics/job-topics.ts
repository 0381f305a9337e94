import type { NoticeFacts } from './notice-facts.ts';
import { text } from './text.ts';
import { otherJobsNearby, type Topics, why } from './topic.ts';

const saved = text("You're receiving this because you saved this job on Nearhand.");

const searched = text("You're receiving this because you saved a search with alerts on Nearhand.");

const newJobs = ({ search, count }: NoticeFacts) => {
  if (count > 1)
    return search ? text('{count} new jobs for “{search}”') : text('{count} new jobs for your searches');
  return search ? text('New for “{search}”: {job}') : text('New for your searches: {job}');
};
const postedJobs = ({ count }: NoticeFacts) =>
  count > 1 ? text('{business} has {count} new jobs') : text('{business} has a new job: {job}');
const named = ({ listed, unlisted }: NoticeFacts) => [
  listed ? text('{listed}.') : text('See whether it suits you.'),
  unlisted > 0 && text('And {unlisted} more.'),
];
const seeJobs = ({ count }: NoticeFacts) => (count > 1 ? text('See the jobs') : text('See the job'));

export const jobTopics = {
  'job-changed': {
    group: 'jobs',
    to: 'worker',
    when: 'pay, hours, place or spots changed after applying',
    link: 'job',
    icon: 'pencil-simple',
    name: text('A job you applied for changed'),
    title: ({ count }) =>
      count > 1 ? text('{business} changed {count} shifts') : text('{business} changed a job'),
    text: () => [text('Check whether {job} still works for you.')],
    button: text('See the job'),
    mail: {
      subject: () => text('Changed: {job}'),
      details: () => [text("If it doesn't, you can withdraw your application.")],
      why: why.applied,
    },
  },
  'saved-job-changed': {
    group: 'jobs',
    to: 'worker',
    when: 'pay, hours, place or spots of a saved job changed',
    link: 'job',
    icon: 'heart',
    name: text('A job you saved changed'),
    title: () => text('{business} changed a job you saved'),
    text: () => [text('Check whether {job} still works for you.')],
    button: text('See the job'),
    mail: { subject: () => text('Changed: {job}'), why: saved },
  },
  'saved-job-filling': {
    group: 'jobs',
    to: 'worker',
    when: 'one spot of several is left in a saved job',
    link: 'job',
    icon: 'heart',
    name: text('A job you saved is almost full'),
    title: () => text('One spot left: {job}'),
    text: () => [text('You saved this job. Apply soon if you still want it.')],
    button: text('See the job'),
    mail: { subject: () => text('One spot left: {job}'), why: saved },
  },
  'saved-job-ended': {
    group: 'jobs',
    to: 'worker',
    when: 'a saved job was filled, closed or expired',
    link: 'job',
    icon: 'heart',
    name: text('A job you saved has ended'),
    title: () => text('{job} is no longer open'),
    text: () => [
      text("You saved this job. It was filled or has ended, so you can't apply any more."),
      otherJobsNearby,
    ],
    button: text('See the job'),
    mail: { subject: () => text('No longer open: {job}'), why: saved },
  },
  'search-matched': {
    group: 'jobs',
    to: 'worker',
    when: 'jobs opened that match a saved search with alerts at once',
    link: 'search',
    icon: 'magnifying-glass',
    name: text('New jobs for a saved search'),
    title: newJobs,
    text: named,
    button: seeJobs,
    mail: { subject: newJobs, why: searched },
  },
  'search-summary': {
    group: 'jobs',
    to: 'worker',
    when: 'in the morning of a day or a Monday, when jobs opened that match saved searches with such alerts',
    link: 'search',
    icon: 'magnifying-glass',
    name: text('Daily or weekly summary of saved searches'),
    title: newJobs,
    text: named,
    button: seeJobs,
    mail: { subject: newJobs, why: searched },
  },
  'followed-business-opened': {
    group: 'jobs',
    to: 'worker',
    when: 'a followed business opened jobs',
    link: 'search',
    icon: 'storefront',
    name: text('A business you follow has a new job'),
    title: postedJobs,
    text: (notice) => (notice.count > 1 ? named(notice) : [text('You follow this business.')]),
    button: seeJobs,
    mail: {
      subject: postedJobs,
      why: text("You're receiving this because you follow this business on Nearhand."),
    },
  },
  'known-business-opened': {
    group: 'jobs',
    to: 'worker',
    when: 'a business that they worked for, or that has them in a pool, opened shifts and chose to tell its people',
    link: 'job',
    icon: 'storefront',
    name: text('A business that knows you has new shifts'),
    title: postedJobs,
    text: (notice) =>
      notice.count > 1
        ? named(notice)
        : [text("You worked for this business, or you're in one of its pools.")],
    button: seeJobs,
    mail: {
      subject: postedJobs,
      why: text(
        "You're receiving this because you worked for this business on Nearhand, or you're in one of its pools.",
      ),
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
    title: ({ variant }) =>
      variant === 'unreplaced' ? text('No replacement found for {job}') : text('{job} has expired'),
    text: ({ variant }) => [
      variant
        ? text("Its time has come, so workers can't apply any more.")
        : text("Workers can't find it any more. You can reopen it."),
    ],
    button: text('View job'),
    mail: {
      subject: ({ variant }) =>
        variant === 'unreplaced' ? text('No replacement found: {job}') : text('Expired: {job}'),
      details: ({ variant }) => [
        variant
          ? text('The work has started or is past its due date. Applicants are still waiting for your reply.')
          : text('Its time ran out. Applicants are still waiting for your reply.'),
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
  'business-info-asked': {
    group: 'account',
    to: 'business',
    when: 'Nearhand needs more to verify the business',
    link: 'verification',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'seal-check',
    name: text('We need more to verify your business'),
    title: () => text('We need more to verify {business}'),
    text: () => [text('Add it, then send the business to us again.')],
    quote: { part: 'all', lead: text('We wrote'), whole: true },
    button: text('Add what is missing'),
    mail: {
      subject: () => text('We need more to verify {business}'),
      why: why.hires,
    },
  },
} satisfies Topics;
