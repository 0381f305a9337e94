import type { Job, JobCard } from '@nearhand/contract/hiring/jobs';
import type { ReadDb } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { jobPayText, localeIn, payText, shiftsText } from './page-words.ts';
import { publicBusiness, publicJob } from './public-pages.ts';

/** The public content of an open job, for posters and other sites. */
export type SharedJob = {
  id: string;
  title: string;
  businessName: string;
  verified: boolean;
  place: string;
  figure: string;
  notes: string[];
  when: string | null;
};

export async function sharedJob(db: ReadDb, scope: Scope<null>, shortId: string): Promise<SharedJob | null> {
  const page = await publicJob(db, scope, shortId);
  return page?.kind === 'open' ? toSharedJob(page.job, page.countryCode) : null;
}

export async function sharedJobsOf(
  db: ReadDb,
  scope: Scope<null>,
  shortId: string,
): Promise<{ businessName: string; jobs: SharedJob[] } | null> {
  const page = await publicBusiness(db, scope, shortId);
  return (
    page && {
      businessName: page.business.name,
      jobs: page.jobs.map((job) => toSharedJob(job, page.countryCode)),
    }
  );
}

function toSharedJob(job: JobCard | Job, countryCode: string): SharedJob {
  const locale = localeIn(countryCode);
  const { id, title, business, place } = job;
  return {
    id,
    title,
    businessName: business.name,
    verified: business.verified,
    place: place.label,
    ...('dates' in job ? jobPayText(job, locale) : payText(job.pay, locale, job.series?.payRange)),
    when: shiftsText(job, locale),
  };
}
