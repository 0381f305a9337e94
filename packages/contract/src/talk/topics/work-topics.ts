import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import {
  type Fact,
  labels,
  noAction,
  openWork,
  replyBy,
  spotAfter,
  type Topics,
  theyWrote,
  why,
  workText,
} from './topic.ts';

const whenFact = ({ zoned }: NoticeFacts): Fact => [labels.when, zoned.when];
const plannedFact = ({ zoned }: NoticeFacts): Fact => [labels.planned, zoned.when];
const firstShift = (notice: NoticeFacts): Text =>
  notice.when ? text('The first shift is {when}.') : workText(notice);
const shiftText = (notice: NoticeFacts): Text =>
  notice.when && notice.money ? text('{job}, {when}, {money}.') : workText(notice);

function openText(variant: string): Text {
  if (variant === 'swap') return text('A colleague wants to swap shifts with you at {business}');
  return variant === 'named'
    ? text('A colleague offers you a shift at {business}')
    : text('Can you take this shift at {business}?');
}
function endedText(variant: string): Text {
  if (variant === 'declined') return text("Your colleague can't take your shift");
  if (variant === 'refused') return text("{business} didn't agree to the change of worker");
  if (variant === 'expired') return text("The shift wasn't given away in time");
  return variant === 'stepped-back'
    ? text("They can't take your shift after all")
    : text('The shift is no longer open');
}
function changeEndText({ variant, count, forBusiness }: NoticeFacts): Text {
  if (count > 1 && variant === 'accepted')
    return text('{worker} accepted your change of {count} shifts: {job}');
  if (count > 1 && variant === 'declined')
    return text('{worker} keeps {count} shifts as you agreed them: {job}');
  if (count > 1 && variant === 'withdrawn')
    return text('{business} took its change of {count} shifts back: {job}');
  if (variant === 'accepted') return text('{worker} accepted your change: {job}');
  if (variant === 'declined') return text('{worker} keeps what you agreed: {job}');
  if (variant === 'cancelled') return text('{worker} left the shift: {job}');
  if (variant === 'withdrawn') return text('{business} took its change back: {job}');
  return forBusiness
    ? text('{worker} didn’t answer your change: {job}')
    : text('Your shift stays as agreed: {job}');
}
function dayOffText({ variant, forBusiness }: NoticeFacts): Text {
  if (variant === 'refused') return text('{business} needs you that day: {job}');
  if (variant === 'withdrawn') return text('{worker} is coming after all: {job}');
  return forBusiness ? text('{worker} has the day off: {job}') : text('You have the day off: {job}');
}
function dayOffEffects(notice: NoticeFacts): (Text | false)[] {
  const { variant, forBusiness } = notice;
  if (variant === 'refused')
    return [text('You stay booked. If you can’t come, cancel on time or give the shift away.')];
  if (variant === 'withdrawn') return [text('They stay booked.')];
  return forBusiness
    ? [text('You didn’t answer their request.'), spotAfter(notice)]
    : [text('It doesn’t count against you, and your other days stay booked.')];
}
function openAdvice({ variant }: NoticeFacts): Text {
  if (variant === 'swap') return text('Open it to see both shifts, then accept or decline.');
  return variant === 'named'
    ? text('They asked only you. Take it or decline.')
    : text("Someone who was booked can't make it. The first to take it gets it.");
}
function proposedWork(notice: NoticeFacts): Text {
  if (notice.count > 1) return firstShift(notice);
  return notice.changes.length > 0 ? text('{job}.') : workText(notice);
}
function afterProposal(notice: NoticeFacts): Text | false {
  const { variant, count } = notice;
  if (variant === 'accepted') return text('The new terms apply.');
  if (variant === 'cancelled') return spotAfter(notice);
  return count > 1 ? text('The shifts stay as agreed.') : text('The shift stays as agreed.');
}
const confirmShift = text('Confirm shift');

export const workTopics = {
  'engagement-confirm-asked': {
    group: 'shift',
    to: 'worker',
    when: '36 and 20 hours before the start, never at night',
    link: 'work',
    waiting: true,
    icon: 'calendar-check',
    name: text("Confirm you'll be there"),
    title: () => text("Confirm you'll be there: {job}"),
    text: ({ when, by, variant }) => [
      when && text('{when}.'),
      by && (variant === 'or-lost' ? text('Confirm by {by}, or the spot goes to someone else.') : replyBy),
    ],
    button: confirmShift,
    mail: {
      subject: ({ when }) =>
        when ? text('Will you be there? {job}, {when}') : text('Will you be there? {job}'),
      details: ({ variant }) => [
        text(
          "{business} is counting on you. If you can't make it, cancel now so that someone else can take the spot.",
        ),
        variant === 'or-lost' && text('If you don’t answer, it counts as a late cancellation.'),
      ],
      facts: (notice) => [whenFact(notice), [labels.replyBy, notice.zoned.by]],
      why: why.work,
    },
  },
  'engagement-confirmed': {
    group: 'shift',
    to: 'business',
    when: 'the worker confirmed',
    link: 'work',
    icon: 'check-circle',
    name: text('A worker confirmed'),
    title: ({ count }) =>
      count > 1 ? text('{worker} confirmed {count} shifts') : text('{worker} confirmed'),
    text: (notice) => [workText(notice)],
    button: openWork,
    mail: {
      subject: () => text('{worker} confirmed: {job}'),
      details: () => [noAction],
      facts: (notice) => [whenFact(notice)],
      why: why.hires,
    },
  },
  'engagement-not-confirmed': {
    group: 'shift',
    to: 'business',
    when: 'the worker did not confirm in time',
    link: 'work',
    urgent: true,
    icon: 'warning-circle',
    name: text("A worker hasn't confirmed"),
    title: ({ forBusiness, variant, spotProblem }) => {
      if (variant === 'lost' && !forBusiness)
        return text('You didn’t confirm, so the spot goes to someone else');
      if (variant === 'lost')
        return spotProblem === ''
          ? text('{worker} didn’t confirm, so the spot is open again')
          : text('{worker} didn’t confirm, so the booking ended');
      return forBusiness ? text("{worker} hasn't confirmed yet") : text("You haven't confirmed yet");
    },
    text: (notice) => [
      workText(notice),
      notice.by !== '' && !notice.forBusiness && replyBy,
      notice.variant === 'lost' && !notice.forBusiness && text('It counts as a late cancellation.'),
      notice.variant === 'lost' &&
        notice.forBusiness &&
        (notice.spotProblem === ''
          ? text('The waitlist and people who worked for you are asked.')
          : spotAfter(notice)),
    ],
    button: (notice) => (notice.forBusiness || notice.variant === 'lost' ? openWork(notice) : confirmShift),
    mail: {
      subject: ({ forBusiness, variant, spotProblem }) => {
        if (variant === 'lost' && !forBusiness) return text('You lost the spot: {job}');
        if (variant === 'lost')
          return spotProblem === '' ? text('The spot is open again: {job}') : text('Booking ended: {job}');
        return forBusiness
          ? text('Not confirmed: {worker}, {job}')
          : text("You haven't confirmed yet: {job}");
      },
      details: ({ forBusiness, variant }) => {
        if (variant === 'lost')
          return forBusiness
            ? [text('Your money stays with you until someone else is hired.')]
            : [text('We asked you twice and got no answer. You’re free at that time again.')];
        return forBusiness
          ? [text("They're still booked. Check with them while there's time.")]
          : [text("You're still booked, and {business} knows you haven't replied.")];
      },
      facts: (notice) => [whenFact(notice), [labels.replyBy, !notice.forBusiness && notice.zoned.by]],
      why: why.work,
    },
  },
  'engagement-checked-in': {
    group: 'shift',
    to: 'business',
    when: 'the worker checked in',
    link: 'work',
    icon: 'map-pin',
    name: text('A worker checked in'),
    title: () => text('{worker} checked in'),
    text: (notice) => [workText(notice)],
    button: openWork,
    mail: {
      subject: () => text('{worker} checked in: {job}'),
      facts: (notice) => [plannedFact(notice)],
      why: why.hires,
    },
  },
  'engagement-running-late': {
    group: 'shift',
    to: 'business',
    when: 'the worker said they will be late',
    link: 'work',
    urgent: true,
    icon: 'clock-countdown',
    name: text('A worker is running late'),
    title: () => text('{worker} is running late'),
    text: (notice) => [
      workText(notice),
      notice.variant === '15' && text('They expect to be 15 minutes late.'),
      notice.variant === '30' && text('They expect to be 30 minutes late.'),
      notice.variant === '60' && text('They expect to be an hour late.'),
    ],
    quote: theyWrote,
    button: openWork,
    mail: {
      subject: () => text('Running late: {worker}, {job}'),
      facts: (notice) => [plannedFact(notice)],
      why: why.hires,
    },
  },
  'engagement-time-recorded': {
    group: 'shift',
    to: 'worker',
    when: 'a manager checked them in or out',
    link: 'work',
    icon: 'map-pin',
    name: text('A manager recorded your time'),
    title: ({ variant }) => {
      if (variant === 'sent_home') return text('{business} ended your shift early');
      return variant === 'check_in' ? text('{business} checked you in') : text('{business} checked you out');
    },
    text: (notice) => [
      workText(notice),
      notice.variant === 'sent_home' &&
        text('If you came on time, you get at least the minimum you agreed on.'),
      text("If the time isn't right, contest it."),
    ],
    quote: theyWrote,
    button: openWork,
    mail: {
      subject: ({ variant }) =>
        variant === 'check_in' ? text('You were checked in: {job}') : text('You were checked out: {job}'),
      facts: (notice) => [plannedFact(notice)],
      why: why.work,
    },
  },
  'engagement-time-contested': {
    group: 'shift',
    to: 'business',
    when: 'the worker contested a recorded time',
    link: 'work',
    icon: 'info',
    name: text('A recorded time was contested'),
    title: ({ variant }) =>
      variant === 'check_in'
        ? text('{worker} contested the check-in you recorded')
        : text('{worker} contested the check-out you recorded'),
    text: (notice) => [workText(notice)],
    quote: theyWrote,
    button: openWork,
    mail: {
      subject: () => text('Recorded time contested: {worker}, {job}'),
      facts: (notice) => [plannedFact(notice)],
      why: why.hires,
    },
  },
  'engagement-changed': {
    group: 'shift',
    to: 'worker',
    when: 'the business raised the pay or changed the details of booked work',
    link: 'work',
    icon: 'pencil-simple',
    name: text('Booked work changed'),
    title: ({ variant, count }) => {
      if (variant === 'pay')
        return count > 1
          ? text('{business} raised your pay for {count} shifts')
          : text('{business} raised your pay');
      return count > 1
        ? text('{business} changed the details of {count} shifts')
        : text('{business} changed the details of a shift');
    },
    text: ({ variant, money }) => {
      if (variant !== 'pay')
        return [text('Read the new details of {job}. Time, place and pay stay as agreed.')];
      return money
        ? [text('You’ll get {money} more for {job}. The rest stays as agreed.')]
        : [text('You’ll get more for {job}. The rest stays as agreed.')];
    },
    button: openWork,
    mail: {
      subject: ({ variant }) => (variant === 'pay' ? text('Higher pay: {job}') : text('Changed: {job}')),
      facts: (notice) => (notice.count > 1 ? [] : [plannedFact(notice)]),
      why: why.work,
    },
  },
  'shift-change-asked': {
    group: 'shift',
    to: 'worker',
    when: 'the business wants to change the time, place or pay of booked work',
    link: 'work',
    waiting: true,
    urgent: true,
    icon: 'pencil-simple',
    name: text('A change to your shift'),
    title: ({ count }) =>
      count > 1
        ? text('{business} wants to change {count} of your shifts')
        : text('{business} wants to change your shift'),
    text: (notice) => [
      proposedWork(notice),
      notice.by !== '' &&
        text('Accept or keep what you agreed by {by}. If you don’t answer, nothing changes for you.'),
    ],
    button: text('See the change'),
    mail: {
      subject: () => text('A change to your shift: {job}'),
      details: () => [text('If it doesn’t suit you, you can also leave the shift without a mark.')],
      facts: (notice) => [
        ...(notice.count > 1 ? [] : [plannedFact(notice)]),
        [labels.replyBy, notice.zoned.by],
      ],
      why: why.work,
    },
  },
  'shift-change-ended': {
    group: 'shift',
    to: 'either side',
    when: 'a proposed change of booked work was answered, expired or withdrawn',
    link: 'work',
    icon: 'info',
    name: text('A shift change was answered'),
    title: changeEndText,
    text: (notice) => [notice.count > 1 ? firstShift(notice) : workText(notice), afterProposal(notice)],
    button: openWork,
    mail: {
      subject: changeEndText,
      facts: (notice) => (notice.count > 1 ? [] : [plannedFact(notice)]),
      why: why.work,
    },
  },
  'day-off-asked': {
    group: 'shift',
    to: 'business',
    when: 'a worker asks for a day off one date of a series',
    link: 'work',
    waiting: true,
    icon: 'calendar-x',
    name: text('Someone asks for a day off'),
    title: () => text('{worker} asks for a day off: {job}'),
    text: ({ when, by }) => [
      when && text('{when}.'),
      by && text('If you don’t answer by {by}, they have it off and the spot opens again.'),
    ],
    quote: theyWrote,
    button: text('Answer'),
    mail: {
      subject: () => text('{worker} asks for a day off: {job}'),
      details: () => [text('Their other days stay booked. A day off costs nothing.')],
      facts: (notice) => [plannedFact(notice), [labels.replyBy, notice.zoned.by]],
      why: why.work,
    },
  },
  'day-off-answered': {
    group: 'shift',
    to: 'either side',
    when: 'a day off was granted, by silence too, refused, or is no longer asked for',
    link: 'work',
    icon: 'info',
    name: text('A day-off request was answered'),
    title: dayOffText,
    text: (notice) => [workText(notice), ...dayOffEffects(notice)],
    button: openWork,
    mail: {
      subject: dayOffText,
      facts: (notice) => [plannedFact(notice)],
      why: why.work,
    },
  },
  'engagement-cancelled': {
    group: 'shift',
    to: 'either side',
    when: 'the other cancelled the work',
    link: 'work',
    urgent: true,
    icon: 'calendar-x',
    name: text('Work was cancelled'),
    title: ({ forBusiness }) =>
      forBusiness ? text('{worker} cancelled: {job}') : text('{business} cancelled: {job}'),
    text: (notice) => [
      notice.when && text('{when}.'),
      notice.forBusiness && spotAfter(notice),
      !notice.forBusiness && notice.compensation && text("You'll get {compensation} in compensation."),
      !notice.forBusiness &&
        !notice.compensation &&
        (notice.when ? text("You don't need to come.") : text("You don't need to do it.")),
    ],
    quote: theyWrote,
    button: openWork,
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness ? text('{worker} cancelled: {job}') : text('{business} cancelled: {job}'),
      details: ({ forBusiness, spotProblem }) => [
        forBusiness &&
          spotProblem === '' &&
          text('If the job has a waitlist, the spot is offered there first.'),
      ],
      facts: (notice) => [
        plannedFact(notice),
        [text('Compensation'), !notice.forBusiness && notice.compensation],
      ],
      why: why.work,
    },
  },
  'engagement-no-show': {
    group: 'shift',
    to: 'worker',
    when: 'the business reported a no-show',
    link: 'work',
    waiting: true,
    icon: 'warning',
    name: text('You were reported as a no-show'),
    title: ({ forBusiness }) =>
      forBusiness ? text('{worker} was reported as a no-show') : text('{business} reported you as a no-show'),
    text: (notice) => [
      workText(notice),
      notice.forBusiness && notice.by !== '' && text('They can contest it until {by}.'),
      !notice.forBusiness &&
        (notice.by ? text("If that's wrong, contest it by {by}.") : text("If that's wrong, contest it.")),
    ],
    quote: { ...theyWrote, only: ({ forBusiness }) => !forBusiness },
    button: (notice) => (notice.forBusiness ? openWork(notice) : text('See the report')),
    mail: {
      subject: () => text('Reported as a no-show: {job}'),
      details: ({ forBusiness }) => [
        !forBusiness &&
          text("If you don't reply, the report stands: nothing is paid and it affects your reliability."),
      ],
      facts: (notice) => [plannedFact(notice), [text('Contest by'), notice.zoned.by]],
      why: why.work,
    },
  },
  'engagement-contested': {
    group: 'shift',
    to: 'business',
    when: 'the worker contested the report',
    link: 'work',
    icon: 'info',
    name: text('Your no-show report was contested'),
    title: ({ forBusiness }) =>
      forBusiness ? text('{worker} contested your no-show report') : text('You contested the no-show report'),
    text: (notice) => [workText(notice), text("We're reviewing what both sides say.")],
    quote: { ...theyWrote, only: ({ forBusiness }) => forBusiness },
    button: openWork,
    mail: {
      subject: () => text('No-show report contested: {job}'),
      details: () => [text('Nothing is decided until then.')],
      facts: (notice) => [plannedFact(notice)],
      why: why.work,
    },
  },
  'engagement-no-show-decided': {
    group: 'shift',
    to: 'both sides',
    when: 'an operator decided a contested report',
    link: 'work',
    icon: 'shield-check',
    name: text('A contested no-show was decided'),
    title: ({ forBusiness, variant }) => {
      if (variant === 'worked')
        return forBusiness ? text('We decided that {worker} worked') : text('We decided that you worked');
      return text('We decided that the no-show report stands');
    },
    text: (notice) => [workText(notice), notice.money && text('The pay is {money}.')],
    quote: { part: 'note', lead: text('Reason') },
    button: openWork,
    mail: {
      subject: () => text('No-show report decided: {job}'),
      details: ({ forBusiness, variant }) => {
        if (variant === 'worked') return [text('The report no longer counts.')];
        return forBusiness
          ? [text("Nothing is paid, and it affects {worker}'s reliability.")]
          : [text('Nothing is paid, and it affects your reliability.')];
      },
      facts: (notice) => [plannedFact(notice), [labels.pay, notice.money]],
      why: why.work,
    },
  },
  'giveaway-open': {
    group: 'shift',
    to: 'worker',
    when: 'someone they may replace gives away a shift',
    link: 'giveaway',
    waiting: true,
    icon: 'users',
    name: text('A shift you can take over'),
    title: ({ variant }) => openText(variant),
    text: (notice) => [shiftText(notice), openAdvice(notice)],
    button: text('View shift'),
    mail: {
      subject: ({ variant }) =>
        variant === 'swap' ? text('Swap shifts? {job}') : text('Can you take this shift? {job}'),
      details: () => [text("You've worked there before or are on their list. You don't need to apply.")],
      facts: (notice) => [whenFact(notice), [labels.pay, notice.money]],
      why: text("You're receiving this because you worked for this business or are on one of its lists."),
    },
  },
  'giveaway-taken': {
    group: 'shift',
    to: 'either side',
    when: 'someone takes a shift that is given away, and the business has to agree',
    link: 'giveaway',
    waiting: 'business',
    icon: 'users',
    name: text('Someone wants to take over a shift'),
    title: ({ forBusiness }) =>
      forBusiness ? text('{worker} wants to take over a shift') : text('Someone wants to take your shift'),
    text: (notice) => [
      workText(notice),
      notice.forBusiness
        ? text('Until you agree, the shift stays as booked.')
        : text("It's still yours until {business} agrees."),
    ],
    button: text('View shift'),
    mail: {
      subject: ({ forBusiness }) =>
        forBusiness
          ? text('{worker} wants to take over a shift: {job}')
          : text('Someone wants to take your shift: {job}'),
      facts: (notice) => [whenFact(notice)],
      why: why.work,
    },
  },
  'giveaway-done': {
    group: 'shift',
    to: 'both sides',
    when: 'a shift was given away',
    link: 'giveaway',
    icon: 'check-circle',
    name: text('A shift was given away'),
    title: ({ forBusiness, variant }) => {
      if (variant === 'swapped')
        return forBusiness ? text('Two workers swapped their shifts') : text('You swapped shifts');
      if (forBusiness) return text('{worker} took over a shift');
      return variant === 'taker' ? text('The shift is yours') : text('Your shift was taken over');
    },
    text: (notice) => [
      shiftText(notice),
      !notice.forBusiness &&
        notice.variant === 'swapped' &&
        text("You're booked for each other's shift now, on its terms."),
      !notice.forBusiness &&
        notice.variant === 'giver' &&
        text("You're no longer booked, and it doesn't affect your reliability."),
    ],
    button: text('View shift'),
    mail: {
      subject: ({ forBusiness, variant }) => {
        if (variant === 'swapped') return text('Shifts swapped: {job}');
        if (forBusiness) return text('{worker} took over a shift: {job}');
        return variant === 'taker'
          ? text('The shift is yours: {job}')
          : text('Your shift was taken over: {job}');
      },
      facts: (notice) => [whenFact(notice)],
      why: why.work,
    },
  },
  'giveaway-ended': {
    group: 'shift',
    to: 'worker',
    when: 'a shift was not given away after all',
    link: 'giveaway',
    icon: 'info',
    name: text("A shift wasn't given away"),
    title: ({ variant }) => endedText(variant),
    text: (notice) => [
      workText(notice),
      notice.variant === 'stepped-back'
        ? text("It's open to others again.")
        : text('The worker who was booked keeps it.'),
    ],
    button: text('View shift'),
    mail: {
      subject: () => text("The shift wasn't given away: {job}"),
      facts: (notice) => [whenFact(notice)],
      why: why.work,
    },
  },
} satisfies Topics;
