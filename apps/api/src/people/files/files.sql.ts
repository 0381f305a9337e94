import type { FilePurpose, StoredFile } from '@nearhand/contract/people/files';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { rolesFor } from '@nearhand/contract/people/team.rules';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';

export type FileRow = {
  id: string;
  /** Null for a file that a guest mailed. */
  accountId: string | null;
  purpose: FilePurpose;
  name: string;
  mediaType: string;
  bytes: number;
  /** The key that encrypts the bytes; null if not encrypted. */
  keyId: string | null;
};

const columns = ['id', 'accountId', 'purpose', 'name', 'mediaType', 'bytes', 'keyId'] as const;

export const storedFileOf = (row: Omit<FileRow, 'keyId'>): StoredFile => ({
  id: row.id,
  purpose: row.purpose,
  name: row.name,
  mediaType: row.mediaType,
  bytes: row.bytes,
  path: fileContentPath(row.id),
});

export async function insertFile(tx: Tx, row: FileRow, now: Date): Promise<void> {
  await tx
    .insertInto('files')
    .values({ ...row, createdAt: now })
    .execute();
}

export async function countFilesSince(db: Db, accountId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('files')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export async function findFile(db: Db, fileId: string): Promise<FileRow | undefined> {
  return db.selectFrom('files').select(columns).where('id', '=', fileId).executeTakeFirst();
}

type Reader = { accountId: string; operator?: boolean };

/** @param rows a query that finds a row if the reader may see the file */
async function isThere(db: Db, rows: RawBuilder<unknown>): Promise<boolean> {
  const result = await sql<{ shared: boolean }>`select exists (${rows}) as shared`.execute(db);
  return result.rows[0]?.shared ?? false;
}

/** Returns true for recruiters of a business that received this CV with a live application, but not for finance. */
export async function isSharedWith(db: Db, fileId: string, { accountId }: Reader): Promise<boolean> {
  return isThere(
    db,
    sql`select from applications
      join job_members member on member.job_id = applications.job_id
      where applications.cv_file_id = ${fileId} and applications.status <> 'withdrawn'
        and member.account_id = ${accountId} and member.role in ${recruiters}`,
  );
}

/**
 * Returns true for the worker, the roles that release the pay of a delivery or answer a dispute, and operators if the
 * pay was disputed.
 */
export async function canReadDeliveryFile(
  db: Db,
  fileId: string,
  { accountId, operator = false }: Reader,
): Promise<boolean> {
  return isThere(
    db,
    sql`select from (
        select deliveries.engagement_id, false as disputed from delivery_files
          join deliveries on deliveries.id = delivery_files.delivery_id where delivery_files.file_id = ${fileId}
        union all
        select disputes.engagement_id, true from dispute_files join dispute_steps on dispute_steps.id = dispute_files.step_id
          join disputes on disputes.id = dispute_steps.dispute_id where dispute_files.file_id = ${fileId}) shown
      join engagements on engagements.id = shown.engagement_id
      where (engagements.worker_id = ${accountId} or exists (
        select from job_members member where member.job_id = engagements.job_id and member.account_id = ${accountId}
          and (member.role in (${literals(rolesFor('work'))})
            or (not shown.disputed and member.role in (${literals(rolesFor('pay'))}))))
        or (${operator}::boolean and exists (select from disputes where disputes.engagement_id = engagements.id)))`,
  );
}

/**
 * Returns true for both sides, and for operators if the message was reported or the work is or was disputed. A
 * withdrawn message's file is for that operator only.
 */
export async function canReadChatFile(
  db: Db,
  fileId: string,
  { accountId, operator = false }: Reader,
): Promise<boolean> {
  const { rows } = await sql<{ shared: boolean | null }>`
    select sent.withdrawn_at is null and (files.account_id = ${accountId} or conversations.worker_id = ${accountId} or exists (
        select from job_members member where member.job_id = conversations.job_id
          and member.account_id = ${accountId} and member.role in ${recruiters}))
      or (${operator}::boolean and (exists (select from chat_reports where chat_reports.conversation_id = conversations.id)
        or exists (select from engagements work where work.job_id = conversations.job_id and work.worker_id = conversations.worker_id
          and (work.status = 'contested' or exists (select from disputes where disputes.engagement_id = work.id)
            or exists (select from closed_cases where closed_cases.kind = 'no_show' and closed_cases.subject_id = work.id))))) as shared
    from files
    left join message_files sent on sent.file_id = files.id
    left join conversations on conversations.id = sent.conversation_id
    where files.id = ${fileId}`.execute(db);
  return rows[0]?.shared ?? false;
}

/** Returns true for the ticket's author, who can read what staff attached too, and for every operator. */
export async function isInTicket(
  db: Db,
  fileId: string,
  { accountId, operator = false }: Reader,
): Promise<boolean> {
  return isThere(
    db,
    sql`select from ticket_files
      join ticket_messages on ticket_messages.id = ticket_files.message_id
      join tickets on tickets.id = ticket_messages.ticket_id
      where ticket_files.file_id = ${fileId} and (tickets.account_id = ${accountId} or ${operator}::boolean)`,
  );
}

/** Returns true for every operator except the report's author and its subjects. */
export async function isReportedToStaff(
  db: Db,
  fileId: string,
  { accountId, operator = false }: Reader,
): Promise<boolean> {
  if (!operator) return false;
  return isThere(
    db,
    sql`select from report_files
      join reports on reports.id = report_files.report_id
      join report_cases on report_cases.id = reports.case_id
      left join jobs on jobs.id = report_cases.job_id
      where report_files.file_id = ${fileId} and reports.account_id <> ${accountId}
        and report_cases.worker_id is distinct from ${accountId}::uuid
        and not exists (select from business_members member where member.account_id = ${accountId}
          and member.business_id = coalesce(report_cases.business_id, jobs.business_id))`,
  );
}

/** Returns true for the business's owners and managers, and operators who are not members. */
export async function isProofFor(
  db: Db,
  fileId: string,
  { accountId, operator = false }: Reader,
): Promise<boolean> {
  return isThere(
    db,
    sql`select from business_documents document
      left join business_members member on member.business_id = document.business_id and member.account_id = ${accountId}
      where document.file_id = ${fileId}
        and (member.role = any(${rolesFor('details')}) or member.role is null and ${operator}::boolean)`,
  );
}

/** Returns true for the operator whose open case has this identity document, also in an appeal (ADR 183). */
export async function isIdentityFor(
  db: Db,
  fileId: string,
  { accountId, operator = false }: Reader,
): Promise<boolean> {
  if (!operator) return false;
  return isThere(
    db,
    sql`select from identity_photos photo
      join identity_checks sent on sent.id = photo.check_id
      join case_work work on work.claimed_by = ${accountId}
        and (work.kind = 'identity' and work.subject_id = sent.id and sent.status = 'submitted'
          or work.kind = 'appeal' and work.subject_id in (select appeal.id
            from sanctions sanction join appeals appeal on appeal.sanction_id = sanction.id and appeal.outcome is null
            where sanction.identity_check_id = sent.id))
      where photo.file_id = ${fileId} and sent.account_id <> ${accountId}`,
  );
}

/** Returns true for the operator whose open case has this certificate, also in an appeal (ADR 183). */
export async function isCertificateFor(
  db: Db,
  fileId: string,
  { accountId, operator = false }: Reader,
): Promise<boolean> {
  if (!operator) return false;
  return isThere(
    db,
    sql`select from certificates sent
      join case_work work on work.claimed_by = ${accountId}
        and (work.kind = 'certificate' and work.subject_id = sent.id and sent.status = 'submitted'
          or work.kind = 'appeal' and work.subject_id in (select appeal.id
            from sanctions sanction join appeals appeal on appeal.sanction_id = sanction.id and appeal.outcome is null
            where sanction.certificate_id = sent.id))
      where sent.file_id = ${fileId} and sent.account_id <> ${accountId}`,
  );
}

/** Every column that references a file; a test compares it with the foreign keys. */
export const fileUses = [
  ['applications', 'cv_file_id'],
  ['business_documents', 'file_id'],
  ['businesses', 'cover_file_id'],
  ['businesses', 'logo_file_id'],
  ['certificates', 'file_id'],
  ['delivery_files', 'file_id'],
  ['dispute_files', 'file_id'],
  ['identity_photos', 'file_id'],
  ['job_photos', 'file_id'],
  ['message_files', 'file_id'],
  ['profiles', 'cv_file_id'],
  ['profiles', 'photo_file_id'],
  ['report_files', 'file_id'],
  ['ticket_files', 'file_id'],
] as const;

const isUnused = sql.join(
  fileUses.map(
    ([table, column]) =>
      sql`not exists (select from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = files.id)`,
  ),
  sql` and `,
);

export type UnusedFiles = { gone: string[]; last: string | null };

/** A reference added concurrently fails the foreign key, and the task is retried. */
export async function deleteUnused(
  tx: Tx,
  old: { before: Date; after: string; limit: number },
): Promise<UnusedFiles> {
  const { rows } = await sql<UnusedFiles>`
    with batch as (
      select id from files where created_at < ${old.before} and id > ${old.after}::uuid order by id limit ${old.limit}
    ), gone as (
      delete from files using batch where files.id = batch.id and ${isUnused}
      returning files.id
    )
    select array(select id::text from gone) as gone, (select id from batch order by id desc limit 1) as last`.execute(
    tx,
  );
  return rows[0] ?? { gone: [], last: null };
}

export async function deleteFiles(tx: Tx, fileIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('files')
    .where('id', 'in', [...fileIds])
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Lists files encrypted with another key than this, to encrypt them again. */
export async function findSealedByOthers(
  db: Db,
  keyId: string,
  page: { after: string; limit: number },
): Promise<{ id: string; mediaType: string }[]> {
  return db
    .selectFrom('files')
    .select(['id', 'mediaType'])
    .where('keyId', 'is not', null)
    .where('keyId', '<>', keyId)
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit)
    .execute();
}

/** @returns false if the file was deleted in the meantime */
export async function setSealedBy(db: Db, fileId: string, keyId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('files')
    .set({ keyId })
    .where('id', '=', fileId)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes an account's files that nothing refers to, and returns their ids. */
export async function deleteLoose(tx: Tx, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from files where account_id = ${accountId} and ${isUnused} returning id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Renames an account's remaining files by purpose, since their names may identify people. */
export async function renameRest(tx: Tx, accountId: string): Promise<void> {
  await sql`update files set name = purpose || coalesce(substring(name from '\.[A-Za-z0-9]{1,10}$'), '')
    where account_id = ${accountId}`.execute(tx);
}
