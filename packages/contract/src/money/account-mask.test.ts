import { expect, it } from 'vitest';
import { bankText, cardText, endingIn } from './account-mask.ts';

it('shows the same end of a number for cards and banks', () => {
  expect(endingIn('9000')).toBe('•••• 9000');
  expect(bankText({ bankName: 'bunq', last4: '4417' })).toBe('bunq •••• 4417');
  expect(cardText({ brand: 'Visa', last4: '4242' })).toBe('Visa •••• 4242');
  expect(cardText({ brand: 'amex', last4: '0005' })).toBe('American Express •••• 0005');
  expect(cardText({ brand: 'Card', last4: '0012' })).toBe('Card •••• 0012');
});
