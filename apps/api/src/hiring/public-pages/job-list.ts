import type { JobCard } from '@nearhand/contract/hiring/jobs';
import { publicJobPath } from '@nearhand/contract/hiring/public-pages.rules';
import { say } from '../../platform/mail/mail-layout.ts';
import { type Html, html } from './html.ts';
import { icon, ratingStar, sign } from './page-layout.ts';
import type { PageView } from './page-view.ts';
import { type PageLocale, payWords, whenWords } from './page-words.ts';

/** Cards as in the app: money, then what, then who, then where and when. Each card is one link. */
export const jobList = (view: PageView, jobs: readonly JobCard[], countryCode: string): Html =>
  html`<ul class="jobs">${jobs.map((job) => card(view, job, view.localeIn(countryCode)))}</ul>`;

function card({ text, link }: PageView, job: JobCard, locale: PageLocale): Html {
  const { figure, notes } = payWords(job.pay, locale);
  const when = whenWords(job, locale);
  return html`<li class="job"><div class="row"><div><p class="pay"><b>${figure}</b><span>${notes.map((note) => html`<span>${note}</span>`)}</span></p>
<h3><a href="${link(publicJobPath(job))}" dir="auto">${job.title}</a></h3>
<p class="who"><span dir="auto">${job.business.name}</span>${job.business.verified && html`<span class="verified" title="${text(say('Verified business'))}">${icon('seal-check')}</span>`}${ratingStar(job.business.rating, locale, 'short')}${job.funded && html`<span class="badge">${icon('shield-check')}${text(say('Funded'))}</span>`}</p></div>${sign(job.category)}</div>
<div class="foot"><span>${icon('map-pin')}<span dir="auto">${job.place.label}</span></span>${when !== null && html`<span>${icon('calendar-blank')}${when}</span>`}</div></li>`;
}
