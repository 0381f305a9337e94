import { dayMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import type { WorkHooks } from '../../work/hooks.ts';
import { insertReviews, lockReviews, notifyOfReview } from './review-notices.ts';

/** Opens the reviews of both sides when work ends: from now on they can be written. A repeat is a no-op. */
export const openReviews: WorkHooks['workEnded'] = async (tx, scope, work) => {
  const endedAt = scope.clock.now();
  const closesAt = new Date(endedAt.getTime() + scope.config.REVIEW_DAYS * dayMs);
  const shared = {
    engagementId: work.engagementId,
    jobId: work.jobId,
    workerId: work.workerId,
    businessId: work.businessId,
    state: 'open',
    endedAt,
    closesAt,
  };
  const opened = await insertReviews(tx, [
    { ...shared, id: newId(endedAt), authorSide: 'worker' },
    { ...shared, id: newId(endedAt), authorSide: 'business' },
  ]);
  if (!opened) return;
  await setPublication(tx, work.engagementId, closesAt);
  await setReminders(tx, work.engagementId, { endedAt, closesAt });
};

/** For the runner: reminds each side that has not written. Nobody else learns who has. */
export async function runReminder(scope: TaskScope, engagementId: string, day: number): Promise<void> {
  await scope.db.transaction().execute(async (tx: Tx) => {
    const now = scope.clock.now();
    for (const review of await lockReviews(tx, engagementId))
      if (review.state === 'open' && review.closesAt > now)
        await notifyOfReview(tx, scope, review, {
          topic: 'review-reminder',
          to: [review.authorSide],
          by: review.closesAt,
          event: String(day),
        });
  });
}

/** The task at the end of the time to write. Queued tasks carry the names, so they never change. */
export const publication = { name: 'reviews.publish', payload: z.object({ engagementId: z.uuid() }) };
/** The task that reminds the sides that have not written, some days after the end of the work. */
export const reminder = {
  name: 'reviews.remind',
  payload: z.object({ engagementId: z.uuid(), day: z.number().int() }),
};

export const publicationKey = (engagementId: string): string => `${publication.name}/${engagementId}`;
const reminderKey = (engagementId: string, day: number) => `${reminder.name}/${engagementId}/${day}`;
export const reminderKeys = (engagementId: string): string[] =>
  limits.reviewReminderDays.map((day) => reminderKey(engagementId, day));

export const setPublication = (tx: Tx, engagementId: string, at: Date): Promise<void> =>
  enqueue(tx, publication, { engagementId }, { runAt: at, key: publicationKey(engagementId) });

/** Sets the reminders that come before the time is over. */
async function setReminders(
  tx: Tx,
  engagementId: string,
  { endedAt, closesAt }: { endedAt: Date; closesAt: Date },
): Promise<void> {
  for (const day of limits.reviewReminderDays) {
    const runAt = new Date(endedAt.getTime() + day * dayMs);
    if (runAt < closesAt)
      await enqueue(tx, reminder, { engagementId, day }, { runAt, key: reminderKey(engagementId, day) });
  }
}
