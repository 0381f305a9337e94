import { editsBetween, errorsForgiven } from '@nearhand/contract/people/spelling.rules';
import { type CategoryId, type SkillId, taxonomy } from '@nearhand/contract/people/taxonomy';
import { categoryText } from '../../lib/words/category-text.ts';
import { skillText } from '../../lib/words/taxonomy-text.ts';

/** Lower case without accents and apostrophes, so that "cafe" finds "Café". */
export const foldTyped = (text: string) =>
  text
    .trim()
    .toLocaleLowerCase()
    .normalize('NFD')
    .replace(/[\p{M}'’]/gu, '');

/** The skills of a category for folded text, forgiving typing errors as the job search does: "barrista" finds Barista. */
export function skillsMatching(category: CategoryId, text: string): readonly SkillId[] {
  const skills: readonly SkillId[] = taxonomy[category];
  if (text === '' || foldTyped(categoryText(category)).includes(text)) return skills;
  const max = errorsForgiven(text);
  return skills.filter((skill) => {
    const name = foldTyped(skillText(skill));
    return (
      name.includes(text) ||
      (max > 0 &&
        [name, ...name.split(' ')].some((words) => editsBetween(text, words, max, { start: true }) <= max))
    );
  });
}
