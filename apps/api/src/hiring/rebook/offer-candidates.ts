import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import { liveOfferStatuses } from '@nearhand/contract/hiring/offers';
import type { OfferCandidate } from '@nearhand/contract/hiring/rebook';
import { sql } from 'kysely';
import { workersById } from '../../people/profiles/profiles.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { lastMissed, takesTime, timesWorked, weekMinutes } from '../../work/engagements/engagements.sql.ts';
import { mayMoveOn } from '../applications/application-transitions.ts';
import { findJob } from '../jobs/job-transitions.ts';
import { requireJobRecruiter } from '../jobs/job-views.ts';
import { matchesFor } from '../matching/match-scores.ts';
import { requireOffering } from '../offers/offers.ts';
import { isKnown } from '../pools/pools.ts';

/**
 * Lists up to 100 workers whom a recruiter can offer the job to directly (ADR 165): those in pools first, then by
 * approved work for the business. Workers hired for it are left out. Recruiters limited to branches see applicants of
 * these branches and no pools (ADR 166).
 * @throws job/not-found, job/not-allowed, job/wrong-state for a job that no longer hires, job/cannot-repeat for a copy of
 * a task
 */
export async function listOfferCandidates(
  db: Db,
  scope: Scope,
  {
    jobId,
    day,
    workerIds,
  }: {
    jobId: string;
    /** Asks about a copy of the shift on this day, which has no applications yet. */
    day?: string;
    /** Asks about these workers alone, even if they are beyond the first 100. */
    workerIds?: string[];
  },
): Promise<OfferCandidate[]> {
  await requireJobRecruiter(db, scope.actor.accountId, jobId);
  const job = await findJob(db, jobId);
  if (day === undefined) requireOffering(job);
  else if (job.startsAt === null) throw new AppError('job/cannot-repeat');
  const rows = await findOfferCandidates(db, {
    jobId,
    day: day ?? null,
    workerIds,
    accountId: scope.actor.accountId,
    now: scope.clock.now(),
  });
  const ids = rows.map(({ workerId }) => workerId);
  const cards = await workersById(db, ids);
  const matches = await matchesFor(db, scope, jobId, day === undefined ? ids : []);
  return rows.flatMap((row) => {
    const card = cards.get(row.workerId)?.card;
    if (!card) return [];
    const { pools, timesWorked, weekMinutes, isBooked, missedAt } = row;
    return [
      {
        worker: { workerId: row.workerId, name: card.name, photoPath: card.photoPath },
        pools,
        timesWorked,
        weekMinutes,
        weekHoursMax: card.weekHoursMax,
        isBooked,
        missedAt: missedAt?.toISOString() ?? null,
        refusal: refusalOf(row),
        match: matches.get(row.workerId)?.matchReasons ?? [],
      },
    ];
  });
}

function refusalOf({ isBlocked, hasOffer, status }: CandidateRow): OfferCandidate['refusal'] {
  if (isBlocked) return 'blocked';
  if (hasOffer) return 'offered';
  return status !== null && !mayMoveOn(status, 'offer', 'business') ? 'ended' : null;
}

type CandidateRow = {
  workerId: string;
  pools: string[];
  timesWorked: number;
  weekMinutes: number;
  isBooked: boolean;
  missedAt: Date | null;
  isBlocked: boolean;
  hasOffer: boolean;
  /** The status of their application for this job. */
  status: ApplicationStatus | null;
};

const readMax = {
  saved: 300,
  paid: 2_000,
  applications: 2_000,
  branchJobs: 100,
  jobApplications: 50,
  workers: 120,
};

/**
 * Selects who may be listed, by the business or branches of `shift`. Reads the latest saved workers, paid work and
 * applicants only, since a large business has more than a list can show. Those who worked most come before applicants,
 * of whom one popular job can have hundreds. Branches are read by their latest jobs, since those of other branches could
 * be any number.
 */
const knownPeople = sql`
  select worker_id, bool_or(saved) as saved from (
    (select worker_id, true as saved, 0 as worked, added_at as known_at from pool_workers
      where business_id = (select business_id from shift where branch_ids is null)
      order by added_at desc limit ${readMax.saved})
    union all
    (select worker_id, false, 1, approved_at from engagements
      where business_id = (select business_id from shift where branch_ids is null) and status = 'completed'
      order by approved_at desc, id desc limit ${readMax.paid})
    union all
    (select worker_id, false, 0, submitted_at from applications
      where business_id = (select business_id from shift where branch_ids is null) and status <> 'withdrawn'
      order by submitted_at desc, id desc limit ${readMax.applications})
    union all
    (select person.worker_id, false, person.worked, person.known_at from shift
      cross join lateral unnest(shift.branch_ids) branch (id)
      cross join lateral (select id from jobs where branch_id = branch.id and business_id = shift.business_id
        order by created_at desc, id desc limit ${readMax.branchJobs}) branch_job
      cross join lateral (
        (select worker_id, 1 as worked, approved_at as known_at from engagements
          where job_id = branch_job.id and status = 'completed' limit ${readMax.jobApplications})
        union all
        (select worker_id, 0, submitted_at from applications
          where job_id = branch_job.id and status <> 'withdrawn'
          order by submitted_at desc, id desc limit ${readMax.jobApplications})) person
      limit ${readMax.applications})) known
  group by worker_id order by bool_or(saved) desc, sum(worked) desc, max(known_at) desc limit ${readMax.workers}`;

/** Selects the workers asked for. A recruiter limited to branches gets those who applied there (ADR 166). */
const knownOf = (workerIds: readonly string[]) => sql`
  select input.id as worker_id, false as saved from shift cross join unnest(${[...workerIds]}::uuid[]) input (id)
  where shift.branch_ids is null or exists (
    select from applications applied join jobs applied_job on applied_job.id = applied.job_id
    where applied.business_id = shift.business_id and applied.worker_id = input.id and applied.status <> 'withdrawn'
      and applied_job.branch_id = any (shift.branch_ids) offset 0)`;

async function findOfferCandidates(
  db: Db,
  {
    jobId,
    day,
    workerIds,
    accountId,
    now,
  }: { jobId: string; day: string | null; workerIds?: readonly string[]; accountId: string; now: Date },
): Promise<CandidateRow[]> {
  const isForJob = day === null ? sql`true` : sql`false`;
  const startsAt =
    day === null
      ? sql`job.starts_at`
      : sql`((${day}::date + (job.starts_at at time zone job.time_zone)::time) at time zone job.time_zone)`;
  const { rows } = await sql<CandidateRow>`
    with shift as materialized (
      select job.id, job.business_id, ${startsAt} as starts_at, ${startsAt} + (job.ends_at - job.starts_at) as ends_at,
        job.time_zone, member.branch_ids
      from jobs job join business_members member on member.business_id = job.business_id
      where job.id = ${jobId} and member.account_id = ${accountId}
    ), person as materialized (${workerIds === undefined ? knownPeople : knownOf(workerIds)})
    select person.worker_id, application.status,
      array(select pool.name from pool_workers member join pools pool on pool.id = member.pool_id
        where member.business_id = shift.business_id and member.worker_id = person.worker_id and shift.branch_ids is null
        order by pool.name) as pools,
      ${timesWorked(sql`person.worker_id`, sql`shift.business_id`)} as times_worked,
      ${weekMinutes({ worker: sql`person.worker_id`, business: sql`shift.business_id`, startsAt: sql`shift.starts_at`, timeZone: sql`shift.time_zone` })} as week_minutes,
      ${lastMissed(sql`person.worker_id`, sql`shift.business_id`, now)} as missed_at,
      exists (select from engagements work where work.worker_id = person.worker_id and work.starts_at is not null and shift.starts_at is not null
        and tstzrange(work.starts_at, work.ends_at) && tstzrange(shift.starts_at, shift.ends_at)
        and ${takesTime('work')}) as is_booked,
      exists (select from chat_blocks where worker_id = person.worker_id and business_id = shift.business_id) as is_blocked,
      exists (select from offers where job_id = shift.id and worker_id = person.worker_id
        and status in (${literals(liveOfferStatuses)})) and ${isForJob} as has_offer
    from person cross join shift
    left join applications application
      on application.job_id = shift.id and application.worker_id = person.worker_id and application.status <> 'withdrawn' and ${isForJob}
    where ${isKnown(sql`shift.business_id`, sql`person.worker_id`)} and application.status is distinct from 'hired'
    order by person.saved desc, times_worked desc, person.worker_id limit ${hiringLimits.offerCandidatesMax}`.execute(
    db,
  );
  return rows;
}
