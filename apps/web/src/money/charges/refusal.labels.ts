import { t } from '@lingui/core/macro';
import type { PaymentFailure } from '@nearhand/contract/money/charges';

export function refusalText(failure: PaymentFailure | null): string {
  switch (failure) {
    case 'insufficient_funds':
      return t`This card doesn't have enough money. You weren't charged. Use another card.`;
    case 'card_expired':
      return t`This card has expired. You weren't charged. Use another card.`;
    case 'authentication_failed':
      return t`The payment wasn't confirmed. You weren't charged. Try again, or use another card.`;
    case 'limit_exceeded':
      return t`This is over the card's limit. You weren't charged. Use another card.`;
    case 'card_declined':
      return t`The bank declined this card. You weren't charged. Use another card, or ask the bank.`;
    case 'unknown_token':
      return t`These details have expired. Enter them again.`;
    default:
      return t`The payment didn't go through. You weren't charged. Try again, or use another card.`;
  }
}
