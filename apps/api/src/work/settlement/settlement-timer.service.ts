import { dayMs } from '@nearhand/contract/durations';
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

/** The next automatic step as columns of the engagement; null clears it. `amountMinor`: what silence settles. */
export const nextStep = (next: { what: Next['what']; at: Date; amountMinor?: number } | null) => ({
  next_what: next?.what ?? null,
  next_at: next?.at ?? null,
  next_minor: next?.amountMinor ?? null,
});

/** When both sides are reminded of what silence will do. */
export const remindAt = (at: Date): Date => new Date(at.getTime() - dayMs);

/**
 * Sets or replaces the timer that settles without a reply and reminds both sides a day before. The task rechecks the record.
 * @param at the deadline, or the time of the reminder
 */
export async function setSettlementTimer(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(
    tx,
    settlementClock,
    { engagementId },
    { runAt: at, key: `${settlementClock.name}/${engagementId}` },
  );
}
