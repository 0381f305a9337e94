import type { ApplicantNote } from '@nearhand/contract/hiring/pipeline';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { sql } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import { requireApplicant } from '../applications/application-access.ts';

type NoteRow = { id: string; text: string; authorId: string; authorName: string; at: Date };

async function findNotes(
  db: Db,
  applicationId: string,
  after: readonly [string, string] | null,
  limit: number,
): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select note.id, note.text, note.author_id, author.name as author_name, note.at
    from applicant_notes note join accounts author on author.id = note.author_id
    where note.application_id = ${applicationId}
      ${andBefore(sql`note.at, note.id`, after)}
    order by note.at desc, note.id desc limit ${limit}`.execute(db);
  return rows;
}

async function insertNote(
  tx: Tx,
  row: { id: string; applicationId: string; authorId: string; text: string; at: Date },
): Promise<{ authorName: string } | undefined> {
  const { rows } = await sql<{ authorName: string; businessId: string; jobId: string }>`
    with written as (
      insert into applicant_notes (id, application_id, author_id, text, at)
      values (${row.id}, ${row.applicationId}, ${row.authorId}, ${row.text}, ${row.at}) returning author_id)
    select account.name as author_name, application.business_id, application.job_id
    from written join accounts account on account.id = written.author_id
      join applications application on application.id = ${row.applicationId}`.execute(tx);
  for (const noteRow of rows) emitRecord(tx, 'application', { ...noteRow, id: row.applicationId });
  return rows[0];
}

async function deleteOwnNote(tx: Tx, noteId: string, authorId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string; businessId: string; jobId: string }>`
    delete from applicant_notes note using applications application, job_members member
    where note.id = ${noteId} and note.author_id = ${authorId} and application.id = note.application_id
      and member.job_id = application.job_id and member.account_id = note.author_id
      and member.role in ${recruiters}
    returning application.id, application.business_id, application.job_id`.execute(tx);
  emitRecord(tx, 'application', rows[0]);
  return rows.length === 1;
}

/**
 * Part of account removal: deletes notes about the person, and replaces their name in notes that they wrote
 * where they are still a member.
 */
export async function eraseNotes(tx: Tx, member: FormerMember): Promise<void> {
  await sql`delete from applicant_notes where application_id in (
    select id from applications where worker_id = ${member.accountId})`.execute(tx);
  await sql`update applicant_notes set text = ${withoutWords('text', member)}
    where author_id = ${member.accountId} and application_id in (
      select application.id from applications application
      join business_members member on member.business_id = application.business_id and member.account_id = ${member.accountId})`.execute(
    tx,
  );
}

/** Lists notes about an applicant. For recruiters. */
export async function listNotes(
  db: Db,
  { actor }: Scope,
  input: { applicationId: string } & PageInput,
): Promise<Page<ApplicantNote>> {
  await requireApplicant(db, actor.accountId, input.applicationId);
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findNotes(db, input.applicationId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      text: row.text,
      author: { id: row.authorId, name: row.authorName },
      at: row.at.toISOString(),
      own: row.authorId === actor.accountId,
    })),
    nextCursor: page.nextCursor,
  };
}

/** Adds a note about an applicant. For recruiters. */
export async function addNote(
  tx: Tx,
  scope: Scope,
  input: { applicationId: string; text: string },
): Promise<ApplicantNote> {
  const { accountId } = scope.actor;
  await requireApplicant(tx, accountId, input.applicationId);
  const now = scope.clock.now();
  const note = { id: newId(now), text: input.text, at: now };
  const row = await insertNote(tx, {
    ...note,
    applicationId: input.applicationId,
    authorId: accountId,
  });
  return {
    id: note.id,
    text: note.text,
    author: { id: accountId, name: row?.authorName ?? '' },
    at: now.toISOString(),
    own: true,
  };
}

/** Deletes one of the caller's notes while they are a recruiter. */
export async function deleteNote(
  tx: Tx,
  { actor }: Scope,
  { noteId }: { noteId: string },
): Promise<{ deleted: true }> {
  if (!(await deleteOwnNote(tx, noteId, actor.accountId))) throw new AppError('note/not-found');
  return { deleted: true };
}
