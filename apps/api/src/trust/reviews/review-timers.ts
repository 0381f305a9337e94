import { dayMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';

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
export async function setReminders(
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
