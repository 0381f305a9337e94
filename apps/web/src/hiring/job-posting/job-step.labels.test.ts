import { i18n } from '@lingui/core';
import type { Business } from '@nearhand/contract/people/businesses';
import { beforeAll, expect, it } from 'vitest';
import { emptyJobForm, type JobForm } from './job-form.rules.ts';
import { stepSummary } from './job-step.labels.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const setting = {
  timeZone: 'Europe/Amsterdam',
  currency: 'EUR' as const,
  now: new Date('2026-11-21T09:00:00Z'),
};

it('contains the shifts, the break, the head count and the pay', () => {
  const form = {
    ...emptyJobForm(),
    day: '2026-12-07',
    from: '08:00',
    to: '14:00',
    breakMinutes: '30',
    headCount: '2',
    pay: '17',
  };
  expect(stepSummary('time', form, setting, {} as Business, 5)).toMatch(
    /Dec.*, 5 shifts, 30.min unpaid break, 2 people, €17/,
  );
});

it.each<[string, Partial<JobForm>, string | null]>([
  ['nothing', {}, null],
  ['skills by name', { skills: ['kitchen-porter', 'cook'] }, 'Kitchen porter, Cook'],
  ['requirements by number', { requirements: 'Closed shoes\nDutch' }, '2 requirements'],
  ['instant hire alone', { instantHire: true }, 'Instant hire'],
  ['all of them', { skills: ['cook'], requirements: 'Dutch', cvRequired: true }, 'Cook, 1 requirement, CV'],
])('the summary of who is wanted has %s', (_, change, words) => {
  const business = {} as Business;
  expect(stepSummary('who', { ...emptyJobForm(), ...change }, setting, business)).toBe(words);
});
