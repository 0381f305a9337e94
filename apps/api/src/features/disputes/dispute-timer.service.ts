import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks.ts';

/** The task that moves a dispute on when nobody answers, and ends it at the hard stop. */
export const disputeClock = { name: 'disputes.clock', payload: z.object({ disputeId: z.uuid() }) };

/** Sets the clock of a dispute; again replaces it. The task asks the record whether it still holds. */
export async function setDisputeTimer(tx: Tx, disputeId: string, at: Date): Promise<void> {
  await enqueue(tx, disputeClock, { disputeId }, { runAt: at, key: `${disputeClock.name}/${disputeId}` });
}
