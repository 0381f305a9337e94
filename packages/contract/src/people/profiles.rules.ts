import { limits } from '../limits.ts';
import { isPhone } from './contact.rules.ts';
import { hasPhoneOrEmail } from './contact-details.rules.ts';
import { peopleLimits } from './limits.ts';
import { type NameProblem, nameProblem } from './names.rules.ts';

/**
 * The maximum number of skills and languages of one profile, of years of one skill, of characters of a phone number as
 * typed, and of hours a week that a worker can set as their own maximum.
 */
export const profileLimits = { skills: 40, skillYears: 60, languages: 20, phone: 40, weekHours: 60 } as const;

export type ProfileProblem =
  | 'name-missing'
  | 'name-long'
  | `name-${NameProblem}`
  | 'phone-form'
  | 'bio-long'
  | 'contact-details';

/** Problems of a profile's texts, by field. A name is required to save the profile, not to begin it. */
export function profileProblems(typed: {
  name: string;
  phone: string;
  bio: string;
}): Partial<Record<'name' | 'phone' | 'bio', ProfileProblem>> {
  const name = typed.name.trim();
  const odd = nameProblem(name, 'person');
  return {
    ...(name === '' ? { name: 'name-missing' as const } : {}),
    ...(odd ? { name: `name-${odd}` as const } : {}),
    ...(name.length > limits.nameMax ? { name: 'name-long' as const } : {}),
    ...(typed.phone.trim() !== '' && !isPhone(typed.phone) ? { phone: 'phone-form' as const } : {}),
    ...(hasPhoneOrEmail(typed.bio) ? { bio: 'contact-details' as const } : {}),
    ...(typed.bio.trim().length > peopleLimits.bioMax ? { bio: 'bio-long' as const } : {}),
  };
}
