import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';

/** The task that escalates an unanswered dispute and ends it at the hard stop. */
export const disputeClock = { name: 'disputes.clock', payload: z.object({ disputeId: z.uuid() }) };

/** Sets or replaces a dispute's timer. The task rechecks the record. */
export async function setDisputeTimer(tx: Tx, disputeId: string, at: Date): Promise<void> {
  await enqueue(tx, disputeClock, { disputeId }, { runAt: at, key: `${disputeClock.name}/${disputeId}` });
}
