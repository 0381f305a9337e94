import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import {
  type Fact,
  forJob,
  hireOnceFunded,
  labels,
  needsSomeone,
  openWork,
  otherJobsNearby,
  replyBy,
  spotAfter,
  type Topics,
  theyWrote,
  why,
} from './topic.ts';

function terms({ when, money }: NoticeFacts): Text {
  if (when && money) return text('{job}, {when}, {money}.');
  if (when) return text('{job}, {when}.');
  return money ? text('{job}, {money}.') : forJob;
}
const termFacts = ({ zoned, money }: NoticeFacts): Fact[] => [
  [labels.when, zoned.when],
  [labels.pay, money],
];
/** A shift is confirmed before it starts; a task has no start. */
const confirmLater = ({ when }: NoticeFacts): Text | false =>
  when !== '' && text("We'll ask them to confirm before the shift starts.");
const offerElsewhere = (notice: NoticeFacts): Text | false =>
  needsSomeone(notice) && text('You can offer it to someone else.');
const viewOffer = text('View offer');
const viewApplication = text('View my application');
const seeApplicants = text('See applicants');

export const offerTopics = {
  'offer-received': {
    group: 'offers',
    to: 'worker',
    when: 'an offer was sent',
    link: 'application',
    waiting: true,
    icon: 'briefcase',
    name: text('A business offers you a job'),
    title: ({ count, variant }) => {
      if (variant === 'changed') return text('{business} changed its offer');
      return count > 1
        ? text('{business} offered you {count} shifts')
        : text('{business} offered you the job');
    },
    text: (notice) => [terms(notice), notice.by && replyBy],
    quote: theyWrote,
    button: viewOffer,
    mail: {
      subject: ({ count, variant }) => {
        if (variant === 'changed') return text('{business} changed its offer: {job}');
        return count > 1
          ? text('{business} offered you {count} shifts: {job}')
          : text('{business} offered you the job: {job}');
      },
      details: ({ variant }) => [
        variant === 'changed' && text('It replaces the earlier offer.'),
        text(
          "Read the terms, which won't change, then accept or decline. Without a reply the offer expires.",
        ),
      ],
      facts: (notice) => [...termFacts(notice), [labels.replyBy, notice.zoned.by]],
      why: why.applied,
    },
  },
  'offer-rebooked': {
    group: 'offers',
    to: 'worker',
    when: 'a business offers a job directly to someone it knows',
    link: 'application',
    waiting: true,
    icon: 'briefcase',
    name: text('A business wants you back'),
    title: ({ count }) =>
      count > 1 ? text('{business} wants you back for {count} shifts') : text('{business} wants you back'),
    text: (notice) => [terms(notice), notice.by && replyBy],
    quote: theyWrote,
    button: viewOffer,
    mail: {
      subject: () => text('{business} wants you back: {job}'),
      details: () => [
        text(
          "You don't need to apply. Read the terms, which won't change, then accept or decline. Without a reply the offer expires.",
        ),
      ],
      facts: (notice) => [...termFacts(notice), [labels.replyBy, notice.zoned.by]],
      why: why.applied,
    },
  },
  'offer-reminder': {
    group: 'offers',
    to: 'worker',
    when: 'an offer expires soon',
    link: 'application',
    urgent: true,
    waiting: true,
    icon: 'hourglass',
    name: text('An offer expires soon'),
    title: () => text('{business} is waiting for your reply'),
    text: (notice) => [
      terms(notice),
      notice.by ? text('The offer expires {by}.') : text('The offer expires soon.'),
    ],
    button: viewOffer,
    mail: {
      subject: () => text('Your offer expires soon: {job}'),
      facts: (notice) => [...termFacts(notice), [labels.replyBy, notice.zoned.by]],
      why: why.applied,
    },
  },
  'offer-accepted': {
    group: 'offers',
    to: 'both sides',
    when: 'the worker accepted',
    link: 'work',
    icon: 'check-circle',
    name: text('An offer was accepted'),
    title: ({ forBusiness, count }) => {
      if (count > 1)
        return forBusiness
          ? text('{worker} accepted {count} shifts')
          : text("You're hired for {count} shifts");
      return forBusiness ? text('{worker} accepted your offer') : text("You're hired");
    },
    text: (notice) => [
      terms(notice),
      notice.variant === 'no-interview' && text('No interview is needed any more.'),
    ],
    button: openWork,
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness ? text('{worker} accepted: {job}') : text("You're hired: {job}"),
      details: (notice) =>
        notice.forBusiness
          ? [text("They're hired."), confirmLater(notice)]
          : [text('The app shows where to go and whom to ask for.')],
      facts: termFacts,
      why: why.application,
    },
  },
  'offer-declined': {
    group: 'offers',
    to: 'business',
    when: 'the worker declined',
    link: 'applicants',
    icon: 'x-circle',
    name: text('Your offer was declined'),
    title: () => text('{worker} declined your offer'),
    text: (notice) => [terms(notice), spotAfter(notice)],
    quote: theyWrote,
    button: seeApplicants,
    mail: {
      subject: () => text('{worker} declined: {job}'),
      details: (notice) => [offerElsewhere(notice)],
      facts: ({ zoned }) => [[labels.when, zoned.when]],
      why: why.hires,
    },
  },
  'offer-expired': {
    group: 'offers',
    to: 'both sides',
    when: 'an offer was not answered in time, or its pay was not set aside by the deadline',
    link: 'application',
    icon: 'clock-countdown',
    name: text('An offer expired'),
    title: ({ forBusiness, variant }) => {
      if (forBusiness)
        return variant === 'unfunded'
          ? text("Your offer to {worker} expired, because the pay wasn't set aside")
          : text("{worker} didn't reply to your offer in time");
      return text('The offer from {business} has expired');
    },
    text: (notice) => [
      terms(notice),
      notice.forBusiness && spotAfter(notice),
      !notice.forBusiness &&
        (notice.variant === 'unfunded'
          ? text("The business didn't set the pay aside in time.")
          : text("You didn't reply in time.")),
    ],
    button: ({ forBusiness }) => (forBusiness ? seeApplicants : viewApplication),
    mail: {
      subject: ({ forBusiness, variant }) =>
        forBusiness && variant !== 'unfunded'
          ? text('No reply to your offer: {job}')
          : text('Offer expired: {job}'),
      details: (notice) => {
        if (!notice.forBusiness) return [otherJobsNearby];
        if (notice.variant !== 'unfunded') return [offerElsewhere(notice)];
        return [spotAfter(notice), needsSomeone(notice) && hireOnceFunded];
      },
      facts: ({ zoned }) => [[labels.when, zoned.when]],
      why: why.application,
    },
  },
  'offer-withdrawn': {
    group: 'offers',
    to: 'worker',
    when: 'the business withdrew the offer',
    link: 'application',
    icon: 'arrow-counter-clockwise',
    name: text('An offer was withdrawn'),
    title: () => text('{business} withdrew its offer'),
    text: (notice) => [terms(notice), notice.variant === 'kept' && text('Your application stays open.')],
    quote: theyWrote,
    button: viewApplication,
    mail: {
      subject: () => text('Offer withdrawn: {job}'),
      details: ({ variant }) => [
        text('You can no longer accept it.'),
        variant === 'kept' ? text('The business may send you another offer.') : otherJobsNearby,
      ],
      facts: ({ zoned }) => [[labels.when, zoned.when]],
      why: why.applied,
    },
  },
  'hired-at-once': {
    group: 'offers',
    to: 'both sides',
    when: 'an instant-hire job hired an applicant',
    link: 'work',
    urgent: true,
    icon: 'seal-check',
    name: text('Instant hire'),
    title: ({ forBusiness }) => (forBusiness ? text('{worker} applied and is hired') : text("You're hired")),
    text: (notice) => [terms(notice)],
    button: openWork,
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness ? text('{worker} is hired: {job}') : text("You're hired: {job}"),
      details: (notice) =>
        notice.forBusiness
          ? [text('This job hires suitable applicants instantly.'), confirmLater(notice)]
          : [
              text(
                '{business} hires suitable applicants instantly. The app shows where to go and whom to ask for.',
              ),
            ],
      facts: termFacts,
      why: why.application,
    },
  },
} satisfies Topics;
