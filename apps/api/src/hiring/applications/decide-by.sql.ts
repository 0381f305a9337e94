import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { emitRows } from '../../platform/emit-records.ts';

/** Unanswered applications, locked, by id after the given one, with the start of the work and whether an interview was ever proposed. */
export async function findAwaiting(tx: Tx, jobId: string, afterId: string | null, limit: number) {
  const { rows } = await sql<{
    id: string;
    submitted_at: Date;
    decide_by: Date;
    starts_at: Date | null;
    interviewed: boolean;
  }>`
    select application.id, application.submitted_at, application.decide_by, job.starts_at,
      exists (select from interviews where application_id = application.id) as interviewed
    from applications application join jobs job on job.id = application.job_id
    where application.job_id = ${jobId} and application.stage in ('new', 'shortlisted', 'interviewing')
      ${afterId === null ? sql`` : sql`and application.id > ${afterId}::uuid`}
    order by application.id limit ${limit} for update of application`.execute(tx);
  return rows;
}

export async function updateDecideBys(
  tx: Tx,
  moved: readonly { id: string; decideBy: Date }[],
): Promise<void> {
  if (moved.length === 0) return;
  const { rows } = await sql<{
    id: string;
    job_id: string;
    worker_id: string;
    business_id: string;
  }>`update applications set decide_by = given.decide_by
    from unnest(${moved.map(({ id }) => id)}::uuid[], ${moved.map(({ decideBy }) => decideBy.toISOString())}::timestamptz[])
      as given (id, decide_by) where applications.id = given.id
    returning applications.id, job_id, worker_id, business_id`.execute(tx);
  emitRows(tx, 'application', rows);
}
