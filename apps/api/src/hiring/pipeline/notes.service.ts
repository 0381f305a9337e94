import type { ApplicantNote } from '@nearhand/contract/hiring/pipeline';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { requireApplicant } from '../applications/application-access.service.ts';
import { deleteOwnNote, findNotes, insertNote } from './notes.sql.ts';

/**
 * Notes about an applicant, newest first; private to the business's recruiters.
 * @throws application/not-found, application/not-allowed, request/bad-cursor
 */
export async function listNotes(
  db: Db,
  { actor }: Scope,
  input: { applicationId: string; cursor?: string; limit: number },
): Promise<{ items: ApplicantNote[]; nextCursor: string | null }> {
  await requireApplicant(db, actor.accountId, input.applicationId);
  const after = decodeCursor(input.cursor, newestCursor);
  const rows = await findNotes(db, input.applicationId, after, input.limit + 1);
  const page = cutPage(rows, input.limit, (row) => [row.at.toISOString(), row.id]);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      text: row.text,
      author: { id: row.author_id, name: row.author_name },
      at: row.at.toISOString(),
      own: row.author_id === actor.accountId,
    })),
    nextCursor: page.nextCursor,
  };
}

/** Adds a note about an applicant. @throws application/not-found, application/not-allowed */
export async function addNote(
  tx: Tx,
  scope: Scope,
  input: { applicationId: string; text: string },
): Promise<ApplicantNote> {
  const { accountId } = scope.actor;
  await requireApplicant(tx, accountId, input.applicationId);
  const now = scope.clock.now();
  const note = { id: newId(now), text: input.text, at: now };
  const written = await insertNote(tx, {
    ...note,
    applicationId: input.applicationId,
    authorId: accountId,
  });
  return {
    id: note.id,
    text: note.text,
    author: { id: accountId, name: written?.author_name ?? '' },
    at: now.toISOString(),
    own: true,
  };
}

/** Deletes one of the caller's own notes. @throws note/not-found also for another's note, and once the caller no longer hires for the business */
export async function deleteNote(
  tx: Tx,
  { actor }: Scope,
  { noteId }: { noteId: string },
): Promise<{ deleted: true }> {
  if (!(await deleteOwnNote(tx, noteId, actor.accountId))) throw new AppError('note/not-found');
  return { deleted: true };
}

/** For an account that is removed (ADR 160). */
export { forgetNotes } from './notes.sql.ts';
