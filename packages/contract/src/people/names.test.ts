import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { contract } from '../contract.ts';
import { fieldIssueOf } from '../field-issues.rules.ts';
import { nameProblem } from './names.rules.ts';

const names = [
  'Leila Haddad',
  'J. R. Smith',
  'St.John Doe',
  "Siobhán O'Neill-D'Angelo",
  'ليلى حداد',
  '李小龍 Jr.',
  'Zoë v.d. Berg',
];
const businessNames = [...names, 'booking.example', 'Kopi & Crumb', 'Salon 24/7', 'Wwwild Things', 'A&B;C'];
const wrong = {
  'name-address': ['http://spam.example', 'Win at www.spam.example', 'ftp://a'],
  'name-marks': ['Leila\u200f Haddad', '\u200eLeila', 'a\u061cb', 'a\u202eb', 'a\u2067b'],
  'name-markup': ['<b>van</b>', '<script>', 'Leila &lt;3', '&#128512; Leila'],
};
const emoji = ['Leila 🌸', '☕️ Kopi', 'Leila ❤'];

it.each(names)('%s is a person', (name) => expect(nameProblem(name, 'person')).toBeNull());
it.each(businessNames)('%s is a business', (name) => expect(nameProblem(name, 'business')).toBeNull());
it.each(emoji)('%s is a label, not a person or business', (name) => {
  expect(nameProblem(name, 'label')).toBeNull();
  expect([nameProblem(name, 'person'), nameProblem(name, 'business')]).toEqual(['emoji', 'emoji']);
});
it.each(['spam.example', 'leila@kopi.example'])('%j is rejected', (name) =>
  expect(nameProblem(name, 'person')).toBe('address'),
);

const nameFields = ['name', 'legalName', 'contactName'];

/** Every field for a name in an input of the contract. */
const fields = Object.entries(contract).flatMap(([slice, operations]) =>
  Object.entries(operations as Record<string, { '~orpc'?: { inputSchema?: z.ZodObject } }>).flatMap(
    ([verb, operation]) => {
      const input = operation['~orpc']?.inputSchema;
      return nameFields.flatMap((field) =>
        input?.shape?.[field] ? [{ operation: `${slice}.${verb}`, field, input }] : [],
      );
    },
  ),
);

describe('every name field', () => {
  it.each(fields)('$operation rejects an invalid name: $field', ({ field, input }) => {
    for (const [rule, texts] of Object.entries(wrong))
      for (const text of texts) {
        const issues = input.safeParse({ [field]: text }).error?.issues.map(fieldIssueOf) ?? [];
        expect(issues, text).toContainEqual(expect.objectContaining({ path: field, rule }));
      }
  });
});
