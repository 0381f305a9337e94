import { t } from '@lingui/core/macro';
import type { PaymentFailure } from '@nearhand/contract/money/charges';
import type { PayoutIdentityStatus, Withdrawal, WithdrawalStatus } from '@nearhand/contract/money/payouts';
import { formatCalendarDay, formatDate, ownTimeZone } from '../../lib/words/format.ts';

export function identitySentText(status: PayoutIdentityStatus): string {
  if (status === 'verified') return t`You're verified. New pay is available right away.`;
  if (status === 'refused') return t`We couldn't confirm your details. Check them and send them again.`;
  return t`Sent. We'll let you know when it's checked.`;
}

type Standing = Pick<Withdrawal, 'status' | 'waiting'>;

export const payoutStandingText = ({ status, waiting }: Standing): string =>
  waiting ? t`Waiting` : withdrawalStatusText(status);

export function withdrawalStatusText(status: WithdrawalStatus): string {
  switch (status) {
    case 'requested':
      return t`Not sent yet`;
    case 'in_review':
      return t`Being checked`;
    case 'processing':
      return t`Sending`;
    case 'in_transit':
      return t`In transit`;
    case 'paid':
      return t`Arrived`;
    case 'cancelled':
      return t({ message: 'Cancelled', context: 'withdrawal' });
    case 'refused':
      return t`Not paid out`;
    case 'failed':
      return t`Failed`;
    case 'returned':
      return t`Returned by the bank`;
  }
}

export const withdrawalTone = ({
  status,
  waiting,
}: Standing): 'good' | 'wait' | 'bad' | 'here' | undefined => {
  if (status === 'paid') return 'good';
  if (waiting || status === 'in_review') return 'wait';
  if (status === 'failed' || status === 'refused' || status === 'returned') return 'bad';
  return status === 'cancelled' ? undefined : 'here';
};

export const isBack = (status: WithdrawalStatus): boolean =>
  status === 'cancelled' || status === 'failed' || status === 'refused' || status === 'returned';

export function failureText(failure: PaymentFailure): string {
  switch (failure) {
    case 'account_closed':
      return t`The bank says this account is closed. Add another one.`;
    case 'bank_rejected':
      return t`The bank rejected the payment. Check the account, or add another one.`;
    case 'instant_unavailable':
      return t`This account doesn't take instant payouts. Use standard.`;
    case 'limit_exceeded':
      return t`This is over the bank's limit. Try a smaller amount.`;
    case 'card_declined':
      return t`The bank declined the card. Use another card, or ask the bank.`;
    case 'insufficient_funds':
      return t`The card didn't have enough money. Use another one.`;
    case 'card_expired':
      return t`The card has expired. Use another one.`;
    case 'authentication_failed':
      return t`The payment wasn't confirmed. Try again, or use another card.`;
    case 'unknown_token':
      return t`These details have expired. Enter them again.`;
    case 'processing_error':
      return t`The payment provider couldn't do this. Try again.`;
  }
}

export function arrivalText({ status, waiting, arrivesOn, failure, reviewBy }: Withdrawal): string {
  if (waiting) return t`Waits for your payout account`;
  const day = arrivesOn ? formatCalendarDay(arrivesOn) : '';
  if (status === 'paid') return day ? t`Arrived ${day}` : t`Arrived`;
  if (isBack(status))
    return failure ? t`Back in your balance. ${failureText(failure)}` : t`Back in your balance`;
  if (status === 'in_review') return reviewText(reviewBy);
  return day ? t`Arrives ${day}` : t`Arrives in minutes`;
}

function reviewText(reviewBy: string | null): string {
  if (!reviewBy || Date.parse(reviewBy) <= Date.now()) return t`Taking longer than usual`;
  const by = formatDate(reviewBy, ownTimeZone());
  return t`Decided by ${by}`;
}
