/** The last digits of a card or account, kept on one line. */
export const endingIn = (last4: string): string => `••••\u00a0${last4}`;

export const bankText = ({ bankName, last4 }: { bankName: string; last4: string }): string =>
  `${bankName} ${endingIn(last4)}`;

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  maestro: 'Maestro',
};

/** `Visa •••• 4242`, however the provider spells the brand; a bank method has no digits. */
export const cardText = ({ brand, last4 }: { brand: string; last4: string }): string =>
  [brands[brand.toLowerCase()] ?? brand, last4 && endingIn(last4)].filter(Boolean).join(' ');

export const expiryText = (card: { expiresMonth: number; expiresYear: number }): string =>
  `${String(card.expiresMonth).padStart(2, '0')}/${String(card.expiresYear % 100).padStart(2, '0')}`;
