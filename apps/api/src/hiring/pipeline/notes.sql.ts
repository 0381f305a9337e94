import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRow } from '../../platform/emit-records.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
import { recruiters } from '../../platform/members/recruiters.ts';

export type NoteRow = { id: string; text: string; author_id: string; author_name: string; at: Date };

/** Notes about an applicant, newest first. */
export async function findNotes(
  db: Db,
  applicationId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select note.id, note.text, note.author_id, author.name as author_name, note.at
    from applicant_notes note join accounts author on author.id = note.author_id
    where note.application_id = ${applicationId}
      ${after ? sql`and (note.at, note.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by note.at desc, note.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Writes a note; returns the name of its author. */
export async function insertNote(
  tx: Tx,
  row: { id: string; applicationId: string; authorId: string; text: string; at: Date },
): Promise<{ author_name: string } | undefined> {
  const { rows } = await sql<{ author_name: string; business_id: string; job_id: string }>`
    with written as (
      insert into applicant_notes (id, application_id, author_id, text, at)
      values (${row.id}, ${row.applicationId}, ${row.authorId}, ${row.text}, ${row.at}) returning author_id)
    select account.name as author_name, application.business_id, application.job_id
    from written join accounts account on account.id = written.author_id
      join applications application on application.id = ${row.applicationId}`.execute(tx);
  // Only the business is notified of a note.
  for (const seen of rows) emitRow(tx, 'application', { ...seen, id: row.applicationId });
  return rows[0];
}

/** Deletes a note of this author while they are a recruiter of its business. */
export async function deleteOwnNote(tx: Tx, noteId: string, authorId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string; business_id: string; job_id: string }>`
    delete from applicant_notes note using applications application, job_members member
    where note.id = ${noteId} and note.author_id = ${authorId} and application.id = note.application_id
      and member.job_id = application.job_id and member.account_id = note.author_id
      and member.role in ${recruiters}
    returning application.id, application.business_id, application.job_id`.execute(tx);
  emitRow(tx, 'application', rows[0]);
  return rows.length === 1;
}

/** For a removed account: notes about it go, and notes it wrote about others lose its name. */
export async function forgetNotes(tx: Tx, member: FormerMember): Promise<void> {
  await sql`delete from applicant_notes where application_id in (
    select id from applications where worker_id = ${member.accountId})`.execute(tx);
  await sql`update applicant_notes set text = ${withoutWords('text', member)}
    where author_id = ${member.accountId} and application_id in (
      select application.id from applications application
      join business_members member on member.business_id = application.business_id and member.account_id = ${member.accountId})`.execute(
    tx,
  );
}
