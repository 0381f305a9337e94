import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Message } from '@nearhand/contract/talk/messages';
import { excerptOf } from '@nearhand/contract/talk/messages.rules';
import { storedFileOf } from '../../people/files/files.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { pathOfLine } from './conversations.rules.ts';
import {
  findBefore,
  findBetween,
  findChangedSince,
  findStretches,
  type MessageRow,
  type Stretch,
} from './message-views.sql.ts';
import { type Part, requirePart } from './parts.service.ts';

/** A message as one reader sees it. `place` says where its lines link; null for nowhere. */
export function viewMessage(row: MessageRow, accountId: string, place: Part | null): Message {
  const redacted = row.redacted_at !== null;
  return {
    id: row.id,
    conversationId: row.conversation_id,
    seq: row.seq,
    rev: row.rev,
    kind: row.line === null ? 'text' : 'system',
    from:
      row.author_id === null || row.side === null
        ? null
        : {
            accountId: row.author_id,
            side: row.side,
            name: row.name ?? '',
            photoPath: row.photo_file_id && fileContentPath(row.photo_file_id),
          },
    clientId: row.author_id === accountId ? row.client_id : null,
    body: row.body,
    system: row.line && {
      line: row.line,
      data: row.line_data ?? {},
      path: place && pathOfLine(row.line, row.line_data ?? {}, place),
    },
    files: row.files.map((file) =>
      storedFileOf({ ...file, purpose: 'chat', account_id: row.author_id ?? '' }),
    ),
    replyTo:
      row.reply_to === null || redacted
        ? null
        : {
            seq: row.reply_to,
            name: row.reply_name ?? '',
            excerpt: excerptOf(row.reply_body ?? ''),
            redacted: row.reply_redacted ?? false,
          },
    reactions: row.reactions,
    warnings: row.warnings,
    editedAt: row.edited_at?.toISOString() ?? null,
    redactedAt: row.redacted_at?.toISOString() ?? null,
    at: row.at.toISOString(),
  };
}

type Asked = { conversationId: string; since?: number; before?: number; around?: number; limit: number };

/**
 * Messages of a conversation: those before a place, around one, or the newest, in order; or with `since` everything changed after a
 * revision, in the order of changes, by which a device catches up. For both sides, in any state.
 * @throws chat/not-found, request/invalid for a revision the conversation has not reached: it is forged, or from before a database
 * restore, and the device has to start over
 */
export async function readMessages(db: Db, scope: Scope, input: Asked) {
  const { accountId } = scope.actor;
  const part = await requirePart(db, accountId, input.conversationId);
  const view = (rows: readonly MessageRow[]) => rows.map((row) => viewMessage(row, accountId, part));
  const ends = { rev: part.rev, lastSeq: part.lastSeq };
  if (input.since !== undefined) {
    if (input.since > part.rev)
      throw new AppError('request/invalid', { issues: [{ path: 'since', message: `at most ${part.rev}` }] });
    const rows = await findChangedSince(db, accountId, part.id, input.since, input.limit + 1);
    const items = view(rows.slice(0, input.limit));
    // A change after the conversation was read is newer than what that returned.
    return { items, more: rows.length > input.limit, ...furthest(ends, items) };
  }
  if (input.around !== undefined) {
    const after = Math.floor(input.limit / 2);
    const last = Math.min(part.lastSeq, Math.min(input.around, part.lastSeq) + after);
    const first = Math.max(1, last - input.limit + 1);
    const items = view(await findBetween(db, accountId, part.id, first, last));
    return { items, more: first > 1, ...furthest(ends, items) };
  }
  const rows = await findBefore(db, accountId, part.id, input.before ?? null, input.limit + 1);
  const items = view(rows.slice(0, input.limit).reverse());
  return { items, more: rows.length > input.limit, ...furthest(ends, items) };
}

/** How far a conversation goes: a change after it was read is newer than what that returned. */
export const furthest = (ends: { rev: number; lastSeq: number }, items: readonly Message[]) => ({
  rev: items.reduce((most, item) => Math.max(most, item.rev), ends.rev),
  lastSeq: items.reduce((most, item) => Math.max(most, item.seq), ends.lastSeq),
});

/** One message as its reader sees it. @throws chat/no-such-message */
export async function readMessage(db: Db, accountId: string, part: Part, seq: number): Promise<Message> {
  const [row] = await findBetween(db, accountId, part.id, seq, seq);
  if (!row) throw new AppError('chat/no-such-message');
  return viewMessage(row, accountId, part);
}

/** How many messages an operator sees around a reported one, and of a whole conversation. */
const aroundReported = 10;
const ofReported = 20;

type Reported = { conversation_id: string; seq: number | null; last_seq: number };

const stretchOf = ({ conversation_id, seq, last_seq }: Reported): Stretch => ({
  conversation_id,
  first: seq === null ? last_seq - ofReported + 1 : seq - aroundReported,
  last: seq === null ? last_seq : seq + aroundReported,
});

/** The messages around each of these reports, with deleted text, in one statement; for operators. */
export async function readReported(
  db: Db,
  accountId: string,
  reports: readonly Reported[],
): Promise<(report: Reported) => Message[]> {
  const rows = await findStretches(db, accountId, reports.map(stretchOf));
  return (report) => {
    const { conversation_id, first, last } = stretchOf(report);
    return rows
      .filter((row) => row.conversation_id === conversation_id && row.seq >= first && row.seq <= last)
      .map((row) => ({ ...viewMessage(row, accountId, null), clientId: null }));
  };
}
