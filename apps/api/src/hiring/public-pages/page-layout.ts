import { reportPath } from '@nearhand/contract/app-paths';
import { directionOf, type Language, languageNames, languages } from '@nearhand/contract/languages';
import type { Rating } from '@nearhand/contract/people/rating.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { phrase } from '../../platform/mail/mail-layout.ts';
import { pageFonts } from './fonts/page-fonts.ts';
import { pageStyle, pageStyleHash } from './page-style.ts';
import { type PageView, pathIn } from './page-view.ts';
import { type PageLocale, ratingText } from './page-words.ts';
import { Html, type HtmlValue, html, jsonLd } from './sitemaps.ts';

export type PageHead = {
  title: string;
  description: string;
  /** Canonical address without a language; null for noindex pages. */
  canonical: string | null;
  picture: string | null;
  data: readonly unknown[];
};

export type Crumb = { name: string; path: string };

/** Nothing but our own style, pictures and fonts, and a search that leads into the app; no script, no frame. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src '${pageStyleHash}'`,
  "img-src 'self'",
  "font-src 'self'",
  // Lets tools fetch robots.txt from within the page.
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export const icon = (name: PageIcon): Html =>
  html`<svg class="i" aria-hidden="true"><use href="#i-${name}"/></svg>`;

/** User-written text is escaped, so its quotes can't match here. */
function sprite(body: Html): Html {
  const used = new Set([...body.text.matchAll(/href="#i-([a-z-]+)"/g)].map(([, name]) => name as PageIcon));
  return html`<svg width="0" height="0" aria-hidden="true">${[...used].map((name) => html`<symbol id="i-${name}" viewBox="0 0 256 256"><path d="${iconPaths[name]}"/></symbol>`)}</svg>`;
}

const categoryIcons: Record<CategoryId, readonly [PageIcon, string]> = {
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

export const categoryIcon = (category: CategoryId): Html =>
  html`<span class="sign ${categoryIcons[category][1]}">${icon(categoryIcons[category][0])}</span>`;

export const verifiedMark = ({ text }: PageView): Html =>
  html`<span class="verified">${icon('seal-check')}${text(phrase('Verified business'))}</span>`;

export const reportLine = ({ text, link }: PageView, kind: 'job' | 'business', id: string): Html =>
  html`<p class="sm"><a href="${link(reportPath(kind, id))}" rel="nofollow">${text(kind === 'job' ? phrase('Report this job') : phrase('Report this business'))}</a></p>`;

/** The star and average of a business; null with fewer than three reviews. */
export function ratingStar(rating: Rating, locale: PageLocale, form: 'short' | 'full'): Html | null {
  const words = ratingText(rating, locale);
  if (words === null) return null;
  return html`<span class="star">${icon('star-fill')}${
    form === 'full'
      ? words.full
      : html`<span aria-hidden="true">${words.short}</span><span class="vh">${words.full}</span>`
  }</span>`;
}

export const crumbs = (
  { text, link }: PageView,
  trail: readonly Crumb[],
): Html => html`<nav class="crumbs" aria-label="${text(phrase('Breadcrumbs'))}"><ol>
${trail.map(({ name, path }, index) =>
  index === trail.length - 1
    ? html`<li aria-current="page"><bdi>${name}</bdi></li>`
    : html`<li><a href="${link(path)}"><bdi>${name}</bdi></a></li>`,
)}</ol></nav>`;

/** A form that opens the app's job search, around a point or where the reader last looked for work. */
export const searchForm = (
  { text, language, languageInAddress }: PageView,
  near: { lat: number; lng: number; label: string } | null,
): Html =>
  html`<form class="search" role="search" action="/tabs/menu/explore"><input type="search" name="q" required maxlength="100" enterkeyhint="search" aria-label="${text(phrase('Search jobs'))}" placeholder="${text(phrase('Barista, tutor, movers'))}">${
    near && [
      html`<input type="hidden" name="lat" value="${String(near.lat)}"><input type="hidden" name="lng" value="${String(near.lng)}"><input type="hidden" name="at" value="${near.label}">`,
    ]
  }${languageInAddress && html`<input type="hidden" name="lang" value="${language}">`}<button type="submit" aria-label="${text(phrase('Search'))}">${icon('magnifying-glass')}</button></form>`;

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

/** The bare address is the English page. */
const addressIn = (canonical: string, language: Language): string =>
  language === 'en' ? canonical : pathIn(canonical, language);

function canonicalLinks({ language }: PageView, { canonical }: PageHead): Html {
  if (canonical === null) return html`<meta name="robots" content="noindex">`;
  const ownAddress = addressIn(canonical, language);
  return html`<link rel="canonical" href="${ownAddress}">${languages.map((alternate) => html`<link rel="alternate" hreflang="${alternate}" href="${addressIn(canonical, alternate)}">`)}<link rel="alternate" hreflang="x-default" href="${canonical}"><meta property="og:url" content="${ownAddress}">`;
}

const ogLocales: Record<Language, string> = {
  en: 'en_GB',
  nl: 'nl_NL',
  de: 'de_DE',
  fr: 'fr_FR',
  es: 'es_ES',
  ar: 'ar_AR',
};

const languageLinks = ({ language, text }: PageView, path: string): Html =>
  html`<nav class="wrap wide" aria-label="${text(phrase('Language'))}">${languages.map((target) => html`<a href="${pathIn(path, target)}" hreflang="${target}" lang="${target}"${target === language && html` aria-current="true"`}>${languageNames[target]}</a>`)}</nav>`;

const imageTags = ({ picture, title }: PageHead): Html =>
  picture === null
    ? html`<meta name="twitter:card" content="summary">`
    : html`<meta property="og:image" content="${picture}"><meta property="og:image:type" content="image/png"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta property="og:image:alt" content="${title}"><meta name="twitter:card" content="summary_large_image"><meta name="twitter:image" content="${picture}">`;

/** Returns a whole public page: head, header, hero, body and footer. */
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
${canonicalLinks(view, head)}
<meta property="og:type" content="website"><meta property="og:site_name" content="Nearhand"><meta property="og:locale" content="${ogLocales[language]}"><meta property="og:title" content="${head.title}"><meta property="og:description" content="${head.description}">
${imageTags(head)}<meta name="twitter:title" content="${head.title}"><meta name="twitter:description" content="${head.description}">
<link rel="preload" href="${pageFonts.display.path}" as="font" type="font/woff2" crossorigin><link rel="preload" href="${pageFonts.text.path}" as="font" type="font/woff2" crossorigin>
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="apple-touch-icon" href="/favicon-192.png">
<style>${Html.trusted(pageStyle)}</style>
${head.data.map(jsonLd)}</head><body>
${sprite(body)}<a class="skip" href="#content">${text(phrase('Skip to content'))}</a>
<header class="top"><div class="wrap"><a class="lockup" href="${link('/')}">${mark}nearhand</a><nav aria-label="${text(phrase('Main'))}"><a href="${link('/jobs')}">${text(phrase('Jobs'))}</a><a href="${link('/tabs/menu/account')}">${text(phrase('Account'))}</a></nav></div></header>
${body}
<footer class="foot-links"><div class="wrap wide"><a href="${link('/jobs')}">${text(phrase('Browse jobs'))}</a><a href="${link('/register')}">${text(phrase('Create account'))}</a><a href="${link('/register-business')}">${text(phrase('Post a job'))}</a><a href="${link('/tabs/menu/help')}">${text(phrase('Help'))}</a><a href="${link('/tabs/menu/terms')}">${text(phrase('Terms and conditions'))}</a><a href="${link('/tabs/menu/help/imprint')}">${text(phrase('Imprint'))}</a><a href="${link('/tabs/menu/help/privacy')}">${text(phrase('Privacy policy'))}</a><a href="${link('/tabs/menu/help/cookies-and-storage')}">${text(phrase('Cookies and storage'))}</a></div>${parts.path !== undefined && languageLinks(view, parts.path)}</footer>
</body></html>
`.text;
}

/** The app's icons as paths in a square of 256 (Phosphor, MIT). Inline, because a page is one file. */
const iconPaths = {
  'magnifying-glass':
    'M229.66,218.34l-50.07-50.06a88.11,88.11,0,1,0-11.31,11.31l50.06,50.07a8,8,0,0,0,11.32-11.32ZM40,112a72,72,0,1,1,72,72A72.08,72.08,0,0,1,40,112Z',
  'map-pin':
    'M128,64a40,40,0,1,0,40,40A40,40,0,0,0,128,64Zm0,64a24,24,0,1,1,24-24A24,24,0,0,1,128,128Zm0-112a88.1,88.1,0,0,0-88,88c0,31.4,14.51,64.68,42,96.25a254.19,254.19,0,0,0,41.45,38.3,8,8,0,0,0,9.18,0A254.19,254.19,0,0,0,174,200.25c27.45-31.57,42-64.85,42-96.25A88.1,88.1,0,0,0,128,16Zm0,206c-16.53-13-72-60.75-72-118a72,72,0,0,1,144,0C200,161.23,144.53,209,128,222Z',
  'calendar-blank':
    'M208,32H184V24a8,8,0,0,0-16,0v8H88V24a8,8,0,0,0-16,0v8H48A16,16,0,0,0,32,48V208a16,16,0,0,0,16,16H208a16,16,0,0,0,16-16V48A16,16,0,0,0,208,32ZM72,48v8a8,8,0,0,0,16,0V48h80v8a8,8,0,0,0,16,0V48h24V80H48V48ZM208,208H48V96H208V208Z',
  'seal-check':
    'M225.86,102.82c-3.77-3.94-7.67-8-9.14-11.57-1.36-3.27-1.44-8.69-1.52-13.94-.15-9.76-.31-20.82-8-28.51s-18.75-7.85-28.51-8c-5.25-.08-10.67-.16-13.94-1.52-3.56-1.47-7.63-5.37-11.57-9.14C146.28,23.51,138.44,16,128,16s-18.27,7.51-25.18,14.14c-3.94,3.77-8,7.67-11.57,9.14C88,40.64,82.56,40.72,77.31,40.8c-9.76.15-20.82.31-28.51,8S41,67.55,40.8,77.31c-.08,5.25-.16,10.67-1.52,13.94-1.47,3.56-5.37,7.63-9.14,11.57C23.51,109.72,16,117.56,16,128s7.51,18.27,14.14,25.18c3.77,3.94,7.67,8,9.14,11.57,1.36,3.27,1.44,8.69,1.52,13.94.15,9.76.31,20.82,8,28.51s18.75,7.85,28.51,8c5.25.08,10.67.16,13.94,1.52,3.56,1.47,7.63,5.37,11.57,9.14C109.72,232.49,117.56,240,128,240s18.27-7.51,25.18-14.14c3.94-3.77,8-7.67,11.57-9.14,3.27-1.36,8.69-1.44,13.94-1.52,9.76-.15,20.82-.31,28.51-8s7.85-18.75,8-28.51c.08-5.25.16-10.67,1.52-13.94,1.47-3.56,5.37-7.63,9.14-11.57C232.49,146.28,240,138.44,240,128S232.49,109.73,225.86,102.82Zm-11.55,39.29c-4.79,5-9.75,10.17-12.38,16.52-2.52,6.1-2.63,13.07-2.73,19.82-.1,7-.21,14.33-3.32,17.43s-10.39,3.22-17.43,3.32c-6.75.1-13.72.21-19.82,2.73-6.35,2.63-11.52,7.59-16.52,12.38S132,224,128,224s-9.15-4.92-14.11-9.69-10.17-9.75-16.52-12.38c-6.1-2.52-13.07-2.63-19.82-2.73-7-.1-14.33-.21-17.43-3.32s-3.22-10.39-3.32-17.43c-.1-6.75-.21-13.72-2.73-19.82-2.63-6.35-7.59-11.52-12.38-16.52S32,132,32,128s4.92-9.15,9.69-14.11,9.75-10.17,12.38-16.52c2.52-6.1,2.63-13.07,2.73-19.82.1-7,.21-14.33,3.32-17.43S70.51,56.9,77.55,56.8c6.75-.1,13.72-.21,19.82-2.73,6.35-2.63,11.52-7.59,16.52-12.38S124,32,128,32s9.15,4.92,14.11,9.69,10.17,9.75,16.52,12.38c6.1,2.52,13.07,2.63,19.82,2.73,7,.1,14.33.21,17.43,3.32s3.22,10.39,3.32,17.43c.1,6.75.21,13.72,2.73,19.82,2.63,6.35,7.59,11.52,12.38,16.52S224,124,224,128,219.08,137.15,214.31,142.11ZM173.66,98.34a8,8,0,0,1,0,11.32l-56,56a8,8,0,0,1-11.32,0l-24-24a8,8,0,0,1,11.32-11.32L112,148.69l50.34-50.35A8,8,0,0,1,173.66,98.34Z',
  'shield-check':
    'M208,40H48A16,16,0,0,0,32,56v56c0,52.72,25.52,84.67,46.93,102.19,23.06,18.86,46,25.26,47,25.53a8,8,0,0,0,4.2,0c1-.27,23.91-6.67,47-25.53C198.48,196.67,224,164.72,224,112V56A16,16,0,0,0,208,40Zm0,72c0,37.07-13.66,67.16-40.6,89.42A129.3,129.3,0,0,1,128,223.62a128.25,128.25,0,0,1-38.92-21.81C61.82,179.51,48,149.3,48,112l0-56,160,0ZM82.34,141.66a8,8,0,0,1,11.32-11.32L112,148.69l50.34-50.35a8,8,0,0,1,11.32,11.32l-56,56a8,8,0,0,1-11.32,0Z',
  check:
    'M229.66,77.66l-128,128a8,8,0,0,1-11.32,0l-56-56a8,8,0,0,1,11.32-11.32L96,188.69,218.34,66.34a8,8,0,0,1,11.32,11.32Z',
  article:
    'M216,40H40A16,16,0,0,0,24,56V200a16,16,0,0,0,16,16H216a16,16,0,0,0,16-16V56A16,16,0,0,0,216,40Zm0,160H40V56H216V200ZM184,96a8,8,0,0,1-8,8H80a8,8,0,0,1,0-16h96A8,8,0,0,1,184,96Zm0,32a8,8,0,0,1-8,8H80a8,8,0,0,1,0-16h96A8,8,0,0,1,184,128Zm0,32a8,8,0,0,1-8,8H80a8,8,0,0,1,0-16h96A8,8,0,0,1,184,160Z',
  timer:
    'M128,40a96,96,0,1,0,96,96A96.11,96.11,0,0,0,128,40Zm0,176a80,80,0,1,1,80-80A80.09,80.09,0,0,1,128,216ZM173.66,90.34a8,8,0,0,1,0,11.32l-40,40a8,8,0,0,1-11.32-11.32l40-40A8,8,0,0,1,173.66,90.34ZM96,16a8,8,0,0,1,8-8h48a8,8,0,0,1,0,16H104A8,8,0,0,1,96,16Z',
  'caret-right':
    'M181.66,133.66l-80,80a8,8,0,0,1-11.32-11.32L164.69,128,90.34,53.66a8,8,0,0,1,11.32-11.32l80,80A8,8,0,0,1,181.66,133.66Z',
  'star-fill':
    'M234.29,114.85l-45,38.83L203,211.75a16.4,16.4,0,0,1-24.5,17.82L128,198.49,77.47,229.57A16.4,16.4,0,0,1,53,211.75l13.76-58.07-45-38.83A16.46,16.46,0,0,1,31.08,86l59-4.76,22.76-55.08a16.36,16.36,0,0,1,30.27,0l22.75,55.08,59,4.76a16.46,16.46,0,0,1,9.37,28.86Z',
  sparkle:
    'M197.58,129.06,146,110l-19-51.62a15.92,15.92,0,0,0-29.88,0L78,110l-51.62,19a15.92,15.92,0,0,0,0,29.88L78,178l19,51.62a15.92,15.92,0,0,0,29.88,0L146,178l51.62-19a15.92,15.92,0,0,0,0-29.88ZM137,164.22a8,8,0,0,0-4.74,4.74L112,223.85,91.78,169A8,8,0,0,0,87,164.22L32.15,144,87,123.78A8,8,0,0,0,91.78,119L112,64.15,132.22,119a8,8,0,0,0,4.74,4.74L191.85,144ZM144,40a8,8,0,0,1,8-8h16V16a8,8,0,0,1,16,0V32h16a8,8,0,0,1,0,16H184V64a8,8,0,0,1-16,0V48H152A8,8,0,0,1,144,40ZM248,88a8,8,0,0,1-8,8h-8v8a8,8,0,0,1-16,0V96h-8a8,8,0,0,1,0-16h8V72a8,8,0,0,1,16,0v8h8A8,8,0,0,1,248,88Z',
  coffee:
    'M80,56V24a8,8,0,0,1,16,0V56a8,8,0,0,1-16,0Zm40,8a8,8,0,0,0,8-8V24a8,8,0,0,0-16,0V56A8,8,0,0,0,120,64Zm32,0a8,8,0,0,0,8-8V24a8,8,0,0,0-16,0V56A8,8,0,0,0,152,64Zm96,56v8a40,40,0,0,1-37.51,39.91,96.59,96.59,0,0,1-27,40.09H208a8,8,0,0,1,0,16H32a8,8,0,0,1,0-16H56.54A96.3,96.3,0,0,1,24,136V88a8,8,0,0,1,8-8H208A40,40,0,0,1,248,120ZM200,96H40v40a80.27,80.27,0,0,0,45.12,72h69.76A80.27,80.27,0,0,0,200,136Zm32,24a24,24,0,0,0-16-22.62V136a95.78,95.78,0,0,1-1.2,15A24,24,0,0,0,232,128Z',
  basket:
    'M136,120v56a8,8,0,0,1-16,0V120a8,8,0,0,1,16,0Zm36.84-.8-5.6,56A8,8,0,0,0,174.4,184a7.32,7.32,0,0,0,.81,0,8,8,0,0,0,7.95-7.2l5.6-56a8,8,0,0,0-15.92-1.6Zm-89.68,0a8,8,0,0,0-15.92,1.6l5.6,56a8,8,0,0,0,8,7.2,7.32,7.32,0,0,0,.81,0,8,8,0,0,0,7.16-8.76ZM239.93,89.06,224.86,202.12A16.06,16.06,0,0,1,209,216H47a16.06,16.06,0,0,1-15.86-13.88L16.07,89.06A8,8,0,0,1,24,80H68.37L122,18.73a8,8,0,0,1,12,0L187.63,80H232a8,8,0,0,1,7.93,9.06ZM89.63,80h76.74L128,36.15ZM222.86,96H33.14L47,200H209Z',
  package:
    'M223.68,66.15,135.68,18a15.88,15.88,0,0,0-15.36,0l-88,48.17a16,16,0,0,0-8.32,14v95.64a16,16,0,0,0,8.32,14l88,48.17a15.88,15.88,0,0,0,15.36,0l88-48.17a16,16,0,0,0,8.32-14V80.18A16,16,0,0,0,223.68,66.15ZM128,32l80.34,44-29.77,16.3-80.35-44ZM128,120,47.66,76l33.9-18.56,80.34,44ZM40,90l80,43.78v85.79L40,175.82Zm176,85.78h0l-80,43.79V133.82l32-17.51V152a8,8,0,0,0,16,0V107.55L216,90v85.77Z',
  bicycle:
    'M208,112a47.81,47.81,0,0,0-16.93,3.09L165.93,72H192a8,8,0,0,1,8,8,8,8,0,0,0,16,0,24,24,0,0,0-24-24H152a8,8,0,0,0-6.91,12l11.65,20H99.26L82.91,60A8,8,0,0,0,76,56H48a8,8,0,0,0,0,16H71.41L85.12,95.51,69.41,117.06a48.13,48.13,0,1,0,12.92,9.44l11.59-15.9L125.09,164A8,8,0,1,0,138.91,156l-30.32-52h57.48l11.19,19.17A48,48,0,1,0,208,112ZM80,160a32,32,0,1,1-20.21-29.74l-18.25,25a8,8,0,1,0,12.92,9.42l18.25-25A31.88,31.88,0,0,1,80,160Zm128,32a32,32,0,0,1-22.51-54.72L201.09,164A8,8,0,1,0,214.91,156L199.3,129.21A32,32,0,1,1,208,192Z',
  ticket:
    'M232,104a8,8,0,0,0,8-8V64a16,16,0,0,0-16-16H32A16,16,0,0,0,16,64V96a8,8,0,0,0,8,8,24,24,0,0,1,0,48,8,8,0,0,0-8,8v32a16,16,0,0,0,16,16H224a16,16,0,0,0,16-16V160a8,8,0,0,0-8-8,24,24,0,0,1,0-48ZM32,167.2a40,40,0,0,0,0-78.4V64H88V192H32Zm192,0V192H104V64H224V88.8a40,40,0,0,0,0,78.4Z',
  broom:
    'M235.5,216.81c-22.56-11-35.5-34.58-35.5-64.8V134.73a15.94,15.94,0,0,0-10.09-14.87L165,110a8,8,0,0,1-4.48-10.34l21.32-53a28,28,0,0,0-16.1-37,28.14,28.14,0,0,0-35.82,16,.61.61,0,0,0,0,.12L108.9,79a8,8,0,0,1-10.37,4.49L73.11,73.14A15.89,15.89,0,0,0,55.74,76.8C34.68,98.45,24,123.75,24,152a111.45,111.45,0,0,0,31.18,77.53A8,8,0,0,0,61,232H232a8,8,0,0,0,3.5-15.19ZM67.14,88l25.41,10.3a24,24,0,0,0,31.23-13.45l21-53c2.56-6.11,9.47-9.27,15.43-7a12,12,0,0,1,6.88,15.92L145.69,93.76a24,24,0,0,0,13.43,31.14L184,134.73V152c0,.33,0,.66,0,1L55.77,101.71A108.84,108.84,0,0,1,67.14,88Zm48,128a87.53,87.53,0,0,1-24.34-42,8,8,0,0,0-15.49,4,105.16,105.16,0,0,0,18.36,38H64.44A95.54,95.54,0,0,1,40,152a85.9,85.9,0,0,1,7.73-36.29l137.8,55.12c3,18,10.56,33.48,21.89,45.16Z',
  hammer:
    'M251.34,112,183.88,44.08a96.1,96.1,0,0,0-135.77,0l-.09.09L34.25,58.4A8,8,0,0,0,45.74,69.53L59.47,55.35a79.92,79.92,0,0,1,18.71-13.9L124.68,88l-96,96a16,16,0,0,0,0,22.63l20.69,20.69a16,16,0,0,0,22.63,0l96-96,14.34,14.34h0L200,163.3a16,16,0,0,0,22.63,0l28.69-28.69A16,16,0,0,0,251.34,112ZM60.68,216,40,195.31l68-68L128.68,148ZM162.34,114.32,140,136.67,119.31,116l22.35-22.35a8,8,0,0,0,0-11.32L94.32,35a80,80,0,0,1,78.23,20.41l44.22,44.51L188,128.66l-14.34-14.34A8,8,0,0,0,162.34,114.32Zm49,37.66-12-12L228,111.25l12,12Z',
  'hard-hat':
    'M224,152V136a96.37,96.37,0,0,0-64-90.51V40a16,16,0,0,0-16-16H112A16,16,0,0,0,96,40v5.49A96.37,96.37,0,0,0,32,136v16a16,16,0,0,0-16,16v24a16,16,0,0,0,16,16H224a16,16,0,0,0,16-16V168A16,16,0,0,0,224,152Zm-16-16v16H160V62.67A80.36,80.36,0,0,1,208,136ZM144,40V152H112V40ZM48,136A80.36,80.36,0,0,1,96,62.67V152H48Zm176,56H32V168H224v24Z',
  leaf: 'M223.45,40.07a8,8,0,0,0-7.52-7.52C139.8,28.08,78.82,51,52.82,94a87.09,87.09,0,0,0-12.76,49c.57,15.92,5.21,32,13.79,47.85l-19.51,19.5a8,8,0,0,0,11.32,11.32l19.5-19.51C81,210.73,97.09,215.37,113,215.94q1.67.06,3.33.06A86.93,86.93,0,0,0,162,203.18C205,177.18,227.93,116.21,223.45,40.07ZM153.75,189.5c-22.75,13.78-49.68,14-76.71.77l88.63-88.62a8,8,0,0,0-11.32-11.32L65.73,179c-13.19-27-13-54,.77-76.71,22.09-36.47,74.6-56.44,141.31-54.06C210.2,114.89,190.22,167.41,153.75,189.5Z',
  heart:
    'M178,40c-20.65,0-38.73,8.88-50,23.89C116.73,48.88,98.65,40,78,40a62.07,62.07,0,0,0-62,62c0,70,103.79,126.66,108.21,129a8,8,0,0,0,7.58,0C136.21,228.66,240,172,240,102A62.07,62.07,0,0,0,178,40ZM128,214.8C109.74,204.16,32,155.69,32,102A46.06,46.06,0,0,1,78,56c19.45,0,35.78,10.36,42.6,27a8,8,0,0,0,14.8,0c6.82-16.67,23.15-27,42.6-27a46.06,46.06,0,0,1,46,46C224,155.61,146.24,204.15,128,214.8Z',
  'graduation-cap':
    'M251.76,88.94l-120-64a8,8,0,0,0-7.52,0l-120,64a8,8,0,0,0,0,14.12L32,117.87v48.42a15.91,15.91,0,0,0,4.06,10.65C49.16,191.53,78.51,216,128,216a130,130,0,0,0,48-8.76V240a8,8,0,0,0,16,0V199.51a115.63,115.63,0,0,0,27.94-22.57A15.91,15.91,0,0,0,224,166.29V117.87l27.76-14.81a8,8,0,0,0,0-14.12ZM128,200c-43.27,0-68.72-21.14-80-33.71V126.4l76.24,40.66a8,8,0,0,0,7.52,0L176,143.47v46.34C163.4,195.69,147.52,200,128,200Zm80-33.75a97.83,97.83,0,0,1-16,14.25V134.93l16-8.53ZM188,118.94l-.22-.13-56-29.87a8,8,0,0,0-7.52,14.12L171,128l-43,22.93L25,96,128,41.07,231,96Z',
  briefcase:
    'M216,56H176V48a24,24,0,0,0-24-24H104A24,24,0,0,0,80,48v8H40A16,16,0,0,0,24,72V200a16,16,0,0,0,16,16H216a16,16,0,0,0,16-16V72A16,16,0,0,0,216,56ZM96,48a8,8,0,0,1,8-8h48a8,8,0,0,1,8,8v8H96ZM216,72v41.61A184,184,0,0,1,128,136a184.07,184.07,0,0,1-88-22.38V72Zm0,128H40V131.64A200.19,200.19,0,0,0,128,152a200.25,200.25,0,0,0,88-20.37V200ZM104,112a8,8,0,0,1,8-8h32a8,8,0,0,1,0,16H112A8,8,0,0,1,104,112Z',
  laptop:
    'M232,168h-8V72a24,24,0,0,0-24-24H56A24,24,0,0,0,32,72v96H24a8,8,0,0,0-8,8v16a24,24,0,0,0,24,24H216a24,24,0,0,0,24-24V176A8,8,0,0,0,232,168ZM48,72a8,8,0,0,1,8-8H200a8,8,0,0,1,8,8v96H48ZM224,192a8,8,0,0,1-8,8H40a8,8,0,0,1-8-8v-8H224ZM152,88a8,8,0,0,1-8,8H112a8,8,0,0,1,0-16h32A8,8,0,0,1,152,88Z',
  'paint-brush':
    'M232,32a8,8,0,0,0-8-8c-44.08,0-89.31,49.71-114.43,82.63A60,60,0,0,0,32,164c0,30.88-19.54,44.73-20.47,45.37A8,8,0,0,0,16,224H92a60,60,0,0,0,57.37-77.57C182.3,121.31,232,76.08,232,32ZM92,208H34.63C41.38,198.41,48,183.92,48,164a44,44,0,1,1,44,44Zm32.42-94.45q5.14-6.66,10.09-12.55A76.23,76.23,0,0,1,155,121.49q-5.9,4.94-12.55,10.09A60.54,60.54,0,0,0,124.42,113.55Zm42.7-2.68a92.57,92.57,0,0,0-22-22c31.78-34.53,55.75-45,69.9-47.91C212.17,55.12,201.65,79.09,167.12,110.87Z',
  scissors:
    'M157.73,113.13A8,8,0,0,1,159.82,102L227.48,55.7a8,8,0,0,1,9,13.21l-67.67,46.3a7.92,7.92,0,0,1-4.51,1.4A8,8,0,0,1,157.73,113.13Zm80.87,85.09a8,8,0,0,1-11.12,2.08L136,137.7,93.49,166.78a36,36,0,1,1-9-13.19L121.83,128,84.44,102.41a35.86,35.86,0,1,1,9-13.19l143,97.87A8,8,0,0,1,238.6,198.22ZM80,180a20,20,0,1,0-5.86,14.14A19.85,19.85,0,0,0,80,180ZM74.14,90.13a20,20,0,1,0-28.28,0A19.85,19.85,0,0,0,74.14,90.13Z',
} as const;
type PageIcon = keyof typeof iconPaths;
