import type { Engagement } from '@nearhand/contract/work/engagements';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';

/** The task that acts when hours or a delivery get no reply. */
export const settlementClock = {
  name: 'timesheets.clock',
  payload: z.object({ engagementId: z.uuid() }),
};

type Next = NonNullable<Engagement['next']>;

/** The next automatic step as columns of the engagement; null clears it. */
export const nextStep = (next: { what: Next['what']; at: Date } | null) => ({
  next_what: next?.what ?? null,
  next_at: next?.at ?? null,
});

/** Sets or replaces the timer that approves automatically or accepts a counter-proposal. The task rechecks the record. */
export async function setSettlementTimer(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(
    tx,
    settlementClock,
    { engagementId },
    { runAt: at, key: `${settlementClock.name}/${engagementId}` },
  );
}
