import { z } from 'zod';
import { limits } from './limits.ts';
import { id, instant, line, operation, pageInput, pageOf } from './operation.ts';

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

/** Unread ones of it are counted as conversations, and not as notices a second time. */
export const countedWithMessages = 'message-received' satisfies NotificationTopic;

/**
 * What a topic is about; the settings are arranged by it, and a digest too. `shift`, `money` and `interview` notices escalate from push to
 * mail when unseen (product.md, Notification).
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

/** The kinds of way that a notice goes out by. */
export const channels = ['app', 'push', 'email'] as const;
export type Channel = (typeof channels)[number];

/** `daily`: gathered in one mail a day; email only. */
export const channelChoices = ['on', 'daily', 'off'] as const;
export type ChannelChoice = (typeof channelChoices)[number];

/** One thing that the account was told. The words are the client's, from `topic` and `data`. */
export const notification = z.object({
  id,
  topic: z.enum(notificationTopics),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  path: z.string(),
  createdAt: instant,
  readAt: instant.nullable(),
  /** Notices with the same one are shown as one while they are unread: applicants of a job, messages of a conversation. */
  group: z.string().nullable(),
  /** It asks for something that is not dealt with yet, opened or not; where no record says so, until it is opened. False once its `expiresAt` is past. */
  waiting: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

const topicChoice = z.object({
  topic: z.enum(notificationTopics),
  group: z.enum(topicGroups),
  /** Told whatever is chosen, in the app always and by these ways too: money that moves, and what one's account is safe by. */
  locked: z.array(z.enum(channels)),
  /** Passes quiet hours: it cannot wait until the morning. */
  urgent: z.boolean(),
  /** Whether it can be gathered in the daily mail. */
  daily: z.boolean(),
  /** Whether it concerns the caller: as a worker, or as a member of a business. */
  sides: z.array(z.enum(['work', 'hire'])),
  choice: z.object({
    app: z.enum(['on', 'off']),
    push: z.enum(['on', 'off']),
    email: z.enum(channelChoices),
  }),
});
export type TopicChoice = z.infer<typeof topicChoice>;

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);
/** When nothing but what is urgent is pushed or mailed; `from` may be later than `to`: over midnight. */
export const quietHours = z.object({
  on: z.boolean(),
  from: clockTime,
  to: clockTime,
  /** IANA name of the person's zone, in which both are meant; also when the daily mail goes out. */
  timeZone: z.string().min(1).max(60),
});
export type QuietHours = z.infer<typeof quietHours>;

/** A browser or an app that may be pushed to. */
export const device = z.object({
  id,
  kind: z.enum(['web', 'android', 'ios']),
  /** As the person knows it: `Firefox on Linux`. */
  label: z.string(),
  addedAt: instant,
  lastUsedAt: instant.nullable(),
});
export type Device = z.infer<typeof device>;

/** Everything about how the account is told. */
export const notificationSettings = z.object({
  topics: z.array(topicChoice),
  quiet: quietHours,
  devices: z.array(device),
  /** Where mail goes, and whether it arrives: `refused` when the receiving side said that there is no such address. */
  email: z.object({ address: z.string(), state: z.enum(['ok', 'not-verified', 'refused']) }),
  /** The public VAPID key for subscribing in a browser; null where the server sends no web push. */
  vapidPublicKey: z.string().nullable(),
  /** Whether the server can reach native apps (FCM is set up). */
  nativePush: z.boolean(),
});
export type NotificationSettings = z.infer<typeof notificationSettings>;

/**
 * What a push carries, as JSON in the encrypted body of a web push and as `data` of a native one. `path` leads into the app, `tag` names what it is about: a newer
 * one with the same tag takes its place on screen. The server writes the words, since the app need not be running.
 */
export type PushMessage = {
  title: string;
  body: string;
  path: string;
  tag: string;
  /** Told back to `notifications.open` when it was followed; empty where there is none. */
  notificationId: string;
};

const base64Url = z.string().regex(/^[\w-]+={0,2}$/);
const pushTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('web'),
    endpoint: z.url().max(1_000),
    keys: z.object({ p256dh: base64Url.min(80).max(100), auth: base64Url.min(20).max(30) }),
    label: line(limits.nameMax),
  }),
  z.object({
    kind: z.enum(['android', 'ios']),
    token: z.string().regex(/^[\x21-\x7e]{20,4096}$/),
    label: line(limits.nameMax),
  }),
]);

/** The inbox, and what people choose to be told by which way. */
export const notifications = {
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/notifications', summary: 'The own inbox, newest first' })
    .input(z.object({ ...pageInput, waiting: z.enum(['true']).optional() }))
    .output(
      pageOf(notification).extend({
        /** How many are unread in all, less those of messages, which `chat.unread` counts. */
        unread: z.number().int(),
      }),
    ),
  read: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark some or all as read' })
    .input(z.object({ ids: z.union([z.literal('all'), z.array(id).min(1).max(100)]) }))
    .output(z.object({ unread: z.number().int() })),
  open: operation({ access: 'signed-in', errors: ['notification/not-found'] })
    .route({
      method: 'POST',
      path: '/notifications/{notificationId}/open',
      summary: 'The caller followed it: read, and acted on, with those of its group that came before it',
    })
    .input(z.object({ notificationId: id }))
    .output(notification),
  settings: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/notifications/settings',
      summary: 'What the caller is told, by which ways and when not',
    })
    .output(notificationSettings),
  choose: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'PATCH',
      path: '/notifications/settings',
      summary: 'Change choices; what is locked stays as it is',
    })
    .input(
      z.object({
        topics: z
          .array(
            z.object({
              topic: z.enum(notificationTopics),
              channel: z.enum(channels),
              choice: z.enum(channelChoices),
            }),
          )
          .max(300)
          .default([]),
        quiet: quietHours.optional(),
      }),
    )
    .output(notificationSettings),
  addDevice: operation({
    access: 'signed-in',
    errors: ['notification/device-refused', 'notification/too-many-devices'],
  })
    .route({
      method: 'POST',
      path: '/notifications/devices',
      summary: 'Push to this browser or app; again for the same one renews it',
      successStatus: 201,
    })
    .input(pushTarget)
    .output(device),
  removeDevice: operation({ access: 'signed-in', errors: ['notification/not-found'] })
    .route({
      method: 'POST',
      path: '/notifications/devices/{deviceId}/remove',
      summary: 'No more push to it',
    })
    .input(z.object({ deviceId: id }))
    .output(z.object({ devices: z.array(device) })),
  test: operation({ access: 'signed-in', errors: ['request/too-many'] })
    .route({
      method: 'POST',
      path: '/notifications/test',
      summary: 'Send oneself a notice by every way that is open',
    })
    .output(
      z.object({
        /** What is on its way, a line for each way: `no-device`, `email-not-verified` and the like say why one is not. */
        ways: z.array(
          z.object({
            channel: z.enum(channels),
            deviceId: id.nullable(),
            outcome: z.enum(['queued', 'no-device', 'email-not-verified', 'email-refused', 'not-set-up']),
          }),
        ),
      }),
    ),
};
