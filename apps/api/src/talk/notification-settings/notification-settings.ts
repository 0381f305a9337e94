import type { FieldIssue } from '@nearhand/contract/field-issues.rules';
import { type Language, languageIn } from '@nearhand/contract/languages';
import {
  type NotificationSettings,
  notificationSettings,
  type QuietHours,
} from '@nearhand/contract/talk/notification-settings';
import {
  type Choices,
  canChoose,
  choiceOf,
  type Reader,
} from '@nearhand/contract/talk/notification-settings.rules';
import {
  type Channel,
  type ChannelChoice,
  type NotificationTopic,
  notificationTopics,
} from '@nearhand/contract/talk/notification-topics';
import { canBeDaily, sidesOf, topics } from '@nearhand/contract/talk/topics/topics';
import { isTimeZone } from '@nearhand/contract/zoned-time';
import { sql } from 'kysely';
import { zoneAt } from '../../people/places/time-zones.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { vapidKeys } from '../../platform/push/push-web.ts';
import { devicesOf, nativePushOf } from '../devices/devices.ts';
import { findConversationReaders, findReaders, findRecruiters, type ReaderRow } from './readers.sql.ts';

async function saveChoices(
  tx: Tx,
  accountId: string,
  choices: readonly { topic: string; channel: Channel; choice: ChannelChoice }[],
): Promise<void> {
  if (choices.length === 0) return;
  await tx
    .insertInto('notification_choices')
    .values(choices.map(({ topic, channel, choice }) => ({ accountId, topic, channel, choice })))
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'topic', 'channel'])
        .doUpdateSet((eb) => ({ choice: eb.ref('excluded.choice') })),
    )
    .execute();
}

async function saveQuietHours(tx: Tx, accountId: string, quiet: QuietHours): Promise<void> {
  const row = {
    quietOn: quiet.on,
    quietFrom: quiet.from,
    quietTo: quiet.to,
    timeZone: quiet.timeZone,
  };
  await tx
    .insertInto('notification_settings')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}

/** Unsubscribes without sign-in: `daily` ends only the daily digest. */
export async function turnMailOff(
  tx: Tx,
  accountId: string,
  topics: readonly string[],
  kind: 'any' | 'daily',
): Promise<void> {
  if (kind === 'daily') {
    await tx
      .updateTable('notification_choices')
      .set({ choice: 'off' })
      .where('accountId', '=', accountId)
      .where('channel', '=', 'email')
      .where('choice', '=', 'daily')
      .where('topic', 'in', topics)
      .execute();
    return;
  }
  await sql`insert into notification_choices (account_id, topic, channel, choice)
    select accounts.id, topic, 'email', 'off' from accounts, unnest(${topics}::text[]) as topics (topic) where accounts.id = ${accountId}
    on conflict (account_id, topic, channel) do update set choice = 'off'`.execute(tx);
}

export async function deleteSettings(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('notification_choices').where('accountId', '=', accountId).execute();
  await tx.deleteFrom('notification_settings').where('accountId', '=', accountId).execute();
}

const chosenTopics = notificationTopics.filter((topic) => sidesOf(topics[topic]).length > 0);

async function readNotificationSettings(db: Db, scope: Scope): Promise<NotificationSettings> {
  const { accountId } = scope.actor;
  const readers = await readersOf(db, [accountId], chosenTopics, scope.clock.now());
  const reader = readers.get(accountId);
  if (!reader) throw new AppError('session/expired');
  const isHirer = reader.businessZone !== null;
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
        sides: sidesOf(topic).filter((side) => side === 'work' || isHirer),
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

/** Changes the caller's choices and quiet hours; locked ones stay. */
async function updateNotificationSettings(
  tx: Tx,
  scope: Scope,
  input: {
    topics: { topic: NotificationTopic; channel: Channel; choice: ChannelChoice }[];
    quiet?: QuietHours;
  },
): Promise<NotificationSettings> {
  const issues = input.topics.flatMap<FieldIssue>(({ topic, channel, choice }, index) =>
    choice === 'daily' && !(channel === 'email' && canBeDaily(topics[topic]))
      ? [{ path: `topics.${index}.choice`, message: 'daily is for mail that can wait' }]
      : [],
  );
  if (input.quiet && !isTimeZone(input.quiet.timeZone))
    issues.push({ path: 'quiet.timeZone', message: 'a time zone such as Europe/Amsterdam', rule: 'choice' });
  if (issues.length > 0) throw new AppError('request/invalid', { issues });
  const { accountId } = scope.actor;
  const choices = new Map(
    input.topics
      .filter(({ topic, channel, choice }) => canChoose(topics[topic], channel, choice))
      .map((choice) => [`${choice.topic}/${choice.channel}`, choice]),
  );
  // Saves in a fixed order, so that concurrent calls don't deadlock.
  await saveChoices(tx, accountId, [...choices.values()].sort(inOrder));
  if (input.quiet) await saveQuietHours(tx, accountId, input.quiet);
  return readNotificationSettings(tx, scope);
}

type Chosen = { topic: string; channel: string };
const inOrder = (a: Chosen, b: Chosen): number =>
  `${a.topic}/${a.channel}` < `${b.topic}/${b.channel}` ? -1 : 1;

export type { ReaderRow };

/** The chosen zone, otherwise the home's, otherwise the business's (ADR 95). */
export function zoneOfReader(row: ReaderRow): string {
  if (row.timeZone !== null && isTimeZone(row.timeZone)) return row.timeZone;
  if (row.homeLat !== null && row.homeLng !== null)
    return zoneAt({ lat: row.homeLat, lng: row.homeLng }, row.homeCountry);
  return row.businessZone ?? 'UTC';
}

/** The language of a reader, or English. */
export const languageOf = ({ language }: ReaderRow): Language => languageIn([language ?? '']) ?? 'en';

const quietOf = (row: ReaderRow): QuietHours => ({
  on: row.quietOn ?? false,
  from: row.quietFrom ?? '22:00',
  to: row.quietTo ?? '07:00',
  timeZone: zoneOfReader(row),
});

/** The reason that no mail is sent to this reader, or ok. */
export const emailStateOf = (row: ReaderRow): Reader['email'] => {
  if (row.disabled) return 'disabled';
  if (!row.emailVerified) return 'not-verified';
  return row.refused ? 'refused' : 'ok';
};

/** A leaving account gets only the topics that can't be turned off (ADR 160). */
export const choicesOf = (row: ReaderRow, topic: string): Choices =>
  row.leaving
    ? { push: 'off', email: 'off' }
    : Object.fromEntries(
        row.choices
          .filter((choice) => choice.topic === topic)
          .map(({ channel, choice }) => [channel, choice]),
      );

/** `group` names the conversation that may be open. */
export const readerOf = (row: ReaderRow, topic: string, group: string | null): Reader => ({
  choices: choicesOf(row, topic),
  quiet: quietOf(row),
  devices: row.devices,
  email: emailStateOf(row),
  looking: row.looking !== null && group === `chat:${row.looking}`,
});

/** Returns readers by id with their language, channels and quiet hours for these topics. */
export async function readersOf(
  db: Db,
  accountIds: readonly string[],
  topics: readonly string[],
  now: Date,
): Promise<Map<string, ReaderRow>> {
  return byId(await findReaders(db, [...new Set(accountIds)], [...new Set(topics)], now));
}

/** The members who see a job's applicants, for a statement that is sent before the notice is known. */
export const recruitersOf = async (
  db: Db,
  jobId: string,
  topic: NotificationTopic,
  now: Date,
): Promise<Map<string, ReaderRow>> => byId(await findRecruiters(db, jobId, [topic], now));

/** Everyone who may read a conversation, like `recruitersOf`. */
export const conversationReadersOf = async (
  db: Db,
  conversationId: string,
  topic: NotificationTopic,
  now: Date,
): Promise<Map<string, ReaderRow>> => byId(await findConversationReaders(db, conversationId, [topic], now));

const byId = (rows: readonly ReaderRow[]) => new Map(rows.map((row) => [row.id, row]));

export const notificationSettingsRoutes = {
  get: read(notificationSettings.get, readNotificationSettings),
  update: write(notificationSettings.update, updateNotificationSettings),
};
