import type { Stage, WorkEnding } from '@nearhand/contract/hiring/applicants';
import { hiringJobStatuses } from '@nearhand/contract/hiring/jobs';
import type { MatchReason } from '@nearhand/contract/hiring/matching';
import type {
  Availability,
  SpokenLanguage,
  WorkerChecks,
  WorkerSkill,
} from '@nearhand/contract/people/profiles';
import { sql } from 'kysely';
import { workerChecks } from '../../people/verification/worker-checks.columns.ts';
import type { Db } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/recruiters.ts';
import { type ApplicationRow, columnsFor } from '../applications/application.columns.ts';

/** Adds what the business sees: the job and the worker. Includes the home; the service shows only a rounded distance. */
export type ApplicantRow = ApplicationRow & {
  job_title: string;
  job_time_zone: string;
  job_lat: number;
  job_lng: number;
  /** Spots that can be offered: none for a job that ended. */
  free_seats: number;
  /** The job's status lets the business still hire for it. */
  job_hires: boolean;
  worker_id: string;
  worker_name: string;
  photo_file_id: string | null;
  review_stars: number[] | null;
  bio: string | null;
  home_label: string | null;
  home_lat: number | null;
  home_lng: number | null;
  languages: SpokenLanguage[] | null;
  availability: Availability | null;
  skills: WorkerSkill[] | null;
  checks: WorkerChecks;
  stage: Stage;
  work_ending: WorkEnding | null;
  match_score: number;
  match_reasons: MatchReason[];
  tags: string[];
  notes: number;
};

export const applicantColumns = sql`${columnsFor('business')}, job.title as job_title, job.time_zone as job_time_zone, job.lat as job_lat, job.lng as job_lng,
  job.status = any(${[...hiringJobStatuses]}) as job_hires,
  case when job.status = any(${[...hiringJobStatuses]}) then job.head_count - job.hired_count - job.offered_count else 0 end as free_seats,
  worker.id as worker_id, worker.name as worker_name, profile.photo_file_id, profile.review_stars, profile.bio, profile.home_label, profile.home_lat,
  profile.home_lng, profile.languages, profile.availability, profile.skills,
${workerChecks('worker.id', 'worker.name', 'profile.phone')} as checks,
  application.stage, application.work_ending, application.match_score, application.match_reasons,
  array(select tag from applicant_tags where application_id = application.id order by lower(tag), tag) as tags,
  (select count(*) from applicant_notes where application_id = application.id) as notes`;

/** The joins that the applicant columns need. */
export const applicantJoins = sql`join jobs job on job.id = application.job_id
  join accounts worker on worker.id = application.worker_id
  left join profiles profile on profile.account_id = application.worker_id
  left join files cv on cv.id = application.cv_file_id`;

/** One worker's applications, not withdrawn, to businesses where this account hires, newest first. */
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

export async function findApplicant(db: Db, applicationId: string): Promise<ApplicantRow | undefined> {
  const { rows } = await sql<ApplicantRow>`
    select ${applicantColumns} from applications application ${applicantJoins}
    where application.id = ${applicationId}`.execute(db);
  return rows[0];
}
