import { z } from 'zod';
import { id, instant, operation, pageInput, pageOf } from './operation.ts';

/** What people are told about. `data` holds the names and times that the words need, `path` is where a tap leads inside the app. */
export const notificationTopics = [
  'application-received',
  'application-viewed',
  'application-withdrawn',
  'application-changed',
  'application-nudge',
  'application-no-response',
  'application-job-closed',
  'job-changed',
  'job-expiring',
  'job-expired',
  'business-verified',
  'application-shortlisted',
  'application-rejected',
  'application-position-filled',
  'application-invited',
  'waitlist-joined',
  'interview-proposed',
  'interview-scheduled',
  'interview-reschedule-asked',
  'interview-kept',
  'interview-cancelled',
  'interview-lapsed',
  'interview-reminder',
  'interview-outcome-due',
  'interview-no-show',
  'interview-contested',
  'offer-received',
  'offer-reminder',
  'offer-accepted',
  'offer-declined',
  'offer-expired',
  'offer-withdrawn',
  'hired-at-once',
  'engagement-confirm-asked',
  'engagement-confirmed',
  'engagement-not-confirmed',
  'engagement-checked-in',
  'engagement-cancelled',
  'engagement-no-show',
  'engagement-contested',
  'engagement-no-show-decided',
  'hours-to-submit',
  'hours-submitted',
  'hours-countered',
  'work-delivered',
  'changes-requested',
  'work-approved',
  'dispute-opened',
  'dispute-answered',
  'dispute-proposal',
  'dispute-escalated',
  'dispute-settled',
  'hold-unpaid',
  'payment-failed',
  'payment-missing',
  'chargeback-opened',
  'chargeback-closed',
  'payment-released',
  'tip-received',
  'money-cleared',
  'withdrawal-sent',
  'withdrawal-paid',
  'withdrawal-failed',
  'withdrawal-returned',
  'payout-method-added',
  'identity-checked',
] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

export const notification = z.object({
  id,
  topic: z.enum(notificationTopics),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  path: z.string(),
  createdAt: instant,
  readAt: instant.nullable(),
});
export type Notification = z.infer<typeof notification>;

export const notifications = {
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/notifications', summary: 'The own inbox, newest first' })
    .input(z.object({ ...pageInput }))
    .output(pageOf(notification).extend({ unread: z.number().int() })),
  read: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark some or all as read' })
    .input(z.object({ ids: z.union([z.literal('all'), z.array(id).min(1).max(100)]) }))
    .output(z.object({ unread: z.number().int() })),
};
