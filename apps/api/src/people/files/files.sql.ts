import { type FilePurpose, fileContentPath, type StoredFile } from '@nearhand/contract/people/files';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { recruiters } from '../../platform/recruiters.ts';

export type FileRow = {
  id: string;
  account_id: string;
  purpose: FilePurpose;
  name: string;
  media_type: string;
  bytes: number;
};

const columns = ['id', 'account_id', 'purpose', 'name', 'media_type', 'bytes'] as const;

/** The contract's view of a row. */
export const storedFileOf = (row: FileRow): StoredFile => ({
  id: row.id,
  purpose: row.purpose,
  name: row.name,
  mediaType: row.media_type,
  bytes: row.bytes,
  path: fileContentPath(row.id),
});

export async function insertFile(tx: Tx, row: FileRow, now: Date): Promise<void> {
  await tx
    .insertInto('files')
    .values({ ...row, created_at: now })
    .execute();
}

/** How many files an account stored since then, except deleted ones. */
export async function countFilesSince(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('files')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findFile(db: Db, fileId: string): Promise<FileRow | undefined> {
  const row = await db.selectFrom('files').select(columns).where('id', '=', fileId).executeTakeFirst();
  return row as FileRow | undefined;
}

/** Whether this account recruits for a business that received this CV with a live application. Finance members don't count. */
export async function isSharedWith(
  db: Db,
  fileId: string,
  { accountId }: { accountId: string },
): Promise<boolean> {
  const { rows } = await sql<{ shared: boolean }>`
    select exists (
      select from applications
      join business_members on business_members.business_id = applications.business_id
      where applications.cv_file_id = ${fileId} and applications.status <> 'withdrawn'
        and business_members.account_id = ${accountId} and business_members.role in ${recruiters}
    ) as shared`.execute(db);
  return rows[0]?.shared ?? false;
}

/**
 * Whether this account may see a file of delivered work: its worker, the business's recruiters, or an operator if the pay was
 * disputed.
 */
export async function isDeliveredTo(
  db: Db,
  fileId: string,
  { accountId, operator = false }: { accountId: string; operator?: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ shared: boolean }>`
    select exists (
      select from delivery_files
      join deliveries on deliveries.id = delivery_files.delivery_id
      join engagements on engagements.id = deliveries.engagement_id
      where delivery_files.file_id = ${fileId} and (engagements.worker_id = ${accountId} or exists (
        select from business_members where business_members.business_id = engagements.business_id
          and business_members.account_id = ${accountId} and business_members.role in ${recruiters})
        or (${operator}::boolean and exists (select from disputes where disputes.engagement_id = engagements.id)))
    ) as shared`.execute(db);
  return rows[0]?.shared ?? false;
}

/**
 * Whether this account may see a chat file: its sender, both sides of the conversation, or an operator if it was reported.
 * Only that operator sees a withdrawn message's file.
 */
export async function isSentTo(
  db: Db,
  fileId: string,
  { accountId, operator = false }: { accountId: string; operator?: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ shared: boolean | null }>`
    select sent.withdrawn_at is null and (files.account_id = ${accountId} or conversations.worker_id = ${accountId} or exists (
        select from business_members where business_members.business_id = conversations.business_id
          and business_members.account_id = ${accountId} and business_members.role in ${recruiters}))
      or (${operator}::boolean and exists (select from chat_reports where chat_reports.conversation_id = conversations.id)) as shared
    from files
    left join message_files sent on sent.file_id = files.id
    left join conversations on conversations.id = sent.conversation_id
    where files.id = ${fileId}`.execute(db);
  return rows[0]?.shared ?? false;
}

/** Whether an operator may see a file of a ticket: every operator except its author. */
export async function isSentToStaff(
  db: Db,
  fileId: string,
  { accountId, operator = false }: { accountId: string; operator?: boolean },
): Promise<boolean> {
  if (!operator) return false;
  const { rows } = await sql<{ shared: boolean }>`
    select exists (
      select from ticket_files
      join ticket_messages on ticket_messages.id = ticket_files.message_id
      join tickets on tickets.id = ticket_messages.ticket_id
      where ticket_files.file_id = ${fileId} and tickets.account_id is distinct from ${accountId}::uuid
    ) as shared`.execute(db);
  return rows[0]?.shared ?? false;
}

/** The deleted ids and the last id checked; null when none is left. */
export type UnusedFiles = { gone: string[]; last: string | null };

/**
 * Deletes unreferenced files among the next `limit` ids. If one gets referenced in the meantime, the foreign key fails the call,
 * and the task is retried.
 */
export async function deleteUnused(
  tx: Tx,
  old: { before: Date; after: string; limit: number },
): Promise<UnusedFiles> {
  const { rows } = await sql<UnusedFiles>`
    with looked as (
      select id from files where created_at < ${old.before} and id > ${old.after}::uuid order by id limit ${old.limit}
    ), gone as (
      delete from files using looked where files.id = looked.id
        and not exists (select from profiles where photo_file_id = files.id or cv_file_id = files.id)
        and not exists (select from businesses where logo_file_id = files.id)
        and not exists (select from applications where cv_file_id = files.id)
        and not exists (select from delivery_files where file_id = files.id)
        and not exists (select from message_files where file_id = files.id)
        and not exists (select from ticket_files where file_id = files.id)
      returning files.id
    )
    select array(select id::text from gone) as gone, (select id from looked order by id desc limit 1) as last`.execute(
    tx,
  );
  return rows[0] ?? { gone: [], last: null };
}

/** Deletes the files of an account that nothing references. @returns their ids */
export async function deleteLoose(tx: Tx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from files where account_id = ${accountId}
      and not exists (select from profiles where photo_file_id = files.id or cv_file_id = files.id)
      and not exists (select from businesses where logo_file_id = files.id)
      and not exists (select from applications where cv_file_id = files.id)
      and not exists (select from delivery_files where file_id = files.id)
      and not exists (select from message_files where file_id = files.id)
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Names people chose may name them: the remaining files are called by their purpose. */
export async function renameRest(tx: Tx, accountId: string): Promise<void> {
  await sql`update files set name = purpose || coalesce(substring(name from '\.[A-Za-z0-9]{1,10}$'), '')
    where account_id = ${accountId}`.execute(tx);
}
