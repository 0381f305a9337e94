import type { Answer, ApplicationStatus, MyApplication, Stage } from '@nearhand/contract/applications';
import { liveInterviewStatuses } from '@nearhand/contract/interviews';
import { hiringJobStatuses, type JobQuestion } from '@nearhand/contract/jobs';
import type { MatchReason } from '@nearhand/contract/matching';
import type { Availability, SpokenLanguage, WorkerSkill } from '@nearhand/contract/profiles';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { recruiters } from '../../platform/recruiters.ts';

/** An application with its CV, its steps and what hangs on it. */
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
  interview: MyApplication['interview'];
  offer: MyApplication['offer'];
  engagement_id: string | null;
  waitlisted_at: Date | null;
  waitlist_position: number | null;
};

/** What the business sees on top: the job and the worker. The home comes along; the service tells a rounded distance only. */
export type ApplicantRow = ApplicationRow & {
  job_title: string;
  job_time_zone: string;
  job_lat: number;
  job_lng: number;
  /** Seats that could be offered: none of a job that is over. */
  free_seats: number;
  /** Its state lets the business still hire for it. */
  job_hires: boolean;
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
  stage: Stage;
  match_score: number;
  match_reasons: MatchReason[];
  tags: string[];
  notes: number;
};

const iso = (column: RawBuilder<unknown>) =>
  sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// An edit is a move within a state: it is in the log, not among the steps. A worker hears of an offer when it goes out, not while it is being funded.
const columnsFor = (
  side: 'worker' | 'business',
) => sql`application.id, application.version, application.job_id,
  application.status, application.cover_note, application.answers, application.questions, application.submitted_at,
  application.viewed_at, application.decide_by, application.waitlisted_at,
  cv.id as cv_id, cv.name as cv_name, cv.media_type as cv_media_type, cv.bytes as cv_bytes,
  (select jsonb_agg(jsonb_build_object('status', to_status, 'at', ${iso(sql`at`)}, 'reason', reason) order by at, id)
    from application_moves where application_id = application.id and from_status is distinct from to_status) as steps,
  (select jsonb_build_object('id', id, 'status', status, 'mode', mode, 'startsAt', ${iso(sql`starts_at`)}) from interviews
    where application_id = application.id
    order by status = any(${[...liveInterviewStatuses]}) desc, created_at desc, id desc limit 1) as interview,
  (select jsonb_build_object('id', id, 'status', status, 'funding', funding, 'expiresAt', ${iso(sql`expires_at`)}) from offers
    where application_id = application.id ${side === 'worker' ? sql`and sent_at is not null` : sql``}
    order by created_at desc, id desc limit 1) as offer,
  (select id from engagements where application_id = application.id) as engagement_id,
  case when application.waitlisted_at is not null then (select count(*) from applications other
    where other.job_id = application.job_id and other.waitlisted_at is not null
      and (other.waitlisted_at, other.id) <= (application.waitlisted_at, application.id)) end as waitlist_position`;

const mineColumns = columnsFor('worker');
const mineTables = sql`applications application left join files cv on cv.id = application.cv_file_id`;

export const applicantColumns = sql`${columnsFor('business')}, job.title as job_title, job.time_zone as job_time_zone, job.lat as job_lat, job.lng as job_lng,
  job.status = any(${[...hiringJobStatuses]}) as job_hires,
  case when job.status = any(${[...hiringJobStatuses]}) then job.head_count - job.hired_count - job.offered_count else 0 end as free_seats,
  worker.id as worker_id, worker.name as worker_name, profile.photo_file_id, profile.bio, profile.home_label, profile.home_lat,
  profile.home_lng, profile.languages, profile.availability, profile.skills,
  application.stage, application.match_score, application.match_reasons,
  array(select tag from applicant_tags where application_id = application.id order by lower(tag), tag) as tags,
  (select count(*) from applicant_notes where application_id = application.id) as notes`;

/** What is joined to `application` for the columns of an applicant. */
export const applicantJoins = sql`join jobs job on job.id = application.job_id
  join accounts worker on worker.id = application.worker_id
  left join profiles profile on profile.account_id = application.worker_id
  left join files cv on cv.id = application.cv_file_id`;

export type PageWishes = {
  /** Only these states; null for all. */
  states: readonly ApplicationStatus[] | null;
  after: readonly [string, string] | null;
  limit: number;
};

/** The applications of a worker, newest first. */
export async function findMine(
  db: Db,
  workerId: string,
  { states, after, limit }: PageWishes,
): Promise<ApplicationRow[]> {
  const { rows } = await sql<ApplicationRow>`
    select ${mineColumns} from ${mineTables} where application.worker_id = ${workerId}
      ${states ? sql`and application.status = any(${[...states]})` : sql``}
      ${after ? sql`and (application.submitted_at, application.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by application.submitted_at desc, application.id desc limit ${limit}`.execute(db);
  return rows;
}

/** One application of this worker. */
export async function findOwn(
  db: Db,
  applicationId: string,
  workerId: string,
): Promise<ApplicationRow | undefined> {
  const { rows } = await sql<ApplicationRow>`
    select ${mineColumns} from ${mineTables}
    where application.id = ${applicationId} and application.worker_id = ${workerId}`.execute(db);
  return rows[0];
}

/** What one worker sent to the businesses where this account hires and did not withdraw, newest first. */
export async function findOfWorker(
  db: Db,
  workerId: string,
  accountId: string,
  limit: number,
): Promise<ApplicantRow[]> {
  const { rows } = await sql<ApplicantRow>`
    select ${applicantColumns} from applications application ${applicantJoins}
    join business_members member on member.business_id = application.business_id
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
