import { describe, expect, it } from 'vitest';
import { findContactDetails } from './contact-details.ts';

describe('findContactDetails', () => {
  it.each([
    ['write to leila@example.com', ['email']],
    ['LEILA (at) example (dot) com', ['email']],
    ['see shop-name.nl', ['link']],
    ['(-odd.com)', ['link']],
    ['ring +31 6 1234 5678', ['phone']],
    ['on WhatsApp?', ['messenger']],
    ['from 09:00 to 17:00 on 24-12-2026', []],
    ['nothing of it', []],
  ])('%s', (text, expected) => expect(findContactDetails(text)).toEqual(expected));

  // The server checks every message synchronously.
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
    findContactDetails(text);
    expect(performance.now() - begun).toBeLessThan(500);
  });
});
