import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Tx } from '../../platform/db.ts';
import { emit, type Room } from '../../platform/emit.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { seeGroup } from '../notifications/notifications.service.ts';
import { readConversation } from './conversation-views.service.ts';
import { noticeGroup, requirePart, roomsOf } from './parts.service.ts';
import { advanceReceipts, findReadToEnd, lockPair, setBlocked, setMuted } from './receipts.sql.ts';

/** A number beyond the database's integers counts as the newest. */
const highest = 2_147_483_647;

/**
 * Records how far messages were delivered to and read by the caller. It only moves forward, however late or often a device reports, and
 * never beyond the newest message; read implies delivered. Others' conversations are ignored.
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
  // Notices first, then readers, as in sending.
  for (const conversationId of await findReadToEnd(tx, accountId, receipts))
    await seeGroup(tx, scope, accountId, noticeGroup(conversationId));
  const rows = await advanceReceipts(tx, accountId, receipts);
  for (const { id, worker_id, business_id, changed, shown } of rows) {
    // A signal on reading would reveal as much as the hidden receipt.
    const rooms: Room[] = shown
      ? roomsOf({ workerId: worker_id, businessId: business_id })
      : [`account:${accountId}`];
    if (changed) emit(tx, rooms, { kind: 'conversation', conversationId: id });
  }
  return { conversations: rows.length };
}

/** Mutes or unmutes a conversation for the caller; signals only their own devices. @throws chat/not-found */
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
 * Blocks or unblocks the other side in all conversations with them: a worker blocks the business, a recruiter blocks the worker for the
 * whole business. Nobody can write while either side blocks. A repeat is a no-op.
 * @throws chat/not-found
 */
export async function blockOther(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; blocked: boolean },
): Promise<Conversation> {
  const { accountId } = scope.actor;
  const part = await requirePart(tx, accountId, input.conversationId);
  // Under each conversation's lock, so that no message is stored after the block is confirmed.
  const conversationIds = await lockPair(tx, part);
  const { workerId, businessId, side } = part;
  const block = { workerId, businessId, side, accountId, blocked: input.blocked };
  if (await setBlocked(tx, block, scope.clock.now()))
    for (const conversationId of conversationIds)
      emit(tx, roomsOf(part), { kind: 'conversation', conversationId });
  return readConversation(tx, scope, input);
}
