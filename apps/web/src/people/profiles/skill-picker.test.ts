import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { foldTyped, skillsMatching } from './skill-picker.tsx';

i18n.loadAndActivate({ locale: 'en', messages: {} });

const skillsFor = (typed: string) => skillsMatching('hospitality', foldTyped(typed));

it.each([
  ['barista', 'barista'],
  ['Barrista', 'barista'],
  ['watier', 'waiter'],
  ['kichen', 'kitchen-porter'],
  ['kitchen prter', 'kitchen-porter'],
  ['afwas', 'kitchen-porter'],
  ['afwaser', 'kitchen-porter'],
  ['Kellnerin', 'waiter'],
  ['serveuses', 'waiter'],
  ['hostel', 'waiter'],
  ['نادل', 'waiter'],
] as const)('%s finds %s', (typed, skill) => expect(skillsFor(typed)).toContain(skill));

it('finds nothing for other words, nor typos in short words', () => {
  expect(skillsFor('zzzz')).toEqual([]);
  expect(skillsFor('bxr')).toEqual([]);
});
