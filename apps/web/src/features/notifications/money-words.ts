import { t } from '@lingui/core/macro';
import { type GroupWords, type NoticeFacts, sentences } from './notice-facts.ts';

const sum = ({ money, job }: NoticeFacts): string => (money ? t`${money}, for ${job}.` : t`For ${job}.`);
const amount = ({ money }: NoticeFacts): string | false => money !== '' && t`${money}.`;

/** Money: what could not be set aside, what was paid, and what is on its way to a bank. */
export const moneyWords: GroupWords<
  'hold' | 'payment' | 'seat' | 'chargeback' | 'tip' | 'money' | 'withdrawal' | 'payout' | 'identity'
> = {
  'hold-unpaid': ({ worker, job }) => ({
    icon: 'warning-circle',
    title: t`Your offer was not sent`,
    text: t`The money for ${worker}, ${job}, was not set aside in time.`,
  }),
  'payment-failed': (notice) => ({
    icon: 'warning-circle',
    title: t`A card was refused`,
    text: sentences(notice.hasJob ? sum(notice) : amount(notice), t`Pay another way.`),
  }),
  'payment-missing': (notice) => ({
    icon: 'hand-coins',
    title: t`Pay is still owed`,
    text: sentences(sum(notice), t`Add the rest; it goes to ${notice.worker} at once.`),
  }),
  'payment-needs-confirmation': (notice) => ({
    icon: 'credit-card',
    title: t`Confirm a payment`,
    text: sentences(
      notice.hasJob ? sum(notice) : amount(notice),
      t`The bank of the card asks for it.`,
      notice.by !== '' && t`Until ${notice.by}.`,
    ),
  }),
  'seat-unfunded': (notice) => ({
    icon: 'hand-coins',
    title: t`A seat is not funded`,
    text: t`${notice.job}: your balance does not cover it. Add money, then save the job again.`,
  }),
  'payment-refunded': (notice) => ({
    icon: 'credit-card',
    title: t`Money is on its way back to a card`,
    text: sentences(amount(notice)),
  }),
  'payment-refund-failed': (notice) => ({
    icon: 'warning-circle',
    title: t`Money could not be sent back to a card`,
    text: sentences(amount(notice), t`It is in your balance again.`),
  }),
  'chargeback-opened': (notice) => ({
    icon: 'warning-circle',
    title: t`A payment by card is disputed`,
    text: sentences(amount(notice), t`What is left of it waits until the bank decides.`),
  }),
  'chargeback-closed': (notice) => ({
    icon: 'receipt',
    title: notice.what === 'won' ? t`The disputed payment stands` : t`The disputed payment was taken back`,
    text: sentences(amount(notice)),
  }),
  'payment-released': (notice) => ({
    icon: 'coins',
    title: t`${notice.business} paid you`,
    text: sentences(sum(notice), notice.by !== '' && t`Available from ${notice.by}.`),
  }),
  'tip-received': (notice) => ({
    icon: 'hand-coins',
    title: notice.what === 'bonus' ? t`A bonus from ${notice.business}` : t`A tip from ${notice.business}`,
    text: sentences(sum(notice), notice.quote),
  }),
  'money-cleared': (notice) => ({
    icon: 'wallet',
    title: t`Ready to take out`,
    text: sentences(amount(notice)),
  }),
  'withdrawal-requested': (notice) => ({
    icon: 'wallet',
    title: t`A withdrawal was asked for`,
    text: sentences(
      amount(notice),
      notice.by === '' ? t`Not you? Change your password now.` : t`Not you? Cancel it by ${notice.by}.`,
    ),
  }),
  'withdrawal-sent': (notice) => ({
    icon: 'wallet',
    title: t`Your money is on its way`,
    text: sentences(amount(notice), notice.by !== '' && t`Expected ${notice.by}.`),
  }),
  'withdrawal-paid': (notice) => ({
    icon: 'check-circle',
    title: t`Your money has arrived`,
    text: sentences(amount(notice)),
  }),
  'withdrawal-failed': (notice) => ({
    icon: 'warning-circle',
    title: t`Your withdrawal did not go through`,
    text: sentences(amount(notice), t`It is back in your balance.`),
  }),
  'withdrawal-returned': (notice) => ({
    icon: 'warning-circle',
    title: t`The bank sent your withdrawal back`,
    text: sentences(amount(notice), t`It is back in your balance.`),
  }),
  'payout-method-added': ({ by }) => ({
    icon: 'wallet',
    title: t`A bank account was added`,
    text: sentences(by !== '' && t`Usable from ${by}.`, t`Not you? Change your password now.`),
  }),
  'identity-checked': ({ what }) => ({
    icon: 'seal-check',
    title: what === 'verified' ? t`You are verified for payouts` : t`Your payout identity was refused`,
    text: what === 'verified' ? t`New pay is available at once.` : t`Check the details and send them again.`,
  }),
};
