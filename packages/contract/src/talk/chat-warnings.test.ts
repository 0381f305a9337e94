import { describe, expect, it } from 'vitest';
import { findContactDetails } from '../people/contact-details.rules.ts';
import { findChatWarnings } from './chat-warnings.ts';

describe('findContactDetails', () => {
  it.each([
    ['write to leila@example.com', ['email']],
    ['LEILA (at) example (dot) com', ['email']],
    ['see shop-name.nl', ['link']],
    ['(-odd.com)', ['link']],
    ['ring +31 6 1234 5678', ['phone']],
    ['on WhatsApp?', ['messenger']],
    ['from 09:00 to 17:00 on 24-12-2026', []],
    ['Barista 2018-2024, waiter 2016/2018', []],
    ['ring 06 2018-2024', ['phone']],
    ['nothing of it', []],
  ])('%s', (text, expected) => expect(findContactDetails(text)).toEqual(expected));

  // Guards against quadratic regexes: this runs synchronously on every message.
  it.each([
    ['letters', 'a'.repeat(5_000)],
    ['signs that stand for six letters each', '\u3316'.repeat(5_000)],
    ['signs that stand for eighteen', '\uFDFA'.repeat(5_000)],
    ['dashes', '-'.repeat(5_000)],
    ['dots', '.'.repeat(5_000)],
    ['digits', '1'.repeat(5_000)],
    ['half an address', 'a@'.repeat(2_500)],
    ['addresses without an end', `a@${'b.cc'.repeat(1_200)}.`],
    ['times', '1:11 '.repeat(1_000)],
    ['spaces', ' '.repeat(5_000)],
  ])('handles 5,000 %s quickly', (_what, text) => {
    const begun = performance.now();
    findChatWarnings(text, false);
    expect(performance.now() - begun).toBeLessThan(500);
  });
});

describe('findChatWarnings', () => {
  it.each([
    'Pay me outside',
    'I can pay you directly, in cash',
    'Let’s settle it off the app and save the fee',
    'Do you take PayPal?',
    'My account: LU28 ABNA TKVW PQRS 00',
    'Ik betaal je liever contant',
    'Kunnen we buiten de app om betalen?',
    'Ich zahle dir das in bar',
    'Geld gibt es außerhalb der App',
    'Je vous paie en liquide',
    'On peut régler hors de l’application ?',
    'Te pago en efectivo',
    'سأدفع لك نقدا',
    'يمكنني الدفع خارج التطبيق',
  ])('warns about payment outside: %s', (text) => {
    expect(findChatWarnings(text, false)).toEqual(['payment']);
    expect(findChatWarnings(text, true)).toEqual(['payment']);
  });

  it.each([
    'When is the pay released?',
    'Pay attention to the cash register',
    'The work is outside, in the garden',
    'Ask for Pay at the cashier',
    'Ik maak de tafels schoon',
    'Der Lohn kommt nach der Schicht',
    'Wir treffen uns an der Bar',
    'Le paiement arrive demain',
    '¿Cuándo pagan?',
    'متى يصل المال؟',
  ])('ignores %s', (text) => expect(findChatWarnings(text, false)).toEqual([]));

  it('warns about contact details only before a hire', () => {
    expect(findChatWarnings('ring +31 6 1234 5678', false)).toEqual(['phone']);
    expect(findChatWarnings('ring +31 6 1234 5678', true)).toEqual([]);
  });
});
