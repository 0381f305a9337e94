import { formerMemberName } from '@nearhand/contract/people/account-deletion.rules';
import type { Side } from '@nearhand/contract/sides';
import { findContactDetails } from '@nearhand/contract/talk/contact-details';
import { type ReviewTag, tagsFor } from '@nearhand/contract/trust/reviews.rules';
import { findProfanity } from './profanity.rules.ts';

/** A worker's name as strangers read it: the given name and the initial of the last. */
export function shownName(name: string): string {
  if (name === formerMemberName) return name;
  const words = name.trim().split(/\s+/u);
  const [first = ''] = words;
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  const [initial = ''] = last;
  return initial === '' ? first : `${first} ${initial.toLocaleUpperCase('en')}.`;
}

/** Contact details have no place in a text that everyone reads. */
export const contactDetailsIn = (text: string): string[] => findContactDetails(text);

/** Words that staff should look at, of a review and its reply. */
export const wordsToCheck = (...texts: (string | null)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text === null ? [] : findProfanity(text)))),
];

/** Whether this side may give all these tags, each once. */
export const areTagsOf = (author: Side, tags: readonly ReviewTag[]): boolean =>
  new Set(tags).size === tags.length && tags.every((tag) => tagsFor(author).includes(tag));

/** The side that a review is about. */
export const otherSide = (side: Side): Side => (side === 'worker' ? 'business' : 'worker');
