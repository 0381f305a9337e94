import { t } from '@lingui/core/macro';
import type { Card, PaymentFailure } from '@nearhand/contract/payments';

/** `09/28` */
export const expiryText = ({
  expiresMonth,
  expiresYear,
}: Pick<Card, 'expiresMonth' | 'expiresYear'>): string =>
  `${String(expiresMonth).padStart(2, '0')}/${String(expiresYear % 100).padStart(2, '0')}`;

/** Why a card was refused, and what to do. */
export function refusalText(failure: PaymentFailure | null): string {
  switch (failure) {
    case 'insufficient_funds':
      return t`There is not enough money on this card. Nothing was taken. Use another card.`;
    case 'card_expired':
      return t`This card has expired. Nothing was taken. Use another card.`;
    case 'authentication_failed':
      return t`The payment was not confirmed. Nothing was taken. Try again, or use another card.`;
    case 'limit_exceeded':
      return t`This is above a limit of the card. Nothing was taken. Use another card.`;
    case 'card_declined':
      return t`The bank declined this card. Nothing was taken. Use another card, or ask the bank.`;
    case 'unknown_token':
      return t`The details were entered too long ago. Enter them again.`;
    default:
      return t`The payment did not go through. Nothing was taken. Try again, or use another card.`;
  }
}
