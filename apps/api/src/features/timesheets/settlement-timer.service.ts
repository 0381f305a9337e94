import type { Engagement } from '@nearhand/contract/engagements';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks.ts';

/** The task that ends the waiting for an answer about hours or a delivery. */
export const settlementClock = {
  name: 'timesheets.clock',
  payload: z.object({ engagementId: z.uuid() }),
};

type Next = NonNullable<Engagement['next']>;

/** What happens next by itself, as columns of the engagement; null ends all waiting. */
export const nextStep = (next: { what: Next['what']; at: Date } | null) => ({
  next_what: next?.what ?? null,
  next_at: next?.at ?? null,
});

/** Sets the timer that approves by itself or lets a counter-proposal stand; again replaces it. The task asks the record whether it still holds. */
export async function setSettlementTimer(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(
    tx,
    settlementClock,
    { engagementId },
    { runAt: at, key: `${settlementClock.name}/${engagementId}` },
  );
}
