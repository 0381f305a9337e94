export type Inline =
  | string
  | { kind: 'label'; text: string }
  | { kind: 'link'; to: string; text: string }
  | { kind: 'fact'; name: string };

export type Block =
  | { kind: 'paragraph' | 'heading'; content: readonly Inline[] }
  | { kind: 'list' | 'steps'; items: readonly (readonly Inline[])[] };

export type ArticleHead = {
  slug: string;
  title: string;
  side: 'work' | 'hire' | 'both';
  topic: string;
  popular: boolean;
  related: readonly string[];
};

/** The texts by which an article is found in one language; `slug` begins with the language, as `nl/password`. */
export type ArticleWords = { slug: string; title: string; keywords: string };

/** The build's output for `apps/web/help` (ADR 161). */
export type HelpContent = {
  heads: readonly ArticleHead[];
  bodies: Readonly<Record<string, readonly Block[]>>;
  search: string;
};

export const articlePath = (slug: string): string => `/tabs/menu/help/${slug}`;
