import { countedWithMessages, type NotificationTopic } from '@nearhand/contract/talk/notification-topics';
import type { Notification } from '@nearhand/contract/talk/notifications';
import { sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { anyOf, keptPlan } from '../../platform/prepared-statements.ts';
import { atOnce, attemptLimit } from '../../platform/tasks/tasks.ts';
import { isHandledDecline, isWaiting } from './waiting.sql.ts';

export const deliverTaskName = 'notifications.deliver';
export const digestTaskName = 'notifications.digest';

export type NoticeRow = {
  id: string;
  accountId: string;
  topic: NotificationTopic;
  data: Partial<Notification['data']>;
  path: string;
  dedupeKey: string;
  groupKey: string | null;
  hidden: boolean;
  asks: boolean;
  asksUntil: Date | null;
};

/** Account and key identify the notice. */
export type WayRow = {
  id: string;
  accountId: string;
  dedupeKey: string;
  channel: string;
  deviceId: string | null;
  state: string;
  reason: string | null;
  dueAt: Date;
  daily: boolean;
};

/**
 * Writes notices, deliveries and tasks in one statement. A known dedupe key is dropped. With
 * `replaces` the group's unread notice is updated; once mailed, it is not mailed again until read.
 */
export async function insertNotices(
  tx: Tx,
  rows: readonly NoticeRow[],
  ways: readonly WayRow[],
  replaces: boolean,
  now: Date,
): Promise<void> {
  const source = sql`select id, account_id, topic, data, path, dedupe_key, group_key, ${replaces}::boolean, hidden,
    asks, asks_until, ${now}::timestamptz
    from jsonb_to_recordset(${asRecords(rows)}::jsonb) as input (id uuid, account_id uuid, topic text, data jsonb, path text,
      dedupe_key text, group_key text, hidden boolean, asks boolean, asks_until timestamptz)`;
  const insertion = replaces
    ? sql`${source} where not exists (select from notifications earlier
          where earlier.account_id = input.account_id and earlier.dedupe_key = input.dedupe_key)
        on conflict (account_id, group_key) where replaceable and read_at is null do update set
          data = excluded.data || jsonb_build_object('count', coalesce((notifications.data ->> 'count')::integer, 1) + 1),
          topic = excluded.topic, path = excluded.path, dedupe_key = excluded.dedupe_key, hidden = excluded.hidden,
          created_at = excluded.created_at`
    : sql`${source} on conflict (account_id, dedupe_key) do nothing`;
  const deliveries = sql`select add_task(${deliverTaskName}, json_build_object('deliveryId', id),
      case when due_at <= ${now}::timestamptz then ${atOnce}::timestamptz else due_at end,
      ${deliverTaskName} || '/' || id, ${attemptLimit}::integer)::text
    from ways where state = 'queued' and not daily`;
  const digests = sql`select add_task(${digestTaskName}, json_build_object('accountId', account_id), due_at,
      ${digestTaskName} || '/' || account_id || '/' || extract(epoch from due_at)::bigint, ${attemptLimit}::integer)::text
    from (select distinct account_id, due_at from ways where state = 'queued' and daily) as digests`;
  // A kind of task takes PostgreSQL time to prepare for. A replaced notice may have any.
  const tasks =
    replaces || ways.some(({ state, daily }) => state === 'queued' && daily)
      ? [deliveries, digests]
      : [deliveries];
  await sql`${keptPlan} with inserted as (
      insert into notifications
        (id, account_id, topic, data, path, dedupe_key, group_key, replaceable, hidden, asks, asks_until, created_at)
      ${insertion} returning id, account_id, dedupe_key
    ), ways as (
      insert into notification_deliveries
        (id, notification_id, account_id, channel, device_id, state, reason, due_at, daily, created_at, done_at)
      select way.id, inserted.id, account_id, channel, device_id, state, reason, due_at, daily, ${now}::timestamptz,
        case when state = 'suppressed' then ${now}::timestamptz end
      from jsonb_to_recordset(${asRecords(ways)}::jsonb) as way (id uuid, account_id uuid, dedupe_key text, channel text,
        device_id uuid, state text, reason text, due_at timestamptz, daily boolean)
      join inserted using (account_id, dedupe_key)
      on conflict (notification_id, channel, device_id) do update set state = excluded.state, reason = excluded.reason,
          due_at = excluded.due_at, daily = excluded.daily, done_at = excluded.done_at, attempts = 0
        where notification_deliveries.channel = 'push' or notification_deliveries.state = 'suppressed'
      returning id, account_id, state, daily, due_at
    )
    ${sql.join(tasks, sql` union all `)}`.execute(tx);
}

const inboxOf = (db: Db, accountId: string) =>
  db
    .selectFrom('notifications')
    .select(['id', 'topic', 'data', 'path', 'createdAt', 'readAt', 'groupKey', 'asks'])
    .where('accountId', '=', accountId)
    .where('hidden', '=', false);

type Place = readonly [string, string];
type NoticePage = { after: Place | null; limit: number };

const inboxPage = (db: Db, accountId: string, { after, limit }: NoticePage) =>
  inboxOf(db, accountId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);

type PlainRow = Awaited<ReturnType<ReturnType<typeof inboxPage>['execute']>>[number];
export type InboxRow = PlainRow & { waiting: boolean };

/**
 * Queried separately and planned once per connection (ADR 116). Without `offset 0` a plan made while few
 * notices request an action would test all of them, and stay cached as they grow.
 */
async function withWaiting(db: Db, rows: readonly PlainRow[], now: Date): Promise<InboxRow[]> {
  const asking = rows.filter(({ asks }) => asks).map(({ id }) => id);
  const { rows: waitingRows } =
    asking.length === 0
      ? { rows: [] }
      : await sql<{ id: string }>`${keptPlan} select id
          from (select * from notifications where id = ${anyOf(asking)} offset 0) notifications
          where ${isWaiting(now)}`.execute(db);
  const waiting = new Set(waitingRows.map(({ id }) => id));
  return rows.map((row) => ({ ...row, waiting: waiting.has(row.id) }));
}

export const listNotices = async (
  db: Db,
  accountId: string,
  { now, ...page }: NoticePage & { now: Date },
): Promise<InboxRow[]> => withWaiting(db, await inboxPage(db, accountId, page).execute(), now);

/** Notices checked at first, then four times as many: most people have fewer, and nearly all old ones are done. */
const askingAtFirst = 100;

/** Lists notices that still request an action. It reads in growing batches, since most requests are done. */
export async function listWaiting(
  db: Db,
  accountId: string,
  { now, after, limit }: NoticePage & { now: Date },
): Promise<InboxRow[]> {
  const waiting: InboxRow[] = [];
  let from = after;
  for (let size = askingAtFirst; ; size *= 4) {
    const asking = await inboxPage(db, accountId, { after: from, limit: size })
      .where('asks', '=', true)
      .execute();
    waiting.push(...(await withWaiting(db, asking, now)).filter((row) => row.waiting));
    const last = asking.at(-1);
    if (waiting.length >= limit || last === undefined || asking.length < size) return waiting.slice(0, limit);
    from = [last.createdAt.toISOString(), last.id];
  }
}

export async function findNotice(
  db: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<InboxRow | undefined> {
  const rows = await inboxOf(db, accountId).where('id', '=', id).execute();
  return (await withWaiting(db, rows, now))[0];
}

/** Excludes messages, which are counted with their conversations (ADR 16). */
export async function countUnread(db: Db, accountId: string): Promise<number> {
  const { count, declines } = await db
    .selectFrom('notifications')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.countAll<number>().filterWhere('topic', '=', 'payment-failed').as('declines'),
    ])
    .where('accountId', '=', accountId)
    .where('readAt', 'is', null)
    .where('hidden', '=', false)
    .where('topic', '<>', countedWithMessages)
    .executeTakeFirstOrThrow();
  if (declines === 0) return count;
  // Planned only for the few accounts that have such notices (ADR 116).
  const { rows } = await sql<{
    settled: number;
  }>`${keptPlan} select count(*)::int as settled from notifications
    where account_id = ${accountId} and read_at is null and not hidden and ${isHandledDecline}`.execute(db);
  return count - (rows[0]?.settled ?? 0);
}

/**
 * Ids of other accounts are ignored.
 * @returns whether any was unread
 */
export async function markRead(
  tx: Tx,
  accountId: string,
  selection: { ids: 'all' | readonly string[] } | { group: string },
  now: Date,
): Promise<boolean> {
  let update = tx
    .updateTable('notifications')
    .set({ readAt: now })
    .where('accountId', '=', accountId)
    .where('readAt', 'is', null);
  // There is at most one: a new notice of such a group replaces the unread one.
  if ('group' in selection)
    update = update.where('groupKey', '=', selection.group).where('replaceable', '=', true);
  else {
    // Notices outside the inbox stay unread.
    update = update.where('hidden', '=', false);
    if (selection.ids !== 'all') update = update.where('id', 'in', selection.ids);
  }
  const { numUpdatedRows } = await update.executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Marks a notice as opened, with earlier notices of its group, which is shown as one.
 * @returns whether the notice exists
 */
export async function markOpened(tx: Tx, accountId: string, id: string, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with followed as (
      select id, group_key, created_at from notifications where account_id = ${accountId} and id = ${id} and not hidden
    )
    update notifications set read_at = coalesce(read_at, ${now}), opened_at = coalesce(opened_at, ${now})
    where id in (select id from followed union all
      select together.id from followed join notifications together on together.account_id = ${accountId} and not together.hidden
        and together.group_key = followed.group_key and together.created_at <= followed.created_at and together.opened_at is null)`.execute(
    tx,
  );
  return (numAffectedRows ?? 0n) > 0n;
}

export async function countSince(db: Db, accountId: string, topic: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('topic', '=', topic)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Removes a deleted account's notices, and its name from others'. Call it before its memberships are deleted. */
export async function eraseNotices(tx: Tx, member: FormerMember): Promise<void> {
  await tx.deleteFrom('notifications').where('accountId', '=', member.accountId).execute();
  await sql`delete from notification_refusals where account_id = ${member.accountId}`.execute(tx);
  await sql`update notifications notice set data = ${withoutWords('notice.data', member)}
    where notice.account_id in (
        select colleague.account_id from business_members colleague where colleague.business_id in (
          select business_id from applications where worker_id = ${member.accountId}
          union select business_id from engagements where worker_id = ${member.accountId}
          union select business_id from conversations where worker_id = ${member.accountId}
          union select business_id from business_members where account_id = ${member.accountId})
        union select worker_id from applications where business_id in (
          select business_id from business_members where account_id = ${member.accountId})
        union select account_id from operators)
      and exists (select from unnest(${[...member.words]}::text[]) word
        where strpos(lower(notice.data::text), lower(word)) > 0)`.execute(tx);
}
