import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import type { MoneyScope } from '../holds/holds.service.ts';
import { fundSeats } from '../offers/offer-making.service.ts';
import { tellRecruiters } from './job-notices.service.ts';
import { nextJobStatus } from './jobs.rules.ts';
import { insertJobMove, type JobRow, lockJob, updateJobStatus } from './jobs.sql.ts';

/** The job, locked, if the timer set for `expiresAt` still counts: since then it may have been closed, paused or opened anew. */
async function lockIfDue(tx: Tx, jobId: string, expiresAt: string): Promise<JobRow | null> {
  const row = await lockJob(tx, jobId);
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
  await tellRecruiters(tx, scope, 'job-expiring', row);
}

/** Expires an open job whose life is over (product.md: 30 d) and tells its recruiters. Run by a timer, re-checked as above. */
export async function expireJob(
  tx: Tx,
  scope: MoneyScope,
  { jobId, expiresAt }: { jobId: string; expiresAt: string },
): Promise<void> {
  const now = scope.clock.now();
  const row = await lockIfDue(tx, jobId, expiresAt);
  const to = row && nextJobStatus(row.status, 'expire', 'T');
  if (!row || !to) return;
  if (!(await updateJobStatus(tx, jobId, row.status, { status: to, updated_at: now }))) return;
  await insertJobMove(tx, {
    id: newId(now),
    job_id: jobId,
    actor: 'timer',
    action: 'expire',
    from_status: row.status,
    to_status: to,
    at: now,
  });
  await fundSeats(tx, scope, jobId, { all: false });
  await tellRecruiters(tx, scope, 'job-expired', row);
}
