import { minuteMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import { finishHold } from '../../money/holds/end-holds.ts';
import type { Tx } from '../../platform/db.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { contestBy } from './engagement-actions.rules.ts';
import { lockEngagement } from './engagement-lines.ts';

/** The task that reminds a worker to submit hours and later submits them automatically. */
export const autoSubmit = {
  name: 'timesheets.auto-submit',
  payload: z.object({ engagementId: z.uuid() }),
};

/** Minutes after the end before the reminder. */
const remindAfterMinutes = 60;

/** Sets or replaces the timer that submits a shift's hours automatically (product.md, Constants). */
export async function setAutoSubmit(tx: Tx, shift: { engagementId: string; endsAt: Date }): Promise<void> {
  await enqueue(
    tx,
    autoSubmit,
    { engagementId: shift.engagementId },
    {
      runAt: new Date(shift.endsAt.getTime() + remindAfterMinutes * minuteMs),
      key: `${autoSubmit.name}/${shift.engagementId}`,
    },
  );
}

/** The end of the time in which a no-show can be contested. Queued tasks carry the name, so it never changes. */
export const noShowEnd = { name: 'holds.no-show-end', payload: z.object({ engagementId: z.uuid() }) };
const keyOf = (engagementId: string) => `${noShowEnd.name}/${engagementId}`;

/** Returns the hold of a reported no-show at this time unless it is contested. */
export async function setNoShowEnd(tx: Tx, engagementId: string, at: Date): Promise<void> {
  await enqueue(tx, noShowEnd, { engagementId }, { runAt: at, key: keyOf(engagementId) });
}

/** For the runner: returns the hold of a no-show that nobody contested in time. Too early it sets itself again; contested, or repeated, it is a no-op. */
export async function runNoShowEnd(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockEngagement(tx, engagementId, null);
    if (row?.status !== 'no_show_reported' || !row.noShowAt) return;
    const at = contestBy(row.noShowAt, scope.config);
    if (at > scope.clock.now()) return setNoShowEnd(tx, engagementId, at);
    await finishHold(tx, scope, engagementId);
  });
}
