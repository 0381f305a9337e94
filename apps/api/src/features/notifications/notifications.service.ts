import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { composeMail } from '../../platform/mail-layout.ts';
import type { TaskScope } from '../../platform/tasks.ts';
import type { NoticeData } from './notice-text.ts';
import { countUnread, findForMail, insertNotices, listNotices, markRead } from './notifications.sql.ts';
import { noticeMail } from './notifications.words.ts';

export const mailTaskName = 'notifications.mail';

/**
 * One thing to tell one account. `dedupeKey` names the event: told once per account however often the code runs. `path` leads into the app and
 * starts with a slash.
 */
export type Notice = {
  accountId: string;
  topic: NotificationTopic;
  data: NoticeData;
  path: string;
  dedupeKey: string;
};

/** For other slices: tells an account something in the app and by mail, both in the transaction of what happened (product.md, Notification). */
export async function notify(tx: Tx, scope: Pick<Scope, 'clock'>, notice: Notice): Promise<void> {
  await notifyAll(tx, scope, [notice]);
}

/** For other slices: the same for many at once, in one statement. */
export async function notifyAll(
  tx: Tx,
  scope: Pick<Scope, 'clock'> & Partial<Pick<Scope, 'unmailed'>>,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return;
  const now = scope.clock.now();
  const rows = notices.map((notice) => ({
    id: newId(now),
    account_id: notice.accountId,
    topic: notice.topic,
    data: notice.data,
    path: notice.path,
    dedupe_key: notice.dedupeKey,
  }));
  await insertNotices(tx, rows, scope.unmailed ? null : mailTaskName, now);
}

/**
 * The caller's inbox, newest first, with how many are unread in all.
 * @throws request/bad-cursor
 */
export async function listNotifications(db: Db, scope: Scope, input: { cursor?: string; limit: number }) {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await listNotices(db, scope.actor.accountId, after, input.limit + 1);
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.created_at.toISOString(), row.id]);
  return {
    items: items.map(
      (row): Notification => ({
        id: row.id,
        topic: row.topic as NotificationTopic,
        data: row.data as NoticeData,
        path: row.path,
        createdAt: row.created_at.toISOString(),
        readAt: row.read_at?.toISOString() ?? null,
        group: row.group_key,
        waiting: row.waiting,
      }),
    ),
    nextCursor,
    unread: await countUnread(db, scope.actor.accountId),
  };
}

/** Marks some or all of the caller's notices as read; ids that are not theirs change nothing. */
export async function readNotifications(tx: Tx, scope: Scope, input: { ids: 'all' | string[] }) {
  await markRead(tx, scope.actor.accountId, input.ids, scope.clock.now());
  return { unread: await countUnread(tx, scope.actor.accountId) };
}

/** For the runner: mails one notice. Run twice it sends the same mail under the same key, which the receiving side keeps once. */
export async function mailNotification(scope: TaskScope, notificationId: string): Promise<void> {
  const notice = await findForMail(scope.db, notificationId);
  if (!notice) return;
  const words = noticeMail(notice.topic as NotificationTopic, notice.data as NoticeData);
  if (!words) return;
  const { action, why, ...rest } = words;
  await scope.mailer.send(
    composeMail(notice.email, `notification-${notice.id}`, {
      ...rest,
      action: { label: action, url: `${scope.config.PUBLIC_URL}${notice.path}` },
      footnote: why,
    }),
  );
}
