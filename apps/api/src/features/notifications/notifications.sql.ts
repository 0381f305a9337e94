import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { atOnce } from '../../platform/tasks.ts';

export type NoticeRow = {
  id: string;
  account_id: string;
  topic: NotificationTopic;
  data: Notification['data'];
  path: string;
  dedupe_key: string;
};

/**
 * Writes notices and enqueues the mail of each that is new, in one statement: told and to be mailed, or neither. A notice whose dedupe key is
 * known for its account is dropped in silence. Without a mail task it is told in the app alone.
 */
export async function insertNotices(
  tx: Tx,
  rows: readonly NoticeRow[],
  mailTask: string | null,
  now: Date,
): Promise<void> {
  const inserted = sql`insert into notifications (id, account_id, topic, data, path, dedupe_key, created_at)
      select id, account_id, topic, data, path, dedupe_key, ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as given (id uuid, account_id uuid, topic text, data jsonb, path text, dedupe_key text)
      on conflict (account_id, dedupe_key) do nothing`;
  if (mailTask === null) {
    await inserted.execute(tx);
    return;
  }
  await sql`with inserted as (${inserted} returning id)
    select graphile_worker.add_job(${mailTask}, payload => json_build_object('notificationId', id),
      run_at => ${atOnce}::timestamptz, job_key => ${mailTask} || '/' || id, max_attempts => 12) from inserted`.execute(
    tx,
  );
}

export async function listNotices(
  db: Db,
  accountId: string,
  after: readonly [string, string] | null,
  limit: number,
) {
  let query = db
    .selectFrom('notifications')
    .select(['id', 'topic', 'data', 'path', 'created_at', 'read_at', 'group_key'])
    .select(sql<boolean>`asks and opened_at is null`.as('waiting'))
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after)
    query = query.where(sql<boolean>`(created_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`);
  return query.execute();
}

export async function countUnread(db: Db, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Ids of other accounts are passed over: they are nobody's business here. */
export async function markRead(
  tx: Tx,
  accountId: string,
  ids: 'all' | readonly string[],
  now: Date,
): Promise<void> {
  let update = tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null);
  if (ids !== 'all') update = update.where('id', 'in', ids);
  await update.execute();
}

/** A notice with the address it is mailed to; nobody where the account is disabled or its address was never confirmed. */
export async function findForMail(db: Db, notificationId: string) {
  return db
    .selectFrom('notifications')
    .innerJoin('accounts', 'accounts.id', 'notifications.account_id')
    .select(['notifications.id', 'topic', 'data', 'path', 'accounts.email'])
    .where('notifications.id', '=', notificationId)
    .where('accounts.email_verified', '=', true)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
}
