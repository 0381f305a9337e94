import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Language, languages } from '@nearhand/contract/languages';
import { lexer, type Token, type Tokens } from 'marked';
import MiniSearch from 'minisearch';
import type { Plugin } from 'vite';
import {
  type ArticleHead,
  type ArticleWords,
  articlePath,
  type Block,
  type HelpContent,
  type Inline,
} from '../src/trust/help/article.ts';
import { searchOptions } from '../src/trust/help/search-options.ts';

export type Article = ArticleHead & { file: string; keywords: string; markdown: string; blocks: Block[] };

/** The order of the topics on the help page; each is a folder of `apps/web/help/en`. */
export const topics = ['start', 'find-work', 'on-the-job', 'pay', 'hire', 'safety', 'account', 'legal'];

/**
 * All articles of a language, in the order of their topics.
 * @throws for anything that the app could not show
 */
export function readArticles(root: string, language: Language = 'en'): Article[] {
  const files = globSync(join(root, `help/${language}/*/*.md`)).sort();
  const articles = files.map((file) => readArticle(file, readFileSync(file, 'utf8')));
  return articles.sort((a, b) => topics.indexOf(a.topic) - topics.indexOf(b.topic));
}

export function readArticle(file: string, source: string): Article {
  const [, front = '', markdown = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  const fields = new Map(
    front.split('\n').map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()] as const;
    }),
  );
  const need = (name: string): string => {
    const value = fields.get(name);
    if (!value) throw new Error(`${file}: has no ${name}`);
    return value;
  };
  const side = need('side');
  if (side !== 'work' && side !== 'hire' && side !== 'both') throw new Error(`${file}: side is ${side}`);
  const topic = basename(dirname(file));
  if (!topics.includes(topic)) throw new Error(`${file}: ${topic} is not a topic`);
  return {
    file,
    slug: basename(file, '.md'),
    title: need('title'),
    side,
    topic,
    keywords: need('keywords'),
    related: need('related').split(/,\s*/),
    popular: fields.get('popular') === 'yes',
    markdown,
    blocks: blocksOf(file, lexer(markdown)),
  };
}

function blocksOf(file: string, tokens: readonly Token[]): Block[] {
  return tokens.flatMap((token): Block[] => {
    switch (token.type) {
      case 'space':
        return [];
      case 'paragraph':
        return [{ kind: 'paragraph', content: inlinesOf(file, token.tokens) }];
      case 'heading':
        if ((token as Tokens.Heading).depth !== 2) throw new Error(`${file}: headings are ##`);
        return [{ kind: 'heading', content: inlinesOf(file, token.tokens) }];
      case 'list': {
        const { ordered, items } = token as Tokens.List;
        return [{ kind: ordered ? 'steps' : 'list', items: items.map((item) => itemOf(file, item)) }];
      }
      default:
        throw new Error(`${file}: has a ${token.type}, which articles do not use`);
    }
  });
}

function itemOf(file: string, { tokens }: Tokens.ListItem): Inline[] {
  const [only, ...more] = tokens;
  if ((only?.type !== 'text' && only?.type !== 'paragraph') || more.length > 0)
    throw new Error(`${file}: a list item is one line`);
  return inlinesOf(file, (only as Tokens.Text).tokens);
}

function inlinesOf(file: string, tokens: readonly Token[] = []): Inline[] {
  return tokens.flatMap((token): Inline[] => {
    switch (token.type) {
      case 'text':
      case 'escape':
        return factsIn(token.raw.replaceAll('\n', ' '));
      case 'strong':
        return [{ kind: 'label', text: (token as Tokens.Strong).text }];
      case 'link': {
        const { href, text } = token as Tokens.Link;
        const to = href.startsWith('article:') ? articlePath(href.slice('article:'.length)) : href;
        return [{ kind: 'link', to, text }];
      }
      default:
        throw new Error(`${file}: has a ${token.type}, which articles do not use`);
    }
  });
}

const factsIn = (text: string): Inline[] =>
  text
    .split(/(\{\{\w+\}\})/)
    .filter(Boolean)
    .map((part) => {
      const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1];
      return name === undefined ? part : { kind: 'fact', name };
    });

const wordsOf = (content: readonly Inline[]): string =>
  content.map((part) => (typeof part === 'string' ? part : part.kind === 'fact' ? '' : part.text)).join('');

export const textOf = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => ('items' in block ? block.items.map(wordsOf).join('\n') : wordsOf(block.content)))
    .join('\n');

export function contentOf(articles: readonly Article[]): HelpContent {
  const search = new MiniSearch<{ slug: string }>(searchOptions);
  search.addAll(
    articles.map(({ slug, title, keywords, blocks }) => ({ slug, title, keywords, text: textOf(blocks) })),
  );
  return {
    heads: articles.map(({ slug, title, side, topic, popular, related }) => ({
      slug,
      title,
      side,
      topic,
      popular,
      related,
    })),
    bodies: Object.fromEntries(articles.map(({ slug, blocks }) => [slug, blocks])),
    search: JSON.stringify(search),
  };
}

/** The titles and keywords of all languages, for questions in another language than the one on screen. */
export const wordsOfArticles = (root: string): ArticleWords[] =>
  languages.flatMap((language) =>
    readArticles(root, language).map(({ slug, title, keywords }) => ({
      slug: `${language}/${slug}`,
      title,
      keywords,
    })),
  );

function write(root: string): void {
  const folder = join(root, 'src/generated');
  mkdirSync(folder, { recursive: true });
  for (const language of languages) {
    const articles = readArticles(root, language);
    const name = language === 'en' ? 'help.json' : `help-${language}.json`;
    if (articles.length > 0) writeChanged(join(folder, name), JSON.stringify(contentOf(articles)));
  }
  writeChanged(join(folder, 'article-words.json'), JSON.stringify(wordsOfArticles(root)));
}

function writeChanged(file: string, text: string): void {
  let before = '';
  try {
    before = readFileSync(file, 'utf8');
  } catch {
    // The file doesn't exist yet.
  }
  if (before !== text) writeFileSync(file, text);
}

/** Writes the articles of `help/` to `src/generated`, one JSON file per language and one of all languages' titles and keywords (ADR 161). */
export function help(root: string): Plugin {
  return {
    name: 'nearhand:help',
    config() {
      write(root);
    },
    handleHotUpdate({ file }) {
      if (file.startsWith(join(root, 'help/'))) write(root);
    },
  };
}
