import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { ChatWarning } from '@nearhand/contract/talk/chat-warnings';
import { talkLimits } from '@nearhand/contract/talk/limits';
import type { ChatSide, Message, Reaction, SystemLine } from '@nearhand/contract/talk/messages';
import { excerptOf } from '@nearhand/contract/talk/messages.rules';
import { type RawBuilder, sql } from 'kysely';
import { storedFileOf } from '../../people/files/files.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { anyOf, keptPlan } from '../../platform/prepared-statements.ts';
import { pathOfLine } from './conversations.rules.ts';
import { type ConversationAccess, requireConversation } from './conversations.ts';

/** `place` decides where system lines link; if it is null, they have no links. */
export function toMessage(row: MessageRow, accountId: string, place: ConversationAccess | null): Message {
  const isRedacted = row.redactedAt !== null;
  return {
    ...row,
    kind: row.line === null ? 'text' : 'system',
    from:
      row.authorId === null || row.side === null
        ? null
        : {
            accountId: row.authorId,
            side: row.side,
            name: row.name ?? '',
            photoPath: row.photoFileId && fileContentPath(row.photoFileId),
          },
    clientId: row.authorId === accountId ? row.clientId : null,
    system: row.line && {
      line: row.line,
      data: row.lineData ?? {},
      path: place && pathOfLine(row.line, row.lineData ?? {}, place),
    },
    files: row.files.map((file) => storedFileOf({ ...file, purpose: 'chat', accountId: row.authorId ?? '' })),
    replyTo:
      row.replyTo === null || isRedacted
        ? null
        : {
            seq: row.replyTo,
            name: row.replyName ?? '',
            excerpt: excerptOf(row.replyBody ?? ''),
            redacted: row.replyRedacted ?? false,
          },
    editedAt: row.editedAt?.toISOString() ?? null,
    redactedAt: row.redactedAt?.toISOString() ?? null,
    at: row.at.toISOString(),
  };
}

type Asked = { conversationId: string; since?: number; before?: number; around?: number; limit: number };

/**
 * Lists messages before a place, around one, the newest, or changed since a revision, in any state. For
 * either side.
 */
export async function readMessages(db: Db, scope: Scope, input: Asked) {
  const { accountId } = scope.actor;
  const access = await requireConversation(db, accountId, input.conversationId);
  const view = (rows: readonly MessageRow[]) => rows.map((row) => toMessage(row, accountId, access));
  const position = { rev: access.rev, lastSeq: access.lastSeq };
  if (input.since !== undefined) {
    if (input.since > access.rev)
      throw new AppError('request/invalid', {
        issues: [{ path: 'since', message: `at most ${access.rev}` }],
      });
    const rows = await findChangedSince(db, accountId, access.id, input.since, input.limit + 1);
    const items = view(rows.slice(0, input.limit));
    // A later change is newer than the returned revision.
    return { items, more: rows.length > input.limit, ...furthestPosition(position, items) };
  }
  if (input.around !== undefined) {
    const after = Math.floor(input.limit / 2);
    const last = Math.min(access.lastSeq, Math.min(input.around, access.lastSeq) + after);
    const first = Math.max(1, last - input.limit + 1);
    const items = view(await findBetween(db, accountId, access.id, first, last));
    return { items, more: first > 1, ...furthestPosition(position, items) };
  }
  const rows = await findBefore(db, accountId, access.id, input.before ?? null, input.limit + 1);
  const items = view(rows.slice(0, input.limit).reverse());
  return { items, more: rows.length > input.limit, ...furthestPosition(position, items) };
}

export const furthestPosition = (position: { rev: number; lastSeq: number }, items: readonly Message[]) => ({
  rev: items.reduce((max, item) => Math.max(max, item.rev), position.rev),
  lastSeq: items.reduce((max, item) => Math.max(max, item.seq), position.lastSeq),
});

/**
 * Returns one message as its reader sees it.
 * @throws chat/no-such-message
 */
export async function readMessage(
  db: Db,
  accountId: string,
  access: ConversationAccess,
  seq: number,
): Promise<Message> {
  const [row] = await findBetween(db, accountId, access.id, seq, seq);
  if (!row) throw new AppError('chat/no-such-message');
  return toMessage(row, accountId, access);
}

/** Messages an operator sees around a reported one, and of a whole conversation. */
const aroundReported = 10;
const ofReported = 20;

type Reported = { conversationId: string; seq: number | null; lastSeq: number };

const stretchOf = ({ conversationId, seq, lastSeq }: Reported): Stretch => ({
  conversationId,
  first: seq === null ? lastSeq - ofReported + 1 : seq - aroundReported,
  last: seq === null ? lastSeq : seq + aroundReported,
});

/** Includes deleted text; for operators, in one statement. */
export async function readReported(
  db: Db,
  accountId: string,
  reports: readonly Reported[],
): Promise<(report: Reported) => Message[]> {
  const rows = await findStretches(db, accountId, reports.map(stretchOf));
  return (report) => {
    const { conversationId, first, last } = stretchOf(report);
    return rows
      .filter((row) => row.conversationId === conversationId && row.seq >= first && row.seq <= last)
      .map((row) => ({ ...toMessage(row, accountId, null), clientId: null }));
  };
}

/** Messages about a job between two times, deleted text included; for operators. */
export async function readAround(
  db: Db,
  accountId: string,
  span: { jobId: string; workerId: string; from: Date | null; until: Date | null; limit: number },
): Promise<Message[]> {
  const { rows } = await sql<{ conversationId: string; first: number; last: number }>`
    select conversation.id as conversation_id, min(message.seq)::int as first, max(message.seq)::int as last
    from conversations conversation join messages message on message.conversation_id = conversation.id
    where conversation.job_id = ${span.jobId} and conversation.worker_id = ${span.workerId}
      and (${span.from}::timestamptz is null or message.at >= ${span.from})
        and (${span.until}::timestamptz is null or message.at <= ${span.until})
    group by conversation.id`.execute(db);
  const [stretch] = rows;
  if (!stretch) return [];
  const first = Math.max(stretch.first, stretch.last - span.limit + 1);
  const stretchRows = await findStretches(db, accountId, [{ ...stretch, first }]);
  return stretchRows.map((row) => ({ ...toMessage(row, accountId, null), clientId: null }));
}

export type MessageRow = {
  id: string;
  conversationId: string;
  seq: number;
  rev: number;
  authorId: string | null;
  side: ChatSide | null;
  name: string | null;
  photoFileId: string | null;
  clientId: string | null;
  body: string;
  line: SystemLine | null;
  lineData: Record<string, string | number> | null;
  replyTo: number | null;
  replyName: string | null;
  replyBody: string | null;
  replyRedacted: boolean | null;
  warnings: ChatWarning[];
  files: { id: string; name: string; mediaType: string; bytes: number }[];
  reactions: { reaction: Reaction; count: number; mine: boolean }[];
  editedAt: Date | null;
  redactedAt: Date | null;
  at: Date;
};

/**
 * `chosen` are rows of `messages`, already cut to the page. `all` includes deleted and edited text, for
 * operators.
 */
const messageRows = (
  accountId: string,
  chosen: RawBuilder<unknown>,
  all = false,
): RawBuilder<MessageRow> => sql<MessageRow>`
  select message.id, message.conversation_id, message.seq, message.rev, message.author_id, message.side, author.name, profile.photo_file_id,
    message.client_id, ${all ? sql`concat_ws(E'\\n\\n', nullif(redacted.body, ''), nullif(message.body, ''))` : sql`message.body`} as body, message.line, message.line_data, message.reply_to,
    answered_author.name as reply_name, left(answered.body, 280) as reply_body, answered.redacted_at is not null as reply_redacted,
    message.warnings, message.edited_at, message.redacted_at, message.at,
    coalesce((select jsonb_agg(jsonb_build_object('id', file.id, 'name', file.name, 'mediaType', file.media_type,
      'bytes', file.bytes) order by sent.place)
      from message_files sent join files file on file.id = sent.file_id
      where sent.conversation_id = message.conversation_id and sent.seq = message.seq ${all ? sql`` : sql`and sent.withdrawn_at is null`}), '[]') as files,
    coalesce((select jsonb_agg(jsonb_build_object('reaction', summary.reaction, 'count', summary.count, 'mine',
      summary.mine) order by summary.count desc, summary.reaction)
      from (select reaction, count(*)::integer as count, bool_or(account_id = ${accountId}) as mine from message_reactions reacted
        where reacted.conversation_id = message.conversation_id and reacted.seq = message.seq group by reaction) summary), '[]') as reactions
  from (${chosen}) message
  left join accounts author on author.id = message.author_id
  left join profiles profile on profile.account_id = message.author_id
  left join messages answered on answered.conversation_id = message.conversation_id and answered.seq = message.reply_to
  left join accounts answered_author on answered_author.id = answered.author_id
  ${all ? sql`left join redacted_words redacted on redacted.conversation_id = message.conversation_id and redacted.seq = message.seq` : sql``}`;

/** The inner limit never cuts a page; it lets the cached plan assume few rows (ADR 116). */
const newestOf = (all: RawBuilder<unknown>, limit: number) =>
  sql`select * from (${all} limit ${sql.lit(talkLimits.messagesPage + 1)}) newest limit ${limit}`;

/** Messages changed after revision `since`, oldest change first, by which a device catches up. */
export async function findChangedSince(
  db: Db,
  accountId: string,
  conversationId: string,
  since: number,
  limit: number,
): Promise<MessageRow[]> {
  const messagesSince = sql`select * from messages where conversation_id = ${conversationId} and rev > ${since} order by rev`;
  const page = messageRows(accountId, newestOf(messagesSince, limit));
  return (await sql<MessageRow>`${keptPlan} ${page} order by message.rev`.execute(db)).rows;
}

/** Messages before a sequence number, newest first; null from the end. */
export async function findBefore(
  db: Db,
  accountId: string,
  conversationId: string,
  before: number | null,
  limit: number,
): Promise<MessageRow[]> {
  const bound = before === null ? sql`` : sql`and seq < ${before}`;
  const earlier = sql`select * from messages where conversation_id = ${conversationId} ${bound} order by seq desc`;
  const page = messageRows(accountId, newestOf(earlier, limit));
  return (await sql<MessageRow>`${keptPlan} ${page} order by message.seq desc`.execute(db)).rows;
}

/** The newest messages of several conversations, at most `countEach` per conversation. */
export async function findNewest(
  db: Db,
  accountId: string,
  conversationIds: readonly string[],
  countEach: number,
): Promise<MessageRow[]> {
  if (conversationIds.length === 0) return [];
  const selection = sql`select message.* from unnest(${conversationIds}::uuid[]) as wanted (id)
    cross join lateral (select * from messages where messages.conversation_id = wanted.id
      order by messages.seq desc limit ${countEach}::integer) message`;
  const newest = sql<MessageRow>`${messageRows(accountId, selection)} order by message.conversation_id, message.seq`;
  return (await newest.execute(db)).rows;
}

async function findBetween(
  db: Db,
  accountId: string,
  conversationId: string,
  from: number,
  to: number,
): Promise<MessageRow[]> {
  const selection = sql`select * from messages where conversation_id = ${conversationId} and seq between ${from} and ${to}`;
  return (await sql<MessageRow>`${messageRows(accountId, selection)} order by message.seq`.execute(db)).rows;
}

type Stretch = { conversationId: string; first: number; last: number };

/** Reads each message once even if ranges overlap; includes deleted text, for operators. */
async function findStretches(
  db: Db,
  accountId: string,
  stretches: readonly Stretch[],
): Promise<MessageRow[]> {
  const selection = sql`select distinct on (message.conversation_id, message.seq) message.*
    from jsonb_to_recordset(${asRecords(stretches)}::jsonb) as stretch (conversation_id uuid, first integer, last integer)
    cross join lateral (select * from messages where messages.conversation_id = stretch.conversation_id
      and messages.seq between stretch.first and stretch.last) message`;
  const ofAll = messageRows(accountId, selection, true);
  return (await sql<MessageRow>`${ofAll} order by message.conversation_id, message.seq`.execute(db)).rows;
}

export async function findLast(
  db: Db,
  accountId: string,
  conversationIds: readonly string[],
): Promise<MessageRow[]> {
  if (conversationIds.length === 0) return [];
  const selection = sql`select messages.* from conversations
    join messages on messages.conversation_id = conversations.id and messages.seq = conversations.last_seq
    where conversations.id = ${anyOf(conversationIds)}`;
  const query = sql<MessageRow>`${keptPlan} ${messageRows(accountId, selection)} order by message.conversation_id`;
  return (await query.execute(db)).rows;
}

/** Matches only among a number of each conversation's newest messages. */
export async function findMatching(
  db: Db,
  accountId: string,
  conversationIds: readonly string[],
  { pattern, within }: { pattern: string; within: number },
): Promise<MessageRow[]> {
  if (conversationIds.length === 0) return [];
  const selection = sql`select message.* from conversations conversation
    cross join lateral (select * from messages where messages.conversation_id = conversation.id
      and messages.seq > conversation.last_seq - ${within}::integer and messages.body ilike ${pattern}
      order by messages.seq desc limit 1) message
    where conversation.id = any(${conversationIds}::uuid[])`;
  return (await messageRows(accountId, selection).execute(db)).rows;
}
