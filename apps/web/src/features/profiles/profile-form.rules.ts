import { limits } from '@nearhand/contract/limits';
import type { Place } from '@nearhand/contract/places';
import type {
  Availability,
  Profile,
  ProfileInput,
  SpokenLanguage,
  WorkerSkill,
} from '@nearhand/contract/profiles';

/** A profile as it is typed, in sign-up and in its own form. Files are apart: they are chosen, not typed. */
export type ProfileForm = {
  name: string;
  phone: string;
  bio: string;
  home: Place | null;
  languages: SpokenLanguage[];
  availability: Availability;
  skills: WorkerSkill[];
};
export type ProfileField = keyof ProfileForm;

export const emptyProfile = (): ProfileForm => ({
  name: '',
  phone: '',
  bio: '',
  home: null,
  languages: [],
  availability: [],
  skills: [],
});

export const formOfProfile = (profile: Profile): ProfileForm => ({
  name: profile.name,
  phone: profile.phone ?? '',
  bio: profile.bio,
  home: profile.home,
  languages: profile.languages,
  availability: profile.availability,
  skills: profile.skills,
});

/** What people leave out of a number when they type it. */
const bareNumber = (typed: string): string => typed.replace(/[\s().-]/g, '').replace(/^00/, '+');

export type ProfileProblem = 'name-missing' | 'name-long' | 'phone-form' | 'bio-long';

/** What the server would refuse, found before it is asked. A name is needed where the profile is saved, not while it is only begun. */
export function profileProblems(form: ProfileForm): Partial<Record<ProfileField, ProfileProblem>> {
  const problems: Partial<Record<ProfileField, ProfileProblem>> = {};
  const name = form.name.trim();
  if (name === '') problems.name = 'name-missing';
  else if (name.length > limits.nameMax) problems.name = 'name-long';
  if (form.phone.trim() !== '' && !/^\+[1-9]\d{6,14}$/.test(bareNumber(form.phone)))
    problems.phone = 'phone-form';
  if (form.bio.trim().length > limits.bioMax) problems.bio = 'bio-long';
  return problems;
}

/** The parts of a form that differ from what was there, as the server takes them. */
export function changesOfProfile(before: ProfileForm, after: ProfileForm): ProfileInput {
  const differs = (field: ProfileField) => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  return {
    ...(differs('name') && after.name.trim() !== '' ? { name: after.name.trim() } : {}),
    ...(differs('phone') ? { phone: after.phone.trim() === '' ? null : bareNumber(after.phone) } : {}),
    ...(differs('bio') ? { bio: after.bio.trim() } : {}),
    ...(differs('home') ? { home: after.home } : {}),
    ...(differs('languages') ? { languages: after.languages } : {}),
    ...(differs('availability') ? { availability: after.availability } : {}),
    ...(differs('skills') ? { skills: after.skills } : {}),
  };
}

/** A form read back from a device: anything of another shape is as good as nothing. */
export function isProfileForm(value: unknown): value is ProfileForm {
  if (typeof value !== 'object' || value === null) return false;
  const form = value as Record<string, unknown>;
  return (
    ['name', 'phone', 'bio'].every((field) => typeof form[field] === 'string') &&
    ['languages', 'availability', 'skills'].every((field) => Array.isArray(form[field])) &&
    typeof form.home === 'object'
  );
}
