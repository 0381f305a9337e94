import {
  type Applicant,
  type ApplicationStatus,
  type ApplicationStep,
  applicationStatuses,
  liveApplicationStatuses,
  type MyApplication,
} from '@nearhand/contract/applications';
import { fileContentPath, type StoredFile } from '@nearhand/contract/files';
import { type InterviewStatus, liveInterviewStatuses } from '@nearhand/contract/interviews';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { jobCardsOf } from '../jobs/job-cards.service.ts';
import { shownArea } from '../profiles/profiles.service.ts';
import { demandApplicant } from './application-access.service.ts';
import {
  type ApplicantRow,
  type ApplicationRow,
  findApplicant,
  findMine,
  findOwn,
  type PageWishes,
} from './application-views.sql.ts';
import { applicationActionsFor } from './applications.policy.ts';
import { roughDistanceM } from './home-distance.rules.ts';
import { readRejection } from './rejection.rules.ts';

type Group = 'live' | 'ended';
type PageInput = { group?: Group; cursor?: string; limit: number };

const isLive = (status: ApplicationStatus) =>
  (liveApplicationStatuses as readonly ApplicationStatus[]).includes(status);
const isLiveInterview = (status: InterviewStatus) =>
  (liveInterviewStatuses as readonly InterviewStatus[]).includes(status);
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
 * One applicant, for the recruiters of the business.
 * @throws application/not-found for whoever may not know of it, application/not-allowed for its worker and for finance
 */
export async function getApplicant(
  db: Db,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<Applicant> {
  await demandApplicant(db, scope.actor.accountId, applicationId);
  return applicantById(db, applicationId);
}

/** For moves, whose policy has decided: the applicant as they stand now. @throws application/not-found */
export async function applicantById(db: Db, applicationId: string): Promise<Applicant> {
  const row = await findApplicant(db, applicationId);
  if (!row) throw new AppError('application/not-found');
  return asApplicant(row);
}

async function asMine(db: Db, rows: readonly ApplicationRow[]): Promise<MyApplication[]> {
  // Whoever is hired is told the true place; for everyone else a private one is blurred.
  const cardsOf = (hired: boolean) =>
    jobCardsOf(
      db,
      rows.filter((row) => (row.status === 'hired') === hired).map((row) => row.job_id),
      { knowsPlace: hired, from: null },
    );
  const cards = { hired: await cardsOf(true), others: await cardsOf(false) };
  return rows.flatMap((row) => {
    const card = cards[row.status === 'hired' ? 'hired' : 'others'].get(row.job_id);
    if (!card) return [];
    const actions = applicationActionsFor('worker', row.status, {
      waiting: row.waitlisted_at !== null,
      jobFilled: card.status === 'filled',
    });
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
    actions: applicationActionsFor('recruiter', row.status, {
      interviewOpen: row.interview !== null && isLiveInterview(row.interview.status),
      jobHires: row.job_hires,
      // One that waits for its money is an offer already; the application follows once it is out.
      seatFree: row.free_seats > 0 && row.offer?.status !== 'funding',
    }),
    jobId: row.job_id,
    jobTitle: row.job_title,
    timeZone: row.job_time_zone,
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
    stage: row.stage,
    matchScore: withdrawn ? 0 : row.match_score,
    match: withdrawn ? [] : row.match_reasons,
    tags: row.tags,
    notes: row.notes,
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
  steps: row.steps.map(stepOf),
  interview: row.interview,
  offer: row.offer,
  engagementId: row.engagement_id,
  waitlist:
    row.waitlisted_at === null
      ? null
      : { since: row.waitlisted_at.toISOString(), position: row.waitlist_position ?? 1 },
});

function stepOf({ status, at, reason }: ApplicationRow['steps'][number]): ApplicationStep {
  if (status !== 'rejected') return { status, at, reason, rejectReason: null };
  const { rejectReason, note } = readRejection(reason);
  return { status, at, reason: note, rejectReason };
}

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
