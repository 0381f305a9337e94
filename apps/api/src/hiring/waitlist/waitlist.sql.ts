import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { emitRow } from '../../platform/emit-records.ts';

type Seen = { id: string; job_id: string; worker_id: string; business_id: string };

/** The first on a job's waitlist that is not locked elsewhere, locked. */
export async function findNextWaiting(
  tx: Tx,
  jobId: string,
): Promise<{ id: string; worker_id: string } | undefined> {
  const { rows } = await sql<{ id: string; worker_id: string }>`
    select id, worker_id from applications application where job_id = ${jobId} and waitlisted_at is not null
      and not exists (select from offers where offers.application_id = application.id and offers.status in ('funding', 'sent'))
    order by waitlisted_at, id limit 1 for update skip locked`.execute(tx);
  return rows[0];
}

/** The status of an application's job, locked against change: the job before the application, as everywhere (ADR 38). */
export async function holdJobOf(
  tx: Tx,
  applicationId: string,
): Promise<{ id: string; status: JobStatus } | undefined> {
  const { rows } = await sql<{ id: string; status: JobStatus }>`
    select id, status from jobs where id = (select job_id from applications where id = ${applicationId}) for share`.execute(
    tx,
  );
  return rows[0];
}

/** Adds an application to the waitlist, or removes it with null. Not a step: the status stays. */
export async function setWaitlisted(tx: Tx, applicationId: string, since: Date | null): Promise<void> {
  const { rows } =
    await sql<Seen>`update applications set waitlisted_at = ${since}::timestamptz, version = version + 1
    where id = ${applicationId} and status = 'position_filled' returning id, job_id, worker_id, business_id`.execute(
      tx,
    );
  emitRow(tx, 'application', rows[0]);
}
