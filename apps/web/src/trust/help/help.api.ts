import { useLingui } from '@lingui/react';
import MiniSearch from 'minisearch';
import { use } from 'react';
import content from '../../generated/help.json';
import { api } from '../../lib/api/api.ts';
import { guestCall } from '../../lib/api/guest-call.ts';
import { session } from '../../lib/session.ts';
import type { ArticleHead, Block, HelpContent } from './article.ts';
import { findArticles, searchOptions } from './search-options.ts';

export type HelpSide = 'work' | 'hire';

const isFor = (side: HelpSide) => (head: ArticleHead) => head.side === 'both' || head.side === side;

function helpOf({ heads, bodies, search }: HelpContent) {
  let index: MiniSearch | null = null;
  const articleOf = (slug: string): ArticleHead | undefined => heads.find((head) => head.slug === slug);
  return {
    articleOf,
    articlesFor: (side: HelpSide): ArticleHead[] => heads.filter(isFor(side)),
    bodyOf: (slug: string): readonly Block[] => bodies[slug] ?? [],
    /** Articles for some words, which may have typos: the reader's side first, then best first. */
    searchArticles(words: string, side: HelpSide): ArticleHead[] {
      index ??= MiniSearch.loadJSON(search, searchOptions);
      const slugs = findArticles(index, words, (slug) => {
        const head = articleOf(slug);
        return head && { ...head, isForSide: isFor(side)(head) };
      });
      return slugs.flatMap((slug) => articleOf(slug) ?? []);
    },
  };
}

type Help = ReturnType<typeof helpOf>;

// Built by `build/help.ts`, whose tests check it against this type.
const english = helpOf(content as HelpContent);
const translations = import.meta.glob<{ default: HelpContent }>('../../generated/help-*.json');
const loaded = new Map<string, Promise<Help>>();

/** The help in the language on screen, or in English if that can't be loaded. Suspends while loading. */
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
    // Without storage each answer counts as a new device, within the network's rate limit.
  }
  return newId;
}

/** Records whether an article was helpful: once per account, or per device for a guest; the last answer counts. */
export async function vote(article: string, helpful: boolean): Promise<void> {
  if (session.user()) await api.help.vote({ article, helpful });
  else await guestCall('PUT', '/guest-help-votes', { article, helpful, device: deviceId() });
}
