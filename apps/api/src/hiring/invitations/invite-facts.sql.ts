import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import type { InviteFacts } from './invitations.rules.ts';

/** What an invitation to a job says about it. */
export type InvitingJob = {
  status: string;
  title: string;
  business_id: string;
  business_name: string;
  time_zone: string;
  starts_at: Date | null;
  ends_at: Date | null;
  expires_at: Date | null;
  pay_minor: number | null;
  pay_unit: string;
  currency: string;
};

export async function findInvitingJob(db: Db, jobId: string): Promise<InvitingJob | undefined> {
  const { rows } = await sql<InvitingJob>`
    select status, title, business_id, business_name, time_zone, starts_at, ends_at, expires_at, pay_minor, pay_unit, currency
    from jobs where id = ${jobId}`.execute(db);
  return rows[0];
}

export async function findWorkerName(db: Db, workerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select name from accounts where id = ${workerId}`.execute(db);
  return rows[0]?.name;
}

/** What decides whether an account's invitation to a job would reach each of these workers; none for an unknown one. */
export async function findInviteFacts(
  db: Db,
  { jobId, accountId }: { jobId: string; accountId: string },
  workerIds: readonly string[],
  since: Date,
): Promise<(InviteFacts & { workerId: string })[]> {
  const { rows } = await sql<InviteFacts & { workerId: string }>`
    select worker.id as "workerId", invitation.status as invitation,
      worker.disabled_at is null
        and not exists (select from account_deletions leaving where leaving.account_id = worker.id and leaving.status <> 'undone')
        and exists (select from applications applied join job_members seer on seer.job_id = applied.job_id
          where applied.business_id = job.business_id and applied.worker_id = worker.id and applied.status <> 'withdrawn'
            and seer.account_id = ${accountId})
        and not exists (select from business_members where business_id = job.business_id and account_id = worker.id) as known,
      exists (select from applications where job_id = job.id and worker_id = worker.id and status <> 'withdrawn') as applied,
      exists (select from offers where job_id = job.id and worker_id = worker.id and status in ('funding', 'sent')) as offered,
      array(select side from chat_blocks where worker_id = worker.id and business_id = job.business_id) as "blockedBy",
      case when job.starts_at is not null then exists (select from engagements work where work.worker_id = worker.id
        and work.starts_at is not null and tstzrange(work.starts_at, work.ends_at) && tstzrange(job.starts_at, job.ends_at)
        and work.contest is null
        and work.status not in ('cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported', 'contested')) end as booked,
      (select count(*)::int from job_invitations lately join jobs on jobs.id = lately.job_id
        where lately.worker_id = worker.id and lately.at > ${since} and jobs.business_id = job.business_id) as lately
    from accounts worker join jobs job on job.id = ${jobId}
    left join job_invitations invitation on invitation.job_id = job.id and invitation.worker_id = worker.id
    where worker.id = any(${[...workerIds]}::uuid[])`.execute(db);
  return rows;
}
