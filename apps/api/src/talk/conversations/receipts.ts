import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { ChatSide } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';
import { emit, type RealtimeRoom } from '../../platform/realtime/publish.ts';
import { seeGroup } from '../notifications/notifications.ts';
import { readConversation } from './conversation-views.ts';
import { noticeGroup, requireConversation, roomsOf } from './conversations.ts';

/** A number beyond the database's integers counts as the newest. */
const highest = 2_147_483_647;

/** Records delivered and read receipts. They only move forward, and never beyond the newest message. */
export async function acknowledge(
  tx: Tx,
  scope: Scope,
  input: { items: { conversationId: string; deliveredSeq: number; readSeq?: number }[] },
): Promise<{ conversations: number }> {
  const { accountId } = scope.actor;
  const receipts = input.items.map((item) => ({
    conversationId: item.conversationId,
    deliveredSeq: Math.min(item.deliveredSeq, highest),
    readSeq: Math.min(item.readSeq ?? 0, highest),
  }));
  // Locks notices first, then readers, as in sending.
  for (const conversationId of await findReadToEnd(tx, accountId, receipts))
    await seeGroup(tx, scope, accountId, noticeGroup(conversationId));
  const rows = await advanceReceipts(tx, accountId, receipts);
  for (const { id, workerId, businessId, changed, shown } of rows) {
    // A signal on reading would reveal as much as the hidden receipt.
    const rooms: RealtimeRoom[] = shown ? roomsOf({ workerId, businessId }) : [`account:${accountId}`];
    if (changed) emit(tx, rooms, { kind: 'conversation', conversationId: id });
  }
  return { conversations: rows.length };
}

/** Mutes or unmutes a conversation for the caller. */
export async function muteConversation(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; muted: boolean },
): Promise<Conversation> {
  const { accountId } = scope.actor;
  await requireConversation(tx, accountId, input.conversationId);
  await setMuted(tx, accountId, input.conversationId, input.muted);
  emit(tx, [`account:${accountId}`], { kind: 'conversation', conversationId: input.conversationId });
  return readConversation(tx, scope, input);
}

/** Blocks or unblocks the other side: a recruiter for the whole business. */
export async function blockOther(
  tx: Tx,
  scope: Scope,
  input: { conversationId: string; blocked: boolean },
): Promise<Conversation> {
  const { accountId } = scope.actor;
  const access = await requireConversation(tx, accountId, input.conversationId);
  // Blocks under each conversation's lock, so that no message is stored after the block is confirmed.
  const conversationIds = await lockPair(tx, access);
  const { workerId, businessId, side } = access;
  const block = { workerId, businessId, side, accountId, blocked: input.blocked };
  if (await setBlocked(tx, block, scope.clock.now()))
    for (const conversationId of conversationIds)
      emit(tx, roomsOf(access), { kind: 'conversation', conversationId });
  return readConversation(tx, scope, input);
}

type Receipt = { conversationId: string; deliveredSeq: number; readSeq: number };
type ReceiptRow = {
  id: string;
  workerId: string;
  businessId: string;
  changed: boolean;
  /**
   * Delivery reveals that a device is online, so hiding last-seen hides it too (ADR 92), as does hiding read
   * receipts.
   */
  shown: boolean;
};

/** Locks in a fixed order, so that two devices don't deadlock. Other people's conversations are ignored. */
async function advanceReceipts(
  tx: Tx,
  accountId: string,
  receipts: readonly Receipt[],
): Promise<ReceiptRow[]> {
  const { rows } = await sql<ReceiptRow>`${keptPlan}
    with input as (
      select conversation.id, conversation.worker_id, conversation.business_id,
        least(receipt.delivered_seq, conversation.last_seq) as delivered_seq, least(receipt.read_seq, conversation.last_seq) as read_seq
      from (select conversation_id, max(delivered_seq) as delivered_seq, max(read_seq) as read_seq
        from jsonb_to_recordset(${asRecords(receipts)}::jsonb) as item (conversation_id uuid, delivered_seq integer, read_seq integer)
        group by conversation_id) receipt
      join conversations conversation on conversation.id = receipt.conversation_id
      where conversation.worker_id = ${accountId} or exists (
        select from job_members member where member.job_id = conversation.job_id and member.account_id = ${accountId}
          and member.role in ${recruiters})
      order by conversation.id
    ), moved as (
      insert into conversation_readers as reader (conversation_id, account_id, delivered_seq, read_seq)
      select id, ${accountId}, greatest(delivered_seq, read_seq), read_seq from input
      on conflict (conversation_id, account_id) do update set
        delivered_seq = greatest(reader.delivered_seq, excluded.delivered_seq), read_seq = greatest(reader.read_seq, excluded.read_seq)
        where excluded.delivered_seq > reader.delivered_seq or excluded.read_seq > reader.read_seq
      returning conversation_id
    ), seen as (
      delete from unread_conversations unread using input
      where unread.conversation_id = input.id and unread.account_id = ${accountId} and unread.seq <= input.read_seq
    )
    select input.id, input.worker_id, input.business_id, moved.conversation_id is not null as changed,
      coalesce(setting.shows_read, true) and input.read_seq > coalesce(before.read_seq, 0)
        or coalesce(setting.shows_last_seen, true) and not exists (select from chat_blocks block
          where block.worker_id = input.worker_id and block.business_id = input.business_id)
            and greatest(input.delivered_seq, input.read_seq) > coalesce(before.delivered_seq, 0) as shown
    from input left join moved on moved.conversation_id = input.id
    left join conversation_readers before on before.conversation_id = input.id and before.account_id = ${accountId}
    left join chat_settings setting on setting.account_id = ${accountId}`.execute(tx);
  return rows;
}

async function findReadToEnd(tx: Tx, accountId: string, receipts: readonly Receipt[]): Promise<string[]> {
  const readReceipts = receipts.filter((receipt) => receipt.readSeq > 0);
  if (readReceipts.length === 0) return [];
  const { rows } = await sql<{ id: string }>`${keptPlan}
    select distinct conversation.id
    from jsonb_to_recordset(${asRecords(readReceipts)}::jsonb) as item (conversation_id uuid, read_seq integer)
    join conversations conversation on conversation.id = item.conversation_id
    left join conversation_readers reader on reader.conversation_id = conversation.id and reader.account_id = ${accountId}
    where item.read_seq >= case when conversation.worker_id = ${accountId} then conversation.business_last_seq
      else conversation.worker_last_seq end
      and item.read_seq > coalesce(reader.read_seq, 0)
    order by conversation.id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function setMuted(tx: Tx, accountId: string, conversationId: string, muted: boolean): Promise<void> {
  await tx
    .insertInto('conversation_readers')
    .values({ accountId, conversationId, muted })
    .onConflict((conflict) => conflict.columns(['conversationId', 'accountId']).doUpdateSet({ muted }))
    .execute();
}

type Pair = { workerId: string; businessId: string };

/** Locks every conversation of a worker and a business, in the order of batched lines. */
async function lockPair(tx: Tx, pair: Pair): Promise<string[]> {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('workerId', '=', pair.workerId)
    .where('businessId', '=', pair.businessId)
    .orderBy('jobId')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

async function setBlocked(
  tx: Tx,
  block: Pair & { side: ChatSide; accountId: string; blocked: boolean },
  now: Date,
): Promise<boolean> {
  if (!block.blocked) {
    const { numDeletedRows } = await tx
      .deleteFrom('chat_blocks')
      .where('workerId', '=', block.workerId)
      .where('businessId', '=', block.businessId)
      .where('side', '=', block.side)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('chat_blocks')
    .values({
      workerId: block.workerId,
      businessId: block.businessId,
      side: block.side,
      byAccount: block.accountId,
      at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

type RemovedMessage = { conversationId: string; seq: number; side: 'worker' | 'business' };

const readersOf = (conversationId: string) => sql`left join conversation_readers reader
  on reader.conversation_id = ${conversationId} and reader.account_id = unread.account_id`;

/** Takes a removed message out of its side's count if someone has not read it yet; false if everyone has. */
export async function uncountUnread(tx: Tx, { conversationId, seq, side }: RemovedMessage): Promise<boolean> {
  const sentColumn = sql.raw(`${side}_sent`);
  const { rows } = await sql`
    update conversations set ${sentColumn} = ${sentColumn} - 1 where id = ${conversationId} and exists (
      select from unread_conversations unread ${readersOf(conversationId)}
      where unread.conversation_id = ${conversationId} and coalesce(reader.read_seq, 0) < ${seq})
    returning id`.execute(tx);
  return rows.length > 0;
}

/**
 * Removes the unread mark of everyone who has nothing else to read.
 * @returns their accounts
 */
export async function clearUnread(tx: Tx, { conversationId, seq, side }: RemovedMessage): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`
    delete from unread_conversations gone using unread_conversations unread ${readersOf(conversationId)}
    where gone.conversation_id = ${conversationId} and unread.conversation_id = gone.conversation_id and unread.account_id = gone.account_id
      and coalesce(reader.read_seq, 0) < ${seq} and not exists (
        select from messages message where message.conversation_id = ${conversationId} and message.seq > coalesce(reader.read_seq, 0)
          and message.side = ${side} and message.line is null and message.redacted_at is null)
    returning gone.account_id`.execute(tx);
  return rows.map(({ accountId }) => accountId);
}
