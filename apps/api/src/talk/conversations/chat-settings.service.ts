import type { ChatSettings } from '@nearhand/contract/talk/conversations';
import type { Db, Tx } from '../../platform/db.ts';
import type { Room } from '../../platform/emit.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findSettings, findTyping, saveSettingsRow } from './chat-settings.sql.ts';
import { partOf } from './conversations.policy.ts';
import { stateOf } from './conversations.rules.ts';

/** The caller's chat privacy settings; everything is shown by default. */
export async function readChatSettings(db: Db, scope: Scope): Promise<ChatSettings> {
  const row = await findSettings(db, scope.actor.accountId);
  return {
    showsTyping: row?.shows_typing ?? true,
    showsLastSeen: row?.shows_last_seen ?? true,
    showsRead: row?.shows_read ?? true,
  };
}

/** Changes the caller's chat privacy; what they hide they also don't see of others. */
export async function saveChatSettings(tx: Tx, scope: Scope, input: ChatSettings): Promise<ChatSettings> {
  await saveSettingsRow(tx, scope.actor.accountId, {
    shows_typing: input.showsTyping,
    shows_last_seen: input.showsLastSeen,
    shows_read: input.showsRead,
  });
  return input;
}

/** The caller's quick replies, in order. */
export async function readQuickReplies(db: Db, scope: Scope): Promise<{ items: string[] }> {
  return { items: (await findSettings(db, scope.actor.accountId))?.quick_replies ?? [] };
}

/** Replaces the caller's quick replies. */
export async function saveQuickReplies(
  tx: Tx,
  scope: Scope,
  input: { items: string[] },
): Promise<{ items: string[] }> {
  await saveSettingsRow(tx, scope.actor.accountId, { quick_replies: input.items });
  return { items: input.items };
}

/**
 * For the sockets: who may see an account typing in a conversation, each of whom shows it too; null where it takes no part, hides typing,
 * or nobody can write.
 */
export async function findTypingTo(
  db: Db,
  accountId: string,
  conversationId: string,
  now: Date,
): Promise<{ rooms: Room[]; side: 'worker' | 'business' } | null> {
  const row = await findTyping(db, accountId, conversationId);
  const side = row && partOf(accountId, { workerId: row.worker_id, role: row.role });
  if (!side || !row.shows_typing || row.hearers.length === 0) return null;
  const standing = { frozen: row.frozen, blockedBy: row.blocked_by, endedAt: row.ended_at };
  if (stateOf(standing, now) !== 'active') return null;
  return { rooms: row.hearers.map((listener): Room => `account:${listener}`), side };
}

/** For an account that is removed (ADR 160). */
export { deleteChatSettings } from './chat-settings.sql.ts';
