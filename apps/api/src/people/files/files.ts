import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { id } from '@nearhand/contract/operation';
import { type FilePurpose, files, type StoredFile } from '@nearhand/contract/people/files';
import {
  acceptsType,
  bytesAllowed,
  docx,
  imageTypes,
  pdf,
  pictureLimits,
} from '@nearhand/contract/people/files.rules';
import { peopleLimits } from '@nearhand/contract/people/limits';
import type { FastifyReply } from 'fastify';
import { fileTypeFromBuffer } from 'file-type';
import type { Metadata } from 'sharp';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { seal, sealingKeys, unseal } from '../../platform/file-store/sealed-files.ts';
import { read, write } from '../../platform/http/bind.ts';
import type { Actor, ClockScope, Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { newId } from '../../platform/ids.ts';
import { createGate } from '../../platform/process/concurrency-limit.ts';
import { createWorkProcess, WorkCutOffError } from '../../platform/process/work-process.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import type checkInProcess from './document-check.worker.ts';
import type { Document, Finding } from './document-check.worker.ts';
import {
  canReadChatFile,
  canReadDeliveryFile,
  countFilesSince,
  deleteFiles,
  deleteLoose,
  deleteUnused,
  type FileRow,
  findFile,
  insertFile,
  isCertificateFor,
  isIdentityFor,
  isInTicket,
  isProofFor,
  isReportedToStaff,
  isSharedWith,
  renameRest,
  storedFileOf,
  type UnusedFiles,
} from './files.sql.ts';
import { reEncryptFiles } from './re-encryption.ts';

const keptUnusedDays = 7;

/**
 * Checks an upload and stores its bytes before its row, so no connection is held (ADR 31). Its bytes decide
 * the type; images are re-encoded (ADR 15).
 * @throws file/too-large, file/wrong-type, file/unreadable, file/locked, file/active-content, file/unpacks-too-large,
 * file/daily-limit (data: limit)
 */
export async function prepareUpload(scope: Scope, input: Upload, db: Db): Promise<FileRow> {
  requireSize(input);
  const limit = scope.config.UPLOADS_PER_DAY;
  const since = subtractMs(scope.clock.now(), dayMs);
  if ((await countFilesSince(db, scope.actor.accountId, since)) >= limit)
    throw new AppError('file/daily-limit', { limit });
  return storeBytes(scope, scope.actor.accountId, input);
}

/**
 * Stores a guest's file, without an account; the caller counts them.
 * @throws as `prepareUpload`, except file/daily-limit
 */
export async function prepareGuestUpload(scope: StoreScope, file: File): Promise<FileRow> {
  const input = { purpose: 'ticket', file } as const;
  requireSize(input);
  return storeBytes(scope, null, input);
}

type StoreScope = Pick<Scope, 'clock' | 'fileStore' | 'config' | 'sign'>;
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

/** Adds the row of a stored upload, so a row never lacks its bytes. */
export async function uploadFile(
  tx: Tx,
  scope: ClockScope,
  _input: unknown,
  row: FileRow,
): Promise<StoredFile> {
  await insertFile(tx, row, scope.clock.now());
  return storedFileOf(row);
}

/** Removes the bytes of an upload whose call was refused or replayed. */
export async function dropUpload(
  { fileStore, log }: Pick<Scope, 'fileStore' | 'log'>,
  row: FileRow,
): Promise<void> {
  await fileStore.remove(row.id).catch((error) => {
    // Leftover bytes are no reason to fail a completed call.
    log.warn({ err: error, fileId: row.id }, 'the bytes of an upload without a row were not deleted');
  });
}

/** Returns a file's name, type and size, for anyone who may read it. */
async function fileDetails(db: Db, scope: Scope, input: { fileId: string }): Promise<StoredFile> {
  return storedFileOf(await readableFile(db, scope.actor, input.fileId));
}

/** Photos and logos are public; others are for owner, recipients, and operators with an open case. */
export async function readFileContent(
  db: Db,
  scope: Scope<Actor | null>,
  fileId: string,
): Promise<FileContent> {
  return readBytes(scope, await readableFile(db, scope.actor, fileId));
}

/**
 * Reads a file of a request that its guest opened with a link; the caller checks that the request contains
 * it.
 * @throws file/not-found
 */
export async function readGuestFile(db: Db, scope: BytesScope, fileId: string): Promise<FileContent> {
  const row = await findFile(db, fileId);
  if (row?.purpose !== 'ticket') throw new AppError('file/not-found');
  return readBytes(scope, row);
}

type BytesScope = Pick<Scope, 'fileStore' | 'log' | 'config' | 'sign'>;
type FileContent = { row: FileRow; bytes: Uint8Array };

async function readBytes(scope: BytesScope, row: FileRow): Promise<FileContent> {
  const bytes = await scope.fileStore.get(row.id);
  if (bytes === null) {
    scope.log.error({ fileId: row.id }, 'the bytes of a file are missing in the store');
    throw new AppError('file/not-found');
  }
  return { row, bytes: row.keyId === null ? bytes : unseal(sealingKeys(scope), row.id, bytes) };
}

const isReader: Record<FilePurpose, typeof isSharedWith> = {
  cv: isSharedWith,
  work: canReadDeliveryFile,
  chat: canReadChatFile,
  ticket: isInTicket,
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
 * Requires the account's own file of this purpose.
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

const filesAtOnce = 500;

const purgeSome = (db: Db, old: Parameters<typeof deleteUnused>[1]): Promise<UnusedFiles> =>
  db.transaction().execute((tx) => deleteUnused(tx, old));

/** Removes files unreferenced for 7 days (ADR 15), rows first because leftover bytes are harmless. */
export async function purgeUnusedFiles(db: Db, scope: Pick<Scope, 'clock' | 'fileStore'>): Promise<void> {
  const before = subtractMs(scope.clock.now(), keptUnusedDays * dayMs);
  let after: string | null = '00000000-0000-0000-0000-000000000000';
  while (after !== null) {
    const { gone, last }: UnusedFiles = await purgeSome(db, { before, after, limit: filesAtOnce });
    for (const fileId of gone) await scope.fileStore.remove(fileId);
    after = last;
  }
  await scope.fileStore.sweep(subtractMs(scope.clock.now(), dayMs));
}

const isPrivate = (purpose: FilePurpose): boolean =>
  ['cv', 'work', 'chat', 'ticket', 'report', 'business', 'identity', 'certificate'].includes(purpose);

/** Purposes whose bytes are encrypted at rest (ADR 183). */
const isSealed = (purpose: FilePurpose): boolean => ['identity', 'certificate'].includes(purpose);

/** Hidden even from the sender: withdrawn messages (ADR 94), and identity documents (ADR 183). */
const isHiddenFromSender = (purpose: FilePurpose): boolean =>
  ['chat', 'identity', 'certificate'].includes(purpose);

const longestName = 120;
/** Limits the characters read of a client's file name, which may be megabytes. */
const longestGiven = 1_000;

/** Invisible and bidi characters: `cv\u202Efdp.exe` would read as a PDF. Joiners stay, scripts need them. */
const hidden = /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/gu;

/** Removes folders, control and bidi characters; at most 120 characters with the real extension. */
export function cleanName(name: string, extension: string): string {
  const last = name.slice(-longestGiven).toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .replace(hidden, '')
    .replace(/[<>:"|?*\uFFFD]/g, '_')
    .replace(/\s+/g, ' ')
    .trim();
  const stem = plain.replace(/\.[^.]{0,10}$/, '').replace(/^[.\s]+|[.\s]+$/g, '');
  const maxLength = longestName - extension.length - 1;
  // Cut by code point, so that no emoji is split.
  const short = [...(stem || 'file')].slice(0, maxLength).join('');
  return `${short}.${extension}`;
}

/** `Content-Disposition` with an RFC 5987 name and a plain fallback. */
export function attachmentHeader(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** Runs after the commit, and is retried. */
const removeBytesTask = defineTask({
  name: 'files.remove-bytes',
  payload: z.object({ fileIds: z.array(z.uuid()).min(1) }),
  queue: 'housekeeping',
  run: (scope, payload) => removeStoredBytes(scope, payload),
});

const atOnce = 200;

/** Deletes a removed account's files, and renames those that other records need. */
export async function deleteFilesOf(tx: Tx, accountId: string): Promise<void> {
  const deletedIds = await deleteLoose(tx, accountId);
  await renameRest(tx, accountId);
  for (let from = 0; from < deletedIds.length; from += atOnce)
    await enqueue(tx, removeBytesTask, { fileIds: deletedIds.slice(from, from + atOnce) });
}

/** Deletes unreferenced files now, and their bytes after the commit. */
export async function deleteFilesNow(tx: Tx, fileIds: readonly string[]): Promise<void> {
  if (fileIds.length === 0) return;
  const deletedIds = await deleteFiles(tx, fileIds);
  if (deletedIds.length > 0) await enqueue(tx, removeBytesTask, { fileIds: deletedIds });
}

async function removeStoredBytes(
  { fileStore }: TaskScope,
  { fileIds }: { fileIds: string[] },
): Promise<void> {
  for (const fileId of fileIds) await fileStore.remove(fileId);
}

export const purgeFilesTask = defineTask({
  name: 'files.purge-unused',
  payload: z.object({}),
  daily: true,
  run: (scope) => purgeUnusedFiles(scope.db, scope),
});

/** Outside the contract because it is not JSON. Documents download; proxies never cache private files. */
export const registerFileContent: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.get<{ Params: { fileId: string } }>(
    '/files/:fileId/content',
    { onRequest: limitReads },
    async (request, reply) => {
      const fileId = id.safeParse(request.params.fileId);
      if (!fileId.success) throw new AppError('file/not-found');
      return sendFile(reply, await readFileContent(db, scopeOf(request), fileId.data));
    },
  );
};

/** Pictures are shown inline, documents never. */
export function sendFile(reply: FastifyReply, { row, bytes }: FileContent): FastifyReply {
  const download = !row.mediaType.startsWith('image/');
  const isPrivateFile = isPrivate(row.purpose);
  return reply
    .header('content-type', row.mediaType)
    .header('content-disposition', download ? attachmentHeader(row.name) : 'inline')
    .header('cache-control', isPrivateFile ? 'private, no-store' : 'public, max-age=31536000, immutable')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

type Sniffed = { bytes: Uint8Array; mediaType: string; extension: string };

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

/** A small file that unpacks to more is a decompression bomb. */
const { pixels: maxPixels, side: maxSide } = pictureLimits;
const maxDecodedBytes = 256_000_000;
/** Limits decoding, which shares threads with sign-in and takes up to `maxDecodedBytes` each. */
const throughGate = createGate(2, 64);
const longestSide = 1024;
/** Pictures of work are evidence, and chat pictures may show a rota, so they must stay legible. */
const workSide = 2048;

/**
 * Detects the type from the bytes and re-encodes images without camera metadata.
 * @throws file/wrong-type, file/unreadable, file/too-large, file/active-content (data: found), file/locked,
 * file/unpacks-too-large (data: maxBytes)
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
  // A ZIP without the directory at its end was cut off.
  if (!buffer.includes('PK\x05\x06', undefined, 'latin1')) throw new AppError('file/unreadable');
  refuse(await checkDocument({ kind: 'office', bytes, limits: unpackLimits }));
  return { bytes, mediaType, extension: 'docx' };
}

const unpackLimits = {
  maxBytes: peopleLimits.unpackedBytes,
  maxRatio: peopleLimits.unpackedRatio,
  ratioFrom: peopleLimits.unpackedRatioFrom,
};

/** Documents are passed on unchanged, so active content is rejected. */
function refuse(finding: Finding | null): void {
  if (finding === null) return;
  if (finding === 'locked' || finding === 'unreadable') throw new AppError(`file/${finding}`);
  if (finding === 'unpacks-too-large')
    throw new AppError('file/unpacks-too-large', { maxBytes: peopleLimits.unpackedBytes });
  throw new AppError('file/active-content', { found: finding });
}

/** Memory per pixel. Interlaced pictures and AVIFs are decoded whole; AVIFs need several times as much. */
function bytesPerPixel({ format, channels = 4, depth }: Pick<Metadata, 'format' | 'channels' | 'depth'>) {
  if (format === 'heif') return channels * 5;
  return channels * (depth === 'uchar' ? 1 : 2);
}

async function readImage(bytes: Uint8Array, longest: number): Promise<Sniffed> {
  // Loaded when first needed (ADR 254).
  const { default: sharp } = await import('sharp');
  // The cache would keep up to 190 MB of a large JPEG, and no upload repeats.
  sharp.cache(false);
  const unreadable = () => {
    throw new AppError('file/unreadable');
  };
  const {
    width = 0,
    height = 0,
    ...found
  } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' }).metadata().catch(unreadable);
  const allowedPixels = Math.min(maxPixels, Math.floor(maxDecodedBytes / bytesPerPixel(found)));
  if (width * height > allowedPixels || Math.max(width, height) > maxSide)
    throw new AppError('file/too-large', { maxPixels: allowedPixels });
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
    // The slowest test document takes six seconds of CPU, which may be shared.
    patienceMs: 30_000,
    // Unpacked document plus a copy as text.
    heapMb: 512,
  },
);

/**
 * Finds active content; null if plain.
 * @throws request/unavailable while too many documents wait
 */
async function checkDocument(document: Document): Promise<Finding | null> {
  return check(document).catch((error: unknown) => {
    // No plain document takes that long or that much memory.
    if (error instanceof WorkCutOffError) return 'unreadable';
    throw error;
  });
}

export const filesTasks = [
  purgeFilesTask,
  defineTask({
    name: 'files.re-encrypt',
    payload: z.object({}),
    daily: true,
    run: async (scope) => {
      await reEncryptFiles(scope);
    },
  }),
  removeBytesTask,
];

export const filesRoutes = {
  upload: write(files.upload, uploadFile, { prepare: prepareUpload, abandon: dropUpload }),
  details: read(files.details, fileDetails),
};
