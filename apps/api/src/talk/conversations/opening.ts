import type { Conversation } from '@nearhand/contract/talk/conversations';
import { AppError } from '../../platform/app-error.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { readConversation } from './conversation-views.ts';
import { sideOf } from './conversations.sql.ts';
import { findConnection, insertConversation } from './conversations.ts';

/** Statuses of jobs that only the business may know of. */
const hidden = ['draft', 'in_review', 'rejected'];

/** Opens the conversation of a job, once there is an application. For both sides. */
export async function openTheirConversation(
  tx: Tx,
  scope: Scope,
  input: { jobId: string; workerId?: string },
): Promise<Conversation> {
  const { accountId } = scope.actor;
  const subject = { jobId: input.jobId, workerId: input.workerId ?? accountId };
  const connection = await findConnection(tx, accountId, subject);
  const side = connection && sideOf(accountId, { workerId: subject.workerId, role: connection.role });
  if (!connection || !side) throw new AppError('chat/not-found');
  if (!connection.connected)
    throw new AppError(
      side === 'worker' && hidden.includes(connection.status) ? 'chat/not-found' : 'chat/not-connected',
    );
  const now = scope.clock.now();
  const row = { id: newId(now), ...subject, businessId: connection.businessId };
  const conversationId = await insertConversation(tx, row, now);
  return readConversation(tx, scope, { conversationId });
}
