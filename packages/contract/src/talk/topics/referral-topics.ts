import { text } from './text.ts';
import { labels, noAction, type Topics } from './topic.ts';

const invites = text("You're receiving this because you take part in invitations on Nearhand.");
const seeInvites = text('See your invitations');

/** Referrals and their rewards. The other person's first name is in `workerName`. */
export const referralTopics = {
  'referral-joined': {
    group: 'account',
    to: 'both sides',
    when: 'someone joined by your invite link',
    link: 'referrals',
    gathers: true,
    icon: 'user-plus',
    name: text('Someone joined by your invite link'),
    title: ({ variant }) =>
      variant === 'named' ? text('{worker} joined Nearhand') : text('Someone you invited joined Nearhand'),
    text: () => [text("You'll both get your reward once they've earned enough on Nearhand.")],
    button: seeInvites,
    mail: {
      subject: ({ variant }) =>
        variant === 'named' ? text('{worker} joined by your link') : text('Someone joined by your link'),
      why: invites,
    },
  },
  'referral-rewarded': {
    group: 'money',
    to: 'both sides',
    when: 'a referral reward was paid',
    link: 'referrals',
    locked: ['app'],
    icon: 'hand-coins',
    name: text('A referral reward'),
    title: ({ money }) =>
      money ? text('You got {money} for an invitation') : text('You got a referral reward'),
    text: ({ variant }) => [
      variant === 'credit'
        ? text("It's credit for your business: it pays for your next hires before your own money does.")
        : text("It's on your balance, and you can withdraw it."),
    ],
    button: seeInvites,
    mail: {
      subject: ({ money }) => (money ? text('Referral reward: {money}') : text('Your referral reward')),
      details: () => [noAction],
      facts: ({ money }) => [[labels.amount, money]],
      why: invites,
    },
  },
  'referral-refused': {
    group: 'money',
    to: 'both sides',
    when: 'a referral reward was refused after a check',
    link: 'referrals',
    locked: ['app'],
    icon: 'warning-circle',
    name: text('A referral reward was refused'),
    title: () => text("We couldn't pay a referral reward"),
    text: () => [text("The invitation doesn't meet the terms.")],
    quote: { part: 'all', lead: text('Our reason') },
    button: seeInvites,
    mail: { subject: () => text("We couldn't pay a referral reward"), why: invites },
  },
  'referral-reversed': {
    group: 'money',
    to: 'both sides',
    when: 'an operator took a referral reward back that should not have been paid',
    link: 'balance',
    locked: ['app'],
    icon: 'warning-circle',
    name: text('A referral reward was corrected'),
    title: () => text('A referral reward was reversed'),
    text: ({ money }) => [money !== '' && text('{money}.')],
    quote: { part: 'all', lead: text('Our reason') },
    button: text('View my balance'),
    mail: {
      subject: () => text('A referral reward was reversed'),
      details: () => [text('It should not have been paid. Write to us if you disagree.')],
      why: invites,
    },
  },
} satisfies Topics;
