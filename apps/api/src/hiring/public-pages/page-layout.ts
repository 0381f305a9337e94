import { reportPath } from '@nearhand/contract/app-paths';
import { directionOf, type Language, languageNames, languages } from '@nearhand/contract/languages';
import type { Rating } from '@nearhand/contract/people/rating.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { say } from '../../platform/mail/mail-layout.ts';
import { pageFonts } from './fonts/page-fonts.ts';
import { Html, type HtmlValue, html, jsonLd } from './html.ts';
import { iconPaths, type PageIcon } from './page-icons.ts';
import { pageStyle, pageStyleHash } from './page-style.ts';
import { type PageView, pathIn } from './page-view.ts';
import { type PageLocale, ratingWords } from './page-words.ts';

/** What a page says about itself to search engines and to apps that preview links. */
export type PageHead = {
  /** With the product's name where it fits. */
  title: string;
  description: string;
  /** Full address of this page without a language; null for one that no engine should list. */
  canonical: string | null;
  /** Full address of a 1200 by 630 picture. */
  picture: string | null;
  data: readonly unknown[];
};

export type Crumb = { name: string; path: string };

/** Nothing but our own style, pictures and fonts; no script, no form, no frame around it. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src '${pageStyleHash}'`,
  "img-src 'self'",
  "font-src 'self'",
  // For tools that fetch robots.txt from within the page; no script of ours connects.
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** An icon next to text; the page has each icon's path once, however many cards draw it. */
export const icon = (name: PageIcon): Html =>
  html`<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`;

/** The icons that a text draws. A person's text has no quotes left to match. */
function sprite(body: Html): Html {
  const used = new Set([...body.text.matchAll(/href="#i-([a-z-]+)"/g)].map(([, name]) => name as PageIcon));
  return html`<svg width="0" height="0" aria-hidden="true">${[...used].map((name) => html`<symbol id="i-${name}" viewBox="0 0 256 256"><path d="${iconPaths[name]}"/></symbol>`)}</svg>`;
}

const signs: Record<CategoryId, readonly [PageIcon, string]> = {
  hospitality: ['coffee', 'clay'],
  retail: ['basket', 'moss'],
  logistics: ['package', 'straw'],
  delivery: ['bicycle', 'sky'],
  events: ['ticket', 'clay'],
  cleaning: ['broom', 'sky'],
  trades: ['hammer', 'straw'],
  construction: ['hard-hat', 'straw'],
  gardening: ['leaf', 'moss'],
  care: ['heart', 'clay'],
  education: ['graduation-cap', 'sky'],
  office: ['briefcase', ''],
  technology: ['laptop', 'sky'],
  creative: ['paint-brush', 'straw'],
  beauty: ['scissors', 'clay'],
  security: ['shield-check', 'moss'],
};

/** A trade's sign, as on the app's cards. */
export const sign = (category: CategoryId): Html =>
  html`<span class="sign ${signs[category][1]}">${icon(signs[category][0])}</span>`;

export const verifiedMark = ({ text }: PageView): Html =>
  html`<span class="verified">${icon('seal-check')}${text(say('Verified business'))}</span>`;

/** Leads to the report form in the app, for a guest through signing in. */
export const reportLine = ({ text }: PageView, kind: 'job' | 'business', id: string): Html =>
  html`<p class="sm"><a href="${reportPath(kind, id)}" rel="nofollow">${text(kind === 'job' ? say('Report this job') : say('Report this business'))}</a></p>`;

/** The average of a business's reviews, on a card short for the eye; nothing below three reviews. */
export function ratingStar(rating: Rating, locale: PageLocale, form: 'short' | 'full'): Html | null {
  const words = ratingWords(rating, locale);
  if (words === null) return null;
  return html`<span class="star">${icon('star-fill')}${
    form === 'full'
      ? words.full
      : html`<span aria-hidden="true">${words.short}</span><span class="vh">${words.full}</span>`
  }</span>`;
}

/** Breadcrumbs; the last one is this page. */
export const crumbs = (
  { text, link }: PageView,
  trail: readonly Crumb[],
): Html => html`<nav class="crumbs" aria-label="${text(say('Breadcrumbs'))}"><ol>
${trail.map(({ name, path }, index) =>
  index === trail.length - 1
    ? html`<li aria-current="page"><bdi>${name}</bdi></li>`
    : html`<li><a href="${link(path)}"><bdi>${name}</bdi></a></li>`,
)}</ol></nav>`;

/** The same for search engines. */
export const crumbData = (trail: readonly Crumb[], publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(({ name, path }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    name,
    item: `${publicUrl}${path}`,
  })),
});

const mark = html`<svg viewBox="0 0 64 64" aria-hidden="true"><path d="M14 57V33a18 18 0 0 1 36 0v24" fill="none" stroke="var(--on-pine)" stroke-width="11.5"/><circle cx="32" cy="33" r="6.6" fill="var(--ember)"/></svg>`;

/** English is what the bare address says to a reader of no language of ours, so that address is English's own. */
const addressIn = (canonical: string, language: Language): string =>
  language === 'en' ? canonical : pathIn(canonical, language);

function linked({ language }: PageView, { canonical }: PageHead): Html {
  if (canonical === null) return html`<meta name="robots" content="noindex">`;
  const own = addressIn(canonical, language);
  return html`<link rel="canonical" href="${own}">${languages.map((other) => html`<link rel="alternate" hreflang="${other}" href="${addressIn(canonical, other)}">`)}<link rel="alternate" hreflang="x-default" href="${canonical}"><meta property="og:url" content="${own}">`;
}

const ogLocales: Record<Language, string> = {
  en: 'en_GB',
  nl: 'nl_NL',
  de: 'de_DE',
  fr: 'fr_FR',
  es: 'es_ES',
  ar: 'ar_AR',
};

/** The same page in the other languages, each by its own name. */
const languageLinks = ({ language, text }: PageView, path: string): Html =>
  html`<nav class="wrap wide" aria-label="${text(say('Language'))}">${languages.map((other) => html`<a href="${pathIn(path, other)}" hreflang="${other}" lang="${other}"${other === language && html` aria-current="true"`}>${languageNames[other]}</a>`)}</nav>`;

const pictured = ({ picture, title }: PageHead): Html =>
  picture === null
    ? html`<meta name="twitter:card" content="summary">`
    : html`<meta property="og:image" content="${picture}"><meta property="og:image:type" content="image/png"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary_large_image"><meta name="twitter:image" content="${picture}">`;

/** A complete page. `hero` is on pine below the bar, `body` on the sheet, `dock` stays at the bottom edge. `path` is this page's, for links to its other languages. */
export function pageText(
  view: PageView,
  head: PageHead,
  parts: { hero: HtmlValue; body: HtmlValue; dock?: HtmlValue; path?: string },
): string {
  const { language, text, link } = view;
  const body = html`<main id="content"><div class="hero">${parts.hero}</div>
<div class="sheet">${parts.body}</div></main>
${parts.dock ?? null}`;
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><title>${head.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#0F3B2D"><meta name="theme-color" media="(prefers-color-scheme: dark)" content="#133B2E">
<meta name="description" content="${head.description}">
${linked(view, head)}
<meta property="og:type" content="website"><meta property="og:site_name" content="Nearhand"><meta property="og:locale" content="${ogLocales[language]}"><meta property="og:title" content="${head.title}"><meta property="og:description" content="${head.description}">
${pictured(head)}<meta name="twitter:title" content="${head.title}"><meta name="twitter:description" content="${head.description}">
<link rel="preload" href="${pageFonts.display.path}" as="font" type="font/woff2" crossorigin><link rel="preload" href="${pageFonts.text.path}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/favicon-192.png">
<style>${Html.trusted(pageStyle)}</style>
${head.data.map(jsonLd)}</head><body>
${sprite(body)}<a class="skip" href="#content">${text(say('Skip to content'))}</a>
<header class="top"><div class="wrap"><a class="lockup" href="/">${mark}nearhand</a><nav aria-label="${text(say('Main'))}"><a href="${link('/jobs')}">${text(say('Jobs'))}</a><a href="/login">${text(say('Sign in'))}</a></nav></div></header>
${body}
<footer class="foot-links"><div class="wrap wide"><a href="${link('/jobs')}">${text(say('Browse jobs'))}</a><a href="/register">${text(say('Sign up'))}</a><a href="/register-business">${text(say('Post a job'))}</a></div>${parts.path !== undefined && languageLinks(view, parts.path)}</footer>
</body></html>
`.text;
}
