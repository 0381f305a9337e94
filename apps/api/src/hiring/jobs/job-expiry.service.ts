import type { MoneyScope } from '../../money/holds/holds.service.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { hiringOutcomes } from '../outcomes.ts';
import { notifyRecruiters } from './job-notices.service.ts';
import { moveJobByTimer } from './job-states.service.ts';
import type { JobRow } from './jobs.columns.ts';
import { lockJobRow, updateJobStatus } from './jobs.sql.ts';

/** The job, locked, if the timer set for `expiresAt` still applies: it may have been closed, paused or reopened since. */
async function lockIfDue(tx: Tx, jobId: string, expiresAt: string): Promise<JobRow | null> {
  const row = await lockJobRow(tx, jobId);
  return row?.status === 'open' && row.expires_at?.toISOString() === expiresAt ? row : null;
}

/** Warns the recruiters once that an open job is about to expire. Run by a timer; a no-op if that is no longer true. */
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

/** Expires an open job at the end of its life (product.md: 30 d) and notifies its recruiters. Run by a timer, rechecked as above. */
export async function expireJob(
  tx: Tx,
  scope: MoneyScope,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const row = await lockIfDue(tx, jobId, expiresAt);
  if (!row || !(await moveJobByTimer(tx, scope, row, 'expire'))) return;
  await hiringOutcomes.on.seatCostChanged(tx, scope, jobId, { all: false });
  await notifyRecruiters(tx, scope, 'job-expired', row);
}
