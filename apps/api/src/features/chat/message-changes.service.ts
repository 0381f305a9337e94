import type { Message, Reaction } from '@nearhand/contract/chat';
import { findContactDetails } from '@nearhand/contract/contact-details';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { forgetQuotes } from '../notifications/notice-words.service.ts';
import { isTheirs } from './chat.policy.ts';
import { mayStillEdit } from './chat.rules.ts';
import { noticeGroup } from './message-notices.service.ts';
import { readMessage } from './message-views.service.ts';
import { hasWords, tellOfMessage } from './messages.service.ts';
import { findForChange, lockConversation, redactMessage, setReaction, updateBody } from './messages.sql.ts';
import { demandActive, demandPart, type Part } from './parts.service.ts';

type OfMessage = { conversationId: string; seq: number };

/** The caller's part and a message, with the conversation locked. @throws chat/not-found, chat/no-such-message */
async function lockMessage(tx: Tx, accountId: string, of: OfMessage) {
  await demandPart(tx, accountId, of.conversationId);
  await lockConversation(tx, of.conversationId);
  // Read again: it may have been frozen while this waited for the lock.
  const part = await demandPart(tx, accountId, of.conversationId);
  const message = await findForChange(tx, part.id, of.seq);
  if (!message) throw new AppError('chat/no-such-message');
  return { part, message };
}

/** The changed message, told to everybody in its conversation. */
async function changed(
  tx: Tx,
  accountId: string,
  part: Part,
  seq: number,
  rev: number | null,
): Promise<Message> {
  if (rev !== null) tellOfMessage(tx, part, rev, part.lastSeq);
  return readMessage(tx, accountId, part, seq);
}

/**
 * Changes the words of what the caller wrote, within 5 minutes by the server's clock, while the conversation is active. The same words again change nothing.
 * @throws chat/not-found, chat/no-such-message (also: taken back), chat/not-yours, chat/empty, chat/too-late, chat/read-only, chat/blocked, chat/frozen
 */
export async function editMessage(
  tx: Tx,
  scope: Scope,
  input: OfMessage & { body: string },
): Promise<Message> {
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const { id } = await demandPart(tx, accountId, input.conversationId);
  // A notice that is still to be mailed or pushed must not quote what does not stand there any more. Notices before the conversation (ADR 0092).
  await forgetQuotes(tx, noticeGroup(id));
  const { part, message } = await lockMessage(tx, accountId, input);
  if (!isTheirs(accountId, { authorId: message.author_id })) throw new AppError('chat/not-yours');
  if (message.redacted_at) throw new AppError('chat/no-such-message');
  demandActive(part, now);
  if (!hasWords(input.body)) throw new AppError('chat/empty');
  if (message.body === input.body) return changed(tx, accountId, part, input.seq, null);
  if (!mayStillEdit(message.at, now)) throw new AppError('chat/too-late');
  const warnings = part.engagementId === null ? findContactDetails(input.body) : [];
  const edit = { conversationId: part.id, seq: input.seq, body: input.body, warnings };
  return changed(tx, accountId, part, input.seq, await updateBody(tx, edit, now));
}

/**
 * Takes back what the caller wrote, at any time and in any state: words, files and reactions go, for everybody and where it was answered; its place stays. Again
 * it changes nothing.
 * @throws chat/not-found, chat/no-such-message, chat/not-yours
 */
export async function takeBack(tx: Tx, scope: Scope, input: OfMessage): Promise<Message> {
  const { accountId } = scope.actor;
  const part = await demandPart(tx, accountId, input.conversationId);
  const written = await findForChange(tx, part.id, input.seq);
  if (!written) throw new AppError('chat/no-such-message');
  if (!isTheirs(accountId, { authorId: written.author_id })) throw new AppError('chat/not-yours');
  if (written.redacted_at) return changed(tx, accountId, part, input.seq, null);
  // Notices before the conversation: the order in which sending takes them too (ADR 0092).
  await forgetQuotes(tx, noticeGroup(part.id));
  const { message } = await lockMessage(tx, accountId, input);
  const rev = message.redacted_at ? null : await redactMessage(tx, part.id, input.seq, scope.clock.now());
  return changed(tx, accountId, part, input.seq, rev);
}

/**
 * Answers a message without words, in an active conversation; one reaction an account, null takes it back. Not to a line about the work, nor to what was taken back.
 * @throws chat/not-found, chat/no-such-message, chat/read-only, chat/blocked, chat/frozen
 */
export async function react(
  tx: Tx,
  scope: Scope,
  input: OfMessage & { reaction: Reaction | null },
): Promise<Message> {
  const { accountId } = scope.actor;
  const { part, message } = await lockMessage(tx, accountId, input);
  if (message.line !== null || message.redacted_at) throw new AppError('chat/no-such-message');
  demandActive(part, scope.clock.now());
  const { seq, reaction } = input;
  const rev = await setReaction(tx, { conversationId: part.id, seq, accountId, reaction });
  return changed(tx, accountId, part, seq, rev);
}
