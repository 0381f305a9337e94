import { hourMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { lockEngagement } from './engagement-lines.ts';
import { notifyOfEngagement } from './engagement-notices.ts';

/** Hours before the start at which an unconfirmed shift is reported to the business (ADR 41). */
const warnHours = 12;

/** The timer that asks a worker to confirm and notifies the business if they don't. */
export const confirmWatch = {
  name: 'engagements.confirm-watch',
  payload: z.object({ engagementId: z.uuid() }),
};
const keyOf = (engagementId: string) => `${confirmWatch.name}/${engagementId}`;
const hoursBefore = (startsAt: Date, hours: number) => new Date(startsAt.getTime() - hours * hourMs);

/** Sets the timer of a newly booked shift. Someone hired less than 36 hours before the start isn't asked to confirm (ADR 41). */
export async function setConfirmWatch(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config'>,
  shift: { engagementId: string; startsAt: Date },
): Promise<void> {
  const askAt = hoursBefore(shift.startsAt, scope.config.CONFIRM_ASKED_HOURS);
  if (askAt <= scope.clock.now()) return;
  const { engagementId } = shift;
  await enqueue(tx, confirmWatch, { engagementId }, { runAt: askAt, key: keyOf(engagementId) });
}

/** Cancels the timer once confirming is no longer needed. */
export async function stopConfirmWatch(tx: Tx, engagementId: string): Promise<void> {
  await cancelTask(tx, keyOf(engagementId));
}

/**
 * Asks the worker to confirm 36 hours before the start and notifies the recruiters 12 hours before it. Checks what is due, so early or repeated runs are
 * harmless.
 */
export async function runConfirmWatch(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockEngagement(tx, engagementId, null);
    if (row?.status !== 'booked' || row.startsAt === null) return;
    const now = scope.clock.now();
    const startsAt = row.startsAt;
    const [askAt, warnAt] = [scope.config.CONFIRM_ASKED_HOURS, warnHours].map((hours) =>
      hoursBefore(startsAt, hours),
    ) as [Date, Date];
    const again = (runAt: Date) =>
      enqueue(tx, confirmWatch, { engagementId }, { runAt, key: keyOf(engagementId) });
    if (now < askAt) return again(askAt);
    if (now >= startsAt) return;
    if (now < warnAt) {
      await notifyOfEngagement(tx, scope, engagementId, {
        worker: 'engagement-confirm-asked',
        data: { by: warnAt.toISOString() },
      });
      return again(warnAt);
    }
    await notifyOfEngagement(tx, scope, engagementId, {
      worker: 'engagement-not-confirmed',
      recruiters: 'engagement-not-confirmed',
      data: { by: startsAt.toISOString() },
    });
  });
}
