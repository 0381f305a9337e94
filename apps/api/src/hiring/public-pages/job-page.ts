import { publicBusinessPath, publicJobPath, shortIdOf } from '@nearhand/contract/hiring/public-pages.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { type Html, html } from './html.ts';
import { jobList } from './job-list.ts';
import { jobPosting } from './job-posting.rules.ts';
import {
  type Crumb,
  crumbData,
  crumbs,
  icon,
  pageText,
  ratingStar,
  reportLine,
  sign,
  verifiedMark,
} from './page-layout.ts';
import {
  breakWords,
  categoryWords,
  feeWords,
  localeIn,
  type PageLocale,
  payWords,
  seatsWords,
  skillWords,
  startOf,
  whenWords,
} from './page-words.rules.ts';
import type { GoneJob, OpenJob } from './public-pages.service.ts';
import { townTrail } from './town-trail.ts';

const descriptionMax = 155;

/** Where *Apply* leads: the app's form, which brings people back after they sign up and verify their email. */
export const applyPath = (jobId: string): string => `/job-apply-form/${jobId}`;

/** A job's picture for link previews; a changed job has another. */
export const picturePath = (job: { id: string; version: number }): string =>
  `/pictures/job-${shortIdOf(job.id)}-${job.version}.png`;

/** An open job in full, as a guest may see it. */
export function jobPage({ job, town, townSlug, countryCode, similar }: OpenJob, publicUrl: string): string {
  const locale = localeIn(countryCode);
  const trail: Crumb[] = [
    ...townTrail({ town, townSlug }, job.category),
    { name: job.title, path: publicJobPath(job) },
  ];
  const { figure, notes } = payWords(job.pay, locale);
  const when = whenWords(job, locale, 'long');
  const title = `${job.title}, ${town}: ${figure}`;
  const words = [figure, ...notes, when, job.business.name].filter(Boolean).join(', ');
  const canonical = `${publicUrl}${publicJobPath(job)}`;
  const picture = `${publicUrl}${picturePath(job)}`;
  return pageText(
    {
      title: `${title} – Nearhand`,
      description: startOf(`${words}. ${job.description}`, descriptionMax),
      canonical,
      picture,
      data: [jobPosting(job, { town, countryCode }, publicUrl), crumbData(trail, publicUrl)],
    },
    {
      hero: html`<div class="wrap">${crumbs(trail)}<h1 dir="auto">${job.title}</h1>
<p class="mute" dir="auto">${job.business.name}, ${job.place.label}</p>
<p class="money"><b${figure.length > 6 && html` class="long"`}>${figure}</b><span>${notes.map((note) => html`<span>${note}</span>`)}</span></p>
<p class="fee">${feeWords(job, locale)}</p>
<p class="badges">${job.funded && html`<span class="badge">${icon('shield-check')}Funded</span>`}<span class="badge">${seatsWords(job.seatsLeft)}</span><span class="badge">${job.kind === 'shift' ? 'Shift' : 'Task'}</span>${job.instantHire && html`<span class="badge">Instant hire</span>`}</p></div>`,
      body: html`<div class="wrap"><div class="facts">${when !== null && fact(icon('calendar-blank'), when, breakWords(job))}${fact(
        icon('map-pin'),
        job.place.label,
        job.place.blurred ? 'You get the exact address once you’re hired.' : null,
      )}${job.funded && fact(icon('shield-check'), 'Your pay is secured', `${job.business.name} has set the pay aside with us.`)}${
        job.instantHire &&
        fact(
          icon('timer'),
          'Instant hire',
          `The first people to apply${job.skills.length > 0 ? ' with the skills below' : ''} are hired right away.`,
        )
      }</div>
${businessCard(job, locale)}${needs(job)}
${job.description !== '' && html`<section><h2>About the job</h2><p class="text" dir="auto">${job.description}</p></section>`}
${job.photoIds.length > 0 && html`<section class="photos"><h2>Photos</h2>${job.photoIds.map((fileId, index) => html`<img src="/api${fileContentPath(fileId)}" alt="Photo ${index + 1} of ${job.photoIds.length}" loading="lazy">`)}</section>`}
${reportLine('job', job.id)}</div>
${similar.length > 0 && html`<section class="wrap wide"><h2>Similar jobs nearby</h2>${jobList(similar, locale)}</section>`}`,
      dock: html`<div class="dock"><div class="wrap"><p><b>${figure}</b><span class="sm">${whenWords(job, locale) ?? notes[0] ?? ''}</span></p><a class="btn" href="${applyPath(job.id)}" rel="nofollow">Apply</a></div></div>`,
    },
  );
}

const fact = (sign: Html, title: string, note: string | null): Html =>
  html`<div class="fact">${sign}<div><p class="t" dir="auto">${title}</p>${note !== null && html`<p class="d">${note}</p>`}</div></div>`;

const businessCard = ({ business, category }: OpenJob['job'], locale: PageLocale): Html =>
  html`<div class="card who-card">${sign(category)}<div><h2 dir="auto">${
    business.verified ? html`<a href="${publicBusinessPath(business)}">${business.name}</a>` : business.name
  }</h2><p class="sm">${business.verified ? verifiedMark : 'Not verified yet'}</p>${ratingStar(business.rating, locale, 'full')}</div></div>`;

function needs(job: OpenJob['job']): Html | null {
  const papers = [
    ...(job.cvRequired ? ['A CV'] : []),
    ...(job.questions.length > 0 ? ['Answers to a few questions when you apply'] : []),
  ];
  if (job.skills.length + job.requirements.length + papers.length === 0) return null;
  const line = (mark: Html, text: string) => html`<li>${mark}<span dir="auto">${text}</span></li>`;
  return html`<section><h2>What you need</h2><ul class="needs">${job.skills.map((skill) => line(icon('sparkle'), skillWords(skill)))}${job.requirements.map((need) => line(icon('check'), need))}${papers.map((paper) => line(icon('article'), paper))}</ul></section>`;
}

/** In place of a job that nobody can apply to any more. */
export function gonePage({ title, category, town, townSlug, countryCode, similar }: GoneJob): string {
  const trail = [...townTrail({ town, townSlug }, category), { name: title ?? 'Job', path: '' }];
  const locale = localeIn(countryCode);
  return pageText(
    {
      title: 'This job is no longer available – Nearhand',
      description: `It was filled or closed. There are other jobs in ${town}.`,
      canonical: null,
      picture: null,
      data: [],
    },
    {
      hero: html`<div class="wrap">${crumbs(trail)}<h1>This job is no longer available</h1><p class="mute">It was filled or closed${title !== null && html`: <span dir="auto">${title}</span>`}.</p></div>`,
      body: html`<div class="wrap wide">${
        similar.length > 0
          ? html`<h2>${categoryWords[category]} jobs you can apply for</h2>${jobList(similar, locale)}`
          : html`<h2>Find another job</h2><p class="sm">New jobs are posted every day.</p>`
      }<p class="pages"><a class="btn" href="/jobs">Browse jobs</a></p></div>`,
    },
  );
}

/** For an address that never was a page. */
export function unknownPage(what: string): string {
  return pageText(
    {
      title: `${what} not found – Nearhand`,
      description: 'The link may be incomplete.',
      canonical: null,
      picture: null,
      data: [],
    },
    {
      hero: html`<div class="wrap"><h1>${what} not found</h1><p class="mute">The link may be incomplete, or it was removed.</p></div>`,
      body: html`<div class="wrap"><p class="pages"><a class="btn" href="/jobs">Browse jobs</a></p></div>`,
    },
  );
}
