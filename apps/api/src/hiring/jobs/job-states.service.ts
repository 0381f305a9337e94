import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { type JobMoveName, nextJobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { JobRow } from './jobs.columns.ts';
import { findJobRow, insertJobMove, lockJobRow, updateJobStatus } from './jobs.sql.ts';

export type { JobRow };

/**
 * Locks a job. Lock the job before its applications, offers and engagements, so that two transactions never wait for each other (ADR 0038).
 * @throws job/not-found
 */
export async function lockJob(tx: Tx, jobId: string): Promise<JobRow> {
  const row = await lockJobRow(tx, jobId);
  if (!row) throw new AppError('job/not-found');
  return row;
}

/** A job without locking it. @throws job/not-found */
export async function findJob(db: Db, jobId: string): Promise<JobRow> {
  const row = await findJobRow(db, jobId);
  if (!row) throw new AppError('job/not-found');
  return row;
}

type Change = Omit<Parameters<typeof updateJobStatus>[3], 'status' | 'updated_at'>;

/** Moves a locked job to another status and logs the move; false where it has moved on in the meantime. */
export async function moveJob(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: Pick<JobRow, 'id' | 'status'>,
  move: { action: JobMoveName; to: JobStatus; actor: string },
  change: Change = {},
): Promise<boolean> {
  const at = scope.clock.now();
  if (!(await updateJobStatus(tx, row.id, row.status, { ...change, status: move.to, updated_at: at })))
    return false;
  await insertJobMove(tx, {
    id: newId(at),
    job_id: row.id,
    actor: move.actor,
    action: move.action,
    from_status: row.status,
    to_status: move.to,
    at,
  });
  return true;
}

/** Moves a job because of something else, such as its last seat or its timer; false where the action leads nowhere from its status. */
export async function moveJobByTimer(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: Pick<JobRow, 'id' | 'status'>,
  action: JobMoveName,
): Promise<boolean> {
  const to = nextJobStatus(row.status, action, 'T');
  if (to === null || to === row.status) return false;
  return moveJob(tx, scope, row, { action, to, actor: 'timer' });
}
