import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitOfBusiness } from '../../platform/emit-records.ts';
import { type FormerMember, withoutWords } from '../../platform/former-member.ts';
import { recruiters } from '../../platform/members/recruiters.ts';

export type SavedNoteRow = { id: string; text: string; author_id: string; author_name: string; at: Date };
type OfWorker = { businessId: string; workerId: string };

/** Notes about a worker, newest first. */
export async function findSavedNotes(
  db: Db,
  of: OfWorker,
  after: readonly [string, string] | null,
  limit: number,
): Promise<SavedNoteRow[]> {
  const { rows } = await sql<SavedNoteRow>`
    select note.id, note.text, note.author_id, author.name as author_name, note.at
    from saved_worker_notes note join accounts author on author.id = note.author_id
    where note.business_id = ${of.businessId} and note.worker_id = ${of.workerId}
      ${after ? sql`and (note.at, note.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by note.at desc, note.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Writes a note; returns the name of its author. */
export async function insertSavedNote(
  tx: Tx,
  row: OfWorker & { id: string; authorId: string; text: string; at: Date },
): Promise<string> {
  const { rows } = await sql<{ business_id: string; name: string }>`
    with written as (insert into saved_worker_notes (id, business_id, worker_id, author_id, text, at)
      values (${row.id}, ${row.businessId}, ${row.workerId}, ${row.authorId}, ${row.text}, ${row.at})
      returning business_id, author_id)
    select written.business_id, account.name from written join accounts account on account.id = written.author_id`.execute(
    tx,
  );
  emitOfBusiness(tx, 'pool', rows[0]);
  return rows[0]?.name ?? '';
}

/** Deletes a note of this author while they are a recruiter of its business. */
export async function deleteSavedNote(tx: Tx, noteId: string, authorId: string): Promise<boolean> {
  const { rows } = await sql<{ business_id: string }>`
    delete from saved_worker_notes note using business_members member
    where note.id = ${noteId} and note.author_id = ${authorId} and member.business_id = note.business_id
      and member.account_id = note.author_id and member.role in ${recruiters} and member.branch_ids is null
    returning note.business_id`.execute(tx);
  emitOfBusiness(tx, 'pool', rows[0]);
  return rows.length === 1;
}

/** For a removed account: it is no longer saved anywhere, notes about it go, and notes it wrote about others lose its name. */
export async function forgetSavedWorker(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  const { rows } = await sql<{ business_id: string }>`with gone as (
      delete from pool_workers where worker_id = ${accountId} returning business_id)
    select distinct business_id from gone`.execute(tx);
  for (const table of ['saved_workers', 'saved_worker_tags', 'saved_worker_notes'] as const)
    await tx.deleteFrom(table).where('worker_id', '=', accountId).execute();
  await sql`update saved_worker_notes set text = ${withoutWords('text', member)} where author_id = ${accountId}`.execute(
    tx,
  );
  for (const row of rows) emitOfBusiness(tx, 'pool', row);
}
