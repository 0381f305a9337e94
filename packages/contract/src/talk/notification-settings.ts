import { z } from 'zod';
import { limits } from '../limits.ts';
import { clockTime, line, operation } from '../operation.ts';
import { device } from './devices.ts';
import { channelChoices, channels, notificationTopics, topicGroups } from './notification-topics.ts';

const topicChoice = z.object({
  topic: z.enum(notificationTopics),
  group: z.enum(topicGroups),
  /** Channels that can't be turned off, as the app never can: for money movements and account security. */
  locked: z.array(z.enum(channels)),
  /** True if it ignores quiet hours because it can't wait until morning. */
  urgent: z.boolean(),
  daily: z.boolean(),
  /** The sides it concerns: as a worker, or as a member of a business. */
  sides: z.array(z.enum(['work', 'hire'])),
  choice: z.object({
    app: z.enum(['on', 'off']),
    push: z.enum(['on', 'off']),
    email: z.enum(channelChoices),
  }),
});
export type TopicChoice = z.infer<typeof topicChoice>;

const choicesMax = 300;
/** Hours in which only urgent notices are pushed or mailed. If `from` is later than `to`, they span midnight. */
export const quietHours = z.object({
  on: z.boolean(),
  from: clockTime,
  to: clockTime,
  /** IANA zone of the person, used for the daily mail too. */
  timeZone: line(limits.timeZoneMax),
});
export type QuietHours = z.infer<typeof quietHours>;

const settings = z.object({
  topics: z.array(topicChoice),
  quiet: quietHours,
  devices: z.array(device),
  /** `refused`: the address's mail server rejected it. */
  email: z.object({ address: z.string(), state: z.enum(['ok', 'not-verified', 'refused']) }),
  /** The public VAPID key for subscribing in a browser; null if the server sends no web push. */
  vapidPublicKey: z.string().nullable(),
  /** The native apps that the server can reach: Android by FCM, iOS by APNs. */
  nativePush: z.object({ android: z.boolean(), ios: z.boolean() }),
});
export type NotificationSettings = z.infer<typeof settings>;

export const notificationSettings = {
  get: operation({ access: 'signed-in', errors: [] })
    .route({
      method: 'GET',
      path: '/notifications/settings',
      summary: 'Get your notification settings: topics, channels and quiet hours',
    })
    .output(settings),
  update: operation({ access: 'signed-in', errors: [], effects: [], whileSuspended: 'account' })
    .route({
      method: 'PATCH',
      path: '/notifications/settings',
      summary: 'Change notification settings; locked ones stay',
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
          .max(choicesMax)
          .default([]),
        quiet: quietHours.optional(),
      }),
    )
    .output(settings),
};
