import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { choiceOf } from '@nearhand/contract/talk/notification-settings.rules';
import type { NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Notification } from '@nearhand/contract/talk/notifications';
import type { NoticeData, TopicData } from '@nearhand/contract/talk/topics/notice-facts';
import type { Topic } from '@nearhand/contract/talk/topics/topic';
import { topicTexts } from '@nearhand/contract/talk/topics/topic-texts';
import { knownTopic, topics } from '@nearhand/contract/talk/topics/topics';
import { sql } from 'kysely';
import { z } from 'zod';
import type { NoticeScope } from '../../people/hooks.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { ClockScope, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { MailRefusedError, MailUnconfirmedError } from '../../platform/mail/mail.ts';
import { composeMail, phrase } from '../../platform/mail/mail-layout.ts';
import { emit } from '../../platform/realtime/publish.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteSilentDevices } from '../devices/devices.ts';
import {
  choicesOf,
  languageOf,
  type ReaderRow,
  readerOf,
  readersOf,
} from '../notification-settings/notification-settings.ts';
import { unsubscribeUrl } from '../notification-settings/unsubscribe.page.ts';
import {
  type Delivery,
  deliverNoticeTask,
  digestTask,
  endDeliveries,
  listDaily,
  recordRefusal,
} from './deliveries.ts';
import { noticeFormat } from './notice-format.ts';
import { type Pace, planWays, recheckWay } from './notifications.rules.ts';
import {
  countUnread,
  findNotice,
  type InboxRow,
  insertNotices,
  listNotices,
  listWaiting,
  markOpened,
  markRead,
  type NoticeRow,
  type WayRow,
} from './notifications.sql.ts';
import { isAnswered } from './waiting.sql.ts';

/**
 * `dedupeKey` allows one notice per account and event. `path` is in the app and starts with a slash.
 * Notices of one `group` are shown as one; with `replaces` the unread one is updated in place.
 */
export type Notice<Name extends NotificationTopic = NotificationTopic> = {
  accountId: string;
  topic: Name;
  data: TopicData<Name>;
  path: string;
  dedupeKey: string;
  group?: string;
  replaces?: true;
};

/** Notifies an account by all its channels, in the transaction of the event (product.md, Notification). */
export async function notify<Name extends NotificationTopic>(
  tx: Tx,
  scope: NoticeScope,
  notice: Notice<Name>,
): Promise<void> {
  await notifyAll(tx, scope, [notice]);
}

/** Notifies many accounts with one read and one write, however many they are (ADR 95). */
export async function notifyAll<Name extends NotificationTopic>(
  tx: Tx,
  scope: NoticeScope,
  notices: readonly Notice<Name>[],
): Promise<void> {
  if (notices.length === 0) return;
  const now = scope.clock.now();
  const readers = await readersOf(
    tx,
    notices.map(({ accountId }) => accountId),
    notices.map(({ topic }) => topic),
    now,
  );
  await notifyReaders(tx, scope, notices, readers);
}

/** `notifyAll` for readers that were already read, in one write. Notices to anyone else are dropped. */
export async function notifyReaders(
  tx: Tx,
  scope: NoticeScope,
  notices: readonly Notice[],
  readers: ReadonlyMap<string, ReaderRow>,
): Promise<void> {
  const now = scope.clock.now();
  const readable = notices.filter(({ accountId }) => readers.has(accountId));
  for (const replaces of [false, true]) {
    // One statement can't write the same row twice: of several notices that replace one another, the last is kept.
    const noticesByKey = new Map(
      readable
        .filter((notice) => (notice.replaces === true && notice.group !== undefined) === replaces)
        .map((notice) => [`${notice.accountId}/${replaces ? notice.group : notice.dedupeKey}`, notice]),
    );
    if (noticesByKey.size === 0) continue;
    const planned = [...noticesByKey.values()].map((notice) =>
      planNotice(notice, readers.get(notice.accountId) as ReaderRow, paceOf(scope.config), now),
    );
    await insertNotices(
      tx,
      planned.map(({ row }) => row),
      scope.unmailed ? [] : planned.flatMap(({ ways }) => ways),
      replaces,
      now,
    );
  }
  emitInboxes(
    tx,
    readable.map(({ accountId }) => accountId),
  );
}

/** The delays before a push becomes a mail; the defaults without a configuration. */
export const paceOf = (config: Config | undefined): Pace => ({
  escalateMinutes: config?.ESCALATE_MINUTES ?? settingDefaults.escalateMinutes,
  messageMailMinutes: config?.MESSAGE_MAIL_MINUTES ?? settingDefaults.messageMailMinutes,
  digestHour: config?.DIGEST_HOUR ?? settingDefaults.digestHour,
});

function planNotice(
  notice: Notice,
  reader: ReaderRow,
  pace: Pace,
  now: Date,
): { row: NoticeRow; ways: WayRow[] } {
  const topic = topics[notice.topic];
  const group = notice.group ?? (topic.gathers ? `${notice.topic}:${notice.path.split('?')[0]}` : null);
  const key = { accountId: notice.accountId, dedupeKey: notice.dedupeKey };
  return {
    row: {
      ...key,
      id: newId(now),
      topic: notice.topic,
      data: notice.data,
      path: notice.path,
      groupKey: group,
      hidden: choiceOf(topic, 'app', choicesOf(reader, notice.topic)) === 'off',
      ...askOf(topic, notice.data),
    },
    ways: planWays(topic, readerOf(reader, notice.topic, group), pace, now).map(
      ({ channel, deviceId, state, reason, dueAt, daily }) => ({
        ...key,
        id: newId(now),
        channel,
        deviceId,
        state,
        reason,
        dueAt,
        daily,
      }),
    ),
  };
}

/** The action that a notice requests; the data's deadline is its end, if any. */
function askOf(topic: Topic, data: Notice['data']): Pick<NoticeRow, 'asks' | 'asksUntil'> {
  const needsAnswer = topic.waiting === true || (topic.waiting !== undefined && topic.waiting === data.side);
  const until = new Date(String(data.expiresAt || data.by || data.decideBy || ''));
  return { asks: needsAnswer, asksUntil: needsAnswer && !Number.isNaN(until.getTime()) ? until : null };
}

/** A signal holds 7,500 bytes, enough for this many rooms. */
const roomsPerSignal = 100;

function emitInboxes(tx: Tx, accountIds: readonly string[]): void {
  const rooms = [...new Set(accountIds)].map((id) => `account:${id}` as const);
  for (let from = 0; from < rooms.length; from += roomsPerSignal)
    emit(tx, rooms.slice(from, from + roomsPerSignal), { kind: 'notice' });
}

const toNotification = (row: InboxRow): Notification => ({
  ...row,
  topic: row.topic as NotificationTopic,
  data: row.data as NoticeData,
  createdAt: row.createdAt.toISOString(),
  // A declined card needs no reading once the payment succeeded another way.
  readAt:
    (row.readAt ?? (row.topic === 'payment-failed' && !row.waiting ? row.createdAt : null))?.toISOString() ??
    null,
  group: row.groupKey,
});

/** Lists the caller's inbox, newest first; `waiting` limits it to pending actions. */
export async function listNotifications(
  db: Db,
  scope: Scope,
  input: { cursor?: string; limit: number; waiting?: boolean },
) {
  const list = input.waiting ? listWaiting : listNotices;
  const rows = await list(db, scope.actor.accountId, {
    after: decodeCursor(input.cursor, newestCursor),
    limit: input.limit + 1,
    now: scope.clock.now(),
  });
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.createdAt.toISOString(), row.id]);
  return {
    items: items.map(toNotification),
    nextCursor,
    unread: await countUnread(db, scope.actor.accountId),
  };
}

/** Marks some or all of the caller's notices as read; others' ids are ignored. */
export async function markNotificationsRead(tx: Tx, scope: Scope, input: { ids: 'all' | string[] }) {
  const { accountId } = scope.actor;
  if (await markRead(tx, accountId, input, scope.clock.now())) emitInboxes(tx, [accountId]);
  return { unread: await countUnread(tx, accountId) };
}

/** Marks one of the caller's notices and its group as read. It stays pending while its action is (ADR 16). */
export async function openNotification(tx: Tx, scope: Scope, input: { notificationId: string }) {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  if (!(await markOpened(tx, accountId, input.notificationId, now)))
    throw new AppError('notification/not-found');
  emitInboxes(tx, [accountId]);
  return toNotification((await findNotice(tx, accountId, input.notificationId, now)) as InboxRow);
}

/** Marks a group as seen, such as a conversation up to its end; no mail follows. */
export async function seeGroup(tx: Tx, scope: ClockScope, accountId: string, group: string): Promise<void> {
  if (await markRead(tx, accountId, { group }, scope.clock.now())) emitInboxes(tx, [accountId]);
}

/** Removes the unread notices of a group from these accounts, with their pending deliveries. */
export async function removeNotices(tx: Tx, group: string, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  await tx
    .deleteFrom('notifications')
    .where('groupKey', '=', group)
    .where('replaceable', '=', true)
    .where('accountId', 'in', accountIds)
    .where('readAt', 'is', null)
    .execute();
  emitInboxes(tx, accountIds);
}

type Parts = Pick<TaskScope, 'db' | 'clock'>;

const readDays = 180;
const allDays = 400;
const silentDays = 180;

/** Bounds the locks of a statement. */
const perStep = 2_000;

async function inSteps(step: (at: Step) => Promise<(Aged & { checked: number }) | undefined>): Promise<void> {
  let after: Aged | null = null;
  for (;;) {
    const last = await step({ after, limit: perStep });
    if (!last || last.checked < perStep) return;
    after = last;
  }
}

const daysBefore = (now: Date, days: number) => subtractMs(now, days * dayMs);

/** Deletes old notices daily, and devices inactive for half a year (ADR 95). */
export async function purgeOldNotices({ db, clock }: Parts): Promise<void> {
  const now = clock.now();
  const old = { readBefore: daysBefore(now, readDays), before: daysBefore(now, allDays) };
  await inSteps((at) => deleteOldNotices(db, { ...old, ...at }));
  await deleteSilentDevices(db, daysBefore(now, silentDays));
}

/** Ends requests that can never be pending again, daily, so that the list of pending ones stays short (ADR 16). */
export async function expireAnsweredRequests({ db, clock }: Parts): Promise<void> {
  const now = clock.now();
  await inSteps((at) => expireAnswered(db, { before: daysBefore(now, 1), now, ...at }));
}

type Aged = { id: string; createdAt: Date };
type Step = { after: Aged | null; limit: number };

const isAfter = (after: Aged | null) =>
  after ? sql`and (created_at, id) > (${after.createdAt}, ${after.id}::uuid)` : sql``;

/**
 * Deletes a batch of old read notices and all very old ones.
 * @returns the last one checked and the number
 */
async function deleteOldNotices(
  db: Db,
  { readBefore, before, after, limit }: Step & { readBefore: Date; before: Date },
): Promise<(Aged & { checked: number }) | undefined> {
  const { rows } = await sql<Aged & { checked: number }>`
    with batch as (
      select id, created_at, created_at < ${before} or read_at is not null as over from notifications
      where created_at < ${readBefore} ${isAfter(after)} order by created_at, id limit ${limit}
    ), deleted as (
      delete from notifications using batch where notifications.id = batch.id and batch.over
    )
    select id, created_at, (count(*) over ())::integer as checked from batch order by created_at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/**
 * Skips a notice while a delivery is pending, its own or an older one's that it repeats.
 * @returns the last one checked and how many were checked
 */
async function expireAnswered(
  db: Db,
  { before, now, after, limit }: Step & { before: Date; now: Date },
): Promise<(Aged & { checked: number }) | undefined> {
  const { rows } = await sql<Aged & { checked: number }>`
    with batch as (
      select id, created_at from notifications where asks and created_at < ${before} ${isAfter(after)}
        order by created_at, id limit ${limit}
    ), expired as (
      update notifications set asks = false from batch where notifications.id = batch.id and ${isAnswered(now)}
        and not exists (select from notifications about
          join notification_deliveries way on way.notification_id = about.id and way.state = 'queued'
          where about.account_id = notifications.account_id and about.asks and about.path = notifications.path
            and about.topic = notifications.topic and about.created_at <= notifications.created_at)
    )
    select id, created_at, (count(*) over ())::integer as checked from batch order by created_at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

const itemsMax = 50;

/** Sends one account's daily mail. A repeat has the same Message-ID. */
async function sendDigest(scope: TaskScope, accountId: string): Promise<void> {
  const { db, clock, config, mailer } = scope;
  const now = clock.now();
  const waiting = await listDaily(db, accountId, now);
  const first = waiting[0];
  if (!first) return;
  const reader = (
    await readersOf(
      db,
      [accountId],
      waiting.map(({ topic }) => topic),
      now,
    )
  ).get(accountId);
  if (!reader) return;
  const remaining: Delivery[] = [];
  for (const delivery of waiting) {
    const reason = reasonAgainst(delivery, reader, now);
    if (reason === null) remaining.push(delivery);
    else await endDeliveries(db, [delivery.id], { state: 'suppressed', reason }, now);
  }
  if (remaining.length === 0) return;
  const ids = remaining.map(({ id }) => id);
  const items = remaining.slice(0, itemsMax).flatMap((delivery) => {
    const words = topicTexts(
      delivery.topic,
      delivery.data as NoticeData,
      noticeFormat(reader.clock, languageOf(reader)),
    );
    return words
      ? [
          {
            text: words.title,
            detail: words.text,
            url: `${config.PUBLIC_URL}${delivery.path}`,
          },
        ]
      : [];
  });
  const more = remaining.length - items.length;
  try {
    await mailer.send(
      composeMail(reader.email, `digest-${accountId}-${first.dueAt.getTime()}`, {
        subject:
          remaining.length === 1
            ? (items[0]?.text ?? phrase('Your day on Nearhand'))
            : phrase(
                '{count, plural, one {# new notification on Nearhand} other {# new notifications on Nearhand}}',
                {
                  count: remaining.length,
                },
              ),
        heading: phrase('New since yesterday'),
        paragraphs: [],
        items,
        rest: more > 0 ? phrase('And {more} more in the app.', { more }) : undefined,
        action: { label: phrase('View notifications'), url: `${config.PUBLIC_URL}/notifications` },
        footnote: phrase(
          "You're receiving this once a day because you chose a daily email in your settings.",
        ),
        unsubscribe: {
          label: phrase('Unsubscribe from the daily email'),
          url: unsubscribeUrl(scope, accountId, 'daily'),
        },
      }).in(languageOf(reader)),
    );
  } catch (error) {
    if (error instanceof MailUnconfirmedError) {
      // Deliveries left queued would keep the key of tomorrow's mail.
      scope.log.error({ err: error }, 'a daily mail was given up');
      return endDeliveries(db, ids, { state: 'failed', reason: 'gave-up', tried: true }, now);
    }
    // The queue retries anything else, and leftovers are in the next day's mail.
    if (!(error instanceof MailRefusedError)) throw error;
    await recordRefusal(scope, accountId, reader.email, error);
    return endDeliveries(db, ids, { state: 'failed', reason: 'email-refused', tried: true }, now);
  }
  await endDeliveries(db, ids, { state: 'sent', reason: null, tried: true }, now);
}

/** The reason not to send a delivery in the daily mail, or null. Quiet hours were considered when it was planned. */
function reasonAgainst(delivery: Delivery, row: ReaderRow, now: Date): string | null {
  const topic = knownTopic(delivery.topic);
  if (!topic) return 'gave-up';
  const reader = readerOf(row, delivery.topic, null);
  const decision = recheckWay(
    topic,
    { ...reader, quiet: { ...reader.quiet, on: false } },
    { channel: 'email', deviceId: null },
    { seen: delivery.readAt !== null, over: delivery.over },
    now,
  );
  return typeof decision === 'string' && decision !== 'send' ? decision : null;
}

/** `insertNotices` enqueues the first two with the notice. */
export const notificationsTasks = [
  deliverNoticeTask,
  defineTask({
    ...digestTask,
    queue: 'messages',
    run: (scope, { accountId }) => sendDigest(scope, accountId),
  }),
  defineTask({
    name: 'notifications.forget-old',
    payload: z.object({}),
    daily: true,
    run: (scope) => purgeOldNotices(scope),
  }),
  defineTask({
    name: 'notifications.expire-answered',
    payload: z.object({}),
    daily: true,
    run: (scope) => expireAnsweredRequests(scope),
  }),
];
