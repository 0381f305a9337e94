import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, operation, pageInput, pageOf } from '../operation.ts';
import { channels, notificationTopics } from './notification-topics.ts';

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

/** The caller's inbox. */
export const notifications = {
  list: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({ method: 'GET', path: '/notifications', summary: 'The own inbox, newest first' })
    .input(z.object({ ...pageInput, waiting: z.enum(['true']).optional() }))
    .output(
      pageOf(notification).extend({
        /** How many are unread in all, less those of messages, which `conversations.unread` counts. */
        unread: z.number().int(),
      }),
    ),
  read: operation({ access: 'signed-in', errors: [] })
    .route({ method: 'POST', path: '/notifications/read', summary: 'Mark some or all as read' })
    .input(z.object({ ids: z.union([z.literal('all'), z.array(id).min(1).max(limits.bulkMax)]) }))
    .output(z.object({ unread: z.number().int() })),
  open: operation({ access: 'signed-in', errors: ['notification/not-found'] })
    .route({
      method: 'POST',
      path: '/notifications/{notificationId}/open',
      summary: 'The caller followed it: read, and acted on, with those of its group that came before it',
    })
    .input(z.object({ notificationId: id }))
    .output(notification),
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
