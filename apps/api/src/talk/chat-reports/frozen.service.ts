import type { FrozenConversation } from '@nearhand/contract/talk/chat-reports';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { unfreezeConversation } from '../conversations/conversations.service.ts';
import { mayDecide } from './chat-reports.policy.ts';
import { type FrozenRow, findFrozen, lift, lockFrozen } from './chat-reports.sql.ts';
import { notifyOfLifting } from './report-notices.service.ts';

/**
 * For operators: frozen conversations, oldest first; except those the caller is part of.
 * @throws request/bad-cursor
 */
export async function frozenConversations(
  db: Db,
  scope: Scope,
  input: { cursor?: string | undefined; limit: number },
): Promise<{ items: FrozenConversation[]; nextCursor: string | null }> {
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findFrozen(db, scope.actor.accountId, { after, limit: input.limit + 1 });
  const { items, nextCursor } = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return { items: items.map(viewFrozen), nextCursor };
}

const viewFrozen = (row: FrozenRow): FrozenConversation => ({
  conversationId: row.conversation_id,
  job: { id: row.job_id, title: row.title },
  business: { id: row.business_id, name: row.business_name },
  worker: { id: row.worker_id, name: row.worker_name },
  at: row.at.toISOString(),
  reason: row.reason,
});

/**
 * For operators: lifts a freeze, so both sides can write unless something else prevents it; both are notified with the reason. A no-op if
 * not frozen. Not for anyone who froze it.
 * @throws chat/not-found, operator/own-record, operator/own-decision
 */
export async function liftFreeze(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; reason: string },
): Promise<{ conversationId: string }> {
  const { accountId } = scope.actor;
  const { conversationId, reason } = input;
  const row = await lockFrozen(tx, accountId, conversationId);
  if (!row) throw new AppError('chat/not-found');
  const reporterId = row.is_reporter ? accountId : '';
  if (!mayDecide(accountId, { workerId: row.worker_id, reporterId, isMember: row.is_member }))
    throw new AppError('operator/own-record');
  if (!row.frozen) return { conversationId };
  // Another operator reviews it (product.md, Report: an appeal goes to another operator).
  if (row.is_decider) throw new AppError('operator/own-decision');
  const reportId = await lift(tx, { conversationId, accountId, reason }, scope.clock.now());
  await unfreezeConversation(tx, { id: row.id, workerId: row.worker_id, businessId: row.business_id });
  await notifyOfLifting(tx, scope, row, { reportId, reason });
  return { conversationId };
}

/** For an account that is removed (ADR 0160). */
export { forgetReports } from './chat-reports.sql.ts';
