import {
  publicBusinessPath,
  publicJobPath,
  publicJobsPath,
} from '@nearhand/contract/hiring/public-pages.rules';
import { categoryIds } from '@nearhand/contract/people/taxonomy';
import type { ReadDb } from '../../platform/db.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import {
  findBusinessFileStarts,
  findJobFileStarts,
  findListedBusinesses,
  findListedJobs,
  findTowns,
  findTrades,
  type Listed,
} from './public-pages.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const rowsAtOnce = 1_000;
const townsAtOnce = 200;

export async function sitemapIndex(db: ReadDb, publicUrl: string, perFile: number): Promise<string> {
  const jobs = await findJobFileStarts(db, perFile);
  const businesses = await findBusinessFileStarts(db, perFile);
  const names = ['lists', ...jobs.map((id) => `jobs-${id}`), ...businesses.map((id) => `businesses-${id}`)];
  return `${head}${html`<sitemapindex xmlns="${schema}">${names.map((name) => html`<sitemap><loc>${publicUrl}/sitemaps/${name}.xml</loc></sitemap>`)}</sitemapindex>`.text}\n`;
}

const entry = (publicUrl: string, path: string, at: Date | null) =>
  html`<url><loc>${publicUrl}${path}</loc>${at !== null && html`<lastmod>${at.toISOString()}</lastmod>`}</url>`
    .text;

const kinds = {
  jobs: { find: findListedJobs, path: (row: Listed) => publicJobPath({ id: row.id, title: row.name }) },
  businesses: { find: findListedBusinesses, path: publicBusinessPath },
} as const;

/** Streams one sitemap file of jobs or businesses, so that its size needs no memory. */
export async function* sitemapFile(
  db: ReadDb,
  publicUrl: string,
  { kind, from, perFile }: { kind: keyof typeof kinds; from: string; perFile: number },
): AsyncGenerator<string> {
  yield `${head}<urlset xmlns="${schema}">`;
  let last = from;
  for (let count = 0; count < perFile; ) {
    const rows = await kinds[kind].find(db, last, count === 0, Math.min(rowsAtOnce, perFile - count));
    if (rows.length > 0)
      yield rows.map((row) => entry(publicUrl, kinds[kind].path(row), row.updatedAt)).join('');
    count += rows.length;
    last = rows.at(-1)?.id ?? last;
    if (rows.length < rowsAtOnce) break;
  }
  yield '</urlset>\n';
}

export async function* listSitemap(db: ReadDb, publicUrl: string, perFile: number): AsyncGenerator<string> {
  yield `${head}<urlset xmlns="${schema}">${entry(publicUrl, publicJobsPath(), null)}`;
  let count = 1;
  for (let after = ''; count < perFile; ) {
    const towns = await findTowns(db, after, townsAtOnce);
    const slugs = towns.map(({ slug }) => slug);
    const trades = await findTrades(db, slugs, categoryIds);
    const paths = [
      ...slugs.map((slug) => publicJobsPath(slug)),
      ...trades.map(({ slug, category }) => publicJobsPath(slug, category)),
    ].slice(0, perFile - count);
    yield paths.map((path) => entry(publicUrl, path, null)).join('');
    count += paths.length;
    after = slugs.at(-1) ?? after;
    if (towns.length < townsAtOnce) break;
  }
  yield '</urlset>\n';
}

/**
 * Paths that robots may fetch too: photos of public pages, calendar subscriptions and unsubscribe links. The longest
 * path wins (RFC 9309).
 */
const openPaths = ['/api/files/', '/api/calendar/', '/api/unsubscribe/'];

export const robotsText = (publicUrl: string): string =>
  `${[
    'User-agent: *',
    ...openPaths.map((path) => `Allow: ${path}`),
    ...['/api/', '/dev/', '/sandbox/', '/tabs/', '/job-desc/', '/job-apply-form/', '/login', '/register'].map(
      (path) => `Disallow: ${path}`,
    ),
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
  ].join('\n')}\n`;

/** Markup that is safe to send. Only `html` makes it, so a plain string is always escaped (ADR 153). */
export class Html {
  readonly text: string;
  private constructor(text: string) {
    this.text = text;
  }
  /** Marks our own constants as safe; never use it for user-written text. */
  static trusted(text: string): Html {
    return new Html(text);
  }
}

export type HtmlValue = Html | string | number | null | false | readonly HtmlValue[];

/** Escapes values in text and quoted attributes. Omits null and false, joins lists. */
export const html = (parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html =>
  Html.trusted(parts.reduce((text, part, index) => `${text}${htmlText(values[index - 1] ?? null)}${part}`));

function htmlText(value: HtmlValue): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(htmlText).join('');
}

/** Escapes `<`, so that no text can end the element. */
export const jsonLd = (data: unknown): Html =>
  Html.trusted(
    `<script type="application/ld+json">${JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)}</script>`,
  );
