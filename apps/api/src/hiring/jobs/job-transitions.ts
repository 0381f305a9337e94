import {
  type JobMoveName,
  type JobStatus,
  nextJobStatus,
  stillHires,
} from '@nearhand/contract/hiring/jobs.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope, ClockScope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { hiringHooks } from '../hooks.ts';
import { setTimers } from './job-expiry.ts';
import type { JobRow } from './jobs.columns.ts';
import {
  findBlockDates,
  findJobRow,
  findStatusBefore,
  hasReplacementSearch,
  insertJobMove,
  leaveBlock,
  lockJobRow,
  updateJobStatus,
} from './jobs.sql.ts';

/**
 * Locks a job, before its applications, offers and engagements (ADR 38).
 * @throws job/not-found
 */
export async function lockJob(tx: Tx, jobId: string): Promise<JobRow> {
  const row = await lockJobRow(tx, jobId);
  if (!row) throw new AppError('job/not-found');
  return row;
}

/**
 * Returns a job without locking it.
 * @throws job/not-found
 */
export async function findJob(db: Db, jobId: string): Promise<JobRow> {
  const row = await findJobRow(db, jobId);
  if (!row) throw new AppError('job/not-found');
  return row;
}

/**
 * Requires that a decision which books people names all dates of a block that are ahead and still to be filled (ADR 414).
 * The named jobs must be locked.
 * @throws job/not-open if a missing date is in review or suspended, job/all-dates-required (data: the ids of the missing jobs)
 */
export async function requireWholeBlock(
  db: Db,
  { clock }: ClockScope,
  jobs: readonly Pick<JobRow, 'id' | 'seriesId' | 'asBlock'>[],
): Promise<void> {
  const seriesId = jobs.find(({ asBlock }) => asBlock)?.seriesId;
  if (!seriesId) return;
  const dates = await findBlockDates(db, seriesId, clock.now());
  const missing = dates.filter((date) => !jobs.some(({ id }) => id === date.id));
  // A date that is in review or suspended can't be chosen, so the others can't be filled either.
  const held = missing.find(({ status }) => !stillHires(status));
  if (held) throw new AppError('job/not-open', { status: held.status });
  if (missing.length > 0)
    throw new AppError('job/all-dates-required', { jobIds: missing.map(({ id }) => id) });
}

/**
 * Requires that nobody has to be at two dates of a block at once.
 * @throws job/dates-overlap
 */
export async function requireDatesApart(tx: Tx, { clock }: ClockScope, seriesId: string): Promise<void> {
  const dates = await findBlockDates(tx, seriesId, clock.now());
  const isApart = dates.every(({ startsAt }, at) => {
    const before = dates[at - 1];
    return !before?.endsAt || !startsAt || before.endsAt <= startsAt;
  });
  if (!isApart) throw new AppError('job/dates-overlap');
}

type Change = Omit<Parameters<typeof updateJobStatus>[3], 'status' | 'updatedAt'>;

/**
 * Moves a locked job and logs it.
 * @throws job/wrong-state if it was moved in the meantime
 */
export async function moveJob(
  tx: Tx,
  scope: ClockScope,
  row: Pick<JobRow, 'id' | 'status'>,
  move: { action: JobMoveName; to: JobStatus; actor: string; changes?: Change },
): Promise<void> {
  const at = scope.clock.now();
  if (!(await updateJobStatus(tx, row.id, row.status, { ...move.changes, status: move.to, updatedAt: at })))
    throw new AppError('job/wrong-state');
  await insertJobMove(tx, {
    id: newId(at),
    jobId: row.id,
    actor: move.actor,
    action: move.action,
    fromStatus: row.status,
    toStatus: move.to,
    at,
  });
  await hiringHooks.on.jobMoved(tx, scope, { jobId: row.id, from: row.status, to: move.to });
}

/** Moves a job after a hire or a timer; returns false if the move is illegal. */
export async function moveJobByTimer(
  tx: Tx,
  scope: ClockScope,
  row: Pick<JobRow, 'id' | 'status'>,
  action: JobMoveName,
): Promise<boolean> {
  const to = nextJobStatus(row.status, action, 'timer');
  if (to === null || to === row.status) return false;
  await moveJob(tx, scope, row, { action, to, actor: 'timer' });
  return true;
}

/** Matches a job's status to its spots: filled, reopened, or hidden again (product.md, Job; ADR 9). */
export async function updateFilledStatus(
  tx: Tx,
  scope: ClockConfigScope,
  jobId: string,
): Promise<'filled' | 'opened' | 'paused' | null> {
  const row = await lockJob(tx, jobId);
  if (row.hiredCount >= row.headCount)
    return (await moveJobByTimer(tx, scope, row, 'fill')) ? 'filled' : null;
  if (row.status === 'open' && row.headCount > 1 && row.headCount - row.hiredCount === 1)
    await hiringHooks.on.lastSpotLeft(tx, jobId);
  // More spots of a full date are hired on their own: people have the other dates of its block (ADR 414).
  if (row.status === 'filled' && row.asBlock) await leaveBlock(tx, jobId);
  const isStillListed = row.expiresAt !== null && row.expiresAt > scope.clock.now();
  if (row.status !== 'filled' || !isStillListed) return null;
  const wasPaused = (await findStatusBefore(tx, jobId, 'fill')) === 'paused';
  // A search for a replacement paused it, not a person, and that search has ended (ADR 385).
  const isHidden = wasPaused && !(await hasReplacementSearch(tx, jobId, { hidden: true }));
  if (!(await moveJobByTimer(tx, scope, row, isHidden ? 'free-hidden-spot' : 'free-spot'))) return null;
  if (row.publishedAt && row.expiresAt) await setTimers(tx, scope, jobId, row.publishedAt, row.expiresAt);
  return isHidden ? 'paused' : 'opened';
}
