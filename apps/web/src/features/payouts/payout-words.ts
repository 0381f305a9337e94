import { t } from '@lingui/core/macro';
import type { PaymentFailure } from '@nearhand/contract/payments';
import type { IdentityStatus, Withdrawal, WithdrawalStatus } from '@nearhand/contract/payouts';
import { isApiError } from '../../lib/api-error.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatCalendarDay, formatDate, ownTimeZone } from '../../lib/format.ts';

/** What the provider said as soon as it was told who is paid. */
export function identitySentText(status: IdentityStatus): string {
  if (status === 'verified') return t`You are verified. New pay is available at once.`;
  if (status === 'refused') return t`Your details could not be confirmed. Check them and send them again.`;
  return t`Sent. We tell you when it is checked.`;
}

/** Where a withdrawal stands, in a word or two. */
export function withdrawalStatusText(status: WithdrawalStatus): string {
  switch (status) {
    case 'requested':
      return t`Waiting to be sent`;
    case 'processing':
      return t`Being sent`;
    case 'in_transit':
      return t`In transit`;
    case 'paid':
      return t`Arrived`;
    case 'cancelled':
      return t`Cancelled`;
    case 'failed':
      return t`Did not go through`;
    case 'returned':
      return t`Sent back by the bank`;
  }
}

export const withdrawalTone = (status: WithdrawalStatus): 'good' | 'wait' | 'bad' | 'here' | undefined => {
  if (status === 'paid') return 'good';
  if (status === 'failed' || status === 'returned') return 'bad';
  return status === 'cancelled' ? undefined : 'here';
};

/** Whether its money is back in the balance. */
export const isBack = (status: WithdrawalStatus): boolean =>
  status === 'cancelled' || status === 'failed' || status === 'returned';

/** Why the provider or a bank refused, and what to do. */
export function failureText(failure: PaymentFailure): string {
  switch (failure) {
    case 'account_closed':
      return t`The bank says that this account is closed. Add another one.`;
    case 'bank_rejected':
      return t`The bank did not accept it. Check the account, or add another one.`;
    case 'instant_unavailable':
      return t`This account cannot be paid at once. Use the standard way.`;
    case 'limit_exceeded':
      return t`It was above a limit of the bank. Try a smaller amount.`;
    case 'card_declined':
      return t`The bank of the card declined it. Use another card, or ask the bank.`;
    case 'insufficient_funds':
      return t`There was not enough money on the card. Use another one.`;
    case 'card_expired':
      return t`The card has expired. Use another one.`;
    case 'authentication_failed':
      return t`It was not confirmed. Try again, or use another card.`;
    case 'unknown_token':
      return t`The details were entered too long ago. Enter them again.`;
    case 'processing_error':
      return t`The provider could not carry it out. Try again.`;
  }
}

/** When it is expected or came, or that it is back; one line under a withdrawal. */
export function arrivalText({ status, arrivesOn, failure }: Withdrawal): string {
  const day = arrivesOn ? formatCalendarDay(arrivesOn) : '';
  if (status === 'paid') return day ? t`Arrived ${day}` : t`Arrived`;
  if (isBack(status))
    return failure ? t`Back in your balance. ${failureText(failure)}` : t`Back in your balance`;
  return day ? t`Arrives ${day}` : t`Arrives in minutes`;
}

/** Why money cannot be taken out now; where time mends it, from when on. */
export function withdrawRefusal(error: unknown): string {
  const { from, until } =
    ((isApiError(error) ? error.data : null) as { from?: string; until?: string } | null) ?? {};
  if (isApiError(error, 'payout/daily-limit') && from) {
    const at = formatDate(from, ownTimeZone());
    return t`You withdrew as often in 24 hours as we allow. The next one can be made from ${at}.`;
  }
  if (isApiError(error, 'payout/method-held') && until) {
    const at = formatDate(until, ownTimeZone());
    return t`This account is new. For your safety it can be used from ${at}.`;
  }
  return errorText(error);
}
