import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { isOver, nextJobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { hiringHooks } from '../../hiring/hooks.ts';
import { factsOf } from '../../hiring/jobs/job-drafts.ts';
import { lifeEnd, setTimers } from '../../hiring/jobs/job-expiry.ts';
import { lockJob, moveJob, settleSeats } from '../../hiring/jobs/job-states.ts';
import { feesOf } from '../../hiring/jobs/jobs.ts';
import { closeScreening } from '../../hiring/screening/screening.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dayIn } from '../../platform/zoned-day.ts';

/**
 * Shows a job that was in review or refused: its life starts now, or goes on if workers had seen it. An instant hire comes back paused, since
 * its spots need money; one whose time is over is expired. A no-op for a job that was closed or hidden in the meantime.
 * @returns its status then
 */
export async function openReviewedJob(tx: Tx, scope: Scope, jobId: string): Promise<JobStatus> {
  const row = await lockJob(tx, jobId);
  const now = scope.clock.now();
  const facts = factsOf(row);
  const over = isOver(facts, now, dayIn(row.timeZone, now));
  const action = over ? 'approve-late' : row.instantHire ? 'approve-paused' : 'approve';
  const to = nextJobStatus(row.status, action, 'O');
  if (to === null || to === row.status) return row.status;
  const lives = row.publishedAt !== null && row.expiresAt !== null && row.expiresAt > now;
  const publishedAt = lives && row.publishedAt ? row.publishedAt : now;
  const expiresAt = over
    ? now
    : lives && row.expiresAt
      ? row.expiresAt
      : lifeEnd(facts, row.timeZone, now, scope.config.JOB_LIFE_DAYS);
  const life = { publishedAt, expiresAt };
  const fees = row.publishedAt === null ? feesOf(scope.config) : {};
  const { accountId: by } = scope.actor;
  await moveJob(tx, scope, row, { action, to, actor: by }, { ...life, ...fees });
  await closeScreening(tx, jobId, { outcome: 'opened', by, at: now });
  if (to !== 'open') return to;
  await setTimers(tx, scope, jobId, publishedAt, expiresAt);
  await hiringHooks.on.seatFreed(tx, scope, jobId);
  return (await settleSeats(tx, scope, jobId)) === 'filled' ? 'filled' : to;
}

/** Refuses a job in review; false for any other. */
export async function refuseReviewedJob(tx: Tx, scope: Scope, jobId: string): Promise<boolean> {
  const row = await lockJob(tx, jobId);
  const to = nextJobStatus(row.status, 'reject', 'O');
  if (to === null || to === row.status) return false;
  const { accountId: by } = scope.actor;
  await moveJob(tx, scope, row, { action: 'reject', to, actor: by });
  return closeScreening(tx, jobId, { outcome: 'refused', by, at: scope.clock.now() });
}
