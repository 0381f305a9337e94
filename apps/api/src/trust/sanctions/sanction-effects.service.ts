import type { JobStatus } from '@nearhand/contract/hiring/jobs';
import { nextJobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { setTimers } from '../../hiring/jobs/job-life.service.ts';
import { lockJob, moveJob, settleSeats } from '../../hiring/jobs/job-states.service.ts';
import { hiringOutcomes } from '../../hiring/outcomes.ts';
import type { MoneyScope } from '../../money/outcomes.ts';
import { moveBusiness, restoreMove } from '../../people/businesses/business-moves.service.ts';
import type { Tx } from '../../platform/db.ts';
import { isHidden, isSuspended, statusBeforeHiding, statusBeforeSuspension } from './sanctions.sql.ts';

const operator = { id: 'operator', as: 'O' } as const;

/** Hides a job from everyone but its business and its applicants; it hires nobody. False for a draft or a job that is over. */
export async function hideJob(tx: Tx, scope: MoneyScope, jobId: string): Promise<boolean> {
  const row = await lockJob(tx, jobId);
  const to = nextJobStatus(row.status, 'suspend', 'O');
  if (to === null) return false;
  if (to === row.status) return true;
  await moveJob(tx, scope, row, { action: 'suspend', to, actor: operator.id });
  await hiringOutcomes.on.seatCostChanged(tx, scope, jobId, { all: false });
  return true;
}

/** Where a restored job goes: back to what it was, as far as its life allows. Instant hire needs the merchant, who funds its spots. */
const wayBack = (
  before: string | null,
  row: { expires_at: Date | null; instant_hire: boolean },
  now: Date,
): 'restore' | 'restore-paused' | 'restore-filled' | 'restore-expired' | 'restore-review' => {
  if (before === 'in_review') return 'restore-review';
  if (before === 'filled') return 'restore-filled';
  if (before === 'expired' || row.expires_at === null || row.expires_at <= now) return 'restore-expired';
  return before === 'paused' || row.instant_hire ? 'restore-paused' : 'restore';
};

/** Shows a hidden job again, unless another decision hides it. A no-op for one that was closed in the meantime. */
export async function restoreJob(tx: Tx, scope: MoneyScope, jobId: string): Promise<void> {
  const row = await lockJob(tx, jobId);
  if (row.status !== 'suspended' || (await isHidden(tx, jobId))) return;
  const action = wayBack(await statusBeforeHiding(tx, jobId), row, scope.clock.now());
  const to = nextJobStatus(row.status, action, 'O') as JobStatus;
  await moveJob(tx, scope, row, { action, to, actor: operator.id });
  if (to === 'filled') await settleSeats(tx, scope, jobId);
  if (to !== 'open') return;
  if (row.published_at && row.expires_at) await setTimers(tx, scope, jobId, row.published_at, row.expires_at);
  await hiringOutcomes.on.seatFreed(tx, scope, jobId);
  await settleSeats(tx, scope, jobId);
}

/** Suspends a business from hiring. @throws business/wrong-state for a closed or rejected one */
export async function suspendBusiness(tx: Tx, { clock }: MoneyScope, businessId: string): Promise<void> {
  await moveBusiness(tx, operator, clock.now(), businessId, 'suspend');
}

/** Lets a business hire again, in the state it had, unless another decision suspends it. */
export async function restoreBusiness(tx: Tx, { clock }: MoneyScope, businessId: string): Promise<boolean> {
  if (await isSuspended(tx, businessId)) return false;
  const action = restoreMove(await statusBeforeSuspension(tx, businessId));
  if (action === null) return false;
  await moveBusiness(tx, operator, clock.now(), businessId, action);
  return true;
}
