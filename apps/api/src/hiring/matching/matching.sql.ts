import type { MatchReason } from '@nearhand/contract/hiring/matching';
import type { Availability, WorkerSkill } from '@nearhand/contract/people/profiles';
import type { CategoryId, SkillId } from '@nearhand/contract/people/taxonomy';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** What a match is calculated from, except the worker's reliability. */
export type MatchFacts = {
  worker_id: string;
  category: CategoryId;
  job_skills: SkillId[];
  starts_at: Date | null;
  ends_at: Date | null;
  time_zone: string;
  lat: number;
  lng: number;
  skills: WorkerSkill[] | null;
  availability: Availability | null;
  home_lat: number | null;
  home_lng: number | null;
  times_here: number;
  /** Null without a profile. */
  review_stars: number[] | null;
};

const factColumns = sql`worker.id as worker_id, job.category, job.skills as job_skills, job.starts_at, job.ends_at, job.time_zone,
  job.lat, job.lng, profile.skills, profile.availability, profile.home_lat, profile.home_lng, profile.review_stars,
  (select count(*) from engagements where worker_id = worker.id and business_id = job.business_id
    and status in ('approved', 'completed')) as times_here`;

export type ApplicationMatchFacts = MatchFacts & { id: string };

/** The facts of live applications of a job or a worker, by id after the given one. */
export async function findLiveFacts(
  db: Db,
  of: { jobId: string } | { workerId: string },
  afterId: string | null,
  limit: number,
): Promise<ApplicationMatchFacts[]> {
  const whose =
    'jobId' in of ? sql`application.job_id = ${of.jobId}` : sql`application.worker_id = ${of.workerId}`;
  const { rows } = await sql<ApplicationMatchFacts>`
    select application.id, ${factColumns}
    from applications application
    join jobs job on job.id = application.job_id
    join accounts worker on worker.id = application.worker_id
    left join profiles profile on profile.account_id = worker.id
    where ${whose} and application.stage not in ('done', 'ended') ${afterId === null ? sql`` : sql`and application.id > ${afterId}::uuid`}
    order by application.id limit ${limit}`.execute(db);
  return rows;
}

/** The facts of some workers for one job, whether they applied or not. */
export async function findFactsFor(
  db: Db,
  jobId: string,
  workerIds: readonly string[],
): Promise<MatchFacts[]> {
  const { rows } = await sql<MatchFacts>`
    select ${factColumns} from jobs job
    join accounts worker on worker.id = any(${[...workerIds]}::uuid[])
    left join profiles profile on profile.account_id = worker.id
    where job.id = ${jobId}`.execute(db);
  return rows;
}

/** Stores new scores, without a new version: nothing is decided by them. Rows are locked in the order of bulk moves. */
export async function updateMatches(
  db: Db,
  matches: readonly {
    id: string;
    match_score: number;
    match_reasons: readonly MatchReason[];
    distance_m: number | null;
  }[],
): Promise<void> {
  if (matches.length === 0) return;
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb)
        as one (id uuid, match_score smallint, match_reasons jsonb, distance_m integer)
    ), held as (
      select application.id from applications application join given on given.id = application.id
      where (application.match_score, application.match_reasons, application.distance_m)
        is distinct from (given.match_score, given.match_reasons, given.distance_m)
      order by application.id for update of application
    )
    update applications set match_score = given.match_score, match_reasons = given.match_reasons, distance_m = given.distance_m
    from given join held on held.id = given.id where applications.id = given.id`.execute(db);
}
