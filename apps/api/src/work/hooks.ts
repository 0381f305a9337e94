import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { MoneyScope } from '../money/hooks.ts';
import type { Tx } from '../platform/db.ts';
import { createHooks } from '../platform/hooks.ts';

/** Events that later domains handle in the same transaction. */
export type WorkEvents = {
  /** A booking ended before its work, so its spot is free again. The caller has locked the job. */
  hireEnded(tx: Tx, scope: MoneyScope, jobId: string): Promise<void>;
  /** A worker did not confirm a spot, or has it off, and the waitlist did not take it. The job is locked. */
  spotUnconfirmed(tx: Tx, scope: MoneyScope, spot: { jobId: string; workerId: string }): Promise<void>;
  /** Work was completed or cancelled late. The caller has locked the engagement. */
  workEnded(
    tx: Tx,
    scope: Pick<MoneyScope, 'clock' | 'config'>,
    work: { engagementId: string; jobId: string; workerId: string; businessId: string },
  ): Promise<void>;
  /** The terms of booked work changed. The caller has locked the engagement. */
  termsChanged(tx: Tx, scope: Pick<MoneyScope, 'clock'>, work: { engagementId: string }): Promise<void>;
  /** An engagement changed its status. The caller has locked it. */
  workMoved(
    tx: Tx,
    scope: Pick<MoneyScope, 'clock' | 'sign'>,
    move: { engagementId: string; applicationId: string; from: EngagementStatus; to: EngagementStatus },
  ): Promise<void>;
  /** A worker's record changes now or, by itself, at a time. */
  reliabilityChanged(tx: Tx, workerId: string, at?: Date): Promise<void>;
};

export const workHooks = createHooks<WorkEvents>('work');
