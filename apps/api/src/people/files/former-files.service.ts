import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { deleteFiles, deleteLoose, renameRest } from './files.sql.ts';

/** The task that removes the bytes of deleted files: after the commit, and again if it fails. */
export const removeBytes = {
  name: 'files.remove-bytes',
  payload: z.object({ fileIds: z.array(z.uuid()).min(1) }),
};

const atOnce = 200;

/**
 * For an account that is removed: deletes its files that no record of others needs, and takes the name from the rest, such as photos of finished work. Call it once
 * its profile and applications no longer refer to them.
 */
export async function deleteFilesOf(tx: Tx, accountId: string): Promise<void> {
  const gone = await deleteLoose(tx, accountId);
  await renameRest(tx, accountId);
  for (let from = 0; from < gone.length; from += atOnce)
    await enqueue(tx, removeBytes, { fileIds: gone.slice(from, from + atOnce) });
}

/** Deletes files at once that nothing references any more, and their bytes after the commit. */
export async function deleteFilesNow(tx: Tx, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  const gone = await deleteFiles(tx, fileIds);
  if (gone.length > 0) await enqueue(tx, removeBytes, { fileIds: gone });
}

/** For the runner. */
export async function removeStoredBytes(
  { fileStore }: TaskScope,
  { fileIds }: z.infer<typeof removeBytes.payload>,
): Promise<void> {
  for (const fileId of fileIds) await fileStore.remove(fileId);
}
