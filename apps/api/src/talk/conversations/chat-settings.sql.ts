import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/kept-plans.ts';
import { recruiters } from '../../platform/members/recruiters.ts';
import { type PartRow, partColumns, roleOf, workBehind } from './parts.sql.ts';

export async function findSettings(db: Db, accountId: string) {
  return db.selectFrom('chat_settings').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}

type Saved = {
  shows_typing?: boolean;
  shows_last_seen?: boolean;
  shows_read?: boolean;
  quick_replies?: string[];
};

export async function saveSettingsRow(tx: Tx, accountId: string, saved: Saved): Promise<void> {
  await tx
    .insertInto('chat_settings')
    .values({ account_id: accountId, ...saved })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(saved))
    .execute();
}

export type TypingRow = PartRow & {
  shows_typing: boolean;
  /** Accounts of the other side that show when they type, and so may see it. */
  hearers: string[];
};

/** What deciding about typing needs of a conversation. */
export async function findTyping(
  db: Db,
  accountId: string,
  conversationId: string,
): Promise<TypingRow | undefined> {
  const { rows } = await sql<TypingRow>`${keptPlan}
    select ${partColumns}, ${roleOf(accountId)},
      coalesce((select shows_typing from chat_settings where account_id = ${accountId}), true) and not exists (select from sanctions
        where sanctions.account_id = ${accountId} and scope in ('chat', 'everything') and ended_at is null) as shows_typing,
      array(
        select hearer.account_id from (
          select conversation.worker_id as account_id
          union
          select member.account_id from job_members member where member.job_id = conversation.job_id
            and member.role in ${recruiters}
        ) hearer
        left join chat_settings setting on setting.account_id = hearer.account_id
        where coalesce(setting.shows_typing, true) and hearer.account_id <> ${accountId}
      ) as hearers
    from conversations conversation ${workBehind} where conversation.id = ${conversationId}`.execute(db);
  return rows[0];
}

/** For a removed account: its privacy settings, quick replies and counts. */
export async function deleteChatSettings(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('chat_settings').where('account_id', '=', accountId).execute();
}
