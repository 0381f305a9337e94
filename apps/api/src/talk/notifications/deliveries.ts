import { addMs, minuteMs } from '@nearhand/contract/durations';
import { cutText, type NoticeData } from '@nearhand/contract/talk/topics/notice-facts';
import type { Topic } from '@nearhand/contract/talk/topics/topic';
import { mailTexts, topicTexts } from '@nearhand/contract/talk/topics/topic-texts';
import { knownTopic } from '@nearhand/contract/talk/topics/topics';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { MailRefusedError, MailUnconfirmedError } from '../../platform/mail/mail.ts';
import { composeMail, phrase } from '../../platform/mail/mail-layout.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import type { PushOutcome, PushPace } from '../../platform/push/push-port.ts';
import { sha256 } from '../../platform/sign.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { findPushDevice } from '../devices/devices.ts';
import {
  languageOf,
  type ReaderRow,
  readerOf,
  readersOf,
} from '../notification-settings/notification-settings.ts';
import { unsubscribeUrl } from '../notification-settings/unsubscribe.page.ts';
import { noticeFormat } from './notice-format.ts';
import { type DeliveryReason, recheckWay, retryMinutes, triesMax } from './notifications.rules.ts';
import { deliverTaskName, digestTaskName } from './notifications.sql.ts';
import { isObsolete } from './waiting.sql.ts';

/** The maximum difference between the queue's clock and ours. */
const slackMs = minuteMs;

/** Delivers one notice by one channel, if it is still due. A repeat after a crash has the same Message-ID or tag. */
async function deliver(scope: TaskScope, deliveryId: string): Promise<void> {
  const now = scope.clock.now();
  const delivery = await findDelivery(scope.db, deliveryId, now);
  if (delivery?.state !== 'queued' || delivery.daily) return;
  if (delivery.dueAt.getTime() - now.getTime() > slackMs)
    return putOffUntil(scope, delivery, {
      dueAt: delivery.dueAt,
      reason: delivery.reason ?? '',
      tried: false,
    });
  const topic = knownTopic(delivery.topic);
  const row = (await readersOf(scope.db, [delivery.accountId], [delivery.topic], now)).get(
    delivery.accountId,
  );
  if (!topic || !row) return endDelivery(scope, delivery, topic, { state: 'suppressed', reason: 'gave-up' });
  const way = { channel: delivery.channel, deviceId: delivery.deviceId };
  const decision = recheckWay(
    topic,
    readerOf(row, delivery.topic, delivery.groupKey),
    way,
    { seen: delivery.readAt !== null, over: delivery.over },
    now,
  );
  if (decision instanceof Date)
    return putOffUntil(scope, delivery, { dueAt: decision, reason: 'quiet-hours', tried: false });
  if (decision !== 'send')
    return endDelivery(scope, delivery, topic, { state: 'suppressed', reason: decision });
  if (way.channel === 'push') await pushNotice(scope, delivery, topic, row);
  else await mailNotice(scope, delivery, topic, row);
}

async function mailNotice(
  scope: TaskScope,
  delivery: Delivery,
  topic: Topic,
  reader: ReaderRow,
): Promise<void> {
  const address = reader.email;
  const texts = mailTexts(
    delivery.topic,
    delivery.data as NoticeData,
    noticeFormat(reader.clock, languageOf(reader)),
  );
  if (!texts) return endDelivery(scope, delivery, topic, { state: 'suppressed', reason: 'gave-up' });
  const { action, why, ...words } = texts;
  const canLeave = !topic.locked?.includes('email');
  try {
    await scope.mailer.send(
      composeMail(address, `notification-${delivery.notificationId}`, {
        ...words,
        action: { label: action, url: `${scope.config.PUBLIC_URL}${delivery.path}` },
        footnote: why,
        ...replyToOf(delivery),
        ...(canLeave
          ? {
              unsubscribe: {
                label: phrase('Unsubscribe from mail like this'),
                url: unsubscribeUrl(scope, delivery.accountId, topic.group),
              },
            }
          : {}),
      }).in(languageOf(reader)),
    );
  } catch (error) {
    if (error instanceof MailUnconfirmedError) {
      scope.log.error({ err: error }, 'a notification was given up');
      return endDelivery(scope, delivery, topic, { state: 'failed', reason: 'gave-up' });
    }
    if (!(error instanceof MailRefusedError)) return retryDelivery(scope, delivery, topic, error, null);
    await recordRefusal(scope, delivery.accountId, address, error);
    return endDelivery(scope, delivery, topic, { state: 'failed', reason: 'email-refused' });
  }
  await endDelivery(scope, delivery, topic, { state: 'sent', reason: null });
}

function replyToOf({ data }: Delivery): { replyTo?: string } {
  const { replyTo } = data as NoticeData;
  return typeof replyTo === 'string' ? { replyTo } : {};
}

/** Stops mail to an address that its server rejected, until it is confirmed again. */
export async function recordRefusal(
  scope: TaskScope,
  accountId: string,
  address: string,
  error: MailRefusedError,
): Promise<void> {
  scope.log.info({ accountId }, 'a mail server rejected an address');
  const answer = cutText(error.message.replace(/\p{Cc}+/gu, ' '), 500);
  await scope.db
    .transaction()
    .execute((tx) => insertRefusal(tx, { accountId, address, answer }, scope.clock.now()));
}

async function pushNotice(
  scope: TaskScope,
  delivery: Delivery,
  topic: Topic,
  reader: ReaderRow,
): Promise<void> {
  const { db, clock } = scope;
  const texts = topicTexts(
    delivery.topic,
    delivery.data as NoticeData,
    noticeFormat(reader.clock, languageOf(reader)),
  );
  if (!texts) return endDelivery(scope, delivery, topic, { state: 'suppressed', reason: 'gave-up' });
  const device = await findPushDevice(db, delivery.deviceId ?? '');
  if (!device) return endDelivery(scope, delivery, topic, { state: 'suppressed', reason: 'device-gone' });
  const outcome: PushOutcome = (await scope.push?.send(
    device.target,
    {
      title: cutText(texts.title, 120),
      body: cutText(texts.text, 240),
      path: delivery.path,
      tag: tagOf(delivery.groupKey ?? delivery.notificationId),
      notificationId: delivery.notificationId,
    },
    paceOfPush(topic),
  )) ?? { outcome: 'not-set-up' };
  switch (outcome.outcome) {
    case 'sent':
      await device.used(clock.now());
      return endDelivery(scope, delivery, topic, { state: 'sent', reason: null });
    case 'gone':
      await device.remove();
      return endDelivery(scope, delivery, topic, { state: 'failed', reason: 'device-gone' });
    case 'not-set-up':
      return endDelivery(scope, delivery, topic, { state: 'failed', reason: 'not-set-up' });
    case 'refused':
      scope.log.error({ why: outcome.why, kind: device.kind }, 'a push service refused a push');
      return endDelivery(scope, delivery, topic, { state: 'failed', reason: 'gave-up' });
    case 'later':
      return retryDelivery(scope, delivery, topic, new Error(outcome.why), outcome.afterSeconds);
  }
}

/** A collapse key of at most 32 characters, the limit of push services. */
const tagOf = (group: string): string => sha256(group).slice(0, 32);

const hourSeconds = 3_600;
const paceOfPush = ({ urgent, group }: Topic): PushPace => {
  if (urgent) return { ttlSeconds: 4 * hourSeconds, urgency: 'high' };
  if (group === 'messages') return { ttlSeconds: 24 * hourSeconds, urgency: 'high' };
  return { ttlSeconds: 72 * hourSeconds, urgency: group === 'jobs' ? 'low' : 'normal' };
};

/** Retries a delivery later, by our clock; after the last attempt it has failed. */
async function retryDelivery(
  scope: TaskScope,
  delivery: Delivery,
  topic: Topic,
  error: unknown,
  afterSeconds: number | null,
): Promise<void> {
  const { code, responseCode, message } = error as { code?: string; responseCode?: number; message: string };
  const reason = code === undefined ? message : [code, responseCode].filter(Boolean).join(' ');
  scope.log.warn(
    { why: reason, channel: delivery.channel, attempts: delivery.attempts + 1 },
    'a notification was not sent',
  );
  if (delivery.attempts + 1 >= triesMax)
    return endDelivery(scope, delivery, topic, { state: 'failed', reason: 'gave-up' });
  const waitMs = Math.max(retryMinutes(delivery.attempts + 1) * minuteMs, (afterSeconds ?? 0) * 1_000);
  const dueAt = addMs(scope.clock.now(), waitMs);
  await putOffUntil(scope, delivery, { dueAt, reason: cutText(reason, 200), tried: true });
}

async function putOffUntil(
  scope: TaskScope,
  delivery: Delivery,
  options: { dueAt: Date; reason: string; tried: boolean },
): Promise<void> {
  await scope.db.transaction().execute(async (tx) => {
    await putOffDelivery(tx, delivery.id, options);
    await enqueue(
      tx,
      deliverNoticeTask,
      { deliveryId: delivery.id },
      { runAt: options.dueAt, key: deliverKey(delivery.id) },
    );
  });
}

/** Ends a delivery. If a push failed, the mail it replaced is sent now. */
async function endDelivery(
  scope: TaskScope,
  delivery: Delivery,
  topic: Topic | undefined,
  { state, reason }: { state: 'sent' | 'suppressed' | 'failed'; reason: DeliveryReason | null },
): Promise<void> {
  const now = scope.clock.now();
  const isLost = delivery.channel === 'push' && (state === 'failed' || reason === 'device-gone');
  const ending = { state, reason, tried: state !== 'suppressed' };
  if (!isLost || topic?.group === 'messages') return endDeliveries(scope.db, [delivery.id], ending, now);
  await scope.db.transaction().execute(async (tx) => {
    await endDeliveries(tx, [delivery.id], ending, now);
    const promoted = await promoteMail(tx, delivery.notificationId, now);
    if (promoted !== undefined)
      await enqueue(tx, deliverNoticeTask, { deliveryId: promoted }, { key: deliverKey(promoted) });
  });
}

export const deliverNoticeTask = defineTask({
  name: deliverTaskName,
  payload: z.object({ deliveryId: z.uuid() }),
  queue: 'messages',
  run: (scope, { deliveryId }) => deliver(scope, deliveryId),
});
/** The key must match the one that `insertNotices` writes. */
const deliverKey = (deliveryId: string): string => `${deliverTaskName}/${deliveryId}`;
export const digestTask = { name: digestTaskName, payload: z.object({ accountId: z.uuid() }) };

export type Delivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;

const queryDeliveries = (db: Db, now: Date) =>
  db
    .selectFrom('notification_deliveries as delivery')
    .innerJoin('notifications', 'notifications.id', 'delivery.notificationId')
    .select([
      'delivery.id',
      'notificationId',
      'delivery.accountId',
      'channel',
      'deviceId',
      'state',
      'reason',
      'dueAt',
      'daily',
      'attempts',
      'topic',
      'data',
      'path',
      'groupKey',
      'readAt',
    ])
    .select(isObsolete(now).as('over'));

export const findDelivery = (db: Db, id: string, now: Date) =>
  queryDeliveries(db, now).modifyFront(keptPlan).where('delivery.id', '=', id).executeTakeFirst();

/** Deliveries due for an account's daily digest, newest first. */
export const listDaily = (db: Db, accountId: string, now: Date) =>
  queryDeliveries(db, now)
    .where('delivery.accountId', '=', accountId)
    .where('state', '=', 'queued')
    .where('daily', '=', true)
    .where('dueAt', '<=', now)
    .orderBy('notifications.createdAt', 'desc')
    .orderBy('delivery.id', 'desc')
    .limit(500)
    .execute();

/** Sets the final state; deliveries that already have one stay as they are. */
export async function endDeliveries(
  db: Db,
  ids: readonly string[],
  end: { state: 'sent' | 'suppressed' | 'failed'; reason: string | null; tried?: boolean },
  now: Date,
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('notification_deliveries')
    .set((eb) => ({
      state: end.state,
      reason: end.reason,
      doneAt: now,
      attempts: eb('attempts', '+', end.tried ? 1 : 0),
    }))
    .where('id', 'in', ids)
    .where('state', '=', 'queued')
    .execute();
}

async function putOffDelivery(
  tx: Tx,
  id: string,
  options: { dueAt: Date; reason: string; tried: boolean },
): Promise<void> {
  await tx
    .updateTable('notification_deliveries')
    .set((eb) => ({
      dueAt: options.dueAt,
      reason: options.reason,
      attempts: eb('attempts', '+', options.tried ? 1 : 0),
    }))
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute();
}

/**
 * Releases the mail that a push replaced, if no push is pending or delivered.
 * @returns the delivery's id, or nothing
 */
async function promoteMail(tx: Tx, notificationId: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`update notification_deliveries mail
    set state = 'queued', reason = null, due_at = ${now}, done_at = null
    where notification_id = ${notificationId} and channel = 'email' and not daily
      and ((state = 'suppressed' and reason = 'pushed') or (state = 'queued' and reason = 'unless-seen'))
      and not exists (select from notification_deliveries push where push.notification_id = mail.notification_id
        and push.channel = 'push' and push.state in ('queued', 'sent'))
    returning id`.execute(tx);
  return rows[0]?.id;
}

/** The refusal applies as long as the account has the address. */
async function insertRefusal(
  tx: Tx,
  refusal: { accountId: string; address: string; answer: string },
  now: Date,
): Promise<void> {
  const row = { address: refusal.address, answer: refusal.answer, refusedAt: now };
  await tx
    .insertInto('notification_refusals')
    .values({ accountId: refusal.accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}

/** Returns whether the mail server refused the account's current address for good. */
export async function isAddressRefused(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('notification_refusals')
    .innerJoin('accounts', (join) =>
      join
        .onRef('accounts.id', '=', 'notification_refusals.accountId')
        .onRef('accounts.email', '=', 'notification_refusals.address'),
    )
    .select('accounts.id')
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Someone who follows a mailed link reads that mailbox, so mail is resumed. */
export async function confirmAddress(db: Db, address: string): Promise<void> {
  await db.deleteFrom('notification_refusals').where('address', '=', address.toLowerCase()).execute();
}
