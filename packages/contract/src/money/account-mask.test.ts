import { expect, it } from 'vitest';
import { bankText, cardText, endingIn } from './account-mask.ts';

it('shows the same end of a number for cards and banks', () => {
  expect(endingIn('9000')).toBe('••••\u00a09000');
  expect(bankText({ bankName: 'bunq', last4: '4417' })).toBe('bunq ••••\u00a04417');
  expect(cardText({ brand: 'Visa', last4: '4242' })).toBe('Visa ••••\u00a04242');
  expect(cardText({ brand: 'amex', last4: '0005' })).toBe('American Express ••••\u00a00005');
  expect(cardText({ brand: 'Card', last4: '0012' })).toBe('Card ••••\u00a00012');
});
