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
