import { useLingui } from '@lingui/react';
import MiniSearch from 'minisearch';
import { use } from 'react';
import content from '../../generated/help.json';
import { api } from '../../lib/api/api.ts';
import { guestCall } from '../../lib/api/guest-call.ts';
import { session } from '../../lib/session.ts';
import type { ArticleHead, Block, HelpContent } from './article.ts';
import { queryOptions, searchOptions } from './search-options.ts';

export type HelpSide = 'work' | 'hire';

const isFor = (side: HelpSide) => (head: ArticleHead) => head.side === 'both' || head.side === side;

/** The articles of one language, and what is found in them. */
function helpOf({ heads, bodies, search }: HelpContent) {
  let index: MiniSearch | null = null;
  const articleOf = (slug: string): ArticleHead | undefined => heads.find((head) => head.slug === slug);
  return {
    articleOf,
    /** The articles for one side, in the order of their topics. */
    articlesFor: (side: HelpSide): ArticleHead[] => heads.filter(isFor(side)),
    bodyOf: (slug: string): readonly Block[] => bodies[slug] ?? [],
    /** Articles for some words, best first: words may be unfinished or have a typo. Articles for one's own side come first among equals. */
    searchArticles(words: string, side: HelpSide): ArticleHead[] {
      index ??= MiniSearch.loadJSON(search, searchOptions);
      const own = isFor(side);
      const results = index.search(words, {
        ...queryOptions,
        boostDocument: (slug) => {
          const head = articleOf(String(slug));
          return head && own(head) ? 1 : 0.6;
        },
      });
      return results.flatMap(({ id }) => articleOf(String(id)) ?? []);
    },
  };
}

type Help = ReturnType<typeof helpOf>;

// Made by the build (`build/help.ts`), whose tests hold it to this type.
const english = helpOf(content as HelpContent);
const translations = import.meta.glob<{ default: HelpContent }>('../../generated/help-*.json');
const loaded = new Map<string, Promise<Help>>();

/** The help in the language on screen; in English if that one can't be loaded. Suspends while it is. */
export function useHelp(): Help {
  const { i18n } = useLingui();
  const load = translations[`../../generated/help-${i18n.locale}.json`];
  if (!load) return english;
  const cached = loaded.get(i18n.locale);
  if (cached) return use(cached);
  const help = load().then(
    (module) => helpOf(module.default),
    () => {
      loaded.delete(i18n.locale);
      return english;
    },
  );
  loaded.set(i18n.locale, help);
  return use(help);
}

const deviceKey = 'nearhand-help-device';

/** An id of this device, so that a guest's answer counts once. */
function deviceId(): string {
  const newId = crypto.randomUUID();
  try {
    const item = localStorage.getItem(deviceKey);
    if (item) return item;
    localStorage.setItem(deviceKey, newId);
  } catch {
    // Without storage each answer is one of a new device, within the limit of the network.
  }
  return newId;
}

/** Says whether an article was helpful: once per account, or per device for a guest; the last answer counts. */
export async function vote(article: string, helpful: boolean): Promise<void> {
  if (session.user()) await api.help.vote({ article, helpful });
  else await guestCall('PUT', '/guest-help-votes', { article, helpful, device: deviceId() });
}
