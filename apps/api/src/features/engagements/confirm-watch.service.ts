import { hourMs } from '@nearhand/contract/durations';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { cancelTask, enqueue, type TaskScope } from '../../platform/tasks.ts';
import { tellOfEngagement } from './engagement-notices.service.ts';
import { lockEngagement } from './engagements.sql.ts';

/** Hours before the start at which the business is told of a worker who has not confirmed (ADR 0041). */
const warnHours = 12;

/** The timer that asks a worker to confirm and tells the business when they did not. */
export const confirmWatch = {
  name: 'engagements.confirm-watch',
  payload: z.object({ engagementId: z.uuid() }),
};
const keyOf = (engagementId: string) => `${confirmWatch.name}/${engagementId}`;
const hoursBefore = (startsAt: Date, hours: number) => new Date(startsAt.getTime() - hours * hourMs);

/**
 * For booking: sets the timer of a shift. Who is hired less than 36 hours before the start has just said that they come, and is not asked again
 * (ADR 0041).
 */
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

/** For the moves after which nobody has to be asked any more. */
export async function stopConfirmWatch(tx: Tx, engagementId: string): Promise<void> {
  await cancelTask(tx, keyOf(engagementId));
}

/**
 * For the runner: asks the worker 36 hours before the start, tells the recruiters 12 hours before it. Finds out by itself what is due, so that it may
 * come too early (a clock set back) or twice.
 */
export async function runConfirmWatch(scope: TaskScope, engagementId: string): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    const row = await lockEngagement(tx, engagementId, null);
    if (row?.status !== 'booked' || row.starts_at === null) return;
    const now = scope.clock.now();
    const startsAt = row.starts_at;
    const [askAt, warnAt] = [scope.config.CONFIRM_ASKED_HOURS, warnHours].map((hours) =>
      hoursBefore(startsAt, hours),
    ) as [Date, Date];
    const again = (runAt: Date) =>
      enqueue(tx, confirmWatch, { engagementId }, { runAt, key: keyOf(engagementId) });
    if (now < askAt) return again(askAt);
    if (now >= startsAt) return;
    if (now < warnAt) {
      await tellOfEngagement(tx, scope, engagementId, {
        worker: 'engagement-confirm-asked',
        data: { by: warnAt.toISOString() },
      });
      return again(warnAt);
    }
    await tellOfEngagement(tx, scope, engagementId, {
      worker: 'engagement-not-confirmed',
      recruiters: 'engagement-not-confirmed',
      data: { by: startsAt.toISOString() },
    });
  });
}
