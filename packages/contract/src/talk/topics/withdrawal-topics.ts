import type { NoticeFacts } from './notice-facts.ts';
import { refusalText } from './payment-topics.ts';
import { type Text, text } from './text.ts';
import { type Fact, labels, noAction, type Topics, why } from './topic.ts';

const amount = ({ money }: NoticeFacts): Text | false => money !== '' && text('{money}.');
const amountFact = ({ money }: NoticeFacts): Fact => [labels.amount, money];
const viewBalance = text('View my balance');
const backInBalance = text('The money is back in your balance.');
const checkAccount = text('Check the bank account or choose another one.');
const changePassword = text('Not you? Change your password now.');

const payoutAccountTitles = {
  due: text('The payment provider needs more from you'),
  paused: text('Your payouts are paused'),
  on: text('Your payouts are on again'),
  closed: text('Your payout account was closed'),
};
const payoutAccountTitle = ({ variant }: NoticeFacts): Text =>
  variant === 'paused' || variant === 'on' || variant === 'closed'
    ? payoutAccountTitles[variant]
    : payoutAccountTitles.due;

export const withdrawalTopics = {
  'money-cleared': {
    group: 'money',
    to: 'worker',
    when: 'pay became available',
    link: 'balance',
    locked: ['app'],
    icon: 'wallet',
    name: text('Pay is ready to withdraw'),
    title: () => text('Your pay is ready to withdraw'),
    text: (notice) => [amount(notice), notice.more !== '' && text('{more} more clears within 24 hours.')],
    button: viewBalance,
    mail: {
      subject: ({ money }) =>
        money ? text('Ready to withdraw: {money}') : text('Your pay is ready to withdraw'),
      details: () => [text('You can withdraw it now.')],
      facts: (notice) => [amountFact(notice)],
      why: why.balance,
    },
  },
  'withdrawal-requested': {
    group: 'money',
    to: 'worker',
    when: 'a withdrawal was requested',
    link: 'balance',
    urgent: true,
    locked: ['app', 'email'],
    icon: 'wallet',
    name: text('A withdrawal was requested'),
    title: () => text('A withdrawal was requested'),
    text: (notice) => [amount(notice), notice.by ? text('Not you? Cancel it by {by}.') : changePassword],
    button: viewBalance,
    mail: {
      subject: ({ money }) => (money ? text('Withdrawal requested: {money}') : text('Withdrawal requested')),
      details: ({ by }) => [
        text('It goes to the bank account you chose.'),
        by
          ? text("If it wasn't you, also change your password now.")
          : text("If it wasn't you, also contact us."),
      ],
      facts: (notice) => [amountFact(notice), [text('Can be cancelled until'), notice.zoned.by]],
      why: why.balance,
    },
  },
  'withdrawal-in-review': {
    group: 'money',
    to: 'worker',
    when: 'a withdrawal goes to a bank account of another name, and Nearhand checks it first',
    link: 'balance',
    urgent: true,
    locked: ['app', 'email'],
    icon: 'clock',
    name: text('A withdrawal is being checked'),
    title: () => text("We're checking your bank account"),
    text: (notice) => [
      amount(notice),
      text("The account holder isn't your verified name."),
      notice.by && text('We usually decide by {by}.'),
    ],
    button: text('View withdrawal'),
    mail: {
      subject: ({ money }) =>
        money ? text('Withdrawal being checked: {money}') : text('Your withdrawal is being checked'),
      details: () => [
        text(
          "The account holder's name isn't the name we verified, so a person on our team looks at it first.",
        ),
        text('You can cancel it until we decide. The money is then back in your balance.'),
        text("If it wasn't you, cancel it and change your password now."),
      ],
      facts: (notice) => [amountFact(notice), [text('We usually decide by'), notice.zoned.by]],
      why: why.balance,
    },
  },
  'withdrawal-sent': {
    group: 'money',
    to: 'worker',
    when: 'a withdrawal is on its way',
    link: 'balance',
    locked: ['app', 'email'],
    icon: 'wallet',
    name: text('A withdrawal is on its way'),
    title: () => text('Your money is on its way'),
    text: (notice) => [amount(notice), notice.by && text('Expected {by}.')],
    button: viewBalance,
    mail: {
      subject: ({ money }) => (money ? text('On its way: {money}') : text('Your money is on its way')),
      details: () => [noAction, text("We'll let you know when it arrives.")],
      facts: (notice) => [amountFact(notice), [text('Expected'), notice.zoned.by]],
      why: why.balance,
    },
  },
  'withdrawal-paid': {
    group: 'money',
    to: 'worker',
    when: 'a withdrawal arrived',
    link: 'balance',
    locked: ['app'],
    icon: 'check-circle',
    name: text('A withdrawal arrived'),
    title: () => text('Your money has arrived'),
    text: (notice) => [amount(notice)],
    button: viewBalance,
    mail: {
      subject: ({ money }) => (money ? text('Arrived: {money}') : text('Your money has arrived')),
      details: () => [text("It's in your bank account now.")],
      facts: (notice) => [amountFact(notice)],
      why: why.balance,
    },
  },
  'withdrawal-failed': {
    group: 'money',
    to: 'worker',
    when: 'a withdrawal failed',
    link: 'balance',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'warning-circle',
    name: text('A withdrawal failed'),
    title: () => text('Your withdrawal failed'),
    text: (notice) => [amount(notice), backInBalance],
    button: text('View withdrawal'),
    mail: {
      subject: ({ money }) => (money ? text('Withdrawal failed: {money}') : text('Withdrawal failed')),
      details: (notice) => [refusalText(notice), checkAccount],
      facts: (notice) => [amountFact(notice)],
      why: why.balance,
    },
  },
  'withdrawal-returned': {
    group: 'money',
    to: 'worker',
    when: 'the bank returned a withdrawal',
    link: 'balance',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'warning-circle',
    name: text('The bank returned a withdrawal'),
    title: () => text('Your bank returned the withdrawal'),
    text: (notice) => [amount(notice), backInBalance],
    button: text('View withdrawal'),
    mail: {
      subject: ({ money }) => (money ? text('Withdrawal returned: {money}') : text('Withdrawal returned')),
      details: (notice) => [refusalText(notice), checkAccount],
      facts: (notice) => [amountFact(notice)],
      why: why.balance,
    },
  },
  'payout-method-added': {
    group: 'account',
    to: 'worker',
    when: 'a bank account was added',
    link: 'balance',
    urgent: true,
    locked: ['app', 'email'],
    icon: 'wallet',
    name: text('A bank account was added'),
    title: () => text('A bank account was added'),
    text: ({ by }) => [by && text('You can use it from {by}.'), changePassword],
    button: viewBalance,
    mail: {
      subject: () => text('A bank account was added to your balance'),
      details: () => [text("If it wasn't you, also remove the account.")],
      facts: ({ zoned }) => [[text('Can be used from'), zoned.by]],
      why: why.balance,
    },
  },
  'identity-checked': {
    group: 'account',
    to: 'worker',
    when: 'the identity check for payouts was decided',
    link: 'balance',
    icon: 'seal-check',
    name: text('Your identity was checked'),
    title: ({ variant }) =>
      variant === 'verified' ? text("You're verified for payouts") : text("We couldn't verify your identity"),
    text: ({ variant }) => [
      variant === 'verified'
        ? text('From now on, new pay is available right away.')
        : text("The details didn't match. Check them and submit them again."),
    ],
    button: viewBalance,
    mail: {
      subject: ({ variant }) =>
        variant === 'verified'
          ? text("You're verified for payouts")
          : text("We couldn't verify your identity"),
      why: why.balance,
    },
  },
  'payout-account': {
    group: 'account',
    to: 'worker',
    when: 'the payment provider needs more by a date, pays no withdrawals, pays them again, or closed the account',
    link: 'balance',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'warning-circle',
    name: text('Your payout account changed'),
    title: payoutAccountTitle,
    text: ({ variant, by }) => [
      by && text('Add it by {by}.'),
      variant === 'due' && text('Until then, withdrawals go out as usual.'),
      variant === 'paused' &&
        text('The payment provider needs more from you. Withdrawals wait and go out by themselves.'),
      variant === 'on' && text('Withdrawals that waited are on their way.'),
      variant === 'closed' && text('Your balance is still yours. Ask us what you can do.'),
    ],
    button: viewBalance,
    mail: {
      subject: payoutAccountTitle,
      details: ({ variant }) => [
        variant === 'due' &&
          text('After that, withdrawals would wait. You keep working and earning either way.'),
        variant === 'paused' &&
          text('You keep working and earning, and new pay joins your balance as always.'),
      ],
      facts: ({ variant, zoned }) => (variant === 'due' ? [[text('Needed by'), zoned.by]] : []),
      why: why.balance,
    },
  },
} satisfies Topics;
