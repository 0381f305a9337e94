import { describe, expect, it } from 'vitest';
import { isPattern, withoutOwnWords } from './passwords.rules.ts';

describe('withoutOwnWords', () => {
  it.each([
    ['nearhand2026', '2026'],
    ['N3arH4nd!!', '!!'],
    ['NearhandWorker1', '1'],
    ['my-nearhand-nearhand', 'my--'],
    ['leila.benali99', '99'],
    ['Benali99', '99'],
    ['l31l4-1990', '-1990'],
    ['a quiet harbour 7', 'a quiet harbour 7'],
  ])('returns of %s what its owner added', (password, left) => {
    expect(withoutOwnWords(password, 'Leila.Benali@example.org')).toBe(left);
  });

  it('ignores short parts of an address', () => {
    expect(withoutOwnWords('an apple a day', 'an@example.org')).toBe('an apple a day');
    expect(withoutOwnWords('jo-apple-cart', 'jo.smith@example.org')).toBe('jo-apple-cart');
  });
});

describe('isPattern', () => {
  it.each([
    'aaaaaa',
    'AAAAaa',
    '🦊🦊🦊🦊🦊🦊',
    'ababab',
    '1212121',
    'abcabcab',
    'abcdefgh',
    '987654',
    'asdfgh',
    'poiuyt',
    '7890',
  ])('matches %s', (password) => expect(isPattern(password)).toBe(true));

  it.each(['horse6', 'aaaaab', 'banana', 'papaya', 'abcdeg', 'a quiet harbour 7', 'كلمةالسر', ''])(
    "doesn't match %s",
    (password) => expect(isPattern(password)).toBe(false),
  );
});
