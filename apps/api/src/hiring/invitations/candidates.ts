import type { Candidate } from '@nearhand/contract/hiring/invitations';
import { sql } from 'kysely';
import { workersById } from '../../people/profiles/profiles.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isInBranchesOf } from '../../platform/members/job-members.ts';
import { requireRecruiter } from '../jobs/job-views.ts';
import { matchesFor } from '../matching/match-scores.ts';

/** Scores are calculated for the latest applicants; the best of them are shown. */
const looked = { applications: 2_000, workers: 200 };
const maxCandidates = 50;

/**
 * People who can be invited to a job, best match first, at most 50; for its recruiters.
 * @throws job/not-found, job/not-allowed
 */
export async function listCandidates(
  db: Db,
  scope: Scope,
  { jobId }: { jobId: string },
): Promise<Candidate[]> {
  await requireRecruiter(db, scope.actor.accountId, jobId);
  const rows = await findCandidates(db, { jobId, accountId: scope.actor.accountId }, looked);
  const matches = await matchesFor(
    db,
    scope,
    jobId,
    rows.map((row) => row.workerId),
  );
  const best = rows
    .flatMap((row) => {
      const match = matches.get(row.workerId);
      return match ? [{ ...row, match }] : [];
    })
    .sort((a, b) => b.match.matchScore - a.match.matchScore || (a.workerId < b.workerId ? -1 : 1))
    .slice(0, maxCandidates);
  const workers = await workersById(
    db,
    best.map((row) => row.workerId),
  );
  return best.flatMap((row) => {
    const worker = workers.get(row.workerId)?.card;
    if (!worker) return [];
    return [
      {
        worker,
        matchScore: row.match.matchScore,
        match: row.match.matchReasons,
        invitedAt: row.invitedAt?.toISOString() ?? null,
      },
    ];
  });
}

/**
 * Workers who applied to jobs of the business that the account may see, but not to this one, latest applicants first, with when they were invited. Left out: members of the
 * business, those who withdrew everything, who delete their account, and those booked at that time.
 */
async function findCandidates(
  db: Db,
  { jobId, accountId }: { jobId: string; accountId: string },
  limits: { applications: number; workers: number },
): Promise<{ workerId: string; invitedAt: Date | null }[]> {
  const { rows } = await sql<{ workerId: string; invitedAt: Date | null }>`
    with seer as materialized (
      select member.branch_ids from jobs job join business_members member on member.business_id = job.business_id
      where job.id = ${jobId} and member.account_id = ${accountId}
    ), known as (
      select worker_id, max(submitted_at) as last from (
        select worker_id, submitted_at from applications
        where business_id = (select business_id from jobs where id = ${jobId}) and status <> 'withdrawn'
          and exists (select from seer where ${isInBranchesOf(sql`seer`, sql`applications.job_id`)})
        order by submitted_at desc, id desc limit ${limits.applications}) recent
      group by worker_id
    )
    select known.worker_id, invitation.at as invited_at from known
    left join job_invitations invitation on invitation.job_id = ${jobId} and invitation.worker_id = known.worker_id
    where not exists (select from applications where job_id = ${jobId} and worker_id = known.worker_id and status <> 'withdrawn')
      and not exists (select from business_members member join jobs on jobs.business_id = member.business_id
        where jobs.id = ${jobId} and member.account_id = known.worker_id)
      and not exists (select from engagements work join jobs on jobs.id = ${jobId} where work.worker_id = known.worker_id
        and work.starts_at is not null and jobs.starts_at is not null
        and tstzrange(work.starts_at, work.ends_at) && tstzrange(jobs.starts_at, jobs.ends_at)
        and work.contest is null and work.status not in ('cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested'))
      and not exists (select from account_deletions deletion where deletion.account_id = known.worker_id and deletion.status <> 'undone')
    order by known.last desc, known.worker_id limit ${limits.workers}`.execute(db);
  return rows;
}
