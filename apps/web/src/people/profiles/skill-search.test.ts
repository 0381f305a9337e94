import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { foldTyped, skillsMatching } from './skill-search.ts';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const found = (typed: string) => skillsMatching('hospitality', foldTyped(typed));

it.each([
  ['barista', 'barista'],
  ['Barrista', 'barista'],
  ['watier', 'waiter'],
  ['kichen', 'kitchen-porter'],
  ['kitchen prter', 'kitchen-porter'],
] as const)('%s finds %s', (typed, skill) => expect(found(typed)).toContain(skill));

it('finds nothing for what is no skill, nor errors in short words', () => {
  expect(found('zzzz')).toEqual([]);
  expect(found('bxr')).toEqual([]);
});
