import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { MoneyScope } from '../money/hooks.ts';
import type { Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';

/** Events of `work` that later domains handle in the same transaction. */
export type WorkHooks = {
  /** Booked work was cancelled early enough to fill its spot again. The caller has locked the job. */
  seatFreed(tx: Tx, scope: MoneyScope, seat: { jobId: string }): Promise<void>;
  /** Work was completed or cancelled late: both sides can review each other. The caller has locked the engagement. */
  workEnded(
    tx: Tx,
    scope: Pick<MoneyScope, 'clock' | 'config'>,
    work: { engagementId: string; jobId: string; workerId: string; businessId: string },
  ): Promise<void>;
  /** An engagement moved: what its application's lane follows. The caller has locked the engagement. */
  workMoved(
    tx: Tx,
    move: { applicationId: string; from: EngagementStatus; to: EngagementStatus },
  ): Promise<void>;
  /** A completion, cancellation or no-show changed a worker's record: rankings are out of date, now or from `from` on. */
  reliabilityChanged(tx: Tx, change: { workerId: string; from?: Date }): Promise<void>;
};

export const workHooks = createHooks<WorkHooks>('work');
