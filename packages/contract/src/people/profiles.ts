import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { z } from 'zod';
import { limits } from '../limits.ts';
import { day, id, operation, version } from '../operation.ts';
import { certificateKinds } from './certificates.rules.ts';
import { phoneShape, plainPhone } from './contact.rules.ts';
import { proseWithoutContact } from './email.ts';
import { storedFile } from './files.ts';
import { peopleLimits } from './limits.ts';
import { personName } from './names.ts';
import { home, place } from './places.ts';
import { dayParts, findableChoices, languageLevels, weekdays } from './profile-choices.ts';
import { profileLimits } from './profiles.rules.ts';
import { rating } from './rating.ts';
import { skillIds, skillLevels } from './taxonomy.ts';

/** Level and years are null while the worker has not stated them. */
export const workerSkill = z.object({
  skill: z.enum(skillIds),
  level: z.enum(skillLevels).nullable(),
  years: z.number().int().min(0).max(profileLimits.skillYears).nullable(),
});
export type WorkerSkill = z.infer<typeof workerSkill>;

/** ISO 639-1 code and level. */
export const spokenLanguage = z.object({
  code: z.string().regex(/^[a-z]{2}$/),
  level: z.enum(languageLevels),
});
export type SpokenLanguage = z.infer<typeof spokenLanguage>;

export const availability = z
  .array(z.object({ day: z.enum(weekdays), part: z.enum(dayParts) }))
  .max(weekdays.length * dayParts.length);
export type Availability = z.infer<typeof availability>;

/** The hours a week that a worker wants at most, for all businesses together (ADR 409). */
export const weekHoursMax = z.number().int().min(1).max(profileLimits.weekHours);

/** A worker's whole profile. Only the worker sees the exact `home`. */
export const profile = z.object({
  accountId: id,
  version,
  name: z.string(),
  phone: z.string().nullable(),
  bio: z.string(),
  home: place.nullable(),
  languages: z.array(spokenLanguage),
  availability,
  weekHoursMax: weekHoursMax.nullable(),
  skills: z.array(workerSkill),
  findable: z.enum(findableChoices),
  photo: storedFile.nullable(),
  cv: storedFile.nullable(),
});
export type Profile = z.infer<typeof profile>;

/**
 * Normalizes a number: no separators and, where the country's numbering plan has one, no trunk zero: "+31 06
 * 12345678".
 */
function e164(typed: string): string {
  const plain = plainPhone(typed);
  const number = parsePhoneNumberFromString(plain);
  return number?.isValid() ? number.number : plain;
}

/** E.164 as people type it: spaces, dots, dashes and brackets are dropped. */
export const phone = z.string().max(profileLimits.phone).transform(e164).pipe(z.string().regex(phoneShape));

/** Parts of a profile to save; absent fields stay, null clears. */
export const profileInput = z.object({
  name: personName(limits.nameMax).optional(),
  phone: phone.nullable().optional(),
  bio: proseWithoutContact(peopleLimits.bioMax).optional(),
  home: home.nullable().optional(),
  languages: z.array(spokenLanguage).max(profileLimits.languages).optional(),
  availability: availability.optional(),
  weekHoursMax: weekHoursMax.nullable().optional(),
  skills: z.array(workerSkill).max(profileLimits.skills).optional(),
  findable: z.enum(findableChoices).optional(),
  photoFileId: id.nullable().optional(),
  cvFileId: id.nullable().optional(),
});
export type ProfileInput = z.infer<typeof profileInput>;

/** Checks of a worker; a badge shows exactly these (ADR 173). */
export const workerChecks = z.object({
  /** True if the worker entered a code that was texted to the number in their profile. */
  phone: z.boolean(),
  /** True if staff compared the identity document with the worker's face and current name. */
  identity: z.boolean(),
  certificates: z.array(z.object({ kind: z.enum(certificateKinds), until: day })),
});
export type WorkerChecks = z.infer<typeof workerChecks>;

/** A worker as a business may see them: no email, no phone, no exact home before a hire. */
export const workerCard = z.object({
  workerId: id,
  name: z.string(),
  photoPath: z.string().nullable(),
  bio: z.string(),
  area: z.string().nullable(),
  languages: z.array(spokenLanguage),
  availability,
  weekHoursMax: weekHoursMax.nullable(),
  skills: z.array(workerSkill),
  checks: workerChecks,
  rating,
});
export type WorkerCard = z.infer<typeof workerCard>;

/** The caller's own profile, and a business's view of its applicants. */
export const profiles = {
  mine: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/profiles/me',
      summary: 'Get your profile; empty if nothing was saved',
    })
    .output(profile),
  save: operation({
    access: 'signed-in',
    errors: ['profile/stale', 'file/not-found', 'file/wrong-type'],
    effects: ['guarded:record', 'text:bio'],
  })
    .route({
      method: 'PATCH',
      path: '/profiles/me',
      summary: 'Save parts of your profile; absent fields stay',
    })
    .input(profileInput.extend({ version: version.optional() }))
    .output(profile),
  worker: operation({ access: 'member:coordinator', errors: ['profile/not-found'] })
    .route({
      method: 'GET',
      path: '/workers/{workerId}',
      summary: 'A worker who applied to one of your businesses',
    })
    .input(z.object({ workerId: id }))
    .output(workerCard),
};
