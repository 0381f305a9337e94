import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import { contestOnce, reviewedAgain, settlement, stillDismissed, type Topics } from './topic.ts';

const reporter = text("You're receiving this because you reported something to Nearhand.");
const concerned = ({ mode }: NoticeFacts): Text =>
  mode === 'business'
    ? text("You're receiving this because you hire for this business on Nearhand.")
    : text("You're receiving this because it's about your account on Nearhand.");
const view = text('View decision');
const sendAgain = text("We've deleted the document you sent. Send it again, and we'll check it.");

const imposed = ({ variant, mode }: NoticeFacts): Text => {
  if (variant === 'hidden') return text('We hid a job: {job}');
  if (variant === 'refused') return text("We didn't publish a job: {job}");
  if (variant === 'removed') return text('We removed a review: {job}');
  if (variant === 'redacted') return text('We removed a message: {job}');
  if (variant === 'frozen') return text('We froze a conversation: {job}');
  if (variant === 'verification_refused') return text("We couldn't verify {business}");
  if (variant === 'certificate_refused') return text("We couldn't confirm your certificate");
  if (variant === 'identity_refused') return text("We couldn't accept your identity document");
  if (variant === 'payout_refused') return text("We didn't pay out a withdrawal");
  if (variant === 'warning')
    return mode === 'business' ? text('A warning for {business}') : text('A warning for your account');
  return mode === 'business' ? text("{business} can't hire for now") : text('Your account is suspended');
};

/** Decisions of staff: for reporters, and for the people concerned. */
export const decisionTopics = {
  'report-answered': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand decided what they reported',
    link: 'reports',
    locked: ['app'],
    icon: 'flag',
    name: text('We reviewed what you reported'),
    title: ({ mode }) => (mode === 'contest' ? reviewedAgain : text('We reviewed your report')),
    text: ({ variant, mode }) => [
      text('About “{job}”.'),
      variant === 'actioned' && text('We took action.'),
      variant !== 'actioned' &&
        (mode === 'contest' ? stillDismissed : text("We didn't find a breach of our rules.")),
    ],
    quote: { part: 'all', lead: text('We wrote'), whole: true },
    button: text('View your reports'),
    mail: {
      subject: ({ mode }) =>
        mode === 'contest'
          ? text('We reviewed your report again: {job}')
          : text('We reviewed your report: {job}'),
      details: ({ variant, mode }) =>
        variant === 'dismissed' ? [mode === 'contest' ? settlement : contestOnce] : [],
      why: reporter,
    },
  },
  'job-review-passed': {
    group: 'account',
    to: 'business',
    when: 'Nearhand checked their job in review and opened it',
    link: 'job',
    icon: 'check-circle',
    name: text('We checked your job'),
    title: () => text('We checked your job: {job}'),
    text: ({ variant }) => {
      if (variant === 'paused') return [text('Reopen it to set the pay aside and show it to workers.')];
      if (variant === 'expired') return [text('Its time has passed. Change the date and reopen it.')];
      return [text('Workers can see it now.')];
    },
    button: text('View job'),
    mail: {
      subject: () => text('We checked your job: {job}'),
      why: text("You're receiving this because you hire for this business on Nearhand."),
    },
  },
  'sanction-imposed': {
    group: 'account',
    to: 'the person concerned',
    when: 'Nearhand decided something about their account, business or job',
    link: 'decision',
    urgent: true,
    locked: ['app', 'email'],
    icon: 'shield-check',
    name: text('A decision about your account or business'),
    title: imposed,
    text: () => [text('Read the reasons. You can appeal, and another person decides.')],
    quote: { part: 'all', lead: text('Reason'), whole: true },
    button: view,
    mail: { subject: imposed, why: concerned },
  },
  'sanction-ended': {
    group: 'account',
    to: 'the person concerned',
    when: 'a decision about their account, business or job ended',
    link: 'decision',
    locked: ['app', 'email'],
    icon: 'check-circle',
    name: text('A decision about you ended'),
    title: () => text('A decision has ended'),
    text: ({ variant }) => [
      variant === 'expired' ? text('The suspension is over.') : text('We ended it early.'),
      variant === 'copy-needed' && sendAgain,
    ],
    quote: { part: 'all', lead: text('Reason'), whole: true },
    button: view,
    mail: { subject: () => text('A decision has ended'), why: concerned },
  },
  'appeal-decided': {
    group: 'account',
    to: 'the person concerned',
    when: 'another operator decided their appeal',
    link: 'decision',
    locked: ['app', 'email'],
    icon: 'shield-check',
    name: text('We decided your appeal'),
    title: ({ variant }) =>
      variant === 'upheld' ? text('Your appeal was rejected') : text('Your appeal succeeded'),
    text: ({ variant }) => [
      variant === 'upheld'
        ? text('Another person reviewed the decision, and it stays.')
        : text('Another person reviewed the decision and reversed it.'),
      variant === 'copy-needed' && sendAgain,
    ],
    quote: { part: 'all', lead: text('Reason'), whole: true },
    button: view,
    mail: {
      subject: ({ variant }) =>
        variant === 'upheld' ? text('Your appeal was rejected') : text('Your appeal succeeded'),
      details: ({ variant }) => (variant === 'upheld' ? [settlement] : []),
      why: concerned,
    },
  },
} satisfies Topics;
