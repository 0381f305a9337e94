import { plainPhone } from '@nearhand/contract/people/contact.rules';
import type { Place } from '@nearhand/contract/people/places';
import type { Findable, LanguageLevel } from '@nearhand/contract/people/profile-choices';
import type {
  Availability,
  Profile,
  ProfileInput,
  SpokenLanguage,
  WorkerSkill,
} from '@nearhand/contract/people/profiles';

/** A language as it is chosen: its level is empty until it is chosen too. */
export type ChosenLanguage = { code: string; level: LanguageLevel | '' };

/** A profile as it is typed, in sign-up and in its own form, without files. */
export type ProfileForm = {
  name: string;
  phone: string;
  bio: string;
  home: Place | null;
  languages: ChosenLanguage[];
  availability: Availability;
  weekHoursMax: number | null;
  skills: WorkerSkill[];
  findable: Findable;
};
export type ProfileField = keyof ProfileForm;

export const profileFields: readonly ProfileField[] = [
  'name',
  'phone',
  'home',
  'languages',
  'availability',
  'weekHoursMax',
  'bio',
  'findable',
  'skills',
];

export const emptyProfile = (): ProfileForm => ({
  name: '',
  phone: '',
  bio: '',
  home: null,
  languages: [],
  availability: [],
  weekHoursMax: null,
  skills: [],
  findable: 'off',
});

export const formOfProfile = (profile: Profile): ProfileForm => ({
  name: profile.name,
  phone: profile.phone ?? '',
  bio: profile.bio,
  home: profile.home,
  languages: profile.languages,
  availability: profile.availability,
  weekHoursMax: profile.weekHoursMax,
  skills: profile.skills,
  findable: profile.findable,
});

const hasLevel = (language: ChosenLanguage): language is SpokenLanguage => language.level !== '';

export function changesOfProfile(before: ProfileForm, after: ProfileForm): ProfileInput {
  const hasChanged = (field: ProfileField) => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  return {
    ...(hasChanged('name') && after.name.trim() !== '' ? { name: after.name.trim() } : {}),
    ...(hasChanged('phone') ? { phone: after.phone.trim() === '' ? null : plainPhone(after.phone) } : {}),
    ...(hasChanged('bio') ? { bio: after.bio.trim() } : {}),
    ...(hasChanged('home') ? { home: after.home } : {}),
    ...(hasChanged('languages') ? { languages: after.languages.filter(hasLevel) } : {}),
    ...(hasChanged('availability') ? { availability: after.availability } : {}),
    ...(hasChanged('weekHoursMax') ? { weekHoursMax: after.weekHoursMax } : {}),
    ...(hasChanged('skills') ? { skills: after.skills } : {}),
    ...(hasChanged('findable') ? { findable: after.findable } : {}),
  };
}

export function isProfileForm(value: unknown): value is ProfileForm {
  if (typeof value !== 'object' || value === null) return false;
  const form = value as Record<string, unknown>;
  return (
    ['name', 'phone', 'bio'].every((field) => typeof form[field] === 'string') &&
    ['languages', 'availability', 'skills'].every((field) => Array.isArray(form[field])) &&
    typeof form.home === 'object'
  );
}
