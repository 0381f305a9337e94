import type { ChatSide } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';
import { recruiters } from '../../platform/members/recruiters.ts';

export type Receipt = { conversation_id: string; delivered_seq: number; read_seq: number };
export type ReceiptRow = {
  id: string;
  worker_id: string;
  business_id: string;
  changed: boolean;
  /**
   * Whether the other side may see the change. Delivery reveals that a device is online, so hiding last-seen hides it too (ADR 92), as
   * does hiding read receipts.
   */
  shown: boolean;
};

/**
 * Moves an account's receipts forward in conversations it is part of, never back or beyond the newest message; others are ignored. In a
 * fixed order, so that two devices don't deadlock.
 */
export async function advanceReceipts(
  tx: Tx,
  accountId: string,
  receipts: readonly Receipt[],
): Promise<ReceiptRow[]> {
  const { rows } = await sql<ReceiptRow>`${keptPlan}
    with given as (
      select conversation.id, conversation.worker_id, conversation.business_id,
        least(receipt.delivered_seq, conversation.last_seq) as delivered_seq, least(receipt.read_seq, conversation.last_seq) as read_seq
      from (select conversation_id, max(delivered_seq) as delivered_seq, max(read_seq) as read_seq
        from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as item (conversation_id uuid, delivered_seq integer, read_seq integer)
        group by conversation_id) receipt
      join conversations conversation on conversation.id = receipt.conversation_id
      where conversation.worker_id = ${accountId} or exists (
        select from job_members member where member.job_id = conversation.job_id and member.account_id = ${accountId}
          and member.role in ${recruiters})
      order by conversation.id
    ), moved as (
      insert into conversation_readers as reader (conversation_id, account_id, delivered_seq, read_seq)
      select id, ${accountId}, greatest(delivered_seq, read_seq), read_seq from given
      on conflict (conversation_id, account_id) do update set
        delivered_seq = greatest(reader.delivered_seq, excluded.delivered_seq), read_seq = greatest(reader.read_seq, excluded.read_seq)
        where excluded.delivered_seq > reader.delivered_seq or excluded.read_seq > reader.read_seq
      returning conversation_id
    ), seen as (
      delete from unread_conversations unread using given
      where unread.conversation_id = given.id and unread.account_id = ${accountId} and unread.seq <= given.read_seq
    )
    select given.id, given.worker_id, given.business_id, moved.conversation_id is not null as changed,
      coalesce(setting.shows_read, true) and given.read_seq > coalesce(before.read_seq, 0)
        or coalesce(setting.shows_last_seen, true) and not exists (select from chat_blocks block
          where block.worker_id = given.worker_id and block.business_id = given.business_id) and greatest(given.delivered_seq, given.read_seq) > coalesce(before.delivered_seq, 0) as shown
    from given left join moved on moved.conversation_id = given.id
    left join conversation_readers before on before.conversation_id = given.id and before.account_id = ${accountId}
    left join chat_settings setting on setting.account_id = ${accountId}`.execute(tx);
  return rows;
}

/** Which conversations these receipts read to the end that were not before, in a fixed order. */
export async function findReadToEnd(
  tx: Tx,
  accountId: string,
  receipts: readonly Receipt[],
): Promise<string[]> {
  const read = receipts.filter((receipt) => receipt.read_seq > 0);
  if (read.length === 0) return [];
  const { rows } = await sql<{ id: string }>`${keptPlan}
    select distinct conversation.id
    from jsonb_to_recordset(${JSON.stringify(read)}::jsonb) as item (conversation_id uuid, read_seq integer)
    join conversations conversation on conversation.id = item.conversation_id
    left join conversation_readers reader on reader.conversation_id = conversation.id and reader.account_id = ${accountId}
    where item.read_seq >= case when conversation.worker_id = ${accountId} then conversation.business_last_seq else conversation.worker_last_seq end
      and item.read_seq > coalesce(reader.read_seq, 0)
    order by conversation.id`.execute(tx);
  return rows.map(({ id }) => id);
}

export async function setMuted(
  tx: Tx,
  accountId: string,
  conversationId: string,
  muted: boolean,
): Promise<void> {
  await tx
    .insertInto('conversation_readers')
    .values({ account_id: accountId, conversation_id: conversationId, muted })
    .onConflict((conflict) => conflict.columns(['conversation_id', 'account_id']).doUpdateSet({ muted }))
    .execute();
}

type Pair = { workerId: string; businessId: string };

/** Locks every conversation of a worker and a business, in the order of batched lines; returns their ids. */
export async function lockPair(tx: Tx, pair: Pair): Promise<string[]> {
  const rows = await tx
    .selectFrom('conversations')
    .select('id')
    .where('worker_id', '=', pair.workerId)
    .where('business_id', '=', pair.businessId)
    .orderBy('job_id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Sets or lifts one side's block; false if nothing changed. */
export async function setBlocked(
  tx: Tx,
  block: Pair & { side: ChatSide; accountId: string; blocked: boolean },
  now: Date,
): Promise<boolean> {
  if (!block.blocked) {
    const { numDeletedRows } = await tx
      .deleteFrom('chat_blocks')
      .where('worker_id', '=', block.workerId)
      .where('business_id', '=', block.businessId)
      .where('side', '=', block.side)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('chat_blocks')
    .values({
      worker_id: block.workerId,
      business_id: block.businessId,
      side: block.side,
      by_account: block.accountId,
      at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}
