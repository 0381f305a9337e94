import { findChatWarnings } from '@nearhand/contract/talk/chat-warnings';
import type { Message, Reaction } from '@nearhand/contract/talk/messages';
import { mayStillEdit, messageProblem } from '@nearhand/contract/talk/messages.rules';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  type ConversationAccess,
  lockConversation,
  nextRevisions,
  noticeGroup,
  requireActive,
  requireConversation,
} from '../conversations/conversations.ts';
import { readMessage } from '../conversations/message-views.ts';
import { clearUnread, uncountUnread } from '../conversations/receipts.ts';
import { deleteQuotes } from '../notifications/notice-words.ts';
import { removeNotices } from '../notifications/notifications.ts';
import {
  findForChange,
  findWithQuotes,
  redactMessage,
  renumberFrom,
  restoreMessage,
  setReaction,
  setRevisions,
  updateBody,
} from './messages.sql.ts';
import { notifyOfMessage } from './messages.ts';

type MessageRef = { conversationId: string; seq: number };

/**
 * Locks the conversation of a message.
 * @throws chat/not-found, chat/no-such-message
 */
async function lockMessage(tx: Tx, accountId: string, target: MessageRef) {
  await requireConversation(tx, accountId, target.conversationId);
  await lockConversation(tx, target.conversationId);
  // Reads again, because the conversation may have been frozen while this waited for the lock.
  const access = await requireConversation(tx, accountId, target.conversationId);
  const message = await findForChange(tx, access.id, target.seq);
  if (!message) throw new AppError('chat/no-such-message');
  return { access, message };
}

/**
 * Gives a message and its quotes new revisions, so that devices refresh their caches.
 * @returns the newest revision
 */
async function touchMessage(tx: Tx, conversationId: string, seq: number): Promise<number> {
  const seqs = await findWithQuotes(tx, conversationId, seq);
  const rev = await nextRevisions(tx, conversationId, seqs.length);
  await setRevisions(tx, conversationId, seqs, rev);
  return rev;
}

/** Removes a message with its unread mark, and the notices of people who had nothing else to read. */
async function redactLocked(
  tx: Tx,
  conversationId: string,
  message: { seq: number; side: string | null },
  now: Date,
): Promise<number> {
  const { seq, side } = message;
  await redactMessage(tx, conversationId, seq, now);
  if (side === 'worker' || side === 'business') {
    const removed = { conversationId, seq, side } as const;
    if (await uncountUnread(tx, removed)) {
      await renumberFrom(tx, removed);
      await removeNotices(tx, noticeGroup(conversationId), await clearUnread(tx, removed));
    }
  }
  return touchMessage(tx, conversationId, seq);
}

async function publishAndRead(
  tx: Tx,
  accountId: string,
  access: ConversationAccess,
  seq: number,
  rev: number | null,
): Promise<Message> {
  if (rev !== null) notifyOfMessage(tx, access, rev, access.lastSeq);
  return readMessage(tx, accountId, access, seq);
}

/** Edits the caller's message, within 5 minutes, while the conversation is active. */
export async function editMessage(
  tx: Tx,
  scope: Scope,
  input: MessageRef & { body: string },
): Promise<Message> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const { id } = await requireConversation(tx, accountId, input.conversationId);
  // Pending mails and pushes must not quote the old text. Locks notices before the conversation (ADR 92).
  await deleteQuotes(tx, noticeGroup(id));
  const { access, message } = await lockMessage(tx, accountId, input);
  if (!isAuthor(accountId, { authorId: message.authorId })) throw new AppError('chat/not-yours');
  if (message.redactedAt) throw new AppError('chat/no-such-message');
  requireActive(access, now);
  if (messageProblem({ body: input.body, files: 0 })) throw new AppError('chat/empty');
  if (message.body === input.body) return publishAndRead(tx, accountId, access, input.seq, null);
  if (!mayStillEdit(message.at, now)) throw new AppError('chat/too-late');
  const warnings = findChatWarnings(input.body, access.engagementId !== null);
  const edit = { conversationId: access.id, seq: input.seq, body: input.body, warnings };
  await updateBody(tx, edit, now);
  return publishAndRead(tx, accountId, access, input.seq, await touchMessage(tx, access.id, input.seq));
}

/** Deletes the caller's message for everyone; its place stays. */
export async function redactOwn(tx: Tx, scope: Scope, input: MessageRef): Promise<Message> {
  const { accountId } = scope.actor;
  const access = await requireConversation(tx, accountId, input.conversationId);
  const current = await findForChange(tx, access.id, input.seq);
  if (!current) throw new AppError('chat/no-such-message');
  if (!isAuthor(accountId, { authorId: current.authorId })) throw new AppError('chat/not-yours');
  if (current.redactedAt) return publishAndRead(tx, accountId, access, input.seq, null);
  // Locks notices before the conversation, as in sending (ADR 92).
  await deleteQuotes(tx, noticeGroup(access.id));
  const { message } = await lockMessage(tx, accountId, input);
  const rev = message.redactedAt ? null : await redactLocked(tx, access.id, message, scope.clock.now());
  return publishAndRead(tx, accountId, access, input.seq, rev);
}

/**
 * Reacts to a message in an active conversation; one reaction per account, null removes it. For both sides.
 */
export async function react(
  tx: Tx,
  scope: Scope,
  input: MessageRef & { reaction: Reaction | null },
): Promise<Message> {
  const { accountId } = scope.actor;
  const { access, message } = await lockMessage(tx, accountId, input);
  if (message.line !== null || message.redactedAt) throw new AppError('chat/no-such-message');
  requireActive(access, scope.clock.now());
  const { seq, reaction } = input;
  const isChanged = await setReaction(tx, { conversationId: access.id, seq, accountId, reaction });
  return publishAndRead(
    tx,
    accountId,
    access,
    seq,
    isChanged ? await touchMessage(tx, access.id, seq) : null,
  );
}

type Reported = Pick<ConversationAccess, 'id' | 'workerId' | 'businessId' | 'lastSeq'> & { seq: number };

/** Redacts a reported message, for operators. Idempotent. */
export async function redactReported(tx: Tx, reported: Reported, decidedAt: Date): Promise<void> {
  const message = await findForChange(tx, reported.id, reported.seq);
  if (!message || message.redactedAt) return;
  const rev = await redactLocked(tx, reported.id, message, decidedAt);
  notifyOfMessage(tx, reported, rev, reported.lastSeq);
}

/** Undoes `redactReported`, unless the author removed the message. The caller has locked the conversation. */
export async function restoreReported(tx: Tx, reported: Reported, decidedAt: Date): Promise<void> {
  const { id: conversationId, seq } = reported;
  if (!(await restoreMessage(tx, { conversationId, seq, redactedAt: decidedAt }))) return;
  notifyOfMessage(tx, reported, await touchMessage(tx, conversationId, seq), reported.lastSeq);
}

const isAuthor = (accountId: string, message: { authorId: string | null }): boolean =>
  message.authorId === accountId;
