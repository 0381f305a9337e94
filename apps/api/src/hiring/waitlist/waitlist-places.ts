import type { MyApplication } from '@nearhand/contract/hiring/applications';
import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type ChangedRow, emitRecord } from '../../platform/realtime/publish-records.ts';
import { requireApplicant, requireMove } from '../applications/application-access.ts';
import { notifyOf } from '../applications/application-notices.ts';
import { getApplication } from '../applications/application-views.ts';

type ApplicationRef = { applicationId: string };

/** Joins a full job's waitlist. @throws application/not-found, application/wrong-state, application/not-waiting */
export async function joinWaitlist(
  tx: Tx,
  scope: Scope,
  { applicationId }: ApplicationRef,
): Promise<MyApplication> {
  await requireApplicant(tx, scope.actor.accountId, applicationId, 'join-waitlist');
  const job = await holdJobOf(tx, applicationId);
  const { row } = await requireMove(tx, scope, applicationId, 'join-waitlist');
  if (row.waitlistedAt === null) {
    if (job?.status !== 'filled') throw new AppError('application/not-waiting');
    await setWaitlisted(tx, applicationId, scope.clock.now());
    const application = { id: row.id, jobId: row.jobId, workerId: row.workerId, decideBy: row.decideBy };
    await notifyOf(tx, scope, application, { worker: 'waitlist-joined', recruiters: 'waitlist-joined' });
  }
  return getApplication(tx, scope, { applicationId });
}

/** Leaves the waitlist. Idempotent. @throws application/not-found, application/wrong-state */
export async function leaveWaitlist(
  tx: Tx,
  scope: Scope,
  { applicationId }: ApplicationRef,
): Promise<MyApplication> {
  const { row } = await requireMove(tx, scope, applicationId, 'leave-waitlist');
  if (row.waitlistedAt !== null) await setWaitlisted(tx, applicationId, null);
  return getApplication(tx, scope, { applicationId });
}

/** Skips rows locked elsewhere, and suspended workers. */
export async function findNextWaiting(
  tx: Tx,
  jobId: string,
  now: Date,
): Promise<{ id: string; workerId: string } | undefined> {
  const { rows } = await sql<{ id: string; workerId: string }>`
    select id, worker_id from applications application where job_id = ${jobId} and waitlisted_at is not null
      and not exists (select from offers where offers.application_id = application.id and offers.status in ('funding', 'sent'))
      and not exists (select from sanctions where sanctions.account_id = application.worker_id
        and scope in ('applying', 'everything') and ended_at is null and (ends_at is null or ends_at > ${now}))
    order by waitlisted_at, id limit 1 for update skip locked`.execute(tx);
  return rows[0];
}

/** Locks the job before the application (ADR 38). */
async function holdJobOf(
  tx: Tx,
  applicationId: string,
): Promise<{ id: string; status: JobStatus } | undefined> {
  const { rows } = await sql<{ id: string; status: JobStatus }>`
    select id, status from jobs where id = (select job_id from applications where id = ${applicationId}) for share`.execute(
    tx,
  );
  return rows[0];
}

/** Does not log a step, because the status stays the same. */
async function setWaitlisted(tx: Tx, applicationId: string, since: Date | null): Promise<void> {
  const { rows } =
    await sql<ChangedRow>`update applications set waitlisted_at = ${since}::timestamptz, version = version + 1
    where id = ${applicationId} and status = 'position_filled' returning id, job_id, worker_id, business_id`.execute(
      tx,
    );
  emitRecord(tx, 'application', rows[0]);
}
