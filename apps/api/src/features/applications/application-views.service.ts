import {
  type Applicant,
  type ApplicationStatus,
  applicationStatuses,
  liveApplicationStatuses,
  type MyApplication,
} from '@nearhand/contract/applications';
import { fileContentPath, type StoredFile } from '@nearhand/contract/files';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { demandRole } from '../businesses/members.service.ts';
import { jobCardsOf } from '../jobs/job-cards.service.ts';
import { demandRecruiter } from '../jobs/job-views.service.ts';
import { shownArea } from '../profiles/profiles.service.ts';
import {
  type ApplicantRow,
  type ApplicationRow,
  findApplicants,
  findMine,
  findOfWorker,
  findOwn,
  type PageWishes,
} from './application-views.sql.ts';
import { applicationActionsFor } from './applications.policy.ts';
import { roughDistanceM } from './home-distance.rules.ts';

type Group = 'live' | 'ended';
type PageInput = { group?: Group; cursor?: string; limit: number };

const isLive = (status: ApplicationStatus) =>
  (liveApplicationStatuses as readonly ApplicationStatus[]).includes(status);
const statesOf: Record<Group, readonly ApplicationStatus[]> = {
  live: liveApplicationStatuses,
  ended: applicationStatuses.filter((status) => !isLive(status)),
};

const wishesOf = ({ group, cursor, limit }: PageInput): PageWishes => ({
  states: group ? statesOf[group] : null,
  after: decodeCursor(cursor, newestCursor),
  limit: limit + 1,
});
const cut = <Row extends ApplicationRow>(rows: readonly Row[], limit: number) =>
  cutPage(rows, limit, (row) => [row.submitted_at.toISOString(), row.id]);

/** The caller's own applications, newest first. @throws request/bad-cursor */
export async function myApplications(
  db: Db,
  scope: Scope,
  input: PageInput,
): Promise<{ items: MyApplication[]; nextCursor: string | null }> {
  const rows = await findMine(db, scope.actor.accountId, wishesOf(input));
  const page = cut(rows, input.limit);
  return { items: await asMine(db, page.items), nextCursor: page.nextCursor };
}

/** One of the caller's own applications. @throws application/not-found */
export async function getApplication(
  db: Db,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<MyApplication> {
  const row = await findOwn(db, applicationId, scope.actor.accountId);
  const [application] = row ? await asMine(db, [row]) : [];
  if (!application) throw new AppError('application/not-found');
  return application;
}

/**
 * Applicants of one job for its recruiters, newest first.
 * @throws job/not-found, job/not-allowed, request/bad-cursor
 */
export async function applicantsOfJob(
  db: Db,
  scope: Scope,
  input: PageInput & { jobId: string },
): Promise<{ items: Applicant[]; nextCursor: string | null }> {
  await demandRecruiter(db, scope.actor.accountId, input.jobId);
  return applicantPage(db, { jobId: input.jobId }, input);
}

/**
 * Applicants over all jobs of a business for its recruiters, newest first.
 * @throws business/not-found, business/not-allowed, request/bad-cursor
 */
export async function applicantsOfBusiness(
  db: Db,
  scope: Scope,
  input: PageInput & { businessId: string },
): Promise<{ items: Applicant[]; nextCursor: string | null }> {
  await demandRole(db, input.businessId, scope.actor.accountId, 'recruiter');
  return applicantPage(db, { businessId: input.businessId }, input);
}

async function applicantPage(db: Db, of: Parameters<typeof findApplicants>[1], input: PageInput) {
  const page = cut(await findApplicants(db, of, wishesOf(input)), input.limit);
  return { items: page.items.map(asApplicant), nextCursor: page.nextCursor };
}

const mostOfWorker = 100;

/**
 * What one worker sent to the businesses where the caller hires, newest first, at most 100.
 * @throws profile/not-found where they never applied to any of them
 */
export async function applicationsOfWorker(
  db: Db,
  scope: Scope,
  { workerId }: { workerId: string },
): Promise<Applicant[]> {
  const rows = await findOfWorker(db, workerId, scope.actor.accountId, mostOfWorker);
  if (rows.length === 0) throw new AppError('profile/not-found');
  return rows.map(asApplicant);
}

async function asMine(db: Db, rows: readonly ApplicationRow[]): Promise<MyApplication[]> {
  const cards = await jobCardsOf(
    db,
    rows.map((row) => row.job_id),
    { knowsPlace: false, from: null },
  );
  return rows.flatMap((row) => {
    const card = cards.get(row.job_id);
    if (!card) return [];
    const actions = applicationActionsFor('worker', row.status);
    const questions = actions.includes('edit') ? card.questions : row.questions;
    return [{ ...commonOf(row, cvOf(row)), actions, job: { ...card, questions } }];
  });
}

/** As a recruiter of the business sees it: what was withdrawn leaves a name and a status only. */
export function asApplicant(row: ApplicantRow): Applicant {
  const withdrawn = row.status === 'withdrawn';
  const home =
    withdrawn || row.home_lat === null || row.home_lng === null
      ? null
      : { lat: row.home_lat, lng: row.home_lng };
  return {
    ...commonOf(row, withdrawn ? null : cvOf(row)),
    ...(withdrawn ? { coverNote: '', answers: [] } : {}),
    actions: applicationActionsFor('recruiter', row.status),
    jobId: row.job_id,
    jobTitle: row.job_title,
    questions: row.questions,
    worker: {
      workerId: row.worker_id,
      name: row.worker_name,
      photoPath: withdrawn ? null : row.photo_file_id && fileContentPath(row.photo_file_id),
      bio: withdrawn ? '' : (row.bio ?? ''),
      area: withdrawn ? null : shownArea(row.home_label),
      languages: withdrawn ? [] : (row.languages ?? []),
      availability: withdrawn ? [] : (row.availability ?? []),
      skills: withdrawn ? [] : (row.skills ?? []),
    },
    distanceM: home && roughDistanceM(home, { lat: row.job_lat, lng: row.job_lng }),
    stage: 'new',
    matchScore: 0,
    match: [],
    tags: [],
    notes: 0,
  };
}

const commonOf = (row: ApplicationRow, cv: StoredFile | null) => ({
  id: row.id,
  version: row.version,
  status: row.status,
  coverNote: row.cover_note,
  answers: row.answers,
  cv,
  submittedAt: row.submitted_at.toISOString(),
  viewedAt: row.viewed_at?.toISOString() ?? null,
  decideBy: row.decide_by.toISOString(),
  steps: row.steps,
  interview: null,
  offer: null,
  engagementId: null,
  waitlist: null,
});

const cvOf = (row: ApplicationRow): StoredFile | null =>
  row.cv_id === null
    ? null
    : {
        id: row.cv_id,
        purpose: 'cv',
        name: row.cv_name,
        mediaType: row.cv_media_type,
        bytes: row.cv_bytes,
        path: fileContentPath(row.cv_id),
      };
