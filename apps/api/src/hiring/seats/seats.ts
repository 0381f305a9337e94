import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { lockJob, settleSeats } from '../jobs/job-states.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { updateSeats } from '../jobs/jobs.sql.ts';

export const freeSeatsOf = (job: Pick<JobRow, 'headCount' | 'hiredCount' | 'offeredCount'>): number =>
  job.headCount - job.hiredCount - job.offeredCount;

/** Takes a free seat for an offer. @throws offer/no-seat */
export async function offerSeat(tx: Tx, jobId: string): Promise<void> {
  const row = await lockJob(tx, jobId);
  if (freeSeatsOf(row) < 1) throw new AppError('offer/no-seat');
  await updateSeats(tx, jobId, { offered: 1 });
}

/** Frees the seat of an offer that ended without a hire. */
export async function dropOfferedSeat(tx: Tx, jobId: string): Promise<void> {
  await lockJob(tx, jobId);
  await updateSeats(tx, jobId, { offered: -1 });
}

/** Turns an offered seat into a hired one; the last one fills the job. @returns whether the job is full now */
export async function hireSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<{ filled: boolean }> {
  await lockJob(tx, jobId);
  await updateSeats(tx, jobId, { offered: -1, hired: 1 });
  return { filled: (await settleSeats(tx, scope, jobId)) === 'filled' };
}

/** Frees the seat of a cancelled hire. A full job reopens unless its life is over. */
export async function freeHiredSeat(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  jobId: string,
): Promise<void> {
  await lockJob(tx, jobId);
  await updateSeats(tx, jobId, { hired: -1 });
  await settleSeats(tx, scope, jobId);
}
