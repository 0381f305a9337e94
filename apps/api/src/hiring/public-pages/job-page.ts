import { saveJobPath } from '@nearhand/contract/app-paths';
import { currencyDigits } from '@nearhand/contract/currencies';
import { isDueBeforeStart } from '@nearhand/contract/hiring/decide-by.rules';
import type { Job, PayUnit } from '@nearhand/contract/hiring/jobs';
import { datesToApply } from '@nearhand/contract/hiring/jobs.rules';
import { publicBusinessPath, publicJobPath, shortIdOf } from '@nearhand/contract/hiring/public-pages.rules';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { JobRelation } from '@nearhand/contract/work/pay.rules';
import { type MailText, phrase } from '../../platform/mail/mail-layout.ts';
import { jobList, middleOf, townTrail } from './list-pages.ts';
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
  verifiedMark,
} from './page-layout.ts';
import type { PageView } from './page-view.ts';
import {
  breakText,
  feeText,
  jobPayText,
  jobWhenText,
  type PageLocale,
  payText,
  shiftsText,
  spotsText,
  truncate,
  whenText,
} from './page-words.ts';
import type { GoneJob, OpenJob } from './public-pages.ts';
import { type Html, html } from './sitemaps.ts';
import { categoryText, skillText } from './taxonomy-words.ts';

const descriptionMax = 155;

export const applyPath = (jobId: string): string => `/job-apply-form/${jobId}`;

export const picturePath = (job: { id: string; version: number }): string =>
  `/pictures/job-${shortIdOf(job.id)}-${job.version}.png`;

/** Renders the public page of an open job, with its structured data for search engines. */
export function jobPage(
  view: PageView,
  { job, town, townSlug, countryCode, similar }: OpenJob,
  { publicUrl, decideByDays, now }: { publicUrl: string; decideByDays: number; now: Date },
): string {
  const { text, link } = view;
  const locale = view.localeIn(countryCode);
  const path = publicJobPath(job);
  const trail: Crumb[] = [...townTrail(view, { town, townSlug }, job.category), { name: job.title, path }];
  const { figure, notes } = jobPayText(job, locale);
  const when = jobWhenText(job, locale);
  const isSeries = job.dates.length > 1;
  const title = `${job.title}, ${town}: ${figure}`;
  const words = [figure, ...notes, when, job.business.name].filter(Boolean).join(', ');
  // One posting per series, and one for its block: the other shifts lead search engines to the first open one.
  const firstId = datesToApply(job)[0]?.jobId ?? job.id;
  const canonical = `${publicUrl}${publicJobPath({ id: firstId, title: job.title })}`;
  const picture = `${publicUrl}${picturePath(job)}`;
  return pageText(
    view,
    {
      title: `${title} – Nearhand`,
      description: truncate(`${words}. ${job.description}`, descriptionMax),
      canonical,
      picture,
      data: [
        ...(firstId === job.id && job.actions.includes('apply')
          ? [
              jobPosting(
                job,
                { town, countryCode, lead: job.series?.asBlock ? `${when}. ${text(allDatesText)}` : null },
                publicUrl,
              ),
            ]
          : []),
        crumbData(trail, publicUrl),
      ],
    },
    {
      hero: html`<div class="wrap">${crumbs(view, trail)}<h1 dir="auto">${job.title}</h1>
<p class="mute" dir="auto">${job.business.name}, ${job.place.label}</p>
<p class="money"><b${figure.length > 6 && html` class="long"`}>${figure}</b><span>${notes.map((note) => html`<span>${note}</span>`)}</span></p>
<p class="fee">${feeText(job, locale)}</p>
<p class="badges">${job.funded && html`<span class="badge">${icon('shield-check')}${text(phrase('Funded'))}</span>`}${!isSeries && html`<span class="badge">${spotsText(job.spotsLeft, locale)}</span>`}<span class="badge">${text(job.kind === 'shift' ? phrase('Shift') : phrase('Task'))}</span>${job.instantHire && html`<span class="badge">${text(phrase('Instant hire'))}</span>`}</p></div>`,
      body: html`<div class="wrap"><div class="facts">${when !== null && fact(icon('calendar-blank'), when, breakText(job, locale))}${fact(
        icon('map-pin'),
        job.place.label,
        job.place.blurred ? text(phrase('You get the exact address once you’re hired.')) : null,
      )}${job.relation !== null && fact(icon('article'), text(relationText[job.relation].title), text(relationText[job.relation].meaning))}${job.funded && fact(icon('shield-check'), text(phrase('Your pay is secured')), text(phrase('{business} has set the pay aside with us.', { business: job.business.name })))}${
        job.instantHire &&
        fact(
          icon('timer'),
          text(phrase('Instant hire')),
          text(
            job.skills.length > 0
              ? phrase('The first people to apply with all the skills below are hired right away.')
              : phrase('The first people to apply are hired right away.'),
          ),
        )
      }${!job.instantHire && answerFact(view, job, decideByDays, now)}</div>
${isSeries && shiftList(view, job, locale)}
${businessCard(view, job, locale)}${needs(view, job)}
${job.description !== '' && html`<section><h2>${text(phrase('About the job'))}</h2><p class="text" dir="auto">${job.description}</p></section>`}
${job.photoIds.length > 0 && html`<section class="photos"><h2>${text(phrase('Photos'))}</h2>${job.photoIds.map((fileId, index) => html`<img src="/api${fileContentPath(fileId)}" alt="${text(phrase('Photo {number} of {count}', { number: index + 1, count: job.photoIds.length }))}" loading="lazy">`)}</section>`}
<p class="sm"><a href="${link(saveJobPath(job.id))}" rel="nofollow">${text(phrase('Save this job'))}</a></p><p class="sm"><a href="${shareMail(title, `${publicUrl}${publicJobPath(job, 'share')}`)}">${text(phrase('Share by email'))}</a></p>${reportLine(view, 'job', job.id)}</div>
${similar.length > 0 && html`<section class="wrap wide"><h2>${text(phrase('Similar jobs nearby'))}</h2><p class="sm mute">${text(phrase('Distances from this job.'))}</p>${jobList(view, similar, countryCode)}</section>`}<section class="wrap wide"><h2>${text(phrase('Search jobs'))}</h2>${searchForm(view, middleOf([job], town))}</section>`,
      dock: html`<div class="dock"><div class="wrap"><p><b>${figure}</b><span class="sm">${shiftsText(job, locale) ?? notes[0] ?? ''}</span></p><a class="btn" href="${link(applyPath(job.id))}" rel="nofollow">${text(phrase('Apply'))}</a></div></div>`,
      path,
    },
  );
}

/**
 * A mail to anyone with the title and the address of a job: these pages have no script that could open the
 * device's share sheet.
 */
const shareMail = (title: string, address: string): string =>
  `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(address)}`;

const fact = (sign: Html, title: string, note: string | null): Html =>
  html`<div class="fact">${sign}<div><p class="t" dir="auto">${title}</p>${note !== null && html`<p class="d">${note}</p>`}</div></div>`;

const relationText: Record<JobRelation, { title: MailText; meaning: MailText }> = {
  self_employed: {
    title: phrase('Self-employed'),
    meaning: phrase('You work for yourself, and pay your own taxes and insurance.'),
  },
  employed: {
    title: phrase('Employed'),
    meaning: phrase('The business employs you for this job, with payroll, taxes and social insurance.'),
  },
  household: {
    title: phrase('Household work'),
    meaning: phrase('You work for a private person in their home.'),
  },
};

const allDatesText = phrase('You apply for all dates together and are hired for all of them or none.');

/** The shifts of a series; those of a block come apart from the others. */
function shiftList(view: PageView, job: Job, locale: PageLocale): Html {
  const ownDates = datesToApply(job);
  const otherDates = job.dates.filter((date) => !ownDates.includes(date));
  return html`${dateList(view, job, ownDates, locale)}${otherDates.length > 0 && dateList(view, job, otherDates, locale)}`;
}

function dateList({ text, link }: PageView, job: Job, dates: Job['dates'], locale: PageLocale): Html {
  const isBlock = dates.length > 1 && dates[0]?.asBlock === true;
  const count = { count: dates.length };
  const heading = isBlock
    ? phrase('{count, plural, one {# date} other {All # dates}}', count)
    : phrase('{count, plural, one {# shift} other {# shifts}}', count);
  return html`<section><h2>${text(heading)}</h2>${isBlock && html`<p>${text(allDatesText)}</p>`}<ul class="needs shifts">${dates.map(
    ({ jobId, startsAt, endsAt, pay, spotsLeft }) =>
      html`<li><span><a href="${link(publicJobPath({ id: jobId, title: job.title }))}"${jobId === job.id && html` aria-current="page"`}>${whenText({ ...job, startsAt, endsAt }, locale)}</a><span class="sm">${spotsText(spotsLeft, locale)}</span></span><b>${payText(pay, locale).figure}</b></li>`,
  )}</ul></section>`;
}

/** The time by which an applicant gets an answer. */
function answerFact({ text }: PageView, job: OpenJob['job'], days: number, now: Date): Html {
  const startsAt = job.startsAt === null ? null : new Date(job.startsAt);
  if (isDueBeforeStart(now, days, startsAt, job.timeZone))
    return fact(icon('timer'), text(phrase('An answer before it starts')), null);
  const title = text(phrase('An answer within {days, plural, one {# day} other {# days}}', { days }));
  return fact(icon('timer'), title, text(phrase('Counted from when you apply.')));
}

const businessCard = (view: PageView, { business, category }: OpenJob['job'], locale: PageLocale): Html =>
  html`<div class="card who-card">${categoryIcon(category)}<div><h2 dir="auto">${
    business.verified
      ? html`<a href="${view.link(publicBusinessPath(business))}">${business.name}</a>`
      : business.name
  }</h2><p class="sm">${business.verified ? verifiedMark(view) : view.text(phrase('Not verified yet'))}</p>${ratingStar(business.rating, locale, 'full')}</div></div>`;

function needs({ text }: PageView, job: OpenJob['job']): Html | null {
  const papers = [
    ...(job.cvRequired ? [text(phrase('A CV'))] : []),
    ...(job.questions.length > 0 ? [text(phrase('Answers to a few questions when you apply'))] : []),
  ];
  if (job.skills.length + job.requirements.length + papers.length === 0) return null;
  const line = (mark: Html, words: string) => html`<li>${mark}<span dir="auto">${words}</span></li>`;
  return html`<section><h2>${text(phrase('What you need'))}</h2><ul class="needs">${job.skills.map((skill) => line(icon('sparkle'), text(skillText[skill])))}${job.requirements.map((need) => line(icon('check'), need))}${papers.map((paper) => line(icon('article'), paper))}</ul></section>`;
}

/** Renders the page of a job that is no longer open, with similar jobs. */
export function gonePage(
  view: PageView,
  { title, category, town, townSlug, countryCode, similar }: GoneJob,
  path: string,
): string {
  const { text, link } = view;
  const trail = [
    ...townTrail(view, { town, townSlug }, category),
    { name: title ?? text(phrase('Job')), path: '' },
  ];
  const unavailable = text(phrase('This job is no longer available'));
  return pageText(
    view,
    {
      title: `${unavailable} – Nearhand`,
      description: text(phrase('It was filled or closed. There are other jobs in {town}.', { town })),
      canonical: null,
      picture: null,
      data: [],
    },
    {
      hero: html`<div class="wrap">${crumbs(view, trail)}<h1>${unavailable}</h1><p class="mute">${text(phrase('It was filled or closed.'))}</p>${title !== null && html`<p class="mute" dir="auto">${title}</p>`}</div>`,
      body: html`<div class="wrap wide">${
        similar.length > 0
          ? html`<h2>${text(phrase('{category} jobs you can apply for', { category: text(categoryText[category]) }))}</h2>${jobList(view, similar, countryCode)}`
          : html`<h2>${text(phrase('Find another job'))}</h2><p class="sm">${text(phrase('New jobs are posted every day.'))}</p>`
      }<p class="pages"><a class="btn" href="${link('/jobs')}">${text(phrase('Browse jobs'))}</a></p></div>`,
      path,
    },
  );
}

const notFoundText = {
  job: phrase('Job not found'),
  business: phrase('Business not found'),
  page: phrase('Page not found'),
} as const;

/** Renders the page for an address that never existed. */
export function unknownJobPage(view: PageView, page: keyof typeof notFoundText): string {
  const { text, link } = view;
  const title = text(notFoundText[page]);
  return pageText(
    view,
    {
      title: `${title} – Nearhand`,
      description: text(phrase('The link may be incomplete.')),
      canonical: null,
      picture: null,
      data: [],
    },
    {
      hero: html`<div class="wrap"><h1>${title}</h1><p class="mute">${text(phrase('The link may be incomplete, or it was removed.'))}</p></div>`,
      body: html`<div class="wrap"><p class="pages"><a class="btn" href="${link('/jobs')}">${text(phrase('Browse jobs'))}</a></p></div>`,
    },
  );
}

/** `lead`: the first paragraph of the description. */
type PostingFacts = { town: string; countryCode: string; lead: string | null };

const unitTexts: Record<Exclude<PayUnit, 'fixed'>, string> = {
  hour: 'HOUR',
  day: 'DAY',
  week: 'WEEK',
  month: 'MONTH',
  year: 'YEAR',
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const asMarkup = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .filter(Boolean)
    .map(
      (part) => `<p>${part.replace(/[&<>]/g, (sign) => entities[sign] ?? sign).replaceAll('\n', '<br>')}</p>`,
    )
    .join('');

/** Google's job postings take pay per hour, day, week, month or year, so a fixed price is left out. */
function baseSalary({ pay }: Job) {
  if (pay.unit === 'fixed') return undefined;
  const amount = (minor: number) => minor / 10 ** currencyDigits[pay.currency];
  const range =
    pay.maxMinor !== null && pay.maxMinor > pay.minor
      ? { minValue: amount(pay.minor), maxValue: amount(pay.maxMinor) }
      : { value: amount(pay.minor) };
  return {
    '@type': 'MonetaryAmount',
    currency: pay.currency,
    value: { '@type': 'QuantitativeValue', ...range, unitText: unitTexts[pay.unit] },
  };
}

const employmentType = (job: Job): string => {
  if (job.kind === 'task') return 'CONTRACTOR';
  return job.startsAt === null ? 'OTHER' : 'TEMPORARY';
};

/** The place that guests see: a private address has no street and no point. */
function jobPosting(job: Job, facts: PostingFacts, publicUrl: string) {
  const business = job.business.verified ? { sameAs: `${publicUrl}${publicBusinessPath(job.business)}` } : {};
  return {
    '@context': 'https://schema.org',
    '@type': 'JobPosting',
    title: job.title,
    description: asMarkup([facts.lead, job.description || job.title].filter(Boolean).join('\n\n')),
    identifier: { '@type': 'PropertyValue', name: 'Nearhand', value: job.id },
    url: `${publicUrl}${publicJobPath(job)}`,
    datePosted: job.publishedAt,
    validThrough: job.expiresAt ?? undefined,
    jobStartDate: job.startsAt ?? undefined,
    employmentType: employmentType(job),
    hiringOrganization: { '@type': 'Organization', name: job.business.name, ...business },
    jobLocation: {
      '@type': 'Place',
      address: {
        '@type': 'PostalAddress',
        streetAddress: job.place.blurred ? undefined : job.place.label,
        addressLocality: facts.town,
        addressCountry: facts.countryCode,
      },
    },
    baseSalary: baseSalary(job),
    totalJobOpenings: job.headCount > 1 ? job.spotsLeft : undefined,
    qualifications: job.requirements.join('\n') || undefined,
    skills: job.skills.join(', ') || undefined,
    directApply: true,
  };
}
