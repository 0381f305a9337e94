import { limits } from '@nearhand/contract/limits';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  type ConversationRow,
  countUnreadConversations,
  findConversations,
  findPage,
  type ListOptions,
  searched,
  searchPattern,
} from './conversation-views.sql.ts';
import { blockedByFor, readOnlyAt, readSeqShown, repliesInMinutes, stateOf } from './conversations.rules.ts';
import { furthest, viewMessage } from './message-views.service.ts';
import { findLast, findMatching, findNewest, type MessageRow } from './message-views.sql.ts';
import { partIn } from './parts.service.ts';

const pathOf = (fileId: string | null): string | null => fileId && fileContentPath(fileId);

function viewConversation(row: ConversationRow, accountId: string, now: Date): Omit<Conversation, 'last'> {
  const part = partIn(accountId, row);
  // Presence is hidden both ways across a block.
  const apart = part.blockedBy.length > 0;
  const theirReadSeq = readSeqShown(row.shows_read, row.their_read);
  return {
    id: row.id,
    state: stateOf(part, now),
    blockedBy: blockedByFor(part.side, part.blockedBy),
    readOnlyAt: readOnlyAt(part.endedAt)?.toISOString() ?? null,
    side: part.side,
    job: {
      id: row.job_id,
      title: row.title,
      startsAt: row.starts_at?.toISOString() ?? null,
      timeZone: row.time_zone,
    },
    business: { id: row.business_id, name: row.business_name, logoPath: pathOf(row.logo_file_id) },
    worker: { id: row.worker_id, name: row.worker_name, photoPath: pathOf(row.worker_photo) },
    applicationId: row.application_id,
    engagementId: row.engagement_id,
    hired: row.engagement_id !== null,
    lastSeq: row.last_seq,
    rev: row.rev,
    readSeq: row.read_seq,
    unread: row.unread,
    muted: row.muted,
    theirs: { deliveredSeq: apart ? (theirReadSeq ?? 0) : row.their_delivered, readSeq: theirReadSeq },
    lastSeenAt: apart ? null : (row.seen_at?.toISOString() ?? null),
    online: row.online && !apart,
    repliesInMinutes: repliesInMinutes(row.waits),
    lastAt: row.last_at.toISOString(),
  };
}

/** The caller's conversations with their newest message, in the order of `ids`, and search matches in them; others are left out. */
async function viewConversations(db: Db, scope: Scope, ids: readonly string[], search?: string) {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const rows = new Map((await findConversations(db, accountId, ids, now)).map((row) => [row.id, row]));
  const last = new Map((await findLast(db, accountId, ids)).map((row) => [row.conversation_id, row]));
  const said = search
    ? await findMatching(db, accountId, ids, { pattern: searchPattern(search), within: searched.ofOne })
    : [];
  const view = (message: MessageRow): Message =>
    viewMessage(message, accountId, partIn(accountId, rows.get(message.conversation_id)));
  const items = ids.flatMap((id): Conversation[] => {
    const row = rows.get(id);
    if (!row) return [];
    const message = last.get(id);
    return [{ ...viewConversation(row, accountId, now), last: message ? view(message) : null }];
  });
  return { items, found: said.filter((one) => rows.has(one.conversation_id)).map(view) };
}

type Asked = Omit<ListOptions, 'after'> & { cursor?: string | undefined };

/**
 * The caller's conversations, as a worker and as a recruiter, newest first; with the number of unread ones. A search covers titles, names
 * and messages of the caller's own conversations; `found` has the matching messages.
 * @throws request/bad-cursor
 */
export async function listConversations(db: Db, scope: Scope, input: Asked) {
  const { accountId } = scope.actor;
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findPage(db, accountId, { ...input, after, limit: input.limit + 1 });
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.last_at.toISOString(), row.id]);
  const ids = items.map(({ id }) => id);
  return {
    ...(await viewConversations(db, scope, ids, input.search)),
    nextCursor,
    unread: await countUnreadConversations(db, accountId, input.side),
  };
}

/** The number of the caller's unread conversations: the badge. */
export async function unreadConversations(
  db: Db,
  scope: Scope,
  input: { side?: 'work' | 'hire' | undefined },
) {
  return { conversations: await countUnreadConversations(db, scope.actor.accountId, input.side) };
}

/** One conversation. @throws chat/not-found */
export async function readConversation(
  db: Db,
  scope: Scope,
  input: { conversationId: string },
): Promise<Conversation> {
  const [conversation] = (await viewConversations(db, scope, [input.conversationId])).items;
  if (!conversation) throw new AppError('chat/not-found');
  return conversation;
}

/** Of the newest conversations, so many are looked at for open work. */
const lookedAt = 2 * limits.recentConversations;

/**
 * The last messages of the caller's conversations as a worker whose application or work is open, so that a phone has them before they are
 * needed without a network (ADR 100).
 */
export async function readRecent(db: Db, scope: Scope) {
  const { accountId } = scope.actor;
  const page = await findPage(db, accountId, { side: 'work', after: null, limit: lookedAt });
  const ids = page.map(({ id }) => id);
  const rows = await findConversations(db, accountId, ids, scope.clock.now());
  const open = ids
    .flatMap((id) => rows.filter((row) => row.id === id && row.ended_at === null))
    .slice(0, limits.recentConversations)
    .map((row) => partIn(accountId, row));
  const partIds = open.map(({ id }) => id);
  const said = await findNewest(db, accountId, partIds, limits.recentMessages);
  return {
    items: open.map((part) => {
      const items = said
        .filter((row) => row.conversation_id === part.id)
        .map((row) => viewMessage(row, accountId, part));
      return { conversationId: part.id, items, more: (items[0]?.seq ?? 1) > 1, ...furthest(part, items) };
    }),
  };
}
