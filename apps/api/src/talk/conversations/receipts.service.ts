import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Tx } from '../../platform/db.ts';
import { emit, type Room } from '../../platform/emit.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { seeGroup } from '../notifications/notifications.service.ts';
import { readConversation } from './conversation-views.service.ts';
import { noticeGroup, requirePart, roomsOf } from './parts.service.ts';
import { advanceReceipts, findReadToEnd, lockPair, setBlocked, setMuted } from './receipts.sql.ts';

/** A place beyond what the database counts to is as good as the newest one. */
const highest = 2_147_483_647;

/**
 * Takes down how far the caller's devices have messages and how far they were read. It only moves on, however late or often a device says it, and never beyond the
 * newest message; what is read is delivered too. Conversations that are not the caller's are passed over in silence.
 */
export async function acknowledge(
  tx: Tx,
  scope: Scope,
  input: { items: { conversationId: string; deliveredSeq: number; readSeq?: number | undefined }[] },
): Promise<{ conversations: number }> {
  const { accountId } = scope.actor;
  const receipts = input.items.map((item) => ({
    conversation_id: item.conversationId,
    delivered_seq: Math.min(item.deliveredSeq, highest),
    read_seq: Math.min(item.readSeq ?? 0, highest),
  }));
  // Notices first, then readers: the order in which sending takes them too.
  for (const conversationId of await findReadToEnd(tx, accountId, receipts))
    await seeGroup(tx, scope, accountId, noticeGroup(conversationId));
  const rows = await advanceReceipts(tx, accountId, receipts);
  for (const { id, worker_id, business_id, changed, shown } of rows) {
    // A signal at the moment of reading would say as much as the receipt that is not shown.
    const rooms: Room[] = shown
      ? roomsOf({ workerId: worker_id, businessId: business_id })
      : [`account:${accountId}`];
    if (changed) emit(tx, rooms, { kind: 'conversation', conversationId: id });
  }
  return { conversations: rows.length };
}

/** No notices of a conversation to the caller, or again; told to their own devices alone. @throws chat/not-found */
export async function muteConversation(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; muted: boolean },
): Promise<Conversation> {
  const { accountId } = scope.actor;
  await requirePart(tx, accountId, input.conversationId);
  await setMuted(tx, accountId, input.conversationId, input.muted);
  emit(tx, [`account:${accountId}`], { kind: 'conversation', conversationId: input.conversationId });
  return readConversation(tx, scope, input);
}

/**
 * Blocks the other side in every conversation with them, or no longer: the worker the business, or any recruiter the worker for the whole business. Nobody writes
 * while either side blocks. Again it changes nothing.
 * @throws chat/not-found
 */
export async function blockOther(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; blocked: boolean },
): Promise<Conversation> {
  const { accountId } = scope.actor;
  const part = await requirePart(tx, accountId, input.conversationId);
  // Under the lock of each, so that no message is stored after the answer that there will be none.
  const conversationIds = await lockPair(tx, part);
  const { workerId, businessId, side } = part;
  const block = { workerId, businessId, side, accountId, blocked: input.blocked };
  if (await setBlocked(tx, block, scope.clock.now()))
    for (const conversationId of conversationIds)
      emit(tx, roomsOf(part), { kind: 'conversation', conversationId });
  return readConversation(tx, scope, input);
}
