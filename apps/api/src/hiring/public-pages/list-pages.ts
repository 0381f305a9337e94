import {
  publicBusinessPath,
  publicJobPath,
  publicJobsPath,
} from '@nearhand/contract/hiring/public-pages.rules';
import { type Html, html } from './html.ts';
import { jobList } from './job-list.ts';
import { type Crumb, crumbData, crumbs, icon, pageText, reportLine } from './page-layout.ts';
import { categoryWords, localeIn, ratingWords, startOf } from './page-words.rules.ts';
import type { AllJobs, JobsShown, ShownBusiness, TownJobs } from './public-pages.service.ts';
import { townTrail } from './town-trail.ts';

const descriptionMax = 155;

/** Later pages of a list are for people: their addresses change with every new job. */
const canonicalOf = (publicUrl: string, path: string, first: boolean) =>
  first ? `${publicUrl}${path}` : null;

const more = (path: string, { nextCursor }: JobsShown, first: boolean): Html | null =>
  nextCursor === null && first
    ? null
    : html`<p class="pages">${!first && html`<a class="btn out" href="${path}">Newest jobs</a>`}${
        nextCursor !== null &&
        html`<a class="btn out" rel="next" href="${path}?after=${nextCursor}">More jobs</a>`
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

const chip = (name: string, path: string, current = false): Html =>
  html`<li><a href="${path}"${current && html` aria-current="page"`} dir="auto">${name}</a></li>`;

/** A verified business with its open jobs. */
export function businessPage(shown: ShownBusiness, publicUrl: string, first: boolean): string {
  const { business, countryCode, jobs } = shown;
  const path = publicBusinessPath(business);
  const locale = localeIn(countryCode);
  const rating = ratingWords(business.rating, locale);
  const trail: Crumb[] = [...townTrail({ town: '', townSlug: '' }, null), { name: business.name, path }];
  return pageText(
    {
      title: `${business.name}, ${business.area}: open jobs – Nearhand`,
      description: startOf(
        `${business.openJobs} open jobs at ${business.name}, ${business.area}. ${business.description}`,
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
          ...(business.website === null ? {} : { sameAs: business.website }),
          address: { '@type': 'PostalAddress', addressLocality: business.area, addressCountry: countryCode },
        },
        crumbData(trail, publicUrl),
        itemList(shown, publicUrl),
      ],
    },
    {
      hero: html`<div class="wrap wide">${crumbs(trail)}<h1 dir="auto">${business.name}</h1><p class="mute" dir="auto">${business.area}</p>
<p class="badges"><span class="badge">${icon('seal-check')}Verified business</span><span class="badge">${categoryWords[business.category]}</span>${rating !== null && html`<span class="badge">${icon('star-fill')}${rating.full}</span>`}</p></div>`,
      body: html`<div class="wrap wide">${
        business.description !== '' &&
        html`<h2>About the business</h2><p class="text" dir="auto">${business.description}</p>`
      }${business.website !== null && html`<p class="pages"><a href="${business.website}" rel="noopener noreferrer nofollow ugc">Website</a></p>`}
<section><h2>${business.openJobs === 1 ? '1 open job' : `${business.openJobs} open jobs`}</h2>${
        jobs.length > 0
          ? jobList(jobs, locale)
          : html`<p class="sm">New jobs of ${business.name} appear here.</p>`
      }${more(path, shown, first)}</section>${reportLine('business', business.id)}</div>`,
    },
  );
}

/** The jobs of a town, or of one trade in it. */
export function townPage(shown: TownJobs, publicUrl: string, first: boolean): string {
  const { town, townSlug, category, trades, jobs } = shown;
  const path = publicJobsPath(townSlug, category ?? undefined);
  const trail = townTrail(shown, category);
  const what = category === null ? 'Jobs' : `${categoryWords[category]} jobs`;
  return pageText(
    {
      title: `${what} in ${town} – Nearhand`,
      description: startOf(
        `${what} in ${town} with the pay, hours and place shown: ${jobs.map((job) => job.title).join(', ')}`,
        descriptionMax,
      ),
      canonical: canonicalOf(publicUrl, path, first),
      picture: null,
      data: [crumbData(trail, publicUrl), itemList(shown, publicUrl)],
    },
    {
      hero: html`<div class="wrap wide">${crumbs(trail)}<h1>${what} in <span dir="auto">${town}</span></h1><p class="mute">Newest first. You see the pay before you apply.</p></div>`,
      body: html`<div class="wrap wide"><nav aria-label="Trades"><ul class="chips">${chip('All', publicJobsPath(townSlug), category === null)}${trades.map(
        (trade) => chip(categoryWords[trade], publicJobsPath(townSlug, trade), trade === category),
      )}</ul></nav><h2 class="vh">Jobs</h2>${jobList(jobs, localeIn(shown.countryCode))}${more(path, shown, first)}</div>`,
    },
  );
}

/** The newest jobs, and the towns that have some. */
export function jobsPage(shown: AllJobs, publicUrl: string, first: boolean): string {
  const { towns, moreTowns, jobs } = shown;
  const path = publicJobsPath();
  const trail = townTrail({ town: '', townSlug: '' }, null);
  return pageText(
    {
      title: 'Jobs near you, with the pay shown – Nearhand',
      description:
        'Shifts and tasks by town and trade. You see the pay, the hours and the place before you apply.',
      canonical: canonicalOf(publicUrl, path, first),
      picture: null,
      data: [crumbData(trail, publicUrl), itemList(shown, publicUrl)],
    },
    {
      hero: html`<div class="wrap wide"><h1>Jobs by town</h1><p class="mute">You see the pay, the hours and the place before you apply.</p></div>`,
      body: html`<div class="wrap wide">${
        towns.length > 0 &&
        html`<nav aria-label="Towns"><h2>Towns</h2><ul class="chips">${towns.map(({ slug, town }) => chip(town, publicJobsPath(slug)))}</ul>${
          moreTowns &&
          html`<p class="pages"><a class="btn out" href="${path}?towns=${encodeURIComponent(towns.at(-1)?.slug ?? '')}">More towns</a></p>`
        }</nav>`
      }<section><h2>Newest jobs</h2>${
        jobs.length > 0
          ? jobList(jobs, localeIn(shown.countryCode ?? ''))
          : html`<p class="sm">There are no open jobs right now. New ones appear here.</p>`
      }${more(path, shown, first)}</section></div>`,
    },
  );
}
