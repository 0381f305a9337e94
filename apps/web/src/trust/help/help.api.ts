import MiniSearch from 'minisearch';
import content from '../../generated/help.json';
import { api } from '../../lib/api/api.ts';
import { guestCall } from '../../lib/api/guest-call.ts';
import { session } from '../../lib/session.ts';
import type { ArticleHead, Block, HelpContent } from './article.ts';
import { queryOptions, searchOptions } from './search-options.ts';

// Made by the build (`build/help.ts`), whose tests hold it to this type.
const { heads, bodies, search } = content as HelpContent;

export type HelpSide = 'work' | 'hire';

const isFor = (side: HelpSide) => (head: ArticleHead) => head.side === 'both' || head.side === side;

/** The articles for one side, in the order of their topics. */
export const articlesFor = (side: HelpSide): ArticleHead[] => heads.filter(isFor(side));

export const articleOf = (slug: string): ArticleHead | undefined => heads.find((head) => head.slug === slug);

export const bodyOf = (slug: string): readonly Block[] => bodies[slug] ?? [];

let index: MiniSearch | null = null;

/** Articles for some words, best first: words may be unfinished or have a typo. Articles for one's own side come first among equals. */
export function searchArticles(words: string, side: HelpSide): ArticleHead[] {
  index ??= MiniSearch.loadJSON(search, searchOptions);
  const own = isFor(side);
  const found = index.search(words, {
    ...queryOptions,
    boostDocument: (slug) => {
      const head = articleOf(String(slug));
      return head && own(head) ? 1 : 0.6;
    },
  });
  return found.flatMap(({ id }) => articleOf(String(id)) ?? []);
}

const deviceKey = 'nearhand-help-device';

/** An id of this device, so that a guest's answer counts once. */
function deviceId(): string {
  const made = crypto.randomUUID();
  try {
    const known = localStorage.getItem(deviceKey);
    if (known) return known;
    localStorage.setItem(deviceKey, made);
  } catch {
    // Without storage each answer is one of a new device, within the limit of the network.
  }
  return made;
}

/** Says whether an article was helpful: once per account, or per device for a guest; the last answer counts. */
export async function vote(article: string, helpful: boolean): Promise<void> {
  if (session.user()) await api.help.vote({ article, helpful });
  else await guestCall('PUT', '/guest-help-votes', { article, helpful, device: deviceId() });
}
