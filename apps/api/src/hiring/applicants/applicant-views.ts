import type { Applicant, Stage } from '@nearhand/contract/hiring/applicants';
import { roughDistanceM } from '@nearhand/contract/hiring/home-distance.rules';
import { type InterviewStatus, liveInterviewStatuses } from '@nearhand/contract/hiring/interviews';
import { hiringJobStatuses } from '@nearhand/contract/hiring/jobs.rules';
import type { MatchReason } from '@nearhand/contract/hiring/matching';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type {
  Availability,
  SpokenLanguage,
  WorkerChecks,
  WorkerSkill,
} from '@nearhand/contract/people/profiles';
import { ratingOf } from '@nearhand/contract/people/rating.rules';
import { nothingChecked } from '@nearhand/contract/people/verification.rules';
import { sql } from 'kysely';
import { areaOf } from '../../people/profiles/profiles.ts';
import { workerChecks } from '../../people/verification/worker-checks.columns.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { recruiterActions, requireApplicant } from '../applications/application-access.ts';
import { type ApplicationRow, columnsFor, commonFields, cvOf } from '../applications/application-views.ts';

const isLiveInterview = (status: InterviewStatus) =>
  (liveInterviewStatuses as readonly InterviewStatus[]).includes(status);

/** One applicant with what the list shows. For recruiters. */
export async function getApplicant(
  db: Db,
  scope: Scope,
  { applicationId }: { applicationId: string },
): Promise<Applicant> {
  await requireApplicant(db, scope.actor.accountId, applicationId);
  return applicantById(db, applicationId);
}

/**
 * Returns the applicant after a move; the move checked access.
 * @throws application/not-found
 */
export async function applicantById(db: Db, applicationId: string): Promise<Applicant> {
  const row = await findApplicant(db, applicationId);
  if (!row) throw new AppError('application/not-found');
  return toApplicant(row);
}

/** A recruiter's view; a withdrawn application keeps only its name and status. */
export function toApplicant(row: ApplicantRow): Applicant {
  const isWithdrawn = row.status === 'withdrawn';
  const home =
    isWithdrawn || row.homeLat === null || row.homeLng === null
      ? null
      : { lat: row.homeLat, lng: row.homeLng };
  return {
    ...commonFields(row, isWithdrawn ? null : cvOf(row)),
    ...(isWithdrawn ? { coverNote: '', answers: [] } : {}),
    actions: recruiterActions(row.status, {
      interviewOpen: row.interview !== null && isLiveInterview(row.interview.status),
      jobHires: row.jobHires,
      // An unpaid offer already takes a spot; the application moves once the offer is sent.
      spotFree: row.freeSpots > 0 && row.offer?.status !== 'funding',
    }),
    jobId: row.jobId,
    jobTitle: row.jobTitle,
    jobStartsAt: row.jobStartsAt?.toISOString() ?? null,
    seriesId: row.seriesId,
    asBlock: row.asBlock,
    shiftsApplied: row.shiftsApplied,
    timeZone: row.jobTimeZone,
    questions: row.questions,
    worker: {
      workerId: row.workerId,
      name: row.workerName,
      photoPath: isWithdrawn ? null : row.photoFileId && fileContentPath(row.photoFileId),
      bio: isWithdrawn ? '' : (row.bio ?? ''),
      area: isWithdrawn ? null : areaOf(row.homeLabel),
      languages: isWithdrawn ? [] : (row.languages ?? []),
      availability: isWithdrawn ? [] : (row.availability ?? []),
      weekHoursMax: isWithdrawn ? null : row.weekHoursMax,
      skills: isWithdrawn ? [] : (row.skills ?? []),
      checks: isWithdrawn ? nothingChecked : row.checks,
      rating: ratingOf(isWithdrawn ? [] : (row.reviewStars ?? [])),
    },
    distanceM: home && roughDistanceM(home, { lat: row.jobLat, lng: row.jobLng }),
    stage: row.stage,
    workEnding: row.workEnding,
    matchScore: isWithdrawn ? 0 : row.matchScore,
    match: isWithdrawn ? [] : row.matchReasons,
    tags: row.tags,
    notes: row.notes,
  };
}

/** Includes the home; the service shows only a rounded distance. */
export type ApplicantRow = ApplicationRow & {
  jobTitle: string;
  jobStartsAt: Date | null;
  seriesId: string | null;
  asBlock: boolean;
  shiftsApplied: number;
  jobTimeZone: string;
  jobLat: number;
  jobLng: number;
  freeSpots: number;
  jobHires: boolean;
  workerId: string;
  workerName: string;
  photoFileId: string | null;
  reviewStars: number[] | null;
  bio: string | null;
  homeLabel: string | null;
  homeLat: number | null;
  homeLng: number | null;
  languages: SpokenLanguage[] | null;
  availability: Availability | null;
  weekHoursMax: number | null;
  skills: WorkerSkill[] | null;
  checks: WorkerChecks;
  stage: Stage;
  matchScore: number;
  matchReasons: MatchReason[];
  tags: string[];
  notes: number;
};

export const applicantColumns = sql`${columnsFor('business')}, job.title as job_title,
  job.starts_at as job_starts_at, job.series_id, job.as_block, job.time_zone as job_time_zone, job.lat as job_lat,
  job.lng as job_lng,
  case when job.series_id is null then 1 else (
    select count(*) from jobs shift join applications other on other.job_id = shift.id
    where shift.series_id = job.series_id and other.worker_id = application.worker_id and other.status <> 'withdrawn'
  ) end as shifts_applied,
  job.status = any(${[...hiringJobStatuses]}) as job_hires,
  case when job.status = any(${[...hiringJobStatuses]}) then job.head_count - job.hired_count - job.offered_count else 0 end as free_spots,
  worker.id as worker_id, worker.name as worker_name, profile.photo_file_id, profile.review_stars, profile.bio,
    profile.home_label, profile.home_lat,
  profile.home_lng, profile.languages, profile.availability, profile.week_hours_max, profile.skills,
${workerChecks('worker.id', 'worker.name', 'profile.phone')} as checks,
  application.stage, application.match_score, application.match_reasons,
  array(select tag from applicant_tags where application_id = application.id order by lower(tag), tag) as tags,
  (select count(*) from applicant_notes where application_id = application.id) as notes`;

export const applicantJoins = sql`join jobs job on job.id = application.job_id
  join accounts worker on worker.id = application.worker_id
  left join profiles profile on profile.account_id = application.worker_id
  left join files cv on cv.id = application.cv_file_id`;

/** A worker's applications for jobs where the caller recruits, newest first. */
export async function findOfWorker(
  db: Db,
  workerId: string,
  accountId: string,
  limit: number,
): Promise<ApplicantRow[]> {
  const { rows } = await sql<ApplicantRow>`
    select ${applicantColumns} from applications application ${applicantJoins}
    join job_members member on member.job_id = application.job_id
      and member.account_id = ${accountId} and member.role in ${recruiters}
    where application.worker_id = ${workerId} and application.status <> 'withdrawn'
    order by application.submitted_at desc, application.id desc limit ${limit}`.execute(db);
  return rows;
}

async function findApplicant(db: Db, applicationId: string): Promise<ApplicantRow | undefined> {
  const { rows } = await sql<ApplicantRow>`
    select ${applicantColumns} from applications application ${applicantJoins}
    where application.id = ${applicationId}`.execute(db);
  return rows[0];
}
