import { dayMs } from '@nearhand/contract/durations';
import type { FilePurpose, StoredFile } from '@nearhand/contract/files';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { cleanName, isPrivate } from './files.rules.ts';
import { bytesAllowed, sniff } from './files.sniff.ts';
import {
  countFilesSince,
  deleteUnused,
  type FileRow,
  findFile,
  insertFile,
  isDeliveredTo,
  isSentTo,
  isSharedWith,
  storedFileOf,
  type UnusedFiles,
} from './files.sql.ts';

export { storedFileOf };

const keptUnusedDays = 7;

/**
 * Reads what a caller uploads and stores its bytes, before there is a row: no database connection is held while an image is decoded and a store answers
 * (ADR 0031). The bytes decide what it is; images are re-encoded (ADR 0015). An account stores `UPLOADS_PER_DAY` files in 24 hours, counted before any work is done
 * (ADR 0125).
 * @throws file/too-large, file/wrong-type, file/unreadable, file/daily-limit (data: limit)
 */
export async function prepareUpload(
  scope: Scope,
  input: { purpose: FilePurpose; file: File },
  db: Db,
): Promise<FileRow> {
  const maxBytes = bytesAllowed(input.purpose);
  if (input.file.size > maxBytes) throw new AppError('file/too-large', { maxBytes });
  if (input.file.size === 0) throw new AppError('file/unreadable');
  const limit = scope.config.UPLOADS_PER_DAY;
  const since = new Date(scope.clock.now().getTime() - dayMs);
  if ((await countFilesSince(db, scope.actor.accountId, since)) >= limit)
    throw new AppError('file/daily-limit', { limit });
  const { bytes, mediaType, extension } = await sniff(
    input.purpose,
    new Uint8Array(await input.file.arrayBuffer()),
  );
  const row: FileRow = {
    id: newId(scope.clock.now()),
    account_id: scope.actor.accountId,
    purpose: input.purpose,
    name: cleanName(input.file.name, extension),
    media_type: mediaType,
    bytes: bytes.byteLength,
  };
  await scope.fileStore.put(row.id, bytes, mediaType);
  return row;
}

/** Keeps a CV, photo, logo, picture of work or file for a message of the caller that `prepareUpload` has read: a row never stands without its bytes. */
export async function uploadFile(tx: Tx, scope: Scope, _input: unknown, row: FileRow): Promise<StoredFile> {
  await insertFile(tx, row, scope.clock.now());
  return storedFileOf(row);
}

/** Takes away the bytes of an upload that got no row: its call was refused, or was a repeat of one that had been answered. */
export async function dropUpload({ fileStore, log }: Scope, row: FileRow): Promise<void> {
  await fileStore.remove(row.id).catch((error) => {
    // Wasted room, which is no reason to fail a call that has its answer.
    log.warn({ err: error, fileId: row.id }, 'the bytes of an upload without a row were not removed');
  });
}

/**
 * What a file is; for whoever may read it.
 * @throws file/not-found
 */
export async function fileDetails(db: Db, scope: Scope, input: { fileId: string }): Promise<StoredFile> {
  return storedFileOf(await readableFile(db, scope.actor, input.fileId));
}

/**
 * A file and its bytes, for whoever may read it: photos and logos anyone with the address; a CV its owner and members (owner, manager, recruiter)
 * of a business that got it by an application; work its owner, those members of the business that it was delivered to, and operators where it is disputed; what
 * is sent in a message its sender, both sides of that conversation, and operators where it was reported.
 * @throws file/not-found also where it is there and not the caller's to know
 */
export async function readFileContent(
  db: Db,
  scope: Scope<Actor | null>,
  fileId: string,
): Promise<{ row: FileRow; bytes: Uint8Array }> {
  const row = await readableFile(db, scope.actor, fileId);
  const bytes = await scope.fileStore.get(row.id);
  if (bytes === null) {
    scope.log.error({ fileId }, 'the bytes of a file are missing in the store');
    throw new AppError('file/not-found');
  }
  return { row, bytes };
}

const isReader: Record<FilePurpose, typeof isSharedWith> = {
  cv: isSharedWith,
  work: isDeliveredTo,
  chat: isSentTo,
  photo: async () => true,
  logo: async () => true,
};

async function readableFile(db: Db, actor: Actor | null, fileId: string): Promise<FileRow> {
  const row = await findFile(db, fileId);
  if (!row) throw new AppError('file/not-found');
  if (!isPrivate(row.purpose)) return row;
  // What was sent in a message and taken back is not even its sender's any more (ADR 0094).
  if (row.purpose !== 'chat' && row.account_id === actor?.accountId) return row;
  if (actor?.emailVerified && (await isReader[row.purpose](db, fileId, actor))) return row;
  throw new AppError('file/not-found');
}

/**
 * For other slices, before they point at a file: it is there, this account's own, and meant for this purpose.
 * @throws file/not-found, file/wrong-type
 */
export async function findOwnFile(
  db: Db,
  accountId: string,
  fileId: string,
  purpose: FilePurpose,
): Promise<StoredFile> {
  const row = await findFile(db, fileId);
  if (!row || row.account_id !== accountId) throw new AppError('file/not-found');
  if (row.purpose !== purpose) throw new AppError('file/wrong-type', { purpose: row.purpose });
  return storedFileOf(row);
}

/** So many are looked at in one transaction; each is looked at once, however many there are. */
const filesAtOnce = 500;

const purgeSome = (db: Db, old: Parameters<typeof deleteUnused>[1]): Promise<UnusedFiles> =>
  db.transaction().execute((tx) => deleteUnused(tx, old));

/**
 * Removes files that were uploaded more than 7 days ago and that nothing points at: forms that were never sent, photos that were replaced (ADR 0015).
 * For the runner. Rows go first: bytes that stay behind harm nobody.
 */
export async function purgeUnusedFiles(db: Db, scope: Pick<Scope, 'clock' | 'fileStore'>): Promise<void> {
  const before = new Date(scope.clock.now().getTime() - keptUnusedDays * dayMs);
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null) {
    const { gone, last }: UnusedFiles = await purgeSome(db, { before, after, limit: filesAtOnce });
    for (const fileId of gone) await scope.fileStore.remove(fileId);
    after = last;
  }
}
