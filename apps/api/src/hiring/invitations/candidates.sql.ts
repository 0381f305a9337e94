import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/**
 * Workers who applied to the business but not to this job, latest applicants first, with when they were invited. Left out: members of the
 * business, those who withdrew everything, who delete their account, and those booked at that time.
 */
export async function findCandidates(
  db: Db,
  jobId: string,
  limits: { applications: number; workers: number },
): Promise<{ worker_id: string; invited_at: Date | null }[]> {
  const { rows } = await sql<{ worker_id: string; invited_at: Date | null }>`
    with known as (
      select worker_id, max(submitted_at) as last from (
        select worker_id, submitted_at from applications
        where business_id = (select business_id from jobs where id = ${jobId}) and status <> 'withdrawn'
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

/** What decides whether someone may be invited to a job, and what the invitation says. */
export type InvitationFacts = {
  status: string;
  title: string;
  business_id: string;
  business_name: string;
  /** Null for an unknown account. */
  worker_name: string | null;
  time_zone: string;
  starts_at: Date | null;
  ends_at: Date | null;
  expires_at: Date | null;
  pay_minor: number | null;
  pay_unit: string;
  currency: string;
  /** Whether the worker ever applied to the business, and still has an account. */
  known: boolean;
  applied: boolean;
};

export async function findInvitationFacts(
  db: Db,
  jobId: string,
  workerId: string,
): Promise<InvitationFacts | undefined> {
  const { rows } = await sql<InvitationFacts>`
    select status, title, business_id, business_name, (select name from accounts where id = ${workerId}) as worker_name, time_zone, starts_at, ends_at, expires_at, pay_minor, pay_unit, currency,
      exists (select from applications where business_id = job.business_id and worker_id = ${workerId} and status <> 'withdrawn')
        and not exists (select from business_members where business_id = job.business_id and account_id = ${workerId})
        and not exists (select from account_deletions where account_id = ${workerId} and status <> 'undone') as known,
      exists (select from applications where job_id = job.id and worker_id = ${workerId} and status <> 'withdrawn') as applied
    from jobs job where id = ${jobId}`.execute(db);
  return rows[0];
}
