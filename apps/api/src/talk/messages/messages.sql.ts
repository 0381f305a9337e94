import type { ChatWarning } from '@nearhand/contract/talk/chat-warnings';
import type { ChatSide, Reaction } from '@nearhand/contract/talk/messages';
import { sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { keptPlan } from '../../platform/prepared-statements.ts';

export type MessageToSend = {
  id: string;
  conversationId: string;
  accountId: string;
  side: ChatSide;
  clientId: string;
  body: string;
  replyTo: number | null;
  warnings: readonly ChatWarning[];
  fileIds: readonly string[];
};

export type SendOutcome =
  | { outcome: 'sent' | 'known'; seq: number; rev: number; wait: null }
  | { outcome: 'blocked'; seq: null; rev: null; wait: null }
  | { outcome: 'frozen'; seq: null; rev: null; wait: null }
  | { outcome: 'too-fast'; seq: null; rev: null; wait: number };

/**
 * Appends a message (`chat_send` in `0007_talk.sql`). After any outcome but `sent` the transaction must be
 * rolled back.
 */
export async function insertMessage(
  tx: Tx,
  message: MessageToSend,
  limits: { burst: number; perMinute: number },
  now: Date,
): Promise<SendOutcome> {
  const { rows } = await sql<SendOutcome>`${keptPlan} select outcome, seq, rev, wait from chat_send(
    ${message.id}, ${message.conversationId}, ${message.accountId}, ${message.side}, ${message.clientId},
      ${message.body}, ${message.replyTo},
    ${[...message.warnings]}, ${[...message.fileIds]}, ${now}, ${limits.burst}, ${limits.perMinute})`.execute(
    tx,
  );
  return rows[0] as SendOutcome;
}

export type FileState = {
  id: string;
  purpose: string;
  name: string;
  mediaType: string;
  bytes: number;
  sent: boolean;
};

export async function findOwnFiles(
  db: Db,
  accountId: string,
  fileIds: readonly string[],
): Promise<FileState[]> {
  const { rows } = await sql<FileState>`
    select id, purpose, name, media_type, bytes, exists (select from message_files where file_id = files.id) as sent
    from files where account_id = ${accountId} and id in (${sql.join(fileIds)})`.execute(db);
  return rows;
}

/** The fields that distinguish a repeat from another message under the same id. */
export async function findStored(db: Db, conversationId: string, seq: number) {
  const { rows } = await sql<{ body: string; replyTo: number | null; changed: boolean; fileIds: string[] }>`
    select body, reply_to, edited_at is not null or redacted_at is not null as changed,
      array(select file_id from message_files
        where message_files.conversation_id = messages.conversation_id and message_files.seq = messages.seq
        order by place) as file_ids
    from messages where conversation_id = ${conversationId} and seq = ${seq}`.execute(db);
  return rows[0];
}

/** Reads without a lock: the author never changes; read the rest with the conversation locked. */
export async function findForChange(tx: Db, conversationId: string, seq: number) {
  return tx
    .selectFrom('messages')
    .select(['seq', 'side', 'authorId', 'body', 'line', 'at', 'redactedAt'])
    .where('conversationId', '=', conversationId)
    .where('seq', '=', seq)
    .executeTakeFirst();
}

/** Returns a message and those that quote it, which change with it. */
export async function findWithQuotes(tx: Tx, conversationId: string, seq: number): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select seq from messages where conversation_id = ${conversationId} and (seq = ${seq} or reply_to = ${seq})
    order by seq <> ${seq}, seq`.execute(tx);
  return rows.map((row) => row.seq);
}

/** Gives changed messages consecutive revisions that end at `last`. */
export async function setRevisions(
  tx: Tx,
  conversationId: string,
  seqs: readonly number[],
  last: number,
): Promise<void> {
  await sql`
    update messages set rev = ${last}::integer - ${seqs.length}::integer + numbered.nth
    from unnest(${[...seqs]}::integer[]) with ordinality as numbered (seq, nth)
    where messages.conversation_id = ${conversationId} and messages.seq = numbered.seq`.execute(tx);
}

/** Characters of earlier text stored per message; the oldest are dropped. */
const maxEarlier = 100_000;

/** Stores a message's current text for operators only, after earlier versions (ADR 94). */
const indexWords = (message: { conversationId: string; seq: number }, now: Date) => sql`
  insert into redacted_words as earlier (conversation_id, seq, body, at, last_length)
  select conversation_id, seq, body, ${now}::timestamptz, char_length(body)
  from messages where conversation_id = ${message.conversationId} and seq = ${message.seq}
  on conflict (conversation_id, seq) do update
    set body = right(concat_ws(E'\\n\\n', nullif(earlier.body, ''), nullif(excluded.body, '')), ${maxEarlier}), at = excluded.at,
      last_length = excluded.last_length`;

/** Replaces a message's text; operators can still read the earlier text. */
export async function updateBody(
  tx: Tx,
  message: { conversationId: string; seq: number; body: string; warnings: readonly ChatWarning[] },
  now: Date,
): Promise<void> {
  await indexWords(message, now).execute(tx);
  await tx
    .updateTable('messages')
    .set({ body: message.body, warnings: [...message.warnings], editedAt: now })
    .where('conversationId', '=', message.conversationId)
    .where('seq', '=', message.seq)
    .execute();
}

/** Removes a message's text, files and reactions; operators can still read the text (ADR 94). */
export async function redactMessage(tx: Tx, conversationId: string, seq: number, now: Date): Promise<void> {
  await sql`
    with kept as (
      ${indexWords({ conversationId, seq }, now)}
    ), withdrawn as (
      update message_files set withdrawn_at = ${now} where conversation_id = ${conversationId} and seq = ${seq}
    ), unsaid as (
      delete from message_reactions where conversation_id = ${conversationId} and seq = ${seq}
    )
    update messages set body = '', warnings = '{}', redacted_at = ${now}
    where conversation_id = ${conversationId} and seq = ${seq}`.execute(tx);
}

/** Renumbers a side's messages after a removed one, by one less. */
export async function renumberFrom(
  tx: Tx,
  message: { conversationId: string; seq: number; side: 'worker' | 'business' },
): Promise<void> {
  const nth = sql.raw(`${message.side}_nth`);
  await sql`update messages set ${nth} = ${nth} - 1
    where conversation_id = ${message.conversationId} and seq >= ${message.seq}`.execute(tx);
}

/**
 * Restores text and files removed from a message at this time; returns false if its author removed it.
 * Reactions can't be restored.
 */
export async function restoreMessage(
  tx: Tx,
  message: { conversationId: string; seq: number; redactedAt: Date },
): Promise<boolean> {
  const { conversationId, seq, redactedAt } = message;
  const { rows } = await sql<{ found: boolean }>`
    with kept as (
      select right(body, last_length) as body from redacted_words
      where conversation_id = ${conversationId} and seq = ${seq} and at = ${redactedAt} and last_length is not null
    ), restored as (
      update messages set body = kept.body, redacted_at = null from kept
      where messages.conversation_id = ${conversationId} and messages.seq = ${seq} and messages.redacted_at = ${redactedAt}
      returning messages.seq
    ), files as (
      update message_files set withdrawn_at = null from restored
      where message_files.conversation_id = ${conversationId} and message_files.seq = restored.seq and withdrawn_at = ${redactedAt}
    )
    select exists (select from restored) as found`.execute(tx);
  return rows[0]?.found ?? false;
}

/** Sets or removes a reaction. Returns false if nothing changed. */
export async function setReaction(
  tx: Tx,
  change: { conversationId: string; seq: number; accountId: string; reaction: Reaction | null },
): Promise<boolean> {
  const { conversationId, seq, accountId, reaction } = change;
  const { numAffectedRows } =
    reaction === null
      ? await sql`delete from message_reactions
          where conversation_id = ${conversationId} and seq = ${seq} and account_id = ${accountId}`.execute(
          tx,
        )
      : await sql`insert into message_reactions as existing (conversation_id, seq, account_id, reaction)
          values (${conversationId}, ${seq}, ${accountId}, ${reaction})
          on conflict (conversation_id, seq, account_id) do update set reaction = excluded.reaction
            where existing.reaction <> excluded.reaction`.execute(tx);
  return (numAffectedRows ?? 0n) > 0n;
}

/**
 * Deletes redacted text, unless a report is open or the removal can still be appealed; the file purge removes
 * the files.
 */
export async function deleteRedactedTexts(tx: Tx, before: Date, byStaffSince: Date): Promise<void> {
  const reported = sql`exists (select from chat_reports report where report.conversation_id = old.conversation_id
    and (report.decided_at is null or report.seq = old.seq and report.decision = 'redact' and report.decided_at > ${byStaffSince}))`;
  await sql`delete from redacted_words old where old.at < ${before} and not ${reported}`.execute(tx);
  await sql`delete from message_files old where old.withdrawn_at < ${before} and not ${reported}`.execute(tx);
}

const conversationsOf = (accountId: string) => sql`select id from conversations where worker_id = ${accountId}
  union select conversation.id from conversations conversation
  join business_members member on member.business_id = conversation.business_id where member.account_id = ${accountId}`;

/** Removes a deleted account's name, address and number from its conversations; its messages stay. */
export async function eraseMessages(tx: Tx, member: FormerMember): Promise<void> {
  const { words } = member;
  const hasWord = sql`exists (select from unnest(${[...words]}::text[]) word
    where strpos(lower(message.body || coalesce(message.line_data::text, '')), lower(word)) > 0)`;
  await sql`update messages message set body = ${withoutWords('message.body', member)},
      line_data = ${withoutWords('message.line_data', member)}
    where message.conversation_id in (${conversationsOf(member.accountId)}) and ${hasWord}`.execute(tx);
  await tx.deleteFrom('chat_paces').where('accountId', '=', member.accountId).execute();
  await sql`update redacted_words set body = ${withoutWords('body', member)},
      last_length = case when ${withoutWords('body', member)} = body then last_length end
    where conversation_id in (${conversationsOf(member.accountId)})`.execute(tx);
}
