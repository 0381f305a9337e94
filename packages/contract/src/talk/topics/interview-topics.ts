import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import { aboutJob, type Fact, labels, replyBy, type Topics, theyWrote, why } from './topic.ts';

const about = ({ when }: NoticeFacts): Text => (when ? text('About {job}, {when}.') : aboutJob);
const contestBy = ({ by }: NoticeFacts): Text =>
  by ? text("If that's wrong, contest it by {by}.") : text("If that's wrong, contest it.");
const whenFact = ({ zoned }: NoticeFacts): Fact => [labels.when, zoned.when];
const viewInterview = text('View interview');

const modes: Record<string, Text> = {
  in_person: text('In person'),
  phone: text('By phone'),
  video: text('By video'),
};
const places: Record<string, Text> = { phone: text('Number'), video: text('Link') };
const formatFact = ({ mode }: NoticeFacts): Fact => [text('Format'), modes[mode] ?? false];

export const interviewTopics = {
  'interview-proposed': {
    group: 'interview',
    to: 'worker',
    when: 'an interview was proposed',
    link: 'interview',
    waiting: true,
    icon: 'chats-circle',
    name: text("You're invited to an interview"),
    title: () => text('{other} invited you to an interview'),
    text: (notice) => [about(notice), notice.by ? text('Pick a time by {by}.') : text('Pick a time.')],
    quote: theyWrote,
    button: text('Pick a time'),
    mail: {
      subject: () => text('{other} invited you to an interview: {job}'),
      details: () => [text('If none of the times work, you can suggest others.')],
      facts: (notice) => [
        formatFact(notice),
        [text('Times to choose from'), notice.count > 0 ? String(notice.count) : ''],
        [text('Pick a time by'), notice.zoned.by],
      ],
      why: why.application,
    },
  },
  'interview-times-suggested': {
    group: 'interview',
    to: 'either side',
    when: 'the other suggested other times',
    link: 'interview',
    waiting: true,
    icon: 'calendar-blank',
    name: text('Someone suggests other interview times'),
    title: () => text('{other} suggested other interview times'),
    text: (notice) => [aboutJob, notice.by ? text('Pick a time by {by}.') : text('Pick a time.')],
    quote: theyWrote,
    button: text('Pick a time'),
    mail: {
      subject: () => text('{other} suggested other interview times: {job}'),
      details: () => [text('If none of the times work, you can suggest others.')],
      facts: (notice) => [
        formatFact(notice),
        [text('Times to choose from'), notice.count > 0 ? String(notice.count) : ''],
        [text('Pick a time by'), notice.zoned.by],
      ],
      why: why.application,
    },
  },
  'interview-scheduled': {
    group: 'interview',
    to: 'either side',
    when: 'the other picked a time',
    link: 'interview',
    icon: 'calendar-check',
    name: text('An interview is scheduled'),
    title: () => text('Your interview with {other} is scheduled'),
    text: (notice) => [about(notice)],
    button: viewInterview,
    mail: {
      subject: ({ when }) =>
        when ? text('Interview with {other}: {when}') : text('Your interview with {other} is scheduled'),
      details: () => [
        text("We'll remind you a day and an hour before. You can add it to your calendar in the app."),
      ],
      facts: (notice) => [whenFact(notice)],
      why: why.application,
    },
  },
  'interview-reschedule-asked': {
    group: 'interview',
    to: 'either side',
    when: 'the other asked to reschedule it',
    link: 'interview',
    waiting: true,
    icon: 'arrows-clockwise',
    name: text('Someone asks to reschedule an interview'),
    title: () => text('{other} asked to reschedule your interview'),
    text: (notice) => [about(notice), notice.by && replyBy],
    quote: theyWrote,
    button: text('Reply to the request'),
    mail: {
      subject: () => text('{other} asked to reschedule your interview'),
      details: () => [
        text('Accept one of the new times or keep the current one, which stays booked until then.'),
      ],
      facts: ({ zoned }) => [
        [text('Current time'), zoned.when],
        [labels.replyBy, zoned.by],
      ],
      why: why.application,
    },
  },
  'interview-kept': {
    group: 'interview',
    to: 'either side',
    when: 'the other kept the old time',
    link: 'interview',
    icon: 'calendar-check',
    name: text('An interview stays at its original time'),
    title: () => text('Your interview with {other} stays at its original time'),
    text: (notice) => [about(notice)],
    button: viewInterview,
    mail: {
      subject: ({ when }) =>
        when
          ? text("Your interview time hasn't changed: {when}")
          : text("Your interview time hasn't changed"),
      facts: (notice) => [whenFact(notice)],
      why: why.application,
    },
  },
  'interview-cancelled': {
    group: 'interview',
    to: 'both sides',
    when: 'it was cancelled, or its application ended',
    link: 'interview',
    urgent: true,
    icon: 'calendar-x',
    name: text('An interview was cancelled'),
    title: () => text('Your interview with {other} was cancelled'),
    text: (notice) => [about(notice)],
    quote: { part: 'note', lead: text('Reason') },
    button: viewInterview,
    mail: {
      subject: () => text('Interview cancelled: {job}'),
      facts: ({ zoned }) => [[labels.planned, zoned.when]],
      why: why.application,
    },
  },
  'interview-lapsed': {
    group: 'interview',
    to: 'both sides',
    when: 'nobody picked a time before the deadline',
    link: 'interview',
    icon: 'clock-countdown',
    name: text('Nobody picked an interview time'),
    title: () => text('No time was picked for the interview with {other}'),
    text: ({ forBusiness }) => [
      aboutJob,
      forBusiness ? text('You can propose new times.') : text('They can propose new times.'),
    ],
    button: viewInterview,
    mail: { subject: () => text('No interview time was picked: {job}'), why: why.application },
  },
  'interview-reminder': {
    group: 'interview',
    to: 'both sides',
    when: '24 hours and 1 hour before',
    link: 'interview',
    urgent: true,
    icon: 'bell-ringing',
    name: text('An interview is coming up'),
    title: () => text('Coming up: your interview with {other}'),
    text: (notice) => [about(notice)],
    button: viewInterview,
    mail: {
      subject: ({ when }) =>
        when ? text('Interview with {other}: {when}') : text('Coming up: your interview with {other}'),
      details: () => [text("If you can't make it, let them know in the app before it starts.")],
      facts: (notice) => [
        whenFact(notice),
        formatFact(notice),
        [places[notice.mode] ?? text('Where'), notice.where],
      ],
      why: why.application,
    },
  },
  'interview-outcome-due': {
    group: 'interview',
    to: 'business',
    when: 'it is over and has no outcome',
    link: 'interview',
    waiting: true,
    icon: 'question',
    name: text('An interview needs an outcome'),
    title: () => text('How did the interview with {worker} go?'),
    text: (notice) => [about(notice), notice.by && replyBy],
    button: text('Record the outcome'),
    mail: {
      subject: () => text('How did the interview with {worker} go?'),
      details: () => [text("They're waiting to hear from you.")],
      facts: ({ zoned }) => [
        [labels.when, zoned.when],
        [labels.replyBy, zoned.by],
      ],
      why: why.hires,
    },
  },
  'interview-no-show': {
    group: 'interview',
    to: 'either side',
    when: 'the other reported that they missed it',
    link: 'interview',
    waiting: true,
    icon: 'warning',
    name: text('You were reported as missing an interview'),
    title: () => text('{other} reported that you missed the interview'),
    text: (notice) => [about(notice), contestBy(notice)],
    quote: theyWrote,
    button: text('See the report'),
    mail: {
      subject: () => text('{other} reported that you missed the interview'),
      details: () => [text("If you don't reply, the report stands and affects your reliability.")],
      facts: ({ zoned }) => [
        [labels.when, zoned.when],
        [text('Contest by'), zoned.by],
      ],
      why: why.application,
    },
  },
  'interview-contested': {
    group: 'interview',
    to: 'either side',
    when: 'the other contested the report',
    link: 'interview',
    icon: 'info',
    name: text('Your report of a missed interview was contested'),
    title: () => text('{other} contested your report'),
    text: (notice) => [about(notice)],
    quote: theyWrote,
    button: viewInterview,
    mail: {
      subject: () => text('{other} contested your report'),
      details: () => [text("It won't affect their reliability while your accounts differ.")],
      facts: (notice) => [whenFact(notice)],
      why: why.application,
    },
  },
} satisfies Topics;
