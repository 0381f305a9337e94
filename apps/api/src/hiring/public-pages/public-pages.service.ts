import type { Job, JobCard, JobStatus } from '@nearhand/contract/hiring/jobs';
import type { CategoryId } from '@nearhand/contract/people/taxonomy';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { toCard } from '../jobs/job-cards.service.ts';
import { getJob, similarJobs } from '../jobs/job-views.service.ts';
import { findAddressedJob, findTownJobs } from './public-pages.sql.ts';

type Where = { town: string; townSlug: string; countryCode: string };

/** An open job as guests see it, with open ones of its trade nearby. */
export type OpenJob = Where & { kind: 'open'; job: Job; similar: JobCard[] };
/** A job that was public and is not any more. The title is null where guests may not read it. */
export type GoneJob = Where & {
  kind: 'gone';
  title: string | null;
  category: CategoryId;
  similar: JobCard[];
};

const neverPublic: readonly JobStatus[] = ['draft', 'in_review', 'rejected'];
const stillReadable: readonly JobStatus[] = ['filled', 'expired', 'closed'];
const similarCount = 6;

/** The job behind a public address; null where there never was a page. Public: it shows what a guest may see and nothing else. */
export async function publicJob(
  db: Db,
  scope: Scope<null>,
  shortId: string,
): Promise<OpenJob | GoneJob | null> {
  const found = await findAddressedJob(db, shortId);
  if (!found || neverPublic.includes(found.status) || !found.was_seen) return null;
  const where = { town: found.town, townSlug: found.town_slug, countryCode: found.country_code };
  if (found.status === 'open') {
    const job = await getJob(db, scope, { jobId: found.id });
    return { kind: 'open', ...where, job, similar: await similarJobs(db, scope, { jobId: found.id }) };
  }
  const { category } = found;
  const options = { category, after: null, limit: similarCount };
  const rows = await findTownJobs(db, found.town_slug, options);
  return {
    kind: 'gone',
    ...where,
    category,
    title: stillReadable.includes(found.status) ? found.title : null,
    similar: rows.map((row) => toCard(row, { knowsPlace: false, from: null })),
  };
}
