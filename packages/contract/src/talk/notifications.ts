import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, operation, pageInput, pageOf, queryFlag } from '../operation.ts';
import { channels, notificationTopics } from './notification-topics.ts';

/** One notice of the account. The client words it from `topic` and `data`. */
export const notification = z.object({
  id,
  topic: z.enum(notificationTopics),
  data: z.record(z.string(), z.union([z.string(), z.number()])),
  path: z.string(),
  createdAt: instant,
  readAt: instant.nullable(),
  /** Unread notices of one group are shown as one: applicants of a job, messages of a conversation. */
  group: z.string().nullable(),
  /** True while a requested action is open, or until opened if no record decides. False after `expiresAt`. */
  waiting: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

/**
 * A push's content, worded by the server, since the app need not run. A newer one with the same `tag`
 * replaces it.
 */
export type PushMessage = {
  title: string;
  body: string;
  path: string;
  tag: string;
  /** Sent to `notifications.open` when the link is followed; empty if there is no notification. */
  notificationId: string;
};

export const notifications = {
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/notifications', summary: 'List your inbox, newest first' })
    .input(z.object({ ...pageInput, waiting: queryFlag.optional() }))
    .output(
      pageOf(notification).extend({
        /** The total unread count, without messages, which `conversations.unread` counts. */
        unread: z.number().int(),
      }),
    ),
  read: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'account' })
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark some or all as read' })
    .input(z.object({ ids: z.union([z.literal('all'), z.array(id).min(1).max(limits.bulkMax)]) }))
    .output(z.object({ unread: z.number().int() })),
  open: operation({
    access: 'signed-in',
    errors: ['notification/not-found'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/notifications/{notificationId}/open',
      summary: 'Follow a notification: marks it and earlier ones of its group as read',
    })
    .input(z.object({ notificationId: id }))
    .output(notification),
  test: operation({
    access: 'signed-in',
    errors: ['request/too-many'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/notifications/test',
      summary: 'Send yourself a test notification on every open channel',
    })
    .output(
      z.object({
        /** Results by channel; `no-device`, `email-not-verified` and the like are reasons why none was sent. */
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
