import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { setTimers } from './job-life.service.ts';
import { type JobMoveName, nextJobStatus } from './jobs.rules.ts';
import { findJob, insertJobMove, type JobRow, lockJob, updateJobStatus } from './jobs.sql.ts';
import { moveSeats, wasPausedWhenFilled } from './seats.sql.ts';

export type { JobRow };

/** Seats that neither a hire nor an offer takes. */
export const freeSeatsOf = (job: Pick<JobRow, 'head_count' | 'hired_count' | 'offered_count'>): number =>
  job.head_count - job.hired_count - job.offered_count;

/**
 * For the slices whose acts take or free a seat: locks the job. Whoever will also lock an application, an offer or an engagement of the job calls this
 * first, so that two never wait for each other (ADR 0038).
 * @throws job/not-found
 */
export async function lockSeats(tx: Tx, jobId: string): Promise<JobRow> {
  const row = await lockJob(tx, jobId);
  if (!row) throw new AppError('job/not-found');
  return row;
}

/** The job with its seats as they are, without locking, for what is only shown. @throws job/not-found */
export async function findSeats(db: Db, jobId: string): Promise<JobRow> {
  const row = await findJob(db, jobId);
  if (!row) throw new AppError('job/not-found');
  return row;
}

/** Takes a free seat for an offer. @throws offer/no-seat */
export async function offerSeat(tx: Tx, jobId: string): Promise<void> {
  const row = await lockSeats(tx, jobId);
  if (freeSeatsOf(row) < 1) throw new AppError('offer/no-seat');
  await moveSeats(tx, jobId, { offered: 1 });
}

/** Frees the seat of an offer that ended without a hire. */
export async function dropOfferedSeat(tx: Tx, jobId: string): Promise<void> {
  await lockSeats(tx, jobId);
  await moveSeats(tx, jobId, { offered: -1 });
}

/**
 * Makes an offered seat a hired one. The last one fills the job; the caller then tells the other applicants (`hiring.service.ts`, the `fill` task).
 * @returns whether the job is full now
 */
export async function hireSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<{ filled: boolean }> {
  await lockSeats(tx, jobId);
  await moveSeats(tx, jobId, { offered: -1, hired: 1 });
  return { filled: (await settleSeats(tx, scope, jobId)) === 'filled' };
}

/** Frees the seat of a hire that was cancelled before the work. A full job opens again unless its life is over. */
export async function freeHiredSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<void> {
  await lockSeats(tx, jobId);
  await moveSeats(tx, jobId, { hired: -1 });
  await settleSeats(tx, scope, jobId);
}

/**
 * Makes the status of a job agree with its seats, after a hire, a freed seat or another head count: every seat hired fills it, a free one opens a full job
 * again while its life lasts, with its timers (product.md, Job), or hidden again where it was paused (ADR 0110). Each move is logged as made by the timer: it follows from another act.
 */
export async function settleSeats(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<'filled' | 'opened' | 'paused' | null> {
  const row = await lockSeats(tx, jobId);
  if (row.hired_count >= row.head_count) return (await move(tx, scope, row, 'fill')) ? 'filled' : null;
  const lives = row.expires_at !== null && row.expires_at > scope.clock.now();
  if (row.status !== 'filled' || !lives) return null;
  if (await wasPausedWhenFilled(tx, jobId))
    return (await move(tx, scope, row, 'free-hidden-seat')) ? 'paused' : null;
  if (!(await move(tx, scope, row, 'free-seat'))) return null;
  if (row.published_at && row.expires_at) await setTimers(tx, scope, jobId, row.published_at, row.expires_at);
  return 'opened';
}

/** False where the job is there already, or where this move does not lead on from its state. */
async function move(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  row: JobRow,
  action: Extract<JobMoveName, 'fill' | 'free-seat' | 'free-hidden-seat'>,
): Promise<boolean> {
  const to = nextJobStatus(row.status, action, 'T');
  if (to === null || to === row.status) return false;
  const now = scope.clock.now();
  if (!(await updateJobStatus(tx, row.id, row.status, { status: to, updated_at: now }))) return false;
  await insertJobMove(tx, {
    id: newId(now),
    job_id: row.id,
    actor: 'timer',
    action,
    from_status: row.status,
    to_status: to,
    at: now,
  });
  return true;
}
