import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { restoreRedacted } from '../../talk/chat-reports/chat-reports.service.ts';
import { thawConversation } from '../../talk/chat-reports/frozen.service.ts';
import { findAboutChat, type SanctionRow } from './sanctions.sql.ts';

/** Gives a removed message back, or lets both sides write again unless another running decision keeps the conversation frozen. */
export async function restoreChat(
  tx: Tx,
  scope: Scope,
  row: Pick<SanctionRow, 'seq' | 'account_id'> & { conversation_id: string },
  reason: string,
): Promise<void> {
  const { conversation_id: conversationId, seq } = row;
  if (seq !== null) return restoreRedacted(tx, { conversationId, seq });
  if ((await findAboutChat(tx, { conversationId, seq: null })).length > 0) return;
  const side = row.account_id === null ? 'business' : 'worker';
  await thawConversation(tx, scope, { conversationId, reason, side });
}
