import { publicJobsPath } from '@nearhand/contract/hiring/public-pages.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { Crumb } from './page-layout.ts';
import { categoryWords } from './page-words.rules.ts';

/** From all jobs to those of one town, and of one trade in it. A name that makes no address has no page. */
export const townTrail = (
  { town, townSlug }: { town: string; townSlug: string },
  category: CategoryId | null,
): Crumb[] => [
  { name: 'Jobs', path: publicJobsPath() },
  ...(townSlug === '' ? [] : [{ name: town, path: publicJobsPath(townSlug) }]),
  ...(townSlug === '' || category === null
    ? []
    : [{ name: categoryWords[category], path: publicJobsPath(townSlug, category) }]),
];
