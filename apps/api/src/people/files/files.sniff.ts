import { limits } from '@nearhand/contract/limits';
import type { FilePurpose } from '@nearhand/contract/people/files';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { AppError } from '../../platform/app-error.ts';

export type Sniffed = { bytes: Uint8Array; mediaType: string; extension: string };

const pdf = 'application/pdf';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const imageTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

/** The document types that a purpose accepts. */
const documentsOf: Partial<Record<FilePurpose, readonly string[]>> = { work: [pdf], chat: [pdf, docx] };
const documentNames: Record<string, string> = { [pdf]: 'PDF', [docx]: 'DOCX' };

/** Enough for a phone's 50-megapixel photo; a small file that unpacks to more is a decompression bomb. */
const maxPixels = 64_000_000;
const longestSide = 1024;
/** Pictures of work are evidence, and chat pictures may show a rota, so they must stay legible. */
const workSide = 2048;

/** Maximum size per purpose (product.md, Constants: CV, chat). */
export const bytesAllowed = (purpose: FilePurpose): number =>
  purpose === 'cv' ? limits.cvBytes : purpose === 'chat' ? limits.chatFileBytes : limits.imageBytes;

/**
 * Detects a file's type from its bytes, never from its name or declared type. Images are re-encoded: upright, small, and without
 * camera metadata. Documents stay as they were.
 * @throws file/wrong-type for this purpose, file/unreadable when broken, file/too-large for too many pixels
 */
export async function sniff(purpose: FilePurpose, bytes: Uint8Array): Promise<Sniffed> {
  // A damaged file can make the detector fail.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (purpose === 'cv') return readDocument(bytes, found?.mime, ['PDF', 'DOCX']);
  const documents = documentsOf[purpose] ?? [];
  if (found && documents.includes(found.mime)) return readDocument(bytes, found.mime, []);
  return readImage(bytes, found?.mime, documents.length > 0 ? workSide : longestSide, documents);
}

function readDocument(bytes: Uint8Array, mediaType: string | undefined, allowed: string[]): Sniffed {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === pdf) {
    // A PDF needs objects and an end marker, not just its magic number.
    if (!buffer.includes(' obj') || !buffer.includes('%%EOF')) throw new AppError('file/unreadable');
    return { bytes, mediaType, extension: 'pdf' };
  }
  if (mediaType === docx) {
    // A ZIP's directory is at its end; without it, the file was cut off.
    if (!buffer.includes('PK\x05\x06', undefined, 'latin1')) throw new AppError('file/unreadable');
    return { bytes, mediaType, extension: 'docx' };
  }
  throw new AppError('file/wrong-type', { allowed });
}

async function readImage(
  bytes: Uint8Array,
  mediaType: string | undefined,
  longest: number,
  documents: readonly string[],
): Promise<Sniffed> {
  if (mediaType === undefined || !imageTypes.has(mediaType))
    throw new AppError('file/wrong-type', {
      allowed: [
        'JPEG',
        'PNG',
        'WebP',
        'AVIF',
        'GIF',
        ...documents.flatMap((document) => documentNames[document] ?? []),
      ],
    });
  const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false, failOn: 'error' })
    .metadata()
    .catch(() => {
      throw new AppError('file/unreadable');
    });
  if (width * height > maxPixels) throw new AppError('file/too-large', { maxPixels });
  const small = await sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true })
    .rotate()
    .resize(longest, longest, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 82 })
    .timeout({ seconds: 20 })
    .toBuffer()
    .catch(() => {
      throw new AppError('file/unreadable');
    });
  return { bytes: small, mediaType: 'image/webp', extension: 'webp' };
}
