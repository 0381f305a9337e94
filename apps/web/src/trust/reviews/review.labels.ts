import { plural, t } from '@lingui/core/macro';
import type { ReviewTag } from '@nearhand/contract/trust/reviews.rules';

export function reviewTagText(tag: ReviewTag): string {
  const words: Record<ReviewTag, string> = {
    paid_as_agreed: t`Paid as agreed`,
    safe_place: t`Safe place`,
    clear_instructions: t`Clear instructions`,
    respectful: t`Respectful`,
    well_organized: t`Well organized`,
    good_breaks: t`Breaks kept`,
    punctual: t`Punctual`,
    skilled: t`Skilled`,
    friendly: t`Friendly`,
    hard_working: t`Hard-working`,
    careful: t`Careful`,
    communicates_well: t`Communicates well`,
  };
  return words[tag];
}

export function starsText(stars: number): string {
  const words = [t`Very poor`, t`Poor`, t`OK`, t`Good`, t`Excellent`];
  return t`${words[stars - 1] ?? ''}, ${stars} of 5`;
}

export const starsCount = (stars: number): string => plural(stars, { one: '# star', other: '# stars' });
