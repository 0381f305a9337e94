import { conversationPath } from '@nearhand/contract/app-paths';
import { dayMs, subtractMs } from '@nearhand/contract/durations';
import type { StoredFile } from '@nearhand/contract/people/files';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { findChatWarnings } from '@nearhand/contract/talk/chat-warnings';
import type { Message } from '@nearhand/contract/talk/messages';
import { excerptOf, messageProblem } from '@nearhand/contract/talk/messages.rules';
import { z } from 'zod';
import { storedFileOf } from '../../people/files/files.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import { inOneRoundTrip } from '../../platform/database/pipelined.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { emit } from '../../platform/realtime/publish.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import {
  type ConversationAccess,
  noticeGroup,
  readForSending,
  requireActive,
  roomsOf,
  type SendingFacts,
} from '../conversations/conversations.ts';
import { readMessage } from '../conversations/message-views.ts';
import { conversationReadersOf, type ReaderRow } from '../notification-settings/notification-settings.ts';
import { type Notice, notifyReaders } from '../notifications/notifications.ts';
import { deleteRedactedTexts, findOwnFiles, findStored, insertMessage } from './messages.sql.ts';

export type SendInput = {
  conversationId: string;
  clientId: string;
  body: string;
  replyTo?: number;
  fileIds: string[];
};

/**
 * Sends a message. For both sides of an active conversation. `clientId` deduplicates across tabs and servers,
 * in any state.
 */
export async function sendMessage(tx: Tx, scope: Scope, input: SendInput): Promise<Message> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const pace = { burst: scope.config.CHAT_BURST, perMinute: scope.config.CHAT_PER_MINUTE };
  const message = { ...input, replyTo: input.replyTo ?? null };
  const [{ part, sending: row }, readers] = await inOneRoundTrip(tx, (pipelined) =>
    Promise.all([
      readForSending(pipelined, accountId, message, pace, now),
      conversationReadersOf(pipelined, input.conversationId, 'message-received', now),
    ]),
  );
  if (row.knownSeq !== null) return knownMessage(tx, accountId, part, row.knownSeq, input);
  requireActive(part, now);
  if (row.wait !== null) throw tooFast(row.wait);
  if (messageProblem({ body: input.body, files: input.fileIds.length })) throw new AppError('chat/empty');
  if (input.replyTo !== undefined && row.replyName === null) throw new AppError('chat/no-such-message');
  const files = await requireFiles(tx, accountId, input.fileIds);
  const id = newId(now);
  // Both sides are warned; nothing is blocked (product.md, Conversation).
  const warnings = findChatWarnings(input.body, part.engagementId !== null);
  const newMessage = {
    id,
    conversationId: part.id,
    accountId,
    side: part.side,
    clientId: input.clientId,
    body: input.body,
    replyTo: input.replyTo ?? null,
    warnings,
    fileIds: input.fileIds,
  };
  // Sent in the lock order used everywhere: notices, conversation, readers. A refused message rolls its notices back.
  const [, inserted] = await inOneRoundTrip(tx, (pipelined) =>
    Promise.all([
      noticeOfMessage(pipelined, scope, part, { ...row, id, body: input.body }, readers),
      insertMessage(pipelined, newMessage, pace, now).catch(asFileSent),
    ]),
  );
  if (inserted.outcome === 'too-fast') throw tooFast(inserted.wait);
  if (inserted.outcome === 'blocked' || inserted.outcome === 'frozen')
    throw new AppError(`chat/${inserted.outcome}`);
  if (inserted.outcome === 'known') return knownMessage(tx, accountId, part, inserted.seq, input);
  const { seq, rev } = inserted;
  notifyOfMessage(tx, part, rev, Math.max(part.lastSeq, seq));
  return {
    id,
    conversationId: part.id,
    seq,
    rev,
    kind: 'text',
    clientId: input.clientId,
    body: input.body,
    from: writerOf(row, accountId, part),
    system: null,
    files,
    replyTo: replyOf(input.replyTo, row),
    reactions: [],
    warnings,
    editedAt: null,
    redactedAt: null,
    at: now.toISOString(),
  };
}

const tooFast = (seconds: number): AppError =>
  new AppError('chat/too-fast', { retryAfterSeconds: Math.max(1, Math.ceil(seconds)) });

const writerOf = (row: SendingFacts, accountId: string, access: ConversationAccess): Message['from'] => ({
  accountId,
  side: access.side,
  name: row.name,
  photoPath: row.photoFileId && fileContentPath(row.photoFileId),
});

const replyOf = (seq: number | undefined, row: SendingFacts): Message['replyTo'] =>
  seq === undefined
    ? null
    : {
        seq,
        name: row.replyName ?? '',
        excerpt: excerptOf(row.replyBody ?? ''),
        redacted: row.replyRedacted ?? false,
      };

/** Publishes a new or changed message to both sides. Ids only: devices fetch it (ADR 89). */
export const notifyOfMessage = (
  tx: Tx,
  part: Pick<ConversationAccess, 'id' | 'workerId' | 'businessId'>,
  rev: number,
  seq: number,
): void => emit(tx, roomsOf(part), { kind: 'message', conversationId: part.id, rev, seq });

/** Signals a known message again: the resending device may not be the only one that missed it. */
async function knownMessage(
  tx: Tx,
  accountId: string,
  access: ConversationAccess,
  seq: number,
  input: SendInput,
): Promise<Message> {
  const storedMessage = await findStored(tx, access.id, seq);
  const isResend =
    storedMessage &&
    (storedMessage.changed ||
      (storedMessage.body === input.body &&
        storedMessage.replyTo === (input.replyTo ?? null) &&
        storedMessage.fileIds.join() === input.fileIds.join()));
  if (!isResend) throw new AppError('idempotency/key-reused');
  const message = await readMessage(tx, accountId, access, seq);
  notifyOfMessage(tx, access, Math.max(access.rev, message.rev), Math.max(access.lastSeq, seq));
  return message;
}

/** Requires the sender's own files for chat that were never sent before. */
async function requireFiles(tx: Tx, accountId: string, fileIds: readonly string[]): Promise<StoredFile[]> {
  if (fileIds.length === 0) return [];
  if (new Set(fileIds).size < fileIds.length) throw new AppError('file/not-found');
  const rows = new Map((await findOwnFiles(tx, accountId, fileIds)).map((row) => [row.id, row]));
  return fileIds.map((fileId) => {
    const row = rows.get(fileId);
    if (!row || row.sent) throw new AppError('file/not-found');
    if (row.purpose !== 'chat') throw new AppError('file/wrong-type', { purpose: row.purpose });
    return storedFileOf({ ...row, purpose: 'chat', accountId });
  });
}

/** A file was sent in another message, or purged, concurrently. */
function asFileSent(error: unknown): never {
  const { constraint } = error as { constraint?: string };
  if (constraint?.startsWith('message_files_'))
    throw new AppError('file/not-found', undefined, { cause: error });
  throw error;
}

/** Skips people who muted the conversation or have it open. A newer notice replaces the unread one. */
async function noticeOfMessage(
  tx: Tx,
  scope: Pick<Scope, 'clock' | 'config' | 'unmailed'>,
  access: ConversationAccess,
  message: Pick<SendingFacts, 'recipients' | 'name' | 'jobTitle' | 'businessName'> & {
    id: string;
    body: string;
  },
  readers: ReadonlyMap<string, ReaderRow>,
): Promise<void> {
  const isToWorker = access.side === 'business';
  await notifyReaders(
    tx,
    scope,
    message.recipients.map(
      (accountId): Notice => ({
        accountId,
        topic: 'message-received',
        data: {
          side: isToWorker ? 'worker' : 'business',
          jobTitle: message.jobTitle,
          businessName: message.businessName,
          workerName: isToWorker ? undefined : message.name,
          reason: excerptOf(message.body),
          variant: message.body === '' ? 'files' : undefined,
        },
        path: conversationPath(access.id),
        dedupeKey: `message-received/${message.id}`,
        group: noticeGroup(access.id),
        replaces: true,
      }),
    ),
    readers,
  );
}

/** Redacted text stays for the days in which the message can still be reported. */
const keptDays = 30;
/** A removal by an operator can be appealed for six months (ADR 179); the text stays until the appeal is answered. */
export const keptForAppealDays = 200;

/** Deletes text redacted more than 30 days ago, unless reported or still open to appeal (ADR 94). */
export async function purgeRedacted(db: Db, scope: Pick<TaskScope, 'clock'>): Promise<void> {
  const ago = (days: number) => subtractMs(scope.clock.now(), days * dayMs);
  await db.transaction().execute((tx) => deleteRedactedTexts(tx, ago(keptDays), ago(keptForAppealDays)));
}

export const messagesTasks = [
  defineTask({
    name: 'chat.forget-redacted',
    payload: z.object({}),
    daily: true,
    run: (scope) => purgeRedacted(scope.db, scope),
  }),
];
