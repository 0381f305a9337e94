import { sumOf } from '@nearhand/contract/arithmetic';
import type { JobCard } from '@nearhand/contract/hiring/jobs';
import {
  publicBusinessPath,
  publicJobPath,
  publicJobsPath,
} from '@nearhand/contract/hiring/public-pages.rules';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import { phrase } from '../../platform/mail/mail-layout.ts';
import {
  type Crumb,
  categoryIcon,
  crumbData,
  crumbs,
  icon,
  pageText,
  ratingStar,
  reportLine,
  searchForm,
} from './page-layout.ts';
import type { PageView } from './page-view.ts';
import { distanceText, type PageLocale, payText, ratingText, shiftsText, truncate } from './page-words.ts';
import type { AllJobs, JobsShown, ShownBusiness, TownJobs } from './public-pages.ts';
import { type Html, html } from './sitemaps.ts';
import { categoryText } from './taxonomy-words.ts';

const descriptionMax = 155;

const canonicalOf = (publicUrl: string, path: string, first: boolean) =>
  first ? `${publicUrl}${path}` : null;

const moreLink = (
  { text, link }: PageView,
  path: string,
  { nextCursor }: JobsShown,
  first: boolean,
): Html | null =>
  nextCursor === null && first
    ? null
    : html`<p class="pages">${!first && html`<a class="btn out" href="${link(path)}">${text(phrase('Newest jobs'))}</a>`}${
        nextCursor !== null &&
        html`<a class="btn out" rel="next" href="${link(`${path}?after=${nextCursor}`)}">${text(phrase('More jobs'))}</a>`
      }</p>`;

const itemList = ({ jobs }: JobsShown, publicUrl: string) => ({
  '@context': 'https://schema.org',
  '@type': 'ItemList',
  itemListElement: jobs.map((job, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: `${publicUrl}${publicJobPath(job)}`,
  })),
});

const chip = ({ link }: PageView, name: string, path: string, current = false): Html =>
  html`<li><a href="${link(path)}"${current && html` aria-current="page"`} dir="auto">${name}</a></li>`;

/** Renders a business's public page with its open jobs. */
export function businessPage(view: PageView, list: ShownBusiness, publicUrl: string, first: boolean): string {
  const { text } = view;
  const { business, countryCode, jobs } = list;
  const { name, openJobs } = business;
  const path = publicBusinessPath(business);
  const locale = view.localeIn(countryCode);
  const rating = ratingText(business.rating, locale);
  const trail: Crumb[] = [
    ...townTrail(view, { town: '', townSlug: '' }, null),
    { name: business.name, path },
  ];
  return pageText(
    view,
    {
      title: `${text(phrase('{business}, {area}: open jobs', { business: name, area: business.area }))} – Nearhand`,
      description: truncate(
        `${text(phrase('{count, plural, one {# open job} other {# open jobs}} at {business}, {area}.', { count: openJobs, business: name, area: business.area }))} ${business.description}`,
        descriptionMax,
      ),
      canonical: canonicalOf(publicUrl, path, first),
      picture: null,
      data: [
        {
          '@context': 'https://schema.org',
          '@type': 'Organization',
          name: business.name,
          url: `${publicUrl}${path}`,
          sameAs: business.website ?? undefined,
          address: { '@type': 'PostalAddress', addressLocality: business.area, addressCountry: countryCode },
        },
        crumbData(trail, publicUrl),
        itemList(list, publicUrl),
      ],
    },
    {
      hero: html`<div class="wrap wide">${crumbs(view, trail)}<h1 dir="auto">${business.name}</h1><p class="mute" dir="auto">${business.area}</p>
<p class="badges"><span class="badge">${icon('seal-check')}${text(phrase('Verified business'))}</span><span class="badge">${text(categoryText[business.category])}</span>${rating !== null && html`<span class="badge">${icon('star-fill')}${rating.full}</span>`}</p></div>`,
      body: html`<div class="wrap wide">${
        business.description !== '' &&
        html`<h2>${text(phrase('About the business'))}</h2><p class="text" dir="auto">${business.description}</p>`
      }${business.website !== null && html`<p class="pages"><a href="${business.website}" rel="noopener noreferrer nofollow ugc">${text(phrase('Website'))}</a></p>`}
<section><h2>${text(phrase('{count, plural, one {# open job} other {# open jobs}}', { count: openJobs }))}</h2>${
        jobs.length > 0
          ? jobList(view, jobs, countryCode)
          : html`<p class="sm">${text(phrase('New jobs of {business} appear here.', { business: name }))}</p>`
      }${moreLink(view, path, list, first)}</section>${reportLine(view, 'business', business.id)}</div>`,
      path,
    },
  );
}

/** Renders the jobs of a town, or of one category there. */
export function townPage(view: PageView, list: TownJobs, publicUrl: string, first: boolean): string {
  const { text } = view;
  const { town, townSlug, category, trades, jobs } = list;
  const path = publicJobsPath(townSlug, category ?? undefined);
  const trail = townTrail(view, list, category);
  // On a phone the trades scroll, so the current one comes first.
  const tradesInOrder = trades.toSorted((a, b) => Number(b === category) - Number(a === category));
  const heading = text(
    category === null
      ? phrase('Jobs in {town}', { town })
      : phrase('{category} jobs in {town}', { category: text(categoryText[category]), town }),
  );
  return pageText(
    view,
    {
      title: `${heading} – Nearhand`,
      description: truncate(
        `${text(phrase('{jobs}, with the pay, hours and place shown:', { jobs: heading }))} ${jobs.map((job) => job.title).join(', ')}`,
        descriptionMax,
      ),
      canonical: canonicalOf(publicUrl, path, first),
      picture: null,
      data: [crumbData(trail, publicUrl), itemList(list, publicUrl)],
    },
    {
      hero: html`<div class="wrap wide">${crumbs(view, trail)}<h1>${heading}</h1><p class="mute">${text(phrase('Newest first. You see the pay before you apply.'))}</p>${searchForm(view, middleOf(jobs, town))}</div>`,
      body: html`<div class="wrap wide"><nav aria-label="${text(phrase('Trades'))}"><ul class="chips strip">${chip(view, text(phrase('All')), publicJobsPath(townSlug), category === null)}${tradesInOrder.map(
        (trade) => chip(view, text(categoryText[trade]), publicJobsPath(townSlug, trade), trade === category),
      )}</ul></nav><h2 class="vh">${text(phrase('Jobs'))}</h2>${jobList(view, jobs, list.countryCode)}${moreLink(view, path, list, first)}</div>`,
      path,
    },
  );
}

/** A point to search around: the middle of the jobs in a town, without private places; null if there are none. */
export function middleOf(
  jobs: readonly Pick<JobCard, 'place'>[],
  town: string,
): { lat: number; lng: number; label: string } | null {
  const places = jobs.flatMap(({ place }) => (place.blurred ? [] : [place]));
  if (places.length === 0) return null;
  const middle = (coordinate: 'lat' | 'lng') =>
    Math.round((sumOf(places, (place) => place[coordinate]) / places.length) * 1_000) / 1_000;
  return { lat: middle('lat'), lng: middle('lng'), label: town };
}

/** Renders the newest jobs everywhere with links to their towns. */
export function jobsPage(view: PageView, list: AllJobs, publicUrl: string, first: boolean): string {
  const { text, link } = view;
  const { towns, moreTowns, jobs } = list;
  const path = publicJobsPath();
  const trail = townTrail(view, { town: '', townSlug: '' }, null);
  return pageText(
    view,
    {
      title: `${text(phrase('Jobs near you, with the pay shown'))} – Nearhand`,
      description: text(
        phrase(
          'Shifts and tasks by town and trade. You see the pay, the hours and the place before you apply.',
        ),
      ),
      canonical: canonicalOf(publicUrl, path, first),
      picture: null,
      data: [crumbData(trail, publicUrl), itemList(list, publicUrl)],
    },
    {
      hero: html`<div class="wrap wide"><h1>${text(phrase('Jobs by town'))}</h1><p class="mute">${text(phrase('You see the pay, the hours and the place before you apply.'))}</p>${searchForm(view, null)}</div>`,
      body: html`<div class="wrap wide">${
        towns.length > 0 &&
        html`<nav aria-label="${text(phrase('Towns'))}"><h2>${text(phrase('Towns'))}</h2><ul class="chips">${towns.map(({ slug, town }) => chip(view, town, publicJobsPath(slug)))}</ul>${
          moreTowns &&
          html`<p class="pages"><a class="btn out" href="${link(`${path}?towns=${encodeURIComponent(towns.at(-1)?.slug ?? '')}`)}">${text(phrase('More towns'))}</a></p>`
        }</nav>`
      }<section><h2>${text(phrase('Newest jobs'))}</h2>${
        jobs.length > 0
          ? jobList(view, jobs, list.countryCode ?? '')
          : html`<p class="sm">${text(phrase('There are no open jobs right now. New ones appear here.'))}</p>`
      }${moreLink(view, path, list, first)}</section></div>`,
      path,
    },
  );
}

export const townTrail = (
  { text }: PageView,
  { town, townSlug }: { town: string; townSlug: string },
  category: CategoryId | null,
): Crumb[] => [
  { name: text(phrase('Jobs')), path: publicJobsPath() },
  ...(townSlug === '' ? [] : [{ name: town, path: publicJobsPath(townSlug) }]),
  ...(townSlug === '' || category === null
    ? []
    : [{ name: text(categoryText[category]), path: publicJobsPath(townSlug, category) }]),
];

export const jobList = (view: PageView, jobs: readonly JobCard[], countryCode: string): Html =>
  html`<ul class="jobs">${jobs.map((job) => card(view, job, view.localeIn(countryCode)))}</ul>`;

function card({ text, link }: PageView, job: JobCard, locale: PageLocale): Html {
  const { figure, notes } = payText(job.pay, locale, job.series?.payRange);
  const when = shiftsText(job, locale);
  return html`<li class="job"><div class="row"><div><p class="pay"><b>${figure}</b><span>${notes.map((note) => html`<span>${note}</span>`)}</span></p>
<h3><a href="${link(publicJobPath(job))}" dir="auto">${job.title}</a></h3>
<p class="who"><span dir="auto">${job.business.name}</span>${job.business.verified && html`<span class="verified" title="${text(phrase('Verified business'))}">${icon('seal-check')}</span>`}${ratingStar(job.business.rating, locale, 'short')}${job.funded && html`<span class="badge">${icon('shield-check')}${text(phrase('Funded'))}</span>`}</p></div>${categoryIcon(job.category)}</div>
<div class="foot"><span>${icon('map-pin')}<span dir="auto">${job.place.label}</span></span>${job.distanceM !== null && job.distanceM > 0 && html`<span>${distanceText(job.distanceM, locale)}</span>`}${when !== null && html`<span>${icon('calendar-blank')}${when}</span>`}</div></li>`;
}
