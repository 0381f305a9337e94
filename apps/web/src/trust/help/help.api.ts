import { useLingui } from '@lingui/react';
import MiniSearch from 'minisearch';
import { use, useMemo } from 'react';
import content from '../../generated/help.json';
import { api } from '../../lib/api/api.ts';
import { guestCall } from '../../lib/api/guest-call.ts';
import { session } from '../../lib/session.ts';
import type { ArticleHead, ArticleWords, Block, HelpContent } from './article.ts';
import { findArticles, findInOtherLanguages, indexOfWords, searchOptions } from './search-options.ts';

export type HelpSide = 'work' | 'hire';

const isFor = (side: HelpSide) => (head: ArticleHead) => head.side === 'both' || head.side === side;

function helpOf({ heads, bodies, search }: HelpContent) {
  let index: MiniSearch | null = null;
  const articleOf = (slug: string): ArticleHead | undefined => heads.find((head) => head.slug === slug);
  const headFor = (side: HelpSide) => (slug: string) => {
    const head = articleOf(slug);
    return head && { ...head, isForSide: isFor(side)(head) };
  };
  return {
    articleOf,
    headFor,
    articlesFor: (side: HelpSide): ArticleHead[] => heads.filter(isFor(side)),
    bodyOf: (slug: string): readonly Block[] => bodies[slug] ?? [],
    /** Articles for some words, which may have typos: the reader's side first, then best first. */
    searchArticles(words: string, side: HelpSide): ArticleHead[] {
      index ??= MiniSearch.loadJSON(search, searchOptions);
      return findArticles(index, words, headFor(side)).flatMap((slug) => articleOf(slug) ?? []);
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

let loadedWords: Promise<MiniSearch | null> | null = null;

/** The titles and keywords of all languages; null without a connection. */
function loadWords(): Promise<MiniSearch | null> {
  loadedWords ??= import('../../generated/article-words.json').then(
    (module) => indexOfWords(module.default satisfies ArticleWords[]),
    () => {
      loadedWords = null;
      return null;
    },
  );
  return loadedWords;
}

/**
 * Articles for some words, best first. A question that has no answer in the language on screen is looked up in the
 * other languages too; suspends while their words load.
 */
export function useArticleSearch(words: string, side: HelpSide): ArticleHead[] {
  const { searchArticles, articleOf, headFor } = useHelp();
  const results = useMemo(() => searchArticles(words, side), [words, side, searchArticles]);
  if (results.length > 0) return results;
  const index = use(loadWords());
  if (!index) return [];
  return findInOtherLanguages(index, words, headFor(side)).flatMap((slug) => articleOf(slug) ?? []);
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
