import { profileProblems } from '@nearhand/contract/people/profiles.rules';
import { expect, it } from 'vitest';
import { changesOfProfile, emptyProfile, isProfileForm } from './profile-form.rules.ts';

const form = { ...emptyProfile(), name: 'Leila' };

it('reports what the server would reject', () => {
  expect(profileProblems(form)).toEqual({});
  expect(profileProblems({ ...form, name: ' ' })).toEqual({ name: 'name-missing' });
  expect(profileProblems({ ...form, name: 'x'.repeat(81) })).toEqual({ name: 'name-long' });
  expect(profileProblems({ ...form, name: 'See http://spam.example' })).toEqual({ name: 'name-address' });
  expect(profileProblems({ ...form, name: 'Leila\u200f' })).toEqual({ name: 'name-marks' });
  expect(profileProblems({ ...form, name: '<b>Leila</b>' })).toEqual({ name: 'name-markup' });
  expect(profileProblems({ ...form, name: 'Leila 🌸' })).toEqual({ name: 'name-emoji' });
  expect(profileProblems({ ...form, bio: 'x'.repeat(1001) })).toEqual({ bio: 'bio-long' });
  expect(profileProblems({ ...form, bio: 'Call 06 1234 5678' })).toEqual({ bio: 'contact-details' });
  for (const phone of ['0612345678', '+0612345678', 'call me', '+31 6'])
    expect(profileProblems({ ...form, phone })).toEqual({ phone: 'phone-form' });
  for (const phone of ['', '+31 (6) 12-34.56 78', '0031612345678'])
    expect(profileProblems({ ...form, phone })).toEqual({});
});

it('sends only the changes', () => {
  expect(changesOfProfile(form, form)).toEqual({});
  expect(changesOfProfile(form, { ...form, phone: '0031 612345678', name: '' })).toEqual({
    phone: '+31612345678',
  });
  expect(changesOfProfile({ ...form, phone: '+31612345678' }, form)).toEqual({ phone: null });
});

it('restores only its own form', () => {
  expect(isProfileForm(JSON.parse(JSON.stringify(form)))).toBe(true);
  for (const odd of [null, 7, 'x', {}, { ...form, skills: 'all' }, []])
    expect(isProfileForm(odd)).toBe(false);
});
