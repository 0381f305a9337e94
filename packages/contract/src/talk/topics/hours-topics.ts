import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import { type Fact, forJob, labels, openWork, replyBy, type Topics, theyWrote, why } from './topic.ts';

function sum({ hours, money }: NoticeFacts): Text {
  if (hours && money) return text('For {job}: {hours}, {money}.');
  if (hours) return text('For {job}: {hours}.');
  return money ? text('For {job}: {money}.') : forJob;
}
const replyIf = ({ by }: NoticeFacts) => by !== '' && replyBy;
const proposeIf = ({ by }: NoticeFacts) => by !== '' && text('Propose an amount by {by}.');
const sumFacts = ({ hours, money }: NoticeFacts): Fact[] => [
  [labels.hours, hours],
  [labels.pay, money],
];
const replyFact = ({ zoned }: NoticeFacts): Fact => [labels.replyBy, zoned.by];

/** We submitted the hours because the worker did not. */
const automatic = ({ variant }: NoticeFacts): boolean => variant === 'planned' || variant === 'recorded';

/** The outcome if nobody replies by the deadline (ADR 43). The worker's fee, if any, still comes off the amount. */
function ifSilent({ by, silence, silentMoney, money, forBusiness }: NoticeFacts): Text | false {
  if (!by) return false;
  if (silence === 'review' && !silentMoney)
    return text('If nobody replies by {by}, nothing is paid and a dispute opens, which our team can decide.');
  if (!silentMoney) return false;
  if (silence === 'pay-recorded' && silentMoney === money)
    return forBusiness
      ? text("If {worker} doesn't reply by {by}, {silentMoney} is paid, as you proposed.")
      : text("If you don't reply by {by}, {silentMoney} is paid, as {business} proposed.");
  if (silence === 'pay-recorded')
    return forBusiness
      ? text(
          "If {worker} doesn't reply by {by}, {silentMoney} is paid for the recorded hours within the planned time.",
        )
      : text(
          "If you don't reply by {by}, {silentMoney} is paid for the recorded hours within the planned time.",
        );
  if (silence === 'review')
    return text(
      'If nobody replies by {by}, {silentMoney} is paid and a dispute opens about the rest, which our team can decide.',
    );
  return forBusiness
    ? text("If you don't reply by {by}, {silentMoney} is approved automatically.")
    : text("If {business} doesn't reply by {by}, {silentMoney} is approved automatically.");
}

function approval({ variant, forBusiness }: NoticeFacts): Text | false {
  if (variant === 'auto-approved')
    return text('It was approved automatically because nobody replied in time.');
  if (variant === 'pay-recorded')
    return forBusiness
      ? text("{worker} didn't reply in time, so the pay is settled.")
      : text("You didn't reply in time, so the pay is settled.");
  return variant === 'accept-counter' && forBusiness && text('{worker} accepted the hours you proposed.');
}

/** Both sides named their amount before the dispute opened. */
const bothNamed = ({ variant }: NoticeFacts): boolean => variant === 'rounds' || variant === 'counter';

function opening({ variant }: NoticeFacts): Text {
  if (variant === 'rounds')
    return text(
      "You and {other} didn't agree on the hours in three rounds, so a dispute opened automatically. Either side can propose an amount.",
    );
  if (variant === 'no-check-in')
    return text(
      'Nobody checked in or replied, so a dispute opened automatically. Say what you think is right.',
    );
  if (variant === 'beyond-plan')
    return text(
      'The hours go beyond the planned ones and nobody replied. Only hours within the plan are paid, and a dispute opened automatically about the rest.',
    );
  if (variant === 'counter')
    return text(
      'Nobody replied to the proposed hours and the recorded ones are incomplete or contested. The proposed part is paid, and a dispute opened automatically about the rest.',
    );
  return text('{other} opened it. Say what you think is right; only the disputed part is on hold.');
}

function settlement({ variant }: NoticeFacts): Text {
  if (variant === 'stop')
    return text("You and {other} didn't settle it in time, so it ended with what is on record.");
  if (variant === 'decided') return text("You and {other} didn't settle it in time, so our team decided.");
  return text('You and {other} agreed on the amount.');
}

export const hoursTopics = {
  'hours-to-submit': {
    group: 'hours',
    to: 'worker',
    when: 'the shift is over',
    link: 'work',
    waiting: true,
    icon: 'timer',
    name: text('Hours to submit'),
    title: () => text('Submit your hours'),
    text: ({ by }) => [forJob, by && text("If you don't submit them by {by}, they're submitted for you.")],
    button: text('Submit hours'),
    mail: {
      subject: () => text('How long did you work? {job}'),
      details: () => [text("You'll see what was recorded and can correct it.")],
      facts: ({ zoned }) => [
        [labels.planned, zoned.when],
        [text('Submit by'), zoned.by],
      ],
      why: why.work,
    },
  },
  'hours-submitted': {
    group: 'hours',
    to: 'both sides',
    when: 'hours were submitted or corrected; the worker only when that was automatic',
    link: 'work',
    waiting: 'business',
    icon: 'timer',
    name: text('Hours were submitted'),
    title: (notice) => {
      if (notice.forBusiness && automatic(notice))
        return text('Check the hours of {worker}, who submitted none');
      if (notice.forBusiness)
        return notice.variant === 'corrected'
          ? text('{worker} corrected their hours')
          : text('{worker} submitted hours');
      return notice.variant === 'recorded'
        ? text('Your recorded hours were submitted for you')
        : text('Your planned hours were submitted for you');
    },
    text: (notice) => [
      sum(notice),
      notice.forBusiness &&
        automatic(notice) &&
        (notice.variant === 'recorded'
          ? text('These are the recorded hours.')
          : text('These are the planned hours.')),
      ifSilent(notice) || (notice.forBusiness && replyIf(notice)),
    ],
    quote: { ...theyWrote, only: ({ forBusiness }) => forBusiness },
    button: (notice) => (notice.forBusiness ? text('Review hours') : openWork(notice)),
    mail: {
      subject: (notice) => {
        if (!notice.forBusiness) return text('Your hours were submitted: {job}');
        if (automatic(notice)) return text('Hours to review: {worker}, {job}');
        return notice.variant === 'corrected'
          ? text('{worker} corrected their hours: {job}')
          : text('{worker} submitted hours: {job}');
      },
      details: (notice) =>
        notice.forBusiness
          ? [text('Approve them, or propose different hours with a reason.')]
          : [text("You hadn't submitted any. {business} reviews them now.")],
      facts: (notice) => [
        ...sumFacts(notice),
        [notice.forBusiness ? labels.replyBy : labels.theyReplyBy, notice.zoned.by],
      ],
      why: why.work,
    },
  },
  'hours-countered': {
    group: 'hours',
    to: 'worker',
    when: 'the business proposed different hours',
    link: 'work',
    waiting: true,
    icon: 'arrows-clockwise',
    name: text('Different hours are proposed'),
    title: () => text('{other} proposed different hours'),
    text: (notice) => [sum(notice), ifSilent(notice) || replyIf(notice)],
    quote: theyWrote,
    button: text('See their hours'),
    mail: {
      subject: () => text('{other} proposed different hours: {job}'),
      details: () => [text('Accept them or submit your hours again. Only the disputed part is on hold.')],
      facts: (notice) => [...sumFacts(notice), replyFact(notice)],
      why: why.work,
    },
  },
  'pay-settles-soon': {
    group: 'hours',
    to: 'both sides',
    when: 'hours, a counter-proposal or a delivery are settled without a reply in a day',
    link: 'work',
    icon: 'timer',
    name: text('Pay is settled soon'),
    title: ({ silence }) =>
      silence === 'review' ? text('A dispute opens soon') : text('Pay is settled soon without a reply'),
    text: (notice) => [forJob, ifSilent(notice)],
    button: openWork,
    mail: {
      subject: ({ silence }) =>
        silence === 'review'
          ? text('A dispute opens soon: {job}')
          : text('Pay is settled soon without a reply: {job}'),
      facts: (notice) => [[labels.amount, notice.silentMoney], replyFact(notice)],
      why: why.work,
    },
  },
  'work-delivered': {
    group: 'hours',
    to: 'business',
    when: 'the worker delivered a task',
    link: 'work',
    waiting: true,
    icon: 'package',
    name: text('Work was delivered'),
    title: () => text('{worker} delivered the work'),
    text: (notice) => [sum(notice), ifSilent(notice) || replyIf(notice)],
    quote: theyWrote,
    button: text('Review work'),
    mail: {
      subject: () => text('{worker} delivered: {job}'),
      details: () => [text('Approve it or request changes.')],
      facts: (notice) => [[labels.pay, notice.money], replyFact(notice)],
      why: why.hires,
    },
  },
  'changes-requested': {
    group: 'hours',
    to: 'worker',
    when: 'the business requested changes',
    link: 'work',
    waiting: true,
    icon: 'note-pencil',
    name: text('Changes are requested'),
    title: () => text('{business} requested changes'),
    text: ({ by }) => [forJob, by && text('Deliver again by {by}.')],
    quote: theyWrote,
    button: text('See requested changes'),
    mail: {
      subject: () => text('{business} requested changes: {job}'),
      facts: ({ zoned }) => [[text('Deliver again by'), zoned.by]],
      why: why.work,
    },
  },
  'work-approved': {
    group: 'hours',
    to: 'both sides',
    when: 'hours or a delivery were approved',
    link: 'work',
    icon: 'check-circle',
    name: text('Hours or work were approved'),
    title: ({ forBusiness }) =>
      forBusiness ? text("{worker}'s work is approved") : text('Your work for {business} is approved'),
    text: (notice) => [sum(notice), approval(notice)],
    button: openWork,
    mail: {
      subject: () => text('Approved: {job}'),
      details: ({ forBusiness }) => [
        !forBusiness && text('The app shows what was paid and what is still to come.'),
      ],
      facts: sumFacts,
      why: why.work,
    },
  },
  'hours-approved-by-rule': {
    group: 'hours',
    to: 'business',
    when: "the business's rule approved hours near the plan; once a day, for owners and managers",
    link: 'finished',
    icon: 'check-circle',
    name: text('Hours were approved by your rule'),
    title: () => text('{count, plural, one {# shift was} other {# shifts were}} approved by your rule'),
    text: ({ money }) => [money && text('{money} in total, each at most the planned pay.')],
    button: text('View finished work'),
    mail: {
      subject: () => text('{count, plural, one {# shift} other {# shifts}} approved by your rule'),
      details: () => [
        text('The log of each shift says so. You can change the rule or turn it off at any time.'),
      ],
      facts: ({ money }) => [[labels.pay, money]],
      why: why.hires,
    },
  },
  'dispute-opened': {
    group: 'hours',
    to: 'either side',
    when: 'the other opened one; both when it opened automatically',
    link: 'work',
    waiting: true,
    icon: 'warning-circle',
    name: text('A dispute was opened'),
    title: () => text('Dispute with {other} about the pay'),
    text: (notice) => [sum(notice), bothNamed(notice) ? proposeIf(notice) : replyIf(notice)],
    quote: { ...theyWrote, only: ({ variant }) => variant === 'filed' || variant === '' },
    button: (notice) => (bothNamed(notice) ? text('Propose an amount') : text('Reply to the dispute')),
    mail: {
      subject: () => text('Dispute about the pay: {job}'),
      details: (notice) => [opening(notice)],
      facts: (notice) => [
        [labels.amount, notice.money],
        [bothNamed(notice) ? text('Propose by') : labels.replyBy, notice.zoned.by],
      ],
      why: why.work,
    },
  },
  'dispute-answered': {
    group: 'hours',
    to: 'either side',
    when: 'the other replied to it',
    link: 'work',
    icon: 'chats-circle',
    name: text('Someone replied to a dispute'),
    title: () => text('{other} replied to your dispute'),
    text: (notice) => [sum(notice), proposeIf(notice)],
    quote: theyWrote,
    button: openWork,
    mail: {
      subject: () => text('{other} replied to your dispute: {job}'),
      details: () => [text('Either side can now propose an amount.')],
      facts: ({ money, zoned }) => [
        [labels.amount, money],
        [text('Propose by'), zoned.by],
      ],
      why: why.work,
    },
  },
  'dispute-proposal': {
    group: 'hours',
    to: 'either side',
    when: 'the other proposed an amount',
    link: 'work',
    waiting: true,
    icon: 'hand-coins',
    name: text('An amount is proposed in a dispute'),
    title: () => text('{other} proposed an amount'),
    text: (notice) => [sum(notice), replyIf(notice)],
    quote: theyWrote,
    button: text('See the proposal'),
    mail: {
      subject: () => text('{other} proposed to settle the dispute: {job}'),
      details: () => [text('Accept it to settle the dispute, or propose another amount.')],
      facts: (notice) => [[text('Proposed amount'), notice.money], replyFact(notice)],
      why: why.work,
    },
  },
  'dispute-escalated': {
    group: 'hours',
    to: 'both sides',
    when: 'it was not settled in time',
    link: 'work',
    icon: 'shield-check',
    name: text('Our team reviews a dispute'),
    title: () => text('Our team is now reviewing your dispute'),
    text: ({ by }) => [forJob, by && text("We'll decide by {by}.")],
    button: openWork,
    mail: {
      subject: () => text("We're reviewing your dispute: {job}"),
      details: () => [
        text(
          "You and {other} didn't settle it in time. Someone on our team reads what both sides said and decides.",
        ),
      ],
      facts: ({ zoned }) => [[text('Decision by'), zoned.by]],
      why: why.work,
    },
  },
  'dispute-settled': {
    group: 'hours',
    to: 'both sides',
    when: 'its amount is final',
    link: 'work',
    icon: 'check-circle',
    name: text('A dispute was settled'),
    title: ({ variant }) =>
      variant === 'decided' ? text('We decided your dispute') : text('Your dispute is settled'),
    text: (notice) => [sum(notice)],
    quote: { part: 'note', lead: text('Reason'), only: ({ variant }) => variant === 'decided' },
    button: openWork,
    mail: {
      subject: () => text('Dispute settled: {job}'),
      details: (notice) => [settlement(notice)],
      facts: ({ money }) => [[text('Settled amount'), money]],
      why: why.work,
    },
  },
} satisfies Topics;
