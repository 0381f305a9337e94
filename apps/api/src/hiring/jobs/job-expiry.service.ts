import type { MoneyScope } from '../../money/holds/holds.service.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { fundSeats } from '../seats/seat-funding.service.ts';
import { notifyRecruiters } from './job-notices.service.ts';
import { moveJobByTimer } from './job-states.service.ts';
import type { JobRow } from './jobs.columns.ts';
import { lockJobRow, updateJobStatus } from './jobs.sql.ts';

/** The job, locked, if the timer set for `expiresAt` still counts: since then it may have been closed, paused or opened anew. */
async function lockIfDue(tx: Tx, jobId: string, expiresAt: string): Promise<JobRow | null> {
  const row = await lockJobRow(tx, jobId);
  return row?.status === 'open' && row.expires_at?.toISOString() === expiresAt ? row : null;
}

/** Warns the recruiters once that an open job soon expires. Run by a timer; nothing happens where that has become untrue. */
export async function warnOfExpiry(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const now = scope.clock.now();
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (!row || row.warned_at !== null) return;
  await updateJobStatus(tx, jobId, 'open', { status: 'open', warned_at: now });
  await notifyRecruiters(tx, scope, 'job-expiring', row);
}

/** Expires an open job whose life is over (product.md: 30 d) and tells its recruiters. Run by a timer, re-checked as above. */
export async function expireJob(
  tx: Tx,
  scope: MoneyScope,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (!row || !(await moveJobByTimer(tx, scope, row, 'expire'))) return;
  await fundSeats(tx, scope, jobId, { all: false });
  await notifyRecruiters(tx, scope, 'job-expired', row);
}
