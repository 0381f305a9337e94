import { facts, type GroupWords, lines, type NoticeText, theyWrote, why } from './notice-text.ts';

const refusals: Record<string, string> = {
  card_declined: 'The bank of the card declined it.',
  insufficient_funds: 'There was not enough money on it.',
  card_expired: 'The card has expired.',
  authentication_failed: 'It was not confirmed.',
  account_closed: 'The bank says that the account is closed.',
  bank_rejected: 'The bank did not accept it.',
  instant_unavailable: 'The bank does not take instant payments to this account.',
  limit_exceeded: 'It was above a limit of the bank.',
};
const refusal = ({ what }: NoticeText): string =>
  Object.hasOwn(refusals, what) ? (refusals[what] ?? '') : 'The payment provider could not carry it out.';
const owns = 'You get this because it is about your balance on Nearhand.';

/** Mail about money: what could not be set aside, what was paid, and what is on its way to a bank. `what` is the provider's reason, where there is one. */
export const moneyWords: GroupWords<
  'hold' | 'payment' | 'seat' | 'chargeback' | 'tip' | 'money' | 'withdrawal' | 'payout' | 'identity'
> = {
  'hold-unpaid': (notice) => ({
    subject: `Offer not sent: ${notice.worker}, ${notice.job}`,
    heading: `Your offer to ${notice.worker} was not sent`,
    paragraphs: ['Its money was not set aside in time. The place is free again; make the offer once more.'],
    facts: facts(['To set aside', notice.money]),
    action: 'See the applicants',
    why: why.hires,
  }),
  'payment-failed': (notice) => ({
    subject: `A payment failed: ${notice.hasJob ? notice.job : notice.money || notice.job}`,
    heading: 'A card was refused',
    paragraphs: lines(refusal(notice), 'Nothing was taken. Pay with another card or from your balance.'),
    facts: facts(['Amount', notice.money], ['Pay by', notice.by]),
    action: 'Pay another way',
    why: why.hires,
  }),
  'payment-missing': (notice) => ({
    subject: `Pay is owed: ${notice.worker}, ${notice.job}`,
    heading: `What you agreed to pay ${notice.worker} was not all set aside`,
    paragraphs: ['The part that was set aside is paid. Add the rest; it goes to them at once.'],
    facts: facts(['Still owed', notice.money]),
    action: 'Pay the rest',
    why: why.hires,
  }),
  'payment-needs-confirmation': (notice) => ({
    subject: `Confirm a payment: ${notice.hasJob ? notice.job : notice.money || notice.job}`,
    heading: 'The bank of your card asks you to confirm a payment',
    paragraphs: ['Nothing is taken before that. Whoever holds the card confirms it where it is paid.'],
    facts: facts(['Amount', notice.money], ['Confirm by', notice.by]),
    action: 'Confirm the payment',
    why: why.hires,
  }),
  'seat-unfunded': (notice) => ({
    subject: `A place is not funded: ${notice.job}`,
    heading: `A place of ${notice.job} is free again and not funded`,
    paragraphs: [
      'Your balance does not cover it, so nobody can be hired on the spot for it. Add money, then save the job again.',
    ],
    facts: facts(['For one place', notice.money]),
    action: 'Open the job',
    why: why.hires,
  }),
  'payment-refunded': (notice) => ({
    subject: `Sent back to your card: ${notice.money || 'money of your balance'}`,
    heading: 'Money of your balance is on its way back to a card',
    paragraphs: ['It may take some days until the bank of the card shows it.'],
    facts: facts(['Amount', notice.money]),
    action: 'Open the statement',
    why: why.hires,
  }),
  'payment-refund-failed': (notice) => ({
    subject: `Not sent back: ${notice.money || 'money of your balance'}`,
    heading: 'Money could not be sent back to a card',
    paragraphs: ['It is in your balance again. Try once more, or use it for your next hire.'],
    facts: facts(['Amount', notice.money]),
    action: 'Open the statement',
    why: why.hires,
  }),
  'chargeback-opened': (notice) => ({
    subject: 'A payment by card was disputed',
    heading: 'The owner of a card disputes a payment',
    paragraphs: ['What is left of it is neither paid nor given back until the bank decides.'],
    facts: facts(['Amount', notice.money]),
    action: 'Open the statement',
    why: why.hires,
  }),
  'chargeback-closed': (notice) => ({
    subject: 'A disputed payment was decided',
    heading: notice.what === 'won' ? 'The disputed payment stands' : 'The disputed payment was taken back',
    paragraphs: lines(
      notice.what === 'won'
        ? 'The bank decided that it was right. Everything goes on as before.'
        : 'The bank gave the money back to the card. What it paid for is no longer funded.',
    ),
    facts: facts(['Amount', notice.money]),
    action: 'Open the statement',
    why: why.hires,
  }),
  'payment-released': (notice) => ({
    subject: `You were paid: ${notice.job}`,
    heading: `${notice.business} paid you for ${notice.job}`,
    paragraphs: lines(
      notice.what === 'compensation' && 'It is compensation, because the work was called off late.',
      notice.what === 'undisputed' && 'It is the part that you both agree on. The rest is still open.',
      notice.by === '' ? 'It is in your balance.' : 'It clears first, then you can take it out.',
    ),
    facts: facts(['Amount', notice.money], ['Available from', notice.by]),
    action: 'See my balance',
    why: why.work(notice),
  }),
  'tip-received': (notice) => ({
    subject: `${notice.business} added ${notice.money || 'something'}: ${notice.job}`,
    heading: notice.what === 'bonus' ? `A bonus from ${notice.business}` : `A tip from ${notice.business}`,
    paragraphs: lines('All of it is yours.', theyWrote(notice)),
    facts: facts(['Amount', notice.money], ['For', notice.job]),
    action: 'See my balance',
    why: why.work(notice),
  }),
  'money-cleared': (notice) => ({
    subject: `Ready to take out: ${notice.money || 'your pay'}`,
    heading: 'Pay of yours has cleared',
    paragraphs: ['You can take it out now.'],
    facts: facts(['Amount', notice.money]),
    action: 'See my balance',
    why: owns,
  }),
  'withdrawal-requested': (notice) => ({
    subject: `Withdrawal asked for: ${notice.money || 'from your balance'}`,
    heading: 'A withdrawal was asked for',
    paragraphs: lines(
      'It goes to the bank account that was chosen.',
      notice.by === ''
        ? 'If that was not you, change your password now and tell us.'
        : 'If that was not you, cancel it and change your password now.',
    ),
    facts: facts(['Amount', notice.money], ['Can be cancelled until', notice.by]),
    action: 'See my balance',
    why: owns,
  }),
  'withdrawal-sent': (notice) => ({
    subject: `On its way: ${notice.money || 'your withdrawal'}`,
    heading: 'Your money is on its way to the bank',
    paragraphs: ['There is nothing left for you to do. We tell you when it has arrived.'],
    facts: facts(['Amount', notice.money], ['Expected', notice.by]),
    action: 'See my balance',
    why: owns,
  }),
  'withdrawal-paid': (notice) => ({
    subject: `Arrived: ${notice.money || 'your withdrawal'}`,
    heading: 'Your money has arrived at the bank',
    paragraphs: ['It is in your bank account now.'],
    facts: facts(['Amount', notice.money]),
    action: 'See my balance',
    why: owns,
  }),
  'withdrawal-failed': (notice) => ({
    subject: `Not sent: ${notice.money || 'your withdrawal'}`,
    heading: 'Your withdrawal did not go through',
    paragraphs: lines(
      refusal(notice),
      'The money is back in your balance. Check the account or choose another.',
    ),
    facts: facts(['Amount', notice.money]),
    action: 'See my balance',
    why: owns,
  }),
  'withdrawal-returned': (notice) => ({
    subject: `Sent back: ${notice.money || 'your withdrawal'}`,
    heading: 'The bank sent your withdrawal back',
    paragraphs: lines(
      refusal(notice),
      'The money is back in your balance. Check the account or choose another.',
    ),
    facts: facts(['Amount', notice.money]),
    action: 'See my balance',
    why: owns,
  }),
  'payout-method-added': (notice) => ({
    subject: 'A bank account was added to your balance',
    heading: 'A bank account was added',
    paragraphs: ['If that was not you, change your password now and remove the account.'],
    facts: facts(['Usable from', notice.by]),
    action: 'See my balance',
    why: owns,
  }),
  'identity-checked': (notice) => ({
    subject: notice.what === 'verified' ? 'You are verified for payouts' : 'We could not verify you',
    heading:
      notice.what === 'verified' ? 'Your payout identity is verified' : 'Your payout identity was refused',
    paragraphs: lines(
      notice.what === 'verified'
        ? 'New pay is available at once from now on.'
        : 'The details did not match. Check them and send them again.',
    ),
    facts: [],
    action: 'See my balance',
    why: owns,
  }),
};
