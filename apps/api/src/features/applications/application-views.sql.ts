import type { Answer, ApplicationStatus } from '@nearhand/contract/applications';
import type { JobQuestion } from '@nearhand/contract/jobs';
import type { Availability, SpokenLanguage, WorkerSkill } from '@nearhand/contract/profiles';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** An application with its CV and its steps. */
export type ApplicationRow = {
  id: string;
  version: number;
  job_id: string;
  status: ApplicationStatus;
  cover_note: string;
  answers: Answer[];
  questions: JobQuestion[];
  submitted_at: Date;
  viewed_at: Date | null;
  decide_by: Date;
  cv_id: string | null;
  cv_name: string;
  cv_media_type: string;
  cv_bytes: number;
  steps: { status: ApplicationStatus; at: string; reason: string | null }[];
};

/** What the business sees on top: the job and the worker. The home comes along; the service tells a rounded distance only. */
export type ApplicantRow = ApplicationRow & {
  job_title: string;
  job_lat: number;
  job_lng: number;
  worker_id: string;
  worker_name: string;
  photo_file_id: string | null;
  bio: string | null;
  home_label: string | null;
  home_lat: number | null;
  home_lng: number | null;
  languages: SpokenLanguage[] | null;
  availability: Availability | null;
  skills: WorkerSkill[] | null;
};

// An edit is a move within a state: it is in the log, not among the steps.
const columns = sql`application.id, application.version, application.job_id, application.status, application.cover_note,
  application.answers, application.questions, application.submitted_at, application.viewed_at, application.decide_by,
  cv.id as cv_id, cv.name as cv_name, cv.media_type as cv_media_type, cv.bytes as cv_bytes,
  (select jsonb_agg(jsonb_build_object('status', to_status, 'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'reason', reason) order by at, id)
    from application_moves where application_id = application.id and from_status is distinct from to_status) as steps`;

const applicantColumns = sql`${columns}, job.title as job_title, job.lat as job_lat, job.lng as job_lng,
  worker.id as worker_id, worker.name as worker_name, profile.photo_file_id, profile.bio, profile.home_label, profile.home_lat,
  profile.home_lng, profile.languages, profile.availability, profile.skills`;

const applicantTables = sql`applications application
  join jobs job on job.id = application.job_id
  join accounts worker on worker.id = application.worker_id
  left join profiles profile on profile.account_id = application.worker_id
  left join files cv on cv.id = application.cv_file_id`;

export type PageWishes = {
  /** Only these states; null for all. */
  states: readonly ApplicationStatus[] | null;
  after: readonly [string, string] | null;
  limit: number;
};

const pageOf = ({ states, after, limit }: PageWishes) => sql`
  ${states ? sql`and application.status = any(${[...states]})` : sql``}
  ${after ? sql`and (application.submitted_at, application.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
  order by application.submitted_at desc, application.id desc limit ${limit}`;

/** The applications of a worker, newest first. */
export async function findMine(db: Db, workerId: string, page: PageWishes): Promise<ApplicationRow[]> {
  const { rows } = await sql<ApplicationRow>`
    select ${columns} from applications application left join files cv on cv.id = application.cv_file_id
    where application.worker_id = ${workerId} ${pageOf(page)}`.execute(db);
  return rows;
}

/** One application of this worker. */
export async function findOwn(
  db: Db,
  applicationId: string,
  workerId: string,
): Promise<ApplicationRow | undefined> {
  const { rows } = await sql<ApplicationRow>`
    select ${columns} from applications application left join files cv on cv.id = application.cv_file_id
    where application.id = ${applicationId} and application.worker_id = ${workerId}`.execute(db);
  return rows[0];
}

/** The applicants of one job, or over all jobs of a business, newest first. */
export async function findApplicants(
  db: Db,
  of: { jobId: string } | { businessId: string },
  page: PageWishes,
): Promise<ApplicantRow[]> {
  const which =
    'jobId' in of ? sql`application.job_id = ${of.jobId}` : sql`application.business_id = ${of.businessId}`;
  const { rows } = await sql<ApplicantRow>`
    select ${applicantColumns} from ${applicantTables} where ${which} ${pageOf(page)}`.execute(db);
  return rows;
}

/** What one worker sent to the businesses where this account hires and did not withdraw, newest first. */
export async function findOfWorker(
  db: Db,
  workerId: string,
  accountId: string,
  limit: number,
): Promise<ApplicantRow[]> {
  const { rows } = await sql<ApplicantRow>`
    select ${applicantColumns} from ${applicantTables}
    join business_members member on member.business_id = application.business_id
      and member.account_id = ${accountId} and member.role in ('owner', 'manager', 'recruiter')
    where application.worker_id = ${workerId} and application.status <> 'withdrawn'
    order by application.submitted_at desc, application.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findApplicant(db: Db, applicationId: string): Promise<ApplicantRow | undefined> {
  const { rows } = await sql<ApplicantRow>`
    select ${applicantColumns} from ${applicantTables} where application.id = ${applicationId}`.execute(db);
  return rows[0];
}
