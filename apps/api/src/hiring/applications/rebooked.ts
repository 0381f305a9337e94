import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import { sql } from 'kysely';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { markInvitationApplied } from '../invitations/invitations.ts';
import { rankWorker } from '../matching/ranking.ts';
import { mayMoveOn } from './application-transitions.ts';

type To = { jobId: string; workerId: string };

/**
 * Returns the id of the application that a direct offer can use; null if the offer needs a new one.
 * @throws profile/not-found, worker/unreachable, application/wrong-state
 */
export async function applicationIdForRebook(
  db: Db,
  scope: Pick<Scope, 'actor'>,
  { jobId, workerId }: To,
): Promise<string | null> {
  const facts = await findRebookFacts(db, jobId, workerId, scope.actor.accountId);
  if (!facts?.isKnown) throw new AppError('profile/not-found');
  if (facts.isBlocked) throw new AppError('worker/unreachable');
  if (facts.status !== null && !mayMoveOn(facts.status, 'offer', 'business'))
    throw new AppError('application/wrong-state', { status: facts.status });
  return facts.applicationId;
}

/** The application of a direct offer that was paid since, its id null if it needs a new one; null if the offer can no longer be sent. */
export async function paidRebookApplication(
  db: Db,
  { jobId, workerId }: To,
): Promise<{ id: string | null; status: ApplicationStatus | null } | null> {
  const facts = await findRebookFacts(db, jobId, workerId, null);
  if (!facts?.isKnown || facts.isBlocked) return null;
  if (facts.status !== null && !mayMoveOn(facts.status, 'offer', 'business')) return null;
  return { id: facts.applicationId, status: facts.status };
}

/**
 * Creates the application of a direct offer (ADR 165). The job must be locked.
 * @throws application/wrong-state
 */
export async function createRebooked(
  tx: Tx,
  scope: ClockScope,
  { jobId, workerId, actor, until }: To & { actor: string; until: Date },
): Promise<string> {
  const at = scope.clock.now();
  const id = newId(at);
  if (!(await insertRebooked(tx, { id, moveId: newId(at), jobId, workerId, actor, at, until })))
    throw new AppError('application/wrong-state');
  await markInvitationApplied(tx, scope, { jobId, workerId });
  await rankWorker(tx, workerId);
  return id;
}

type RebookFacts = {
  applicationId: string | null;
  status: ApplicationStatus | null;
  /** True for an applicant of a job that the account may see, who isn't a member and can sign in. */
  isKnown: boolean;
  isBlocked: boolean;
};

/** `offset 0` keeps PostgreSQL from reading all applications of the business (ADR 143). */
async function findRebookFacts(
  db: Db,
  jobId: string,
  workerId: string,
  accountId: string | null,
): Promise<RebookFacts | undefined> {
  const { rows } = await sql<RebookFacts>`
    select application.id as application_id, application.status,
      worker.disabled_at is null
        and not ${isLeavingOrGone(sql`worker.id`)}
        and exists (select from applications applied
          where applied.business_id = job.business_id and applied.worker_id = worker.id and applied.status <> 'withdrawn'
            and (${accountId}::uuid is null or exists (select from job_members viewer
              where viewer.job_id = applied.job_id and viewer.account_id = ${accountId}::uuid)) offset 0)
        and not exists (select from business_members where business_id = job.business_id and account_id = worker.id) as is_known,
      exists (select from chat_blocks where worker_id = worker.id and business_id = job.business_id) as is_blocked
    from jobs job join accounts worker on worker.id = ${workerId}
    left join applications application
      on application.job_id = job.id and application.worker_id = worker.id and application.status <> 'withdrawn'
    where job.id = ${jobId}`.execute(db);
  return rows[0];
}

async function insertRebooked(
  tx: Tx,
  row: { id: string; moveId: string; jobId: string; workerId: string; actor: string; at: Date; until: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: string; jobId: string; workerId: string; businessId: string }>`
    with inserted as (
      insert into applications (id, job_id, business_id, worker_id, status, origin, submitted_at, viewed_at, decide_by, updated_at)
      select ${row.id}::uuid, job.id, job.business_id, ${row.workerId}::uuid, 'offered', 'rebook', ${row.at}::timestamptz,
        ${row.at}::timestamptz, ${row.until}::timestamptz, ${row.at}::timestamptz
      from jobs job where job.id = ${row.jobId}
      on conflict (job_id, worker_id) where status <> 'withdrawn' do nothing
      returning id, job_id, worker_id, business_id
    ), moved as (
      insert into application_moves (id, application_id, actor, action, to_status, at)
      select ${row.moveId}::uuid, id, ${row.actor}, 'rebook', 'offered', ${row.at}::timestamptz from inserted)
    select id, job_id, worker_id, business_id from inserted`.execute(tx);
  emitRecord(tx, 'application', rows[0]);
  return rows.length === 1;
}
