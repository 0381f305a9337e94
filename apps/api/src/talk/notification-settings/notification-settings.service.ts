import type { NotificationSettings, QuietHours } from '@nearhand/contract/talk/notification-settings';
import { canChoose, choiceOf } from '@nearhand/contract/talk/notification-settings.rules';
import {
  type Channel,
  type ChannelChoice,
  type NotificationTopic,
  notificationTopics,
} from '@nearhand/contract/talk/notification-topics';
import { canBeDaily, sidesOf, topics } from '@nearhand/contract/talk/topics/topics';
import { isTimeZone } from '@nearhand/contract/zoned-time';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { vapidKeys } from '../../platform/push/push-web.ts';
import { devicesOf, nativePushOf } from '../devices/devices.service.ts';
import { saveChoices, saveQuietHours } from './notification-settings.sql.ts';
import { choicesOf, emailStateOf, quietOf, readersOf } from './readers.service.ts';

/** The topics with choices; the test notification has none. */
const chosenTopics = notificationTopics.filter((topic) => sidesOf(topics[topic]).length > 0);

/** What the caller is notified of, by which channels and when. */
export async function readNotificationSettings(db: Db, scope: Scope): Promise<NotificationSettings> {
  const { accountId } = scope.actor;
  const readers = await readersOf(db, [accountId], chosenTopics, scope.clock.now());
  const reader = readers.get(accountId);
  if (!reader) throw new AppError('session/expired');
  // Everyone may work; only members of a business hire. Each business has a zone.
  const hires = reader.business_zone !== null;
  const email = emailStateOf(reader);
  return {
    topics: chosenTopics.map((name) => {
      const topic = topics[name];
      const choices = choicesOf(reader, name);
      const choice = (channel: Channel) => choiceOf(topic, channel, choices);
      return {
        topic: name,
        group: topic.group,
        locked: [...(topic.locked ?? [])],
        urgent: topic.urgent ?? false,
        daily: canBeDaily(topic),
        sides: sidesOf(topic).filter((side) => side === 'work' || hires),
        choice: {
          app: choice('app') === 'off' ? 'off' : 'on',
          push: choice('push') === 'off' ? 'off' : 'on',
          email: choice('email'),
        },
      };
    }),
    quiet: quietOf(reader),
    devices: await devicesOf(db, accountId),
    email: { address: reader.email, state: email === 'disabled' ? 'not-verified' : email },
    vapidPublicKey: vapidKeys(scope.config, scope.sign).publicKey,
    nativePush: nativePushOf(scope.config),
  };
}

/**
 * Changes choices and quiet hours; for duplicates the last counts, and locked ones stay.
 * @throws request/invalid for an unknown zone, and for `daily` on a topic that can't wait
 */
export async function updateNotificationSettings(
  tx: Tx,
  scope: Scope,
  input: {
    topics: { topic: NotificationTopic; channel: Channel; choice: ChannelChoice }[];
    quiet?: QuietHours;
  },
): Promise<NotificationSettings> {
  const issues = input.topics.flatMap(({ topic, channel, choice }, index) =>
    choice === 'daily' && !(channel === 'email' && canBeDaily(topics[topic]))
      ? [{ path: `topics.${index}.choice`, message: 'daily is for mail that can wait' }]
      : [],
  );
  if (input.quiet && !isTimeZone(input.quiet.timeZone))
    issues.push({ path: 'quiet.timeZone', message: 'a time zone such as Europe/Amsterdam' });
  if (issues.length > 0) throw new AppError('request/invalid', { issues });
  const { accountId } = scope.actor;
  const chosen = new Map(
    input.topics
      .filter(({ topic, channel, choice }) => canChoose(topics[topic], channel, choice))
      .map((each) => [`${each.topic}/${each.channel}`, each]),
  );
  // In a fixed order, so that concurrent calls don't deadlock.
  await saveChoices(tx, accountId, [...chosen.values()].sort(inOrder));
  if (input.quiet) await saveQuietHours(tx, accountId, input.quiet);
  return readNotificationSettings(tx, scope);
}

type Chosen = { topic: string; channel: string };
const inOrder = (one: Chosen, other: Chosen): number =>
  `${one.topic}/${one.channel}` < `${other.topic}/${other.channel}` ? -1 : 1;

/** For an account that is removed (ADR 160). */
export { deleteSettings } from './notification-settings.sql.ts';
