/** Part of a sentence: text, a label of the app, a link, or a fact by its name. */
export type Inline =
  | string
  | { kind: 'label'; text: string }
  | { kind: 'link'; to: string; text: string }
  | { kind: 'fact'; name: string };

export type Block =
  | { kind: 'paragraph' | 'heading'; content: readonly Inline[] }
  | { kind: 'list' | 'steps'; items: readonly (readonly Inline[])[] };

/** An article without its text, for lists. */
export type ArticleHead = {
  slug: string;
  title: string;
  side: 'work' | 'hire' | 'both';
  topic: string;
  popular: boolean;
  related: readonly string[];
};

/** What the build makes of `apps/web/help` (ADR 161). */
export type HelpContent = {
  heads: readonly ArticleHead[];
  bodies: Readonly<Record<string, readonly Block[]>>;
  /** A `minisearch` index, as text. */
  search: string;
};

export const articlePath = (slug: string): string => `/tabs/menu/help/${slug}`;
