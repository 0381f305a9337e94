import { expect, it } from 'vitest';
import { businessName, personName } from './names.ts';

const names = [
  'Leila Haddad',
  'J. R. Smith',
  'St.John Doe',
  "Siobhán O'Neill-D'Angelo",
  'ليلى حداد',
  '李小龍 Jr.',
  'Zoë v.d. Berg',
];
const businesses = [...names, 'booking.example', 'Kopi & Crumb', 'Salon 24/7', 'Wwwild Things'];
const spam = ['http://spam.example', 'Win at www.spam.example', 'ftp://a'];
const turned = ['Leila\u200f Haddad', '\u200eLeila', 'a\u061cb', 'a\u202eb', 'a\u2067b'];

it.each(names)('%s is a person', (name) => expect(personName(80).parse(name)).toBe(name));
it.each(businesses)('%s is a business', (name) => expect(businessName(80).parse(name)).toBe(name));
it.each([...spam, ...turned, 'spam.example', 'leila@kopi.example'])('%j is no person', (name) =>
  expect(personName(80).safeParse(name).success).toBe(false),
);
it.each([...spam, ...turned])('%j is no business', (name) =>
  expect(businessName(80).safeParse(name).success).toBe(false),
);
