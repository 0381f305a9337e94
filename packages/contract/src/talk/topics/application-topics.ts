import type { RejectReason } from '../../reject-reasons.ts';
import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import { forJob, labels, noAction, otherJobsNearby, replyBy, type Topics, theyWrote, why } from './topic.ts';

/** Reasons for a rejection, as the worker reads them. */
export const rejectReasonTexts: Record<RejectReason, Text | false> = {
  experience: text("They're looking for different experience."),
  availability: text("Your availability didn't match."),
  distance: text('The distance was too far for this work.'),
  answers: text("Your answers didn't match what they need."),
  others: text('Other applicants were a better fit.'),
  other: false,
};

const seeApplicants = text('See applicants');
const viewApplication = text('View my application');

export const applicationTopics = {
  'application-received': {
    group: 'applications',
    to: 'business',
    when: 'a worker applied',
    link: 'applicants',
    waiting: true,
    gathers: true,
    icon: 'user-plus',
    name: text('Someone applied for your job'),
    title: ({ count }) =>
      count > 1 ? text('{worker} applied for {count} shifts') : text('{worker} applied'),
    text: ({ by }) => [forJob, by && replyBy],
    button: seeApplicants,
    mail: {
      subject: ({ count }) =>
        count > 1 ? text('{worker} applied for {count} shifts: {job}') : text('{worker} applied: {job}'),
      details: () => [text("Review the application while they're still available.")],
      facts: ({ zoned }) => [[labels.replyBy, zoned.by]],
      why: why.hires,
    },
  },
  'application-viewed': {
    group: 'applications',
    to: 'worker',
    when: 'the business first opened the application',
    link: 'application',
    icon: 'eye',
    name: text('A business viewed your application'),
    title: () => text('{business} viewed your application'),
    text: ({ by }) => [forJob, by && text("They'll reply by {by}.")],
    button: viewApplication,
    mail: {
      subject: () => text('{business} viewed your application'),
      details: () => [text('You can no longer edit it, but you can still withdraw it.')],
      facts: ({ zoned }) => [[labels.theyReplyBy, zoned.by]],
      why: why.applied,
    },
  },
  'application-withdrawn': {
    group: 'applications',
    to: 'business',
    when: 'the worker withdrew it',
    link: 'applicants',
    gathers: true,
    icon: 'arrow-counter-clockwise',
    name: text('An applicant withdrew'),
    title: () => text('{worker} withdrew their application'),
    text: () => [forJob],
    button: seeApplicants,
    mail: {
      subject: () => text('{worker} withdrew: {job}'),
      details: () => [noAction],
      why: why.hires,
    },
  },
  'application-invitation-declined': {
    group: 'applications',
    to: 'business',
    when: 'a worker declined an invitation',
    link: 'applicants',
    gathers: true,
    icon: 'x-circle',
    name: text('Your invitation was declined'),
    title: () => text('{worker} declined your invitation'),
    text: () => [forJob],
    button: seeApplicants,
    mail: {
      subject: () => text('{worker} declined your invitation: {job}'),
      details: () => [text('You can invite someone else.')],
      why: why.hires,
    },
  },
  'application-changed': {
    group: 'applications',
    to: 'business',
    when: 'the worker changed it before it was viewed',
    link: 'applicants',
    gathers: true,
    icon: 'note-pencil',
    name: text('An applicant updated their application'),
    title: () => text('{worker} updated their application'),
    text: () => [forJob],
    button: seeApplicants,
    mail: {
      subject: () => text('{worker} updated their application: {job}'),
      details: () => [text("You'll see the new version when you open it.")],
      why: why.hires,
    },
  },
  'application-nudge': {
    group: 'applications',
    to: 'business',
    when: 'days 3, 7 and 12 without a reply',
    link: 'applicants',
    waiting: true,
    icon: 'hourglass',
    name: text('Applicants are waiting for your reply'),
    title: () =>
      text(
        '{others, plural, =0 {{worker} is waiting for your reply} one {{worker} and # other are waiting for your reply} other {{worker} and # others are waiting for your reply}}',
      ),
    text: ({ by }) => [forJob, by && text('The first application expires {by}.')],
    button: seeApplicants,
    mail: {
      subject: () =>
        text(
          '{others, plural, =0 {{worker} is waiting for your reply: {job}} one {{worker} and # other are waiting for your reply: {job}} other {{worker} and # others are waiting for your reply: {job}}}',
        ),
      details: () => [
        text('An application without a reply expires automatically and is shown as unanswered.'),
      ],
      facts: ({ zoned }) => [[text('First one expires'), zoned.by]],
      why: why.hires,
    },
  },
  'application-no-response': {
    group: 'applications',
    to: 'both sides',
    when: 'its reply deadline passed',
    link: 'application',
    icon: 'clock-countdown',
    name: text('An application expired without a reply'),
    title: ({ forBusiness }) =>
      forBusiness ? text("You didn't reply to {worker} in time") : text('No reply from {business}'),
    text: ({ forBusiness }) =>
      forBusiness ? [forJob, text('We let them know.')] : [text('Your application for {job} has expired.')],
    button: ({ forBusiness }) => (forBusiness ? seeApplicants : viewApplication),
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness ? text('No reply in time: {worker}') : text('No reply from {business}'),
      details: ({ forBusiness }) => [
        !forBusiness && text('This says nothing about you. There are other jobs nearby.'),
      ],
      why: why.application,
    },
  },
  'application-job-closed': {
    group: 'applications',
    to: 'worker',
    when: 'the business closed the job',
    link: 'application',
    icon: 'prohibit',
    name: text('A job you applied for was closed'),
    title: () => text('{business} closed a job'),
    text: () => [text('This also closed your application for {job}.')],
    button: viewApplication,
    mail: { subject: () => text('Closed: {job}'), details: () => [otherJobsNearby], why: why.applied },
  },
  'application-shortlisted': {
    group: 'applications',
    to: 'worker',
    when: 'the business shortlisted it',
    link: 'application',
    icon: 'star',
    name: text("You're on a shortlist"),
    title: () => text('{business} put you on the shortlist'),
    text: () => [forJob, noAction],
    button: viewApplication,
    mail: {
      subject: () => text('{business} put you on the shortlist'),
      details: () => [text("They're interested and will get back to you.")],
      facts: ({ zoned }) => [[labels.theyReplyBy, zoned.by]],
      why: why.applied,
    },
  },
  'application-rejected': {
    group: 'applications',
    to: 'worker',
    when: 'the business rejected it',
    link: 'application',
    icon: 'x-circle',
    name: text('Your application was rejected'),
    title: () => text("{business} won't be moving forward with your application"),
    text: ({ rejectReason }) => [forJob, rejectReason !== null && rejectReasonTexts[rejectReason]],
    quote: theyWrote,
    button: viewApplication,
    mail: {
      subject: () => text("{business} won't be moving forward: {job}"),
      details: () => [otherJobsNearby],
      why: why.applied,
    },
  },
  'application-position-filled': {
    group: 'applications',
    to: 'worker',
    when: 'the last spot went to someone else',
    link: 'application',
    icon: 'users-three',
    name: text('A job you applied for was filled'),
    title: () => text('All spots are taken: {job}'),
    text: () => [text('{business} has hired for it, so your application is closed.')],
    button: viewApplication,
    mail: {
      subject: () => text('All spots are taken: {job}'),
      details: () => [otherJobsNearby],
      why: why.applied,
    },
  },
  'application-invited': {
    group: 'applications',
    to: 'worker',
    when: 'a business invited them to apply',
    link: 'job',
    waiting: true,
    icon: 'megaphone',
    name: text('A business invites you to apply'),
    title: () => text('{business} invited you to apply'),
    text: ({ when, by }) => [when ? text('For {job}, {when}.') : forJob, by && text('Apply by {by}.')],
    quote: theyWrote,
    button: text('See the job'),
    mail: {
      subject: () => text('{business} invited you to apply: {job}'),
      details: () => [text("They think your profile is a good match. You don't have to reply.")],
      facts: ({ zoned, money }) => [
        [labels.when, zoned.when],
        [labels.pay, money],
        [text('Apply by'), zoned.by],
      ],
      why: text("You're receiving this because your profile on Nearhand matches this job."),
    },
  },
  'waitlist-joined': {
    group: 'applications',
    to: 'either side',
    when: 'an applicant is on the waitlist',
    link: 'application',
    icon: 'hourglass',
    name: text('Someone joined a waitlist'),
    title: ({ forBusiness }: NoticeFacts) =>
      forBusiness ? text('{worker} joined the waitlist') : text("You're on the waitlist"),
    text: ({ forBusiness }) => [
      forJob,
      forBusiness
        ? text('If a spot opens, it goes to the next person automatically.')
        : text("If a spot opens, you'll be offered it in turn."),
    ],
    button: ({ forBusiness }) => (forBusiness ? seeApplicants : viewApplication),
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness ? text('{worker} joined the waitlist: {job}') : text("You're on the waitlist: {job}"),
      details: ({ forBusiness }) => [!forBusiness && text('You can leave the waitlist at any time.')],
      facts: ({ zoned }) => [[labels.when, zoned.when]],
      why: why.application,
    },
  },
} satisfies Topics;
