import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { setTimers } from '../jobs/job-life.service.ts';
import { type JobRow, lockJob, moveJobByTimer } from '../jobs/job-states.service.ts';
import { moveSeats, wasPausedWhenFilled } from './seats.sql.ts';

/** Seats without a hire or an offer. */
export const freeSeatsOf = (job: Pick<JobRow, 'head_count' | 'hired_count' | 'offered_count'>): number =>
  job.head_count - job.hired_count - job.offered_count;

/** Takes a free seat for an offer. @throws offer/no-seat */
export async function offerSeat(tx: Tx, jobId: string): Promise<void> {
  const row = await lockJob(tx, jobId);
  if (freeSeatsOf(row) < 1) throw new AppError('offer/no-seat');
  await moveSeats(tx, jobId, { offered: 1 });
}

/** Frees the seat of an offer that ended without a hire. */
export async function dropOfferedSeat(tx: Tx, jobId: string): Promise<void> {
  await lockJob(tx, jobId);
  await moveSeats(tx, jobId, { offered: -1 });
}

/**
 * Turns an offered seat into a hired one. The last one fills the job; the caller then notifies the other applicants (`hiring.service.ts`,
 * the `fill` task).
 * @returns whether the job is full now
 */
export async function hireSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<{ filled: boolean }> {
  await lockJob(tx, jobId);
  await moveSeats(tx, jobId, { offered: -1, hired: 1 });
  return { filled: (await settleSeats(tx, scope, jobId)) === 'filled' };
}

/** Frees the seat of a hire cancelled before the work. A full job reopens unless its life is over. */
export async function freeHiredSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<void> {
  await lockJob(tx, jobId);
  await moveSeats(tx, jobId, { hired: -1 });
  await settleSeats(tx, scope, jobId);
}

/**
 * Makes a job's status match its seats, after a hire, a freed seat or another head count: filled when all are hired, reopened when one is
 * free while its life lasts, with its timers (product.md, Job), or hidden again where it was paused (ADR 0009). Moves are logged as made
 * by the timer, since they follow from another action.
 */
export async function settleSeats(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<'filled' | 'opened' | 'paused' | null> {
  const row = await lockJob(tx, jobId);
  if (row.hired_count >= row.head_count)
    return (await moveJobByTimer(tx, scope, row, 'fill')) ? 'filled' : null;
  const lives = row.expires_at !== null && row.expires_at > scope.clock.now();
  if (row.status !== 'filled' || !lives) return null;
  if (await wasPausedWhenFilled(tx, jobId))
    return (await moveJobByTimer(tx, scope, row, 'free-hidden-seat')) ? 'paused' : null;
  if (!(await moveJobByTimer(tx, scope, row, 'free-seat'))) return null;
  if (row.published_at && row.expires_at) await setTimers(tx, scope, jobId, row.published_at, row.expires_at);
  return 'opened';
}
