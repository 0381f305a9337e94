import { otherSide } from '@nearhand/contract/sides';
import type { FrozenConversation } from '@nearhand/contract/talk/chat-reports';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { unfreezeConversation } from '../conversations/conversations.ts';
import { readReported } from '../conversations/message-views.ts';
import { clearFreeze, findFrozen, type LiftingRow, lockFrozen } from './chat-reports.sql.ts';
import { mayDecide } from './chat-reports.ts';
import { notifyOfLifting } from './report-notices.ts';

/**
 * A frozen conversation with the messages and reports that led to it, deleted text included; undefined if it is not
 * frozen. For operators; the caller checks access.
 */
export async function frozenConversation(
  db: Db,
  { actor }: Pick<Scope, 'actor'>,
  conversationId: string,
): Promise<FrozenConversation | undefined> {
  const row = await findFrozen(db, conversationId);
  if (!row) return undefined;
  const messagesOf = await readReported(db, actor.accountId, [row]);
  return {
    conversationId: row.conversationId,
    job: { id: row.jobId, title: row.title },
    business: { id: row.businessId, name: row.businessName },
    worker: { id: row.workerId, name: row.workerName },
    at: row.at.toISOString(),
    reason: row.reason,
    seq: row.seq,
    messages: messagesOf(row),
    reports: row.reports,
  };
}

/**
 * Lifts a freeze and notifies both sides. For operators other than the one who froze the conversation.
 * Idempotent.
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
  const reporterId = row.isReporter ? accountId : '';
  if (!mayDecide(accountId, { workerId: row.workerId, reporterId, isMember: row.isMember }))
    throw new AppError('operator/own-record');
  if (!row.frozen) return { conversationId };
  // Requires another operator (product.md, Report: an appeal goes to another operator).
  if (row.isDecider) throw new AppError('operator/own-decision');
  await endFreeze(tx, scope, row, { reason, sides: ['worker', 'business'] });
  return { conversationId };
}

/** Ends a freeze whose decision was reversed, and notifies the other side. */
export async function thawConversation(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; reason: string; side: ChatSide },
): Promise<void> {
  const row = await lockFrozen(tx, scope.actor.accountId, input.conversationId);
  if (!row?.frozen) return;
  const { reason } = input;
  await endFreeze(tx, scope, row, { reason, sides: [otherSide(input.side)] });
}

async function endFreeze(
  tx: Tx,
  scope: Scope,
  row: LiftingRow,
  { reason, sides }: { reason: string; sides: readonly ChatSide[] },
): Promise<void> {
  const { accountId } = scope.actor;
  const reportId = await clearFreeze(tx, { conversationId: row.id, accountId, reason }, scope.clock.now());
  await unfreezeConversation(tx, { id: row.id, workerId: row.workerId, businessId: row.businessId });
  await notifyOfLifting(tx, scope, row, { reportId, reason, sides });
}
