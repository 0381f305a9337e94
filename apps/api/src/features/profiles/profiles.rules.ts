import type { Availability, ProfileInput, SpokenLanguage, WorkerSkill } from '@nearhand/contract/profiles';

/** The last word on each thing counts; a thing said twice is kept once, in the order of its first mention. */
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
 * The town or quarter of a home as a merchant may know it, from the words a person gave it. A part with a number in it is an address or a postcode:
 * then only the last part without one is told. So is the last of a long label; "Jordaan, Amsterdam" stays as it is.
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

/** Fields of an input that are the profile's own columns and were given. */
export const touchesProfile = (input: ProfileInput): boolean =>
  Object.entries(input).some(([name, value]) => name !== 'name' && value !== undefined);
