import type {
  Availability,
  ProfileInput,
  SpokenLanguage,
  WorkerSkill,
} from '@nearhand/contract/people/profiles';

/** Keeps the last value per key, at the position of its first mention. */
const lastOfEach = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

export const cleanSkills = (skills: readonly WorkerSkill[]): WorkerSkill[] =>
  lastOfEach(skills, (one) => one.skill);

export const cleanLanguages = (languages: readonly SpokenLanguage[]): SpokenLanguage[] =>
  lastOfEach(languages, (one) => one.code);

export const cleanAvailability = (parts: Availability): Availability =>
  lastOfEach(parts, (one) => `${one.day} ${one.part}`);

/**
 * The part of a home label that a merchant may see. Parts with a number are addresses or postcodes, so then only the last part
 * without one is shown, as for long labels; "Jordaan, Amsterdam" stays.
 */
export function areaOf(label: string | null): string | null {
  if (label === null) return null;
  const parts = label
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const plain = parts.filter((part) => !/\p{N}/u.test(part));
  if (plain.length === parts.length && parts.length <= 2) return plain.join(', ') || null;
  return plain.at(-1) ?? null;
}

/** Whether an input contains any of the profile's own columns. */
export const touchesProfile = (input: ProfileInput): boolean =>
  Object.entries(input).some(([name, value]) => name !== 'name' && value !== undefined);
