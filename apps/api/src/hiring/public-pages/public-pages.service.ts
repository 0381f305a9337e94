import type { Job, JobCard, JobStatus } from '@nearhand/contract/hiring/jobs';
import type { PublicBusiness } from '@nearhand/contract/people/businesses';
import { type CategoryId, categoryIds } from '@nearhand/contract/people/taxonomy';
import { businessProfile } from '../../people/businesses/businesses.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { ReadDb } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { toCard } from '../jobs/job-cards.service.ts';
import { getJob, similarJobs } from '../jobs/job-views.service.ts';
import {
  findAddressedJob,
  findBusinessJobs,
  findNewestJobs,
  findTownJobs,
  findTowns,
  findTrades,
  findVerifiedBusiness,
} from './public-pages.sql.ts';

const neverPublic: readonly JobStatus[] = ['draft', 'in_review', 'rejected'];

/** The job behind a public address, for links that open in the app. @throws job/not-found where there never was a page */
export async function addressedJob(
  db: ReadDb,
  _scope: Scope<Actor | null>,
  { shortId }: { shortId: string },
): Promise<{ jobId: string }> {
  const found = await findAddressedJob(db, shortId);
  if (!found || neverPublic.includes(found.status) || !found.was_seen) throw new AppError('job/not-found');
  return { jobId: found.id };
}

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

const stillReadable: readonly JobStatus[] = ['filled', 'expired', 'closed'];
const similarCount = 6;
const asGuest = { knowsPlace: false, from: null } as const;

/** The job behind a public address; null where there never was a page. Public: it shows what a guest may see and nothing else. */
export async function publicJob(
  db: ReadDb,
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
    similar: rows.map((row) => toCard(row, asGuest)),
  };
}

/** A page of open jobs; `nextCursor` continues it. */
export type JobsShown = { jobs: JobCard[]; nextCursor: string | null };

/** A verified business and its open jobs. */
export type ShownBusiness = JobsShown & { business: PublicBusiness; countryCode: string };

const perPage = 20;
const townsPerPage = 100;

/** The verified business behind a public address; null for any other. @throws request/bad-cursor */
export async function publicBusiness(
  db: ReadDb,
  scope: Scope<null>,
  shortId: string,
  cursor?: string,
): Promise<ShownBusiness | null> {
  const after = decodeCursor(cursor, newestCursor);
  const found = await findVerifiedBusiness(db, shortId);
  if (!found) return null;
  const business = await businessProfile(db, scope, { businessId: found.id });
  const rows = await findBusinessJobs(db, found.id, { after, limit: perPage + 1 });
  const page = cutPage(rows, perPage, (row) => [row.created_at.toISOString(), row.id]);
  return {
    business,
    countryCode: found.country_code,
    jobs: page.items.map((row) => toCard(row, asGuest)),
    nextCursor: page.nextCursor,
  };
}

/** Open jobs of a town, or of one trade in it. `trades` are those with jobs there. */
export type TownJobs = JobsShown & Where & { category: CategoryId | null; trades: CategoryId[] };

/** The open jobs of a town and trade, newest first; null where there are none. @throws request/bad-cursor */
export async function townJobs(
  db: ReadDb,
  townSlug: string,
  category: CategoryId | null,
  cursor?: string,
): Promise<TownJobs | null> {
  const after = decodeCursor(cursor, newestCursor);
  const rows = await findTownJobs(db, townSlug, { category, after, limit: perPage + 1 });
  const [first] = rows;
  if (!first) return null;
  const page = cutPage(rows, perPage, (row) => [row.published_at?.toISOString() ?? '', row.id]);
  const trades = await findTrades(db, [townSlug], categoryIds);
  return {
    town: first.town,
    townSlug,
    countryCode: first.country_code,
    category,
    trades: trades.map((one) => one.category),
    jobs: page.items.map((row) => toCard(row, asGuest)),
    nextCursor: page.nextCursor,
  };
}

/** The newest open jobs anywhere, and towns with jobs in the order of their addresses. */
export type AllJobs = JobsShown & {
  countryCode: string | null;
  towns: { slug: string; town: string }[];
  moreTowns: boolean;
};

/** @param townsAfter the last town of the page before, by its address @throws request/bad-cursor */
export async function allJobs(db: ReadDb, cursor?: string, townsAfter = ''): Promise<AllJobs> {
  const after = decodeCursor(cursor, newestCursor);
  const rows = await findNewestJobs(db, { after, limit: perPage + 1 });
  const page = cutPage(rows, perPage, (row) => [row.published_at?.toISOString() ?? '', row.id]);
  const towns = await findTowns(db, townsAfter, townsPerPage + 1);
  return {
    countryCode: rows[0]?.country_code ?? null,
    towns: towns.slice(0, townsPerPage),
    moreTowns: towns.length > townsPerPage,
    jobs: page.items.map((row) => toCard(row, asGuest)),
    nextCursor: page.nextCursor,
  };
}
