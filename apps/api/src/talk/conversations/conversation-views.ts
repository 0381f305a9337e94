import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { talkLimits } from '@nearhand/contract/talk/limits';
import type { Message } from '@nearhand/contract/talk/messages';
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { isInBranchesOf, recruiters } from '../../platform/members/job-members.ts';
import { anyOf, keptPlan } from '../../platform/prepared-statements.ts';
import { blockedByFor, readOnlyAt, readSeqShown, repliesInMinutes, stateOf } from './conversations.rules.ts';
import { type PartRow, partColumns, roleOf, workBehind } from './conversations.sql.ts';
import { accessIn } from './conversations.ts';
import {
  findLast,
  findMatching,
  findNewest,
  furthestPosition,
  type MessageRow,
  toMessage,
} from './message-views.ts';

const pathOf = (fileId: string | null): string | null => fileId && fileContentPath(fileId);

function toConversation(row: ConversationRow, accountId: string, now: Date): Omit<Conversation, 'last'> {
  const access = accessIn(accountId, row);
  // Presence is hidden both ways across a block.
  const apart = access.blockedBy.length > 0;
  const theirReadSeq = readSeqShown(row.showsRead, row.theirRead);
  return {
    ...row,
    state: stateOf(access, now),
    blockedBy: blockedByFor(access.side, access.blockedBy),
    readOnlyAt: readOnlyAt(access.endedAt)?.toISOString() ?? null,
    side: access.side,
    job: {
      id: row.jobId,
      title: row.title,
      startsAt: row.startsAt?.toISOString() ?? null,
      timeZone: row.timeZone,
    },
    business: { id: row.businessId, name: row.businessName, logoPath: pathOf(row.logoFileId) },
    worker: { id: row.workerId, name: row.workerName, photoPath: pathOf(row.workerPhoto) },
    hired: row.engagementId !== null,
    theirs: { deliveredSeq: apart ? (theirReadSeq ?? 0) : row.theirDelivered, readSeq: theirReadSeq },
    lastSeenAt: apart ? null : (row.seenAt?.toISOString() ?? null),
    online: row.online && !apart,
    repliesInMinutes: repliesInMinutes(row.waits),
    lastAt: row.lastAt.toISOString(),
  };
}

/** Conversations that the caller has no part in are left out. */
async function viewConversations(db: Db, scope: Scope, ids: readonly string[], search?: string) {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const rows = new Map((await findConversations(db, accountId, ids, now)).map((row) => [row.id, row]));
  const last = new Map((await findLast(db, accountId, ids)).map((row) => [row.conversationId, row]));
  const matches = search
    ? await findMatching(db, accountId, ids, { pattern: searchPattern(search), within: searched.ofOne })
    : [];
  const view = (message: MessageRow): Message =>
    toMessage(message, accountId, accessIn(accountId, rows.get(message.conversationId)));
  const items = ids.flatMap((id): Conversation[] => {
    const row = rows.get(id);
    if (!row) return [];
    const message = last.get(id);
    return [{ ...toConversation(row, accountId, now), last: message ? view(message) : null }];
  });
  return { items, found: matches.filter((message) => rows.has(message.conversationId)).map(view) };
}

type Asked = Omit<ListOptions, 'after'> & { cursor?: string };

/** Lists the caller's conversations, newest first. A search covers titles, names and messages. */
export async function listConversations(db: Db, scope: Scope, input: Asked) {
  const { accountId } = scope.actor;
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findPage(db, accountId, { ...input, after, limit: input.limit + 1 });
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.lastAt.toISOString(), row.id]);
  const ids = items.map(({ id }) => id);
  return {
    ...(await viewConversations(db, scope, ids, input.search)),
    nextCursor,
    unread: await countUnreadConversations(db, accountId, input.side),
  };
}

/** Counts the caller's unread conversations. */
export async function unreadConversations(db: Db, scope: Scope, input: { side?: 'work' | 'hire' }) {
  return { conversations: await countUnreadConversations(db, scope.actor.accountId, input.side) };
}

/** Returns one conversation. For both sides. */
export async function readConversation(
  db: Db,
  scope: Scope,
  input: { conversationId: string },
): Promise<Conversation> {
  const [conversation] = (await viewConversations(db, scope, [input.conversationId])).items;
  if (!conversation) throw new AppError('chat/not-found');
  return conversation;
}

/** The newest conversations checked for open work. */
const lookedAt = 2 * talkLimits.recentConversations;

/** The last messages of a worker's open conversations, cached on a phone for use without a network (ADR 100). */
export async function readRecent(db: Db, scope: Scope) {
  const { accountId } = scope.actor;
  const page = await findPage(db, accountId, { side: 'work', after: null, limit: lookedAt });
  const ids = page.map(({ id }) => id);
  const rows = await findConversations(db, accountId, ids, scope.clock.now());
  const open = ids
    .flatMap((id) => rows.filter((row) => row.id === id && row.endedAt === null))
    .slice(0, talkLimits.recentConversations)
    .map((row) => accessIn(accountId, row));
  const partIds = open.map(({ id }) => id);
  const recentMessages = await findNewest(db, accountId, partIds, talkLimits.recentMessages);
  return {
    items: open.map((access) => {
      const items = recentMessages
        .filter((row) => row.conversationId === access.id)
        .map((row) => toMessage(row, accountId, access));
      return {
        conversationId: access.id,
        items,
        more: (items[0]?.seq ?? 1) > 1,
        ...furthestPosition(access, items),
      };
    }),
  };
}

type ConversationRow = PartRow & {
  lastAt: Date;
  title: string;
  startsAt: Date | null;
  timeZone: string;
  businessName: string;
  logoFileId: string | null;
  workerName: string;
  workerPhoto: string | null;
  readSeq: number;
  muted: boolean;
  unread: number;
  theirDelivered: number;
  theirRead: number | null;
  showsRead: boolean;
  waits: number[];
  online: boolean;
  seenAt: Date | null;
};

const seesConversation = isInBranchesOf(sql`member`, sql`conversation.job_id`);

/** Everyone else who sees the row belongs to the business. */
const isWorker = (accountId: string): RawBuilder<boolean> =>
  sql<boolean>`(conversation.worker_id = ${accountId})`;

const joinedAt = (accountId: string): RawBuilder<Date> =>
  sql<Date>`(select member.created_at from business_members member
    where member.business_id = conversation.business_id and member.account_id = ${accountId} and conversation.worker_id <> ${accountId})`;

/**
 * Defaults to the last message before the account became a member, so that a new member has nothing to catch up on.
 */
const readTo = (accountId: string): RawBuilder<unknown> => sql`
  (select seq, worker_nth, business_nth from messages where conversation_id = conversation.id and seq = mine.read_seq)
  union all
  (select seq, worker_nth, business_nth from messages where conversation_id = conversation.id and coalesce(mine.read_seq, 0) = 0
    and conversation.created_at < ${joinedAt(accountId)} and at < ${joinedAt(accountId)} order by seq desc limit 1)`;

/** The caller must be part of each conversation, or gets no row. */
async function findConversations(
  db: Db,
  accountId: string,
  ids: readonly string[],
  now: Date,
): Promise<ConversationRow[]> {
  if (ids.length === 0) return [];
  const worker = isWorker(accountId);
  const { rows } = await sql<ConversationRow>`${keptPlan}
    select ${partColumns}, ${roleOf(accountId)}, conversation.last_at, job.title, job.starts_at, job.time_zone,
      business.name as business_name, business.logo_file_id,
      worker.name as worker_name, worker_profile.photo_file_id as worker_photo,
      greatest(coalesce(mine.read_seq, 0), coalesce(read_to.seq, 0)) as read_seq, coalesce(mine.muted, false) as muted,
      case when ${worker} then conversation.business_sent - coalesce(read_to.business_nth, 0)
        else conversation.worker_sent - coalesce(read_to.worker_nth, 0) end as unread,
      greatest(case when coalesce(shown.shows_last_seen, true) then theirs.delivered_seq end,
        case when coalesce(shown.shows_read, true) then theirs.read_seq end, 0) as their_delivered,
      case when theirs.readers is null or theirs.readers = 0 then 0 else theirs.read_seq end as their_read,
      coalesce(shown.shows_read, true) as shows_read,
      waits.waits, coalesce(seen.online, false) and coalesce(shown.shows_last_seen, true) as online,
      case when coalesce(shown.shows_last_seen, true) then seen.seen_at end as seen_at
    from conversations conversation
    join jobs job on job.id = conversation.job_id
    join businesses business on business.id = conversation.business_id
    join accounts worker on worker.id = conversation.worker_id
    left join profiles worker_profile on worker_profile.account_id = conversation.worker_id
    left join conversation_readers mine on mine.conversation_id = conversation.id and mine.account_id = ${accountId}
    left join lateral (${readTo(accountId)}) read_to on true
    left join chat_settings shown on shown.account_id = ${accountId}
    ${workBehind}
    left join lateral (
      select max(reader.delivered_seq) filter (where coalesce(setting.shows_last_seen, true)) as delivered_seq,
        max(reader.read_seq) filter (where coalesce(setting.shows_read, true)) as read_seq, count(*) as readers
      from conversation_readers reader left join chat_settings setting on setting.account_id = reader.account_id
      where reader.conversation_id = conversation.id and (reader.account_id <> conversation.worker_id) = ${worker}
    ) theirs on true
    left join lateral (
      select bool_or(there.online_until > ${now}) as online, max(there.last_seen_at) as seen_at
      from (
        select conversation.worker_id as account_id where not ${worker}
        union all
        select member.account_id from job_members member where ${worker} and member.job_id = conversation.job_id
          and member.account_id <> conversation.worker_id and member.role in ${recruiters}
      ) other
      join presence there on there.account_id = other.account_id
      left join chat_settings setting on setting.account_id = other.account_id
      where coalesce(setting.shows_last_seen, true)
    ) seen on true
    left join lateral (
      select array(
        select unnest(case when ${worker} then recent.business_waits else recent.worker_waits end)
        from (
          (select business_waits, worker_waits from conversations of_business
            where ${worker} and of_business.business_id = conversation.business_id order by last_at desc, id desc limit 10)
          union all
          (select business_waits, worker_waits from conversations of_worker
            where not ${worker} and of_worker.worker_id = conversation.worker_id order by last_at desc, id desc limit 10)
        ) recent
      ) as waits
    ) waits on true
    where conversation.id = ${anyOf(ids)}`.execute(db);
  return rows;
}

type ListOptions = {
  side?: 'work' | 'hire';
  businessId?: string;
  jobId?: string;
  unread?: boolean;
  search?: string;
  after: readonly [string, string] | null;
  limit: number;
};

const searchPattern = (text: string): string => `%${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

/**
 * Unread messages. A business's conversations count only if their last message arrived after `member` joined
 * (ADR 143).
 */
const unreadOf = (
  accountId: string,
  side: 'work' | 'hire',
): RawBuilder<unknown> => sql`unread.account_id = ${accountId}
  and ${side === 'work' ? sql`unread.business_id is null` : sql`unread.business_id = member.business_id and unread.last_at >= member.created_at`}`;

/** Bounds on the messages one search covers; names and titles are searched completely. */
const searched = { messages: 50_000, ofOne: 2_000 };

/** Bounds the cost of a search (ADR 94). */
const searchedBy = (accountId: string): RawBuilder<unknown> => sql`
  select id from (
    select id, least(last_seq, ${searched.ofOne}::integer) as own,
      sum(least(last_seq, ${searched.ofOne}::integer)) over (order by last_at desc, id desc) as depth
    from conversations theirs
    where theirs.worker_id = ${accountId} or theirs.business_id in (select member.business_id from business_members member
      where member.account_id = ${accountId} and member.role in ${recruiters})
  ) deep where depth - own < ${searched.messages}::integer`;

function filters(accountId: string, side: 'work' | 'hire', options: ListOptions): RawBuilder<unknown> {
  const parts: RawBuilder<unknown>[] = [];
  if (options.after)
    parts.push(sql`(${orderedBy(options)}) < (${options.after[0]}::timestamptz, ${options.after[1]}::uuid)`);
  if (options.businessId) parts.push(sql`conversation.business_id = ${options.businessId}`);
  if (options.jobId)
    parts.push(sql`conversation.job_id = any(array(select other.id from jobs own
      join jobs other on other.id = own.id or other.series_id = own.series_id where own.id = ${options.jobId}))`);
  if (options.unread) parts.push(unreadOf(accountId, side));
  else if (options.unread === false)
    parts.push(sql`not exists (select from unread_conversations unread
      where unread.conversation_id = conversation.id and ${unreadOf(accountId, side)})`);
  if (options.search) {
    const sought = searchPattern(options.search);
    parts.push(sql`(
      exists (select from jobs job where job.id = conversation.job_id and (job.title ilike ${sought} or job.business_name ilike ${sought}))
      or exists (select from accounts worker where worker.id = conversation.worker_id and worker.name ilike ${sought})
      or (conversation.id in (${searchedBy(accountId)}) and exists (select from messages message
        where message.conversation_id = conversation.id and message.seq > conversation.last_seq - ${searched.ofOne}::integer
          and message.body ilike ${sought})))`);
  }
  return parts.length === 0 ? sql`` : sql`and ${sql.join(parts, sql` and `)}`;
}

/** Unread conversations have their own index, by the other side's last message. */
const listedConversations = ({ unread }: ListOptions): RawBuilder<unknown> =>
  unread
    ? sql`unread_conversations unread join conversations conversation on conversation.id = unread.conversation_id`
    : sql`conversations conversation`;
const orderedBy = ({ unread }: ListOptions): RawBuilder<unknown> =>
  unread ? sql`unread.last_at, unread.conversation_id` : sql`conversation.last_at, conversation.id`;

/** Each source is cut to a page within its own index before they are merged. */
async function findPage(
  db: Db,
  accountId: string,
  options: ListOptions,
): Promise<{ id: string; lastAt: Date }[]> {
  const columns = options.unread
    ? sql`conversation.id, unread.last_at`
    : sql`conversation.id, conversation.last_at`;
  const newest = options.unread
    ? sql`order by unread.last_at desc, unread.conversation_id desc`
    : sql`order by conversation.last_at desc, conversation.id desc`;
  const sources: RawBuilder<unknown>[] = [];
  if (options.side !== 'hire')
    sources.push(sql`(select ${columns} from ${listedConversations(options)}
      where conversation.worker_id = ${accountId} ${filters(accountId, 'work', options)} ${newest} limit ${options.limit})`);
  if (options.side !== 'work')
    sources.push(sql`(select hiring.* from business_members member cross join lateral (
        select ${columns} from ${listedConversations(options)}
        where conversation.business_id = member.business_id and conversation.worker_id <> ${accountId} and ${seesConversation}
          ${filters(accountId, 'hire', options)} ${newest} limit ${options.limit}) hiring
      where member.account_id = ${accountId} and member.role in ${recruiters})`);
  const { rows } = await sql<{ id: string; lastAt: Date }>`
    select id, last_at from (${sql.join(sources, sql` union all `)}) found order by last_at desc, id desc limit ${options.limit}`.execute(
    db,
  );
  return rows;
}

async function countUnreadConversations(
  db: Db,
  accountId: string,
  side: 'work' | 'hire' | undefined,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from unread_conversations unread where ${side !== 'hire'}::boolean and ${unreadOf(accountId, 'work')})
      + (select count(*) from business_members member join unread_conversations unread on ${unreadOf(accountId, 'hire')}
        where ${side !== 'work'}::boolean and member.account_id = ${accountId} and member.role in ${recruiters}
          and (member.branch_ids is null or exists (select from conversations conversation
            where conversation.id = unread.conversation_id and ${seesConversation}))) as count`.execute(db);
  return rows[0]?.count ?? 0;
}
