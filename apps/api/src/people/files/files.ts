import { dayMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { id } from '@nearhand/contract/operation';
import { type FilePurpose, files, type StoredFile } from '@nearhand/contract/people/files';
import { acceptsType, bytesAllowed, docx, imageTypes, pdf } from '@nearhand/contract/people/files.rules';
import { fileTypeFromBuffer } from 'file-type';
import type { Metadata } from 'sharp';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { seal, sealingKeys, unseal } from '../../platform/file-store/sealed-files.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { newId } from '../../platform/ids.ts';
import { createGate } from '../../platform/process/concurrency-limit.ts';
import { createWorkProcess, WorkCutOff } from '../../platform/process/work-process.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import type checkInProcess from './document-check.worker.ts';
import type { Document, Finding } from './document-check.worker.ts';
import {
  countFilesSince,
  deleteFiles,
  deleteLoose,
  deleteUnused,
  type FileRow,
  findFile,
  insertFile,
  isCertificateFor,
  isDeliveredTo,
  isIdentityFor,
  isProofFor,
  isReportedToStaff,
  isSentTo,
  isSentToStaff,
  isSharedWith,
  reEncryptFiles,
  renameRest,
  storedFileOf,
  type UnusedFiles,
} from './re-encryption.ts';

export { storedFileOf };

const keptUnusedDays = 7;

/**
 * Checks an upload and stores its bytes before its row exists, so no connection is held in the meantime (ADR 31). The bytes decide the
 * type; images are re-encoded (ADR 15). `UPLOADS_PER_DAY` is checked before any work (ADR 125).
 * @throws what `sniff` throws, file/daily-limit (data: limit)
 */
export async function prepareUpload(scope: Scope, input: Upload, db: Db): Promise<FileRow> {
  requireSize(input);
  const limit = scope.config.UPLOADS_PER_DAY;
  const since = new Date(scope.clock.now().getTime() - dayMs);
  if ((await countFilesSince(db, scope.actor.accountId, since)) >= limit)
    throw new AppError('file/daily-limit', { limit });
  return storeBytes(scope, scope.actor.accountId, input);
}

/**
 * The same for a file that a guest mailed with a request, which has no account; the caller counts them.
 * @throws what `sniff` throws
 */
export async function prepareGuestUpload(scope: StoreScope, file: File): Promise<FileRow> {
  const input = { purpose: 'ticket', file } as const;
  requireSize(input);
  return storeBytes(scope, null, input);
}

type StoreScope = Pick<Scope, 'clock' | 'fileStore' | 'config' | 'sign'>;
/** The media type of encrypted bytes in a bucket. */
const sealedType = 'application/octet-stream';
type Upload = { purpose: FilePurpose; file: File };

function requireSize({ purpose, file }: Upload): void {
  const maxBytes = bytesAllowed(purpose);
  if (file.size > maxBytes) throw new AppError('file/too-large', { maxBytes });
  if (file.size === 0) throw new AppError('file/unreadable');
}

async function storeBytes(scope: StoreScope, accountId: string | null, input: Upload): Promise<FileRow> {
  const { bytes, mediaType, extension } = await sniff(
    input.purpose,
    new Uint8Array(await input.file.arrayBuffer()),
  );
  const row: FileRow = {
    id: newId(scope.clock.now()),
    accountId,
    purpose: input.purpose,
    name: cleanName(input.file.name, extension),
    mediaType,
    bytes: bytes.byteLength,
    keyId: null,
  };
  if (!isSealed(row.purpose)) {
    await scope.fileStore.put(row.id, bytes, mediaType);
    return row;
  }
  const [key] = sealingKeys(scope);
  await scope.fileStore.put(row.id, seal(key, row.id, bytes), sealedType);
  return { ...row, keyId: key.id };
}

/** Adds the row of an upload that `prepareUpload` stored, so a row never lacks its bytes. */
export async function uploadFile(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  _input: unknown,
  row: FileRow,
): Promise<StoredFile> {
  await insertFile(tx, row, scope.clock.now());
  return storedFileOf(row);
}

/** Removes the bytes of an upload without a row: its call was refused or was a replay. */
export async function dropUpload(
  { fileStore, log }: Pick<Scope, 'fileStore' | 'log'>,
  row: FileRow,
): Promise<void> {
  await fileStore.remove(row.id).catch((error) => {
    // Leftover bytes are no reason to fail an answered call.
    log.warn({ err: error, fileId: row.id }, 'the bytes of an upload without a row were not deleted');
  });
}

/**
 * A file's name, type and size, for its readers.
 * @throws file/not-found
 */
export async function fileDetails(db: Db, scope: Scope, input: { fileId: string }): Promise<StoredFile> {
  return storedFileOf(await readableFile(db, scope.actor, input.fileId));
}

/**
 * A file with its bytes. Photos and logos are public; a CV is for its owner and recruiters it was sent to; work for its owner,
 * the business's recruiters and operators in a dispute; chat files for both sides, and operators once reported; a ticket's
 * or report's for its owner and operators; a business's proof for its managers and operators; an identity document or certificate for the operator
 * who has its case, decrypted.
 * @throws file/not-found also when the caller may not know of it
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
  return { row, bytes: row.keyId === null ? bytes : unseal(sealingKeys(scope), row.id, bytes) };
}

const isReader: Record<FilePurpose, typeof isSharedWith> = {
  cv: isSharedWith,
  work: isDeliveredTo,
  chat: isSentTo,
  ticket: isSentToStaff,
  report: isReportedToStaff,
  business: isProofFor,
  identity: isIdentityFor,
  certificate: isCertificateFor,
  photo: async () => true,
  logo: async () => true,
};

async function readableFile(db: Db, actor: Actor | null, fileId: string): Promise<FileRow> {
  const row = await findFile(db, fileId);
  if (!row) throw new AppError('file/not-found');
  if (!isPrivate(row.purpose)) return row;
  if (!isHiddenFromSender(row.purpose) && row.accountId === actor?.accountId) return row;
  if (actor?.emailVerified && (await isReader[row.purpose](db, fileId, actor))) return row;
  throw new AppError('file/not-found');
}

/**
 * Checks that a file exists, belongs to this account and has this purpose, before another slice references it.
 * @throws file/not-found, file/wrong-type
 */
export async function findOwnFile(
  db: Db,
  accountId: string,
  fileId: string,
  purpose: FilePurpose,
): Promise<StoredFile> {
  const row = await findFile(db, fileId);
  if (!row || row.accountId !== accountId) throw new AppError('file/not-found');
  if (row.purpose !== purpose) throw new AppError('file/wrong-type', { purpose: row.purpose });
  return storedFileOf(row);
}

/** Files checked per transaction. */
const filesAtOnce = 500;

const purgeSome = (db: Db, old: Parameters<typeof deleteUnused>[1]): Promise<UnusedFiles> =>
  db.transaction().execute((tx) => deleteUnused(tx, old));

/**
 * Removes files older than 7 days that nothing references: abandoned forms, replaced photos (ADR 15). Rows go first, since
 * leftover bytes do no harm. Incomplete files of processes that were killed go after a day.
 */
export async function purgeUnusedFiles(db: Db, scope: Pick<Scope, 'clock' | 'fileStore'>): Promise<void> {
  const before = new Date(scope.clock.now().getTime() - keptUnusedDays * dayMs);
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null) {
    const { gone, last }: UnusedFiles = await purgeSome(db, { before, after, limit: filesAtOnce });
    for (const fileId of gone) await scope.fileStore.remove(fileId);
    after = last;
  }
  await scope.fileStore.sweep(new Date(scope.clock.now().getTime() - dayMs));
}

/** Whether only some people may read files of this purpose. */
export const isPrivate = (purpose: FilePurpose): boolean =>
  ['cv', 'work', 'chat', 'ticket', 'report', 'business', 'identity', 'certificate'].includes(purpose);

/** Whether its bytes are stored encrypted (ADR 183). */
const isSealed = (purpose: FilePurpose): boolean => ['identity', 'certificate'].includes(purpose);

/** Whether not even the person who sent it may fetch it: a withdrawn message's file (ADR 94), and documents that a stolen session must not reach (ADR 183). */
const isHiddenFromSender = (purpose: FilePurpose): boolean =>
  ['chat', 'identity', 'certificate'].includes(purpose);

const longestName = 120;
/** How much of a client's file name is read: a form may hold a name of megabytes. */
const longestGiven = 1_000;

/** Characters that change the reading direction or are invisible: `cv\u202Efdp.exe` would read as a PDF. Joiners stay, scripts need them. */
const hidden = /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/**
 * A safe file name: no folders, no control or direction characters, at most 120 characters, with the extension of its real type.
 * Everything else stays as typed, in any script.
 */
export function cleanName(given: string, extension: string): string {
  const last = given.slice(-longestGiven).toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(hidden, '')
    .replace(/[<>:"|?*\uFFFD]/g, '_')
    .replace(/\s+/g, ' ')
    .trim();
  const stem = plain.replace(/\.[^.]{0,10}$/, '').replace(/^[.\s]+|[.\s]+$/g, '');
  const most = longestName - extension.length - 1;
  // By code point, so that no emoji is cut in half.
  const short = [...(stem || 'file')].slice(0, most).join('');
  return `${short}.${extension}`;
}

/** `Content-Disposition` of a download, with an RFC 5987 name and a plain fallback. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** The task that removes the bytes of deleted files: after the commit, and again if it fails. */
const removeBytes = {
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
async function removeStoredBytes(
  { fileStore }: TaskScope,
  { fileIds }: z.infer<typeof removeBytes.payload>,
): Promise<void> {
  for (const fileId of fileIds) await fileStore.remove(fileId);
}

export const purgeFiles = defineTask({
  name: 'files.purge-unused',
  payload: z.object({}),
  daily: true,
  run: (scope) => purgeUnusedFiles(scope.db, scope),
});

export const filesTasks = [
  purgeFiles,
  defineTask({
    name: 'files.re-encrypt',
    payload: z.object({}),
    daily: true,
    run: async (scope) => {
      await reEncryptFiles(scope);
    },
  }),
  defineTask({
    ...removeBytes,
    queue: 'housekeeping',
    run: (scope, payload) => removeStoredBytes(scope, payload),
  }),
];

export const filesRoutes = {
  upload: write(files.upload, uploadFile, { prepare: prepareUpload, abandon: dropUpload }),
  details: read(files.details, fileDetails),
};

/**
 * `GET /files/{fileId}/content`: the bytes of a file, outside the contract since they aren't JSON. Images are immutable and cached;
 * documents are always downloads, and private files are never cached by proxies.
 */
export const registerFileContent: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Params: { fileId: string } }>(
    '/files/:fileId/content',
    { onRequest: limitReads },
    async (request, reply) => {
      const fileId = id.safeParse(request.params.fileId);
      if (!fileId.success) throw new AppError('file/not-found');
      const { row, bytes } = await readFileContent(db, scopeOf(request), fileId.data);
      // Pictures of work are shown inline, documents never.
      const download = !row.mediaType.startsWith('image/');
      const closed = isPrivate(row.purpose);
      return reply
        .header('content-type', row.mediaType)
        .header('content-disposition', download ? attachment(row.name) : 'inline')
        .header('cache-control', closed ? 'private, no-store' : 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    },
  );
};

type Sniffed = { bytes: Uint8Array; mediaType: string; extension: string };

/** The names of what a purpose accepts, as a refusal lists them. */
const typeNames = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
  'image/gif': 'GIF',
  [pdf]: 'PDF',
  [docx]: 'DOCX',
};
const allowedNames = (purpose: FilePurpose): string[] =>
  Object.entries(typeNames).flatMap(([type, name]) => (acceptsType(purpose, type) ? [name] : []));

/** Enough for a phone's 50-megapixel photo; a small file that unpacks to more is a decompression bomb. */
const maxPixels = 64_000_000;
/** Twice the widest panorama of a phone. Scaling a line of millions of pixels takes half a minute of a thread. */
const maxSide = 32_768;
/** The memory that one picture may take while it is decoded. */
const maxDecodedBytes = 256_000_000;
/** Decoding takes threads that sign-in and files need too, and up to `maxDecodedBytes` each. */
const throughGate = createGate(2, 64);
const longestSide = 1024;
/** Pictures of work are evidence, and chat pictures may show a rota, so they must stay legible. */
const workSide = 2048;

/**
 * Detects a file's type from its bytes, never from its name or declared type. Images are re-encoded: upright, small, and without
 * camera metadata. Documents stay as they were.
 * @throws file/wrong-type for this purpose, file/unreadable when broken, file/too-large for too many pixels, file/active-content (data:
 * found), file/locked, file/unpacks-too-large (data: maxBytes)
 */
async function sniff(purpose: FilePurpose, bytes: Uint8Array): Promise<Sniffed> {
  // A damaged file can make the detector fail.
  const detected = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const mediaType = detected?.mime ?? '';
  if (!acceptsType(purpose, mediaType))
    throw new AppError('file/wrong-type', { allowed: allowedNames(purpose) });
  if (!imageTypes.some((type) => type === mediaType)) return readDocument(bytes, mediaType);
  return throughGate(() => readImage(bytes, acceptsType(purpose, pdf) ? workSide : longestSide));
}

async function readDocument(bytes: Uint8Array, mediaType: string): Promise<Sniffed> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === pdf) {
    // A PDF needs objects and an end marker, not just its magic number.
    if (!buffer.includes(' obj') || !buffer.includes('%%EOF')) throw new AppError('file/unreadable');
    refuse(await checkDocument({ kind: 'pdf', bytes, limits: unpackLimits }));
    return { bytes, mediaType, extension: 'pdf' };
  }
  // A ZIP's directory is at its end; without it, the file was cut off.
  if (!buffer.includes('PK\x05\x06', undefined, 'latin1')) throw new AppError('file/unreadable');
  refuse(await checkDocument({ kind: 'office', bytes, limits: unpackLimits }));
  return { bytes, mediaType, extension: 'docx' };
}

const unpackLimits = {
  maxBytes: limits.unpackedBytes,
  maxRatio: limits.unpackedRatio,
  ratioFrom: limits.unpackedRatioFrom,
};

/** Documents reach others as they are, so what would run on their devices is refused here. */
function refuse(found: Finding | null): void {
  if (found === null) return;
  if (found === 'locked' || found === 'unreadable') throw new AppError(`file/${found}`);
  if (found === 'unpacks-too-large')
    throw new AppError('file/unpacks-too-large', { maxBytes: limits.unpackedBytes });
  throw new AppError('file/active-content', { found });
}

/** An interlaced picture is held whole. So is an AVIF, for which the decoder takes several times that. */
function bytesPerPixel({ format, channels = 4, depth }: Pick<Metadata, 'format' | 'channels' | 'depth'>) {
  const perChannel = format === 'heif' ? 5 : depth === 'uchar' ? 1 : 2;
  return channels * perChannel;
}

async function readImage(bytes: Uint8Array, longest: number): Promise<Sniffed> {
  // Loaded when first needed (ADR 254).
  const { default: sharp } = await import('sharp');
  // It would keep what it decoded of the last pictures, 190 MB of a large JPEG; no upload comes again.
  sharp.cache(false);
  const unreadable = () => {
    throw new AppError('file/unreadable');
  };
  const {
    width = 0,
    height = 0,
    ...found
  } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata().catch(unreadable);
  const most = Math.min(maxPixels, Math.floor(maxDecodedBytes / bytesPerPixel(found)));
  if (width * height > most || Math.max(width, height) > maxSide)
    throw new AppError('file/too-large', { maxPixels: most });
  const small = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
    .rotate()
    .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .timeout({ seconds: 20 })
    .toBuffer()
    .catch(unreadable);
  return { bytes: small, mediaType: 'image/webp', extension: 'webp' };
}

const check = createWorkProcess<typeof checkInProcess>(
  new URL('./document-check.worker.ts', import.meta.url),
  {
    waiting: 64,
    // The slowest document that we could make takes six seconds of a processor, which on a busy machine it has to share.
    patienceMs: 30_000,
    // For a document, what it unpacks to, and a copy of that as text.
    heapMb: 512,
  },
);

/**
 * What makes a document more than one; null for a plain one. A small file can unpack to 50 MB, which takes seconds to read.
 * @throws request/unavailable while too many documents are waiting
 */
async function checkDocument(document: Document): Promise<Finding | null> {
  return check(document).catch((error: unknown) => {
    // No plain document takes that long, or that much memory.
    if (error instanceof WorkCutOff) return 'unreadable';
    throw error;
  });
}
