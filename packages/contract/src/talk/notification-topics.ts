/** Notification topics. `data` has the names and times for the text, `path` is the link in the app. */
export const notificationTopics = [
  'application-received',
  'application-viewed',
  'application-withdrawn',
  'application-changed',
  'application-nudge',
  'application-no-response',
  'application-job-closed',
  'job-changed',
  'saved-job-changed',
  'saved-job-filling',
  'saved-job-ended',
  'job-expiring',
  'job-expired',
  'business-verified',
  'application-shortlisted',
  'application-rejected',
  'application-position-filled',
  'application-invited',
  'application-invitation-declined',
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
  'payment-needs-confirmation',
  'seat-unfunded',
  'payment-refunded',
  'payment-refund-failed',
  'chargeback-opened',
  'chargeback-closed',
  'payment-released',
  'tip-received',
  'money-cleared',
  'withdrawal-requested',
  'withdrawal-sent',
  'withdrawal-paid',
  'withdrawal-failed',
  'withdrawal-returned',
  'payout-method-added',
  'identity-checked',
  'message-received',
  'report-decided',
  'test-notice',
] as const;
export type NotificationTopic = (typeof notificationTopics)[number];

/** Its unread ones are counted as conversations, not again as notices. */
export const countedWithMessages = 'message-received' satisfies NotificationTopic;

/**
 * A topic's group; settings and the daily mail are arranged by it. Unseen `shift`, `money` and `interview` notices escalate from push to
 * mail (product.md, Notification).
 */
export const topicGroups = [
  'messages',
  'applications',
  'interview',
  'offers',
  'shift',
  'hours',
  'money',
  'jobs',
  'account',
] as const;
export type TopicGroup = (typeof topicGroups)[number];

/** The channels of a notice. */
export const channels = ['app', 'push', 'email'] as const;
export type Channel = (typeof channels)[number];

/** `daily`: one mail a day; email only. */
export const channelChoices = ['on', 'daily', 'off'] as const;
export type ChannelChoice = (typeof channelChoices)[number];
