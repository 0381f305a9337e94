import { hourMs } from '@nearhand/contract/durations';

const reminderHours = 6;

/** Until when an offer sent now can be accepted: some hours, but never past the start of the work or the end of a task's due date (product.md). */
export const offerEnd = (sentAt: Date, hours: number, workBy: Date | null): Date =>
  new Date(Math.min(sentAt.getTime() + hours * hourMs, workBy?.getTime() ?? Number.POSITIVE_INFINITY));

/** When to remind the worker; null where the offer expires so soon that its own notice is fresh. */
export function reminderAt(sentAt: Date, expiresAt: Date): Date | null {
  const at = new Date(expiresAt.getTime() - reminderHours * hourMs);
  return at > sentAt ? at : null;
}
