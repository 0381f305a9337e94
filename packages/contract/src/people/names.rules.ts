import { formerMemberName } from './account-deletion.rules.ts';

/** Marks that turn the direction of the text around a name. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/;
const address = /:\/\/|(?<![\p{L}\p{N}])www\./iu;
/** A host such as `spam.example`; "J. R. Smith" and "St.John" are none. */
const host = /[\p{Ll}\p{N}-]{2}\.\p{Ll}{2,}(?![\p{L}\p{N}])/u;
const markup = /<\/?[a-z!][^<>]*>|&(?:[a-z]{2,8}|#x?[\da-f]{1,6});/i;
const emoji = /\p{Emoji_Presentation}|[\u{1F000}-\u{1FAFF}\u2600-\u27BF]|\uFE0F/u;

/** A person, a business or one of its branches, or a label for someone's own records, such as a template. */
export type NameKind = 'person' | 'business' | 'label';

export const nameProblems = ['address', 'marks', 'markup', 'emoji'] as const;
export type NameProblem = (typeof nameProblems)[number];

/**
 * Finds content that a name may not contain: a web address, direction marks, markup, emoji. A business may be
 * called by its site, such as booking.example, but not by a link; labels may have emoji, because only their
 * owners read them.
 */
export function nameProblem(name: string, kind: NameKind): NameProblem | null {
  if (directionMarks.test(name)) return 'marks';
  if (address.test(name) || (kind === 'person' && (host.test(name) || /@/.test(name)))) return 'address';
  if (markup.test(name) || (kind === 'person' && /[<>]/.test(name))) return 'markup';
  return kind !== 'label' && emoji.test(name) ? 'emoji' : null;
}

/** The first word of a name. Empty for an empty name. */
export const firstNameOf = (name: string): string => name.trim().split(/\s+/u)[0] ?? '';

/** The given name and the initial of the last, such as "Noor B.", which strangers read. */
export function shownName(name: string): string {
  if (name === formerMemberName) return name;
  const words = name.trim().split(/\s+/u);
  const [first = ''] = words;
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const [initial = ''] = last;
  return initial === '' ? first : `${first} ${initial.toLocaleUpperCase('en')}.`;
}
