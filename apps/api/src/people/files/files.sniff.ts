import { limits } from '@nearhand/contract/limits';
import type { FilePurpose } from '@nearhand/contract/people/files';
import { acceptsType, docx, imageTypes, pdf } from '@nearhand/contract/people/files.rules';
import { fileTypeFromBuffer } from 'file-type';
import type { Metadata } from 'sharp';
import { AppError } from '../../platform/app-error.ts';
import { createGate } from '../../platform/process/concurrency-limit.ts';
import { createWorkProcess, WorkCutOff } from '../../platform/process/work-process.ts';
import type checkInProcess from './document-check.worker.ts';
import type { Document, Finding } from './document-check.worker.ts';

export type Sniffed = { bytes: Uint8Array; mediaType: string; extension: string };

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
/** What one picture may take in memory while it is decoded. */
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
export async function sniff(purpose: FilePurpose, bytes: Uint8Array): Promise<Sniffed> {
  // A damaged file can make the detector fail.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  const mediaType = found?.mime ?? '';
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
    // The slowest document that we could make takes six seconds of a busy processor.
    patienceMs: 15_000,
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
