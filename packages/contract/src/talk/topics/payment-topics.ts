import type { NoticeFacts } from './notice-facts.ts';
import { type Text, text } from './text.ts';
import {
  type Fact,
  forJob,
  hireOnceFunded,
  labels,
  needsSomeone,
  noAction,
  openWork,
  spotAfter,
  type Topics,
  theyWrote,
  why,
} from './topic.ts';

/** The amount and its job; just the amount for money that belongs to no job. */
export function amountText({ money, hasJob }: NoticeFacts): Text | false {
  if (!hasJob) return money !== '' && text('{money}.');
  return money ? text('{money}, for {job}.') : forJob;
}
const reportedTitle = ({ year }: NoticeFacts): Text =>
  year
    ? text('We reported your pay of {year} to the tax office')
    : text('We reported your pay to the tax office');
const amountFact = ({ money }: NoticeFacts): Fact => [labels.amount, money];

const refusals: Record<string, Text> = {
  card_declined: text("The card's bank declined it."),
  insufficient_funds: text("The card didn't have enough money on it."),
  card_expired: text('The card has expired.'),
  authentication_failed: text("The payment wasn't confirmed."),
  account_closed: text('The bank says the account is closed.'),
  bank_rejected: text('The bank rejected it.'),
  instant_unavailable: text("The bank doesn't accept instant payments to this account."),
  limit_exceeded: text("It was above one of the bank's limits."),
};
export const refusalText = ({ variant }: NoticeFacts): Text =>
  (Object.hasOwn(refusals, variant) ? refusals[variant] : undefined) ??
  text("The payment provider couldn't process it.");

const isOffer = ({ variant }: NoticeFacts<'pay-not-set-aside'>): boolean =>
  variant === 'offer-failed' || variant === 'offer-soon';

function objection({ variant }: NoticeFacts): Text {
  if (variant === 'replaced')
    return text('A credit note takes the old document back, and a new invoice replaces it.');
  if (variant === 'amount') return text('They say the hours or the amount are wrong.');
  return variant === 'details'
    ? text('They say their details are wrong.')
    : text('They say something else is wrong.');
}

const viewStatement = text('View statement');
const viewBalance = text('View my balance');

export const paymentTopics = {
  'hold-unpaid': {
    group: 'money',
    to: 'business',
    when: 'an offer was not paid within 15 minutes',
    link: 'applicants',
    locked: ['app'],
    icon: 'warning-circle',
    name: text("An offer wasn't paid in time"),
    title: () => text("Your offer to {worker} wasn't sent"),
    text: () => [text("The pay for {job} wasn't secured in time.")],
    button: text('See applicants'),
    mail: {
      subject: () => text('Offer not sent: {worker}, {job}'),
      details: (notice) => [
        spotAfter(notice),
        notice.spotProblem === '' && text('You can make the offer again.'),
      ],
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'payment-failed': {
    group: 'money',
    to: 'business',
    when: 'a card was declined',
    link: 'applicants',
    urgent: true,
    locked: ['app'],
    waiting: true,
    icon: 'warning-circle',
    name: text('A card was declined'),
    title: () => text('Your card was declined'),
    text: (notice) => [amountText(notice), text('Pay with another card or from your balance.')],
    button: text('Pay another way'),
    mail: {
      subject: ({ hasJob, money }) =>
        hasJob || !money ? text('Payment failed: {job}') : text('Payment failed: {money}'),
      details: (notice) => [refusalText(notice), text("You weren't charged.")],
      facts: (notice) => [amountFact(notice), [text('Pay by'), notice.zoned.by]],
      why: why.hires,
    },
  },
  'payment-missing': {
    group: 'money',
    to: 'business',
    when: 'the secured money did not cover the agreed pay',
    link: 'work',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'hand-coins',
    name: text('Pay is still owed'),
    title: () => text('You still owe {worker} pay'),
    text: (notice) => [amountText(notice), text('Add the rest, and they get it right away.')],
    button: text('Pay the rest'),
    mail: {
      subject: () => text('Pay is owed: {worker}, {job}'),
      details: () => [text('The part that was secured has been paid.')],
      facts: ({ money }) => [[text('Still owed'), money]],
      why: why.hires,
    },
  },
  'pay-not-set-aside': {
    group: 'shift',
    to: 'both sides',
    when: 'the pay of a shift of a series could not be set aside in time: the first attempt, 48 hours before the deadline, and the end of the booking. Of an open offer only the business is notified',
    link: 'work',
    locked: ['app', 'email'],
    waiting: 'business',
    icon: 'hand-coins',
    name: text("Pay isn't set aside in time"),
    title: ({ forBusiness, variant }) => {
      if (variant === 'over')
        return forBusiness
          ? text('Booking ended, because the pay wasn’t set aside: {worker}')
          : text('Your shift was cancelled, because the pay wasn’t set aside');
      return text('The pay isn’t set aside yet: {job}');
    },
    text: (notice) => [
      notice.when && text('{when}.'),
      notice.variant === 'over'
        ? !notice.forBusiness && text('It doesn’t count against you.')
        : notice.by !== '' &&
          (notice.forBusiness
            ? notice.money !== '' &&
              (isOffer(notice)
                ? text('Add {money} or pay by card by {by}, or your offer to {worker} expires.')
                : text('Add {money} or pay by card by {by}, or the booking ends.'))
            : text(
                '{business} has until {by}. If they don’t pay, the booking ends and doesn’t count against you.',
              )),
    ],
    button: (notice) =>
      notice.forBusiness && notice.variant !== 'over' ? text('Set pay aside') : openWork(notice),
    mail: {
      subject: ({ variant }) =>
        variant === 'over' ? text('Booking ended: {job}') : text('The pay isn’t set aside yet: {job}'),
      details: (notice) => {
        const { forBusiness, variant } = notice;
        if (variant === 'over')
          return forBusiness
            ? [spotAfter(notice), needsSomeone(notice) && hireOnceFunded]
            : [text('You’re free at that time again.')];
        return [
          forBusiness
            ? text('We try your balance every six hours and your default card once a day.')
            : text('Nobody works before the pay is set aside.'),
        ];
      },
      facts: (notice) => [
        [labels.when, notice.zoned.when],
        notice.forBusiness && notice.variant !== 'over' ? amountFact(notice) : [labels.amount, false],
      ],
      why: why.work,
    },
  },
  'payment-needs-confirmation': {
    group: 'money',
    to: 'business',
    when: 'a bank asks the cardholder to confirm a payment',
    link: 'payment',
    urgent: true,
    locked: ['app'],
    waiting: true,
    icon: 'credit-card',
    name: text('A card payment needs confirmation'),
    title: () => text('Confirm a payment'),
    text: (notice) => [
      amountText(notice),
      text("The card's bank requires it."),
      notice.by && text('Confirm it by {by}.'),
    ],
    button: text('Confirm payment'),
    mail: {
      subject: ({ hasJob, money }) =>
        hasJob || !money ? text('Confirm a payment: {job}') : text('Confirm a payment: {money}'),
      details: () => [text("You won't be charged before that. Only the cardholder can confirm it.")],
      facts: (notice) => [amountFact(notice), [text('Confirm by'), notice.zoned.by]],
      why: why.hires,
    },
  },
  'spot-unfunded': {
    group: 'money',
    to: 'business',
    when: 'an open spot of an instant hire could not be funded',
    link: 'job',
    locked: ['app'],
    waiting: true,
    icon: 'hand-coins',
    name: text("An instant-hire spot isn't funded"),
    title: () => text("A spot isn't funded: {job}"),
    text: () => [text('Your balance is too low. Add money, then save the job again.')],
    button: text('View job'),
    mail: {
      subject: () => text("A spot isn't funded: {job}"),
      details: () => [text('Until then nobody can be hired instantly for it.')],
      facts: ({ money }) => [[text('For one spot'), money]],
      why: why.hires,
    },
  },
  'budget-asked': {
    group: 'money',
    to: 'business',
    when: 'a member asked to set aside more than a budget allows',
    link: 'statement',
    waiting: true,
    locked: ['app'],
    icon: 'wallet',
    name: text('Someone asks to go over a budget'),
    title: () => text('{worker} asks to go over a budget'),
    text: (notice) => [amountText(notice), text('Approve or refuse it.')],
    button: text('View request'),
    mail: {
      subject: () => text('Budget request from {worker}: {job}'),
      details: () => [text('Until then, the offer can’t be made.')],
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'budget-decided': {
    group: 'money',
    to: 'business',
    when: 'an owner decided on a budget request, for the member who asked',
    link: 'applicants',
    locked: ['app'],
    icon: 'wallet',
    name: text('Your budget request was decided'),
    title: ({ variant }) =>
      variant === 'approved'
        ? text('Your budget request was approved')
        : text('Your budget request was refused'),
    text: (notice) => [
      amountText(notice),
      notice.variant === 'approved' && text('You can make the offer now.'),
    ],
    quote: { part: 'all', lead: text('Reason') },
    button: text('View applicants'),
    mail: {
      subject: ({ variant }) =>
        variant === 'approved' ? text('Budget approved: {job}') : text('Budget refused: {job}'),
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'transfer-received': {
    group: 'money',
    to: 'business',
    when: 'money they transferred from their bank is on their balance',
    link: 'statement',
    locked: ['app', 'email'],
    icon: 'bank',
    name: text('A bank transfer arrived'),
    title: ({ money }) =>
      money ? text('{money} arrived by bank transfer') : text('A bank transfer arrived'),
    text: () => [text("It's on your balance now.")],
    button: viewStatement,
    mail: {
      subject: ({ money }) =>
        money ? text('{money} arrived by bank transfer') : text('A bank transfer arrived'),
      details: () => [text('Use it for your next hire.')],
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'credit-limit-set': {
    group: 'money',
    to: 'business',
    when: 'an operator set, changed or ended the credit limit of their business',
    link: 'statement',
    locked: ['app'],
    icon: 'hand-coins',
    name: text('Your credit limit changed'),
    title: ({ variant, money }) => {
      if (variant === 'ended') return text('Your credit limit has ended');
      return money ? text('Your credit limit is {money}') : text('Your credit limit changed');
    },
    text: ({ variant }) => [
      variant === 'ended'
        ? text('What you owe stays due on the same day. Booked work goes on, and is paid.')
        : text('You can set pay aside up to this limit, and pay by the end of the following month.'),
    ],
    quote: { part: 'all', lead: text('Our reason') },
    button: viewStatement,
    mail: {
      subject: ({ variant }) =>
        variant === 'ended' ? text('Your credit limit has ended') : text('Your credit limit changed'),
      details: () => [noAction],
      facts: ({ variant, money }) => [[variant === 'ended' ? text('Still owed') : text('Limit'), money]],
      why: why.balance,
    },
  },
  'credit-due': {
    group: 'money',
    to: 'business',
    when: 'a month began, and what was drawn in the one before is due at its end',
    link: 'statement',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'hand-coins',
    name: text('A payment for your credit limit is due'),
    title: ({ money, by }) =>
      money && by ? text('Pay {money} by {by}') : text('A payment for your credit limit is due'),
    text: () => [text('You drew it on your credit limit last month.')],
    button: text('See how to pay'),
    mail: {
      subject: ({ money, by }) =>
        money && by ? text('Due by {by}: {money}') : text('A payment for your credit limit is due'),
      details: () => [
        text(
          'Transfer it with the reference of your business, or add money by card. What arrives repays it at once.',
        ),
      ],
      facts: (notice) => [amountFact(notice), [text('Pay by'), notice.by]],
      why: why.balance,
    },
  },
  'credit-overdue': {
    group: 'money',
    to: 'business',
    when: 'what was drawn on a credit limit is 3, 10 or 17 days overdue, and when new hires stop',
    link: 'statement',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'warning-circle',
    name: text('A payment for your credit limit is overdue'),
    title: ({ variant, money }) => {
      if (variant === 'stopped') return text("You can't hire until you pay what is overdue");
      return money ? text('{money} is overdue') : text('A payment for your credit limit is overdue');
    },
    text: ({ variant, by }) => [
      variant === 'stopped'
        ? text('Booked work goes on, and is paid. Offers are possible again once the payment arrives.')
        : by && text('Pay it before {by} to keep hiring.'),
    ],
    button: text('See how to pay'),
    mail: {
      subject: ({ money }) =>
        money ? text('Overdue: {money}') : text('A payment for your credit limit is overdue'),
      details: () => [
        text(
          'Transfer it with the reference of your business, or add money by card. What arrives repays it at once.',
        ),
      ],
      facts: (notice) => [[text('Overdue'), notice.money]],
      why: why.balance,
    },
  },
  'payment-refunded': {
    group: 'money',
    to: 'business',
    when: 'money of the balance was refunded to a card',
    link: 'statement',
    locked: ['app'],
    gathers: true,
    icon: 'credit-card',
    name: text('Money was refunded to a card'),
    title: () => text('A refund to your card is on its way'),
    text: ({ money }) => [money && text('{money}.')],
    button: viewStatement,
    mail: {
      subject: ({ money }) => (money ? text('Refund to your card: {money}') : text('Refund to your card')),
      details: () => [text('It may take a few days to appear on the card.')],
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'payment-refund-failed': {
    group: 'money',
    to: 'business',
    when: 'a refund failed and the money is back in the balance',
    link: 'statement',
    locked: ['app', 'email'],
    icon: 'warning-circle',
    name: text('A refund to a card failed'),
    title: () => text('The refund to your card failed'),
    text: ({ money }) => [money && text('{money}.'), text('The money is back in your balance.')],
    button: viewStatement,
    mail: {
      subject: ({ money }) => (money ? text('Refund failed: {money}') : text('Refund failed')),
      details: () => [text('Try again, or use it for your next hire.')],
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'chargeback-opened': {
    group: 'money',
    to: 'business',
    when: 'a cardholder disputed a payment',
    link: 'statement',
    locked: ['app', 'email'],
    icon: 'warning-circle',
    name: text('A card payment is disputed'),
    title: () => text('A card payment is disputed'),
    text: ({ money }) => [
      money && text('{money}.'),
      text("What's left of it is on hold until the bank decides."),
    ],
    button: viewStatement,
    mail: {
      subject: () => text('A card payment is disputed'),
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'chargeback-closed': {
    group: 'money',
    to: 'business',
    when: 'the bank decided the disputed payment',
    link: 'statement',
    locked: ['app'],
    icon: 'receipt',
    name: text('The bank decided a disputed payment'),
    title: ({ variant }) =>
      variant === 'won' ? text('The disputed payment stands') : text('The disputed payment was reversed'),
    text: ({ money }) => [money && text('{money}.')],
    button: viewStatement,
    mail: {
      subject: () => text('The bank decided a disputed payment'),
      details: ({ variant }) => [
        variant === 'won'
          ? text('The bank decided in your favor. Nothing changes.')
          : text('The bank returned the money to the card. What it paid for is no longer funded.'),
      ],
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'payment-released': {
    group: 'money',
    to: 'worker',
    when: 'undisputed, owed or compensation pay was released',
    link: 'balance',
    locked: ['app'],
    icon: 'coins',
    name: text('You were paid'),
    title: () => text('{business} paid you'),
    text: (notice) => [amountText(notice) || forJob, notice.by && text('Available from {by}.')],
    button: viewBalance,
    mail: {
      subject: () => text('You were paid: {job}'),
      details: ({ variant, by }) => [
        variant === 'compensation' && text("It's compensation for a late cancellation."),
        variant === 'undisputed' && text("It's the part you both agree on. The rest is still open."),
        by ? text('It clears first, then you can withdraw it.') : text("It's in your balance."),
      ],
      facts: (notice) => [amountFact(notice), [text('Available from'), notice.zoned.by]],
      why: why.work,
    },
  },
  'payment-reversed': {
    group: 'money',
    to: 'both sides',
    when: 'an operator took pay back that should not have been paid',
    link: 'work',
    locked: ['app'],
    icon: 'warning-circle',
    name: text('Pay was corrected'),
    title: ({ forBusiness }) =>
      forBusiness ? text('A payment went back to your balance') : text('A payment was reversed'),
    text: (notice) => [amountText(notice)],
    quote: { part: 'all', lead: text('Our reason') },
    button: openWork,
    mail: {
      subject: () => text('Payment corrected: {job}'),
      details: ({ forBusiness }) => [
        forBusiness
          ? text('The pay and our fee are in the balance of your business.')
          : text('It should not have been paid. Write to us if you disagree.'),
      ],
      facts: (notice) => [amountFact(notice)],
      why: why.work,
    },
  },
  'goodwill-paid': {
    group: 'money',
    to: 'both sides',
    when: 'Nearhand gave them money to make up for something',
    link: 'statement',
    locked: ['app'],
    icon: 'hand-coins',
    name: text('Goodwill from Nearhand'),
    title: ({ money }) => (money ? text('Nearhand gave you {money}') : text('Goodwill from Nearhand')),
    text: ({ variant }) => [
      variant === 'credit'
        ? text("It's credit for your business: it pays for your next hires before your own money does.")
        : text("It's on your balance, and you can withdraw it."),
    ],
    quote: { part: 'all', lead: text('Our reason') },
    button: viewStatement,
    mail: {
      subject: ({ money }) => (money ? text('Nearhand gave you {money}') : text('Goodwill from Nearhand')),
      details: () => [noAction],
      facts: (notice) => [amountFact(notice)],
      why: why.balance,
    },
  },
  'worker-invoice-issued': {
    group: 'money',
    to: 'worker',
    when: 'an invoice or credit note was issued in their name',
    link: 'invoices',
    locked: ['app', 'email'],
    icon: 'receipt',
    name: text('An invoice was issued in your name'),
    title: ({ variant }) =>
      variant === 'credit_note'
        ? text('We issued your credit note to {business}')
        : text('We issued your invoice to {business}'),
    text: ({ money, by }) => [money && text('{money}.'), by && text('You can object until {by}.')],
    button: text('View my invoices'),
    mail: {
      subject: ({ variant }) =>
        variant === 'credit_note'
          ? text('Your credit note to {business}')
          : text('Your invoice to {business}'),
      details: () => [text('Check it, and keep it for your taxes.')],
      facts: (notice) => [amountFact(notice), [text('Object by'), notice.zoned.by]],
      why: text("You're receiving this because you agreed that Nearhand issues invoices in your name."),
    },
  },
  'seller-details-needed': {
    group: 'money',
    to: 'worker',
    when: 'the tax office needs details of them: at first, after 14 and 35 days, and when withdrawals wait after 60',
    link: 'taxOffice',
    locked: ['app', 'email'],
    waiting: true,
    icon: 'clipboard-text',
    name: text('Details for the tax office are missing'),
    title: ({ variant }) =>
      variant === 'waiting'
        ? text('Your withdrawals wait for your tax details')
        : text('Add your details for the tax office'),
    text: ({ by, variant }) => [
      text('The law has us report your pay to the tax office each year.'),
      variant !== 'waiting' && by && text('Without your details, withdrawals wait from {by}.'),
      text('Your money stays yours.'),
    ],
    button: text('Add my details'),
    mail: {
      subject: ({ variant }) =>
        variant === 'waiting'
          ? text('Your withdrawals wait for your tax details')
          : text('Please add your details for the tax office'),
      details: () => [
        text('We need your name, date of birth, address and tax number. It takes two minutes.'),
        text('Once they are there, you can withdraw as before.'),
      ],
      facts: ({ variant, zoned }) =>
        variant === 'waiting' ? [] : [[text('Withdrawals wait from'), zoned.by]],
      why: text("You're receiving this because you are paid for self-employed work on Nearhand."),
    },
  },
  'seller-reported': {
    group: 'money',
    to: 'worker',
    when: 'their pay of a year was reported to the tax office',
    link: 'taxOffice',
    locked: ['app', 'email'],
    icon: 'clipboard-text',
    name: text('Your pay was reported to the tax office'),
    title: reportedTitle,
    text: ({ money }) => [money && text('{money}.')],
    button: text('View the report'),
    mail: {
      subject: reportedTitle,
      details: () => [text('Check it, and keep it for your taxes.')],
      facts: (notice) => [[text('Year'), notice.year], amountFact(notice)],
      why: text("You're receiving this because you are paid for self-employed work on Nearhand."),
    },
  },
  'worker-invoice-objected': {
    group: 'money',
    to: 'business',
    when: 'a worker objected to an invoice in their name',
    link: 'invoices',
    locked: ['app', 'email'],
    icon: 'warning-circle',
    name: text('A worker objected to an invoice'),
    title: ({ variant }) =>
      variant === 'replaced' ? text('New invoice from {worker}') : text('{worker} objected to an invoice'),
    text: (notice) => [notice.money && text('{money}.'), objection(notice)],
    button: text('View invoices'),
    mail: {
      subject: ({ variant }) =>
        variant === 'replaced' ? text('New invoice from {worker}') : text('{worker} objected to an invoice'),
      details: ({ variant }) => {
        if (variant === 'replaced') return [text('Book all three: the amount paid stays the same.')];
        return variant === 'details'
          ? [text('Once they have corrected their details, a credit note and a new invoice replace it.')]
          : [text("An issued invoice can't be changed. If they're right, ask our support for a correction.")];
      },
      facts: (notice) => [amountFact(notice)],
      why: why.hires,
    },
  },
  'tip-received': {
    group: 'money',
    to: 'worker',
    when: 'a tip or bonus was paid',
    link: 'balance',
    locked: ['app'],
    icon: 'hand-coins',
    name: text('You got a tip or bonus'),
    title: ({ variant }) =>
      variant === 'bonus' ? text('{business} gave you a bonus') : text('{business} gave you a tip'),
    text: (notice) => [amountText(notice) || forJob],
    quote: theyWrote,
    button: viewBalance,
    mail: {
      subject: ({ variant, money }) => {
        if (money)
          return variant === 'bonus'
            ? text('A bonus of {money} from {business}')
            : text('A tip of {money} from {business}');
        return variant === 'bonus' ? text('A bonus from {business}') : text('A tip from {business}');
      },
      details: () => [text('All of it is yours.')],
      facts: (notice) => [amountFact(notice)],
      why: why.work,
    },
  },
} satisfies Topics;
