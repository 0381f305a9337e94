import { publicJobsPath } from '@nearhand/contract/hiring/public-pages.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { say } from '../../platform/mail/mail-layout.ts';
import type { Crumb } from './page-layout.ts';
import type { PageView } from './page-view.ts';
import { categoryWords } from './taxonomy-words.ts';

/** From all jobs to those of one town, and of one trade in it. A name that makes no address has no page. */
export const townTrail = (
  { text }: PageView,
  { town, townSlug }: { town: string; townSlug: string },
  category: CategoryId | null,
): Crumb[] => [
  { name: text(say('Jobs')), path: publicJobsPath() },
  ...(townSlug === '' ? [] : [{ name: town, path: publicJobsPath(townSlug) }]),
  ...(townSlug === '' || category === null
    ? []
    : [{ name: text(categoryWords[category]), path: publicJobsPath(townSlug, category) }]),
];
