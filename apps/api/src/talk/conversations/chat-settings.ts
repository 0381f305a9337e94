import type { ChatSettings } from '@nearhand/contract/talk/conversations';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RealtimeRoom } from '../../platform/realtime/publish.ts';
import { stateOf } from './conversations.rules.ts';
import { findSettings, findTyping, saveSettingsRow, sideOf } from './conversations.sql.ts';

export async function readChatSettings(db: Db, scope: Scope): Promise<ChatSettings> {
  const row = await findSettings(db, scope.actor.accountId);
  return {
    showsTyping: row?.showsTyping ?? true,
    showsLastSeen: row?.showsLastSeen ?? true,
    showsRead: row?.showsRead ?? true,
  };
}

/** Changes the caller's chat privacy. They can't see of others what they hide themselves. */
export async function saveChatSettings(tx: Tx, scope: Scope, input: ChatSettings): Promise<ChatSettings> {
  await saveSettingsRow(tx, scope.actor.accountId, {
    showsTyping: input.showsTyping,
    showsLastSeen: input.showsLastSeen,
    showsRead: input.showsRead,
  });
  return input;
}

export async function readQuickReplies(db: Db, scope: Scope): Promise<{ items: string[] }> {
  return { items: (await findSettings(db, scope.actor.accountId))?.quickReplies ?? [] };
}

/** Replaces the caller's quick replies. */
export async function saveQuickReplies(
  tx: Tx,
  scope: Scope,
  input: { items: string[] },
): Promise<{ items: string[] }> {
  await saveSettingsRow(tx, scope.actor.accountId, { quickReplies: input.items });
  return { items: input.items };
}

/**
 * Accounts that may see an account typing; null if it takes no part, hides typing, or the conversation is not
 * active.
 */
export async function findTypingTo(
  db: Db,
  accountId: string,
  conversationId: string,
  now: Date,
): Promise<{ rooms: RealtimeRoom[]; side: 'worker' | 'business' } | null> {
  const row = await findTyping(db, accountId, conversationId);
  const side = row && sideOf(accountId, { workerId: row.workerId, role: row.role });
  if (!side || !row.showsTyping || row.recipients.length === 0) return null;
  const standing = { frozen: row.frozen, blockedBy: row.blockedBy, endedAt: row.endedAt };
  if (stateOf(standing, now) !== 'active') return null;
  return { rooms: row.recipients.map((listener): RealtimeRoom => `account:${listener}`), side };
}
