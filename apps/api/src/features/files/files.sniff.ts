import type { FilePurpose } from '@nearhand/contract/files';
import { limits } from '@nearhand/contract/limits';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { AppError } from '../../platform/app-error.ts';

export type Sniffed = { bytes: Uint8Array; mediaType: string; extension: string };

const pdf = 'application/pdf';
const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const imageTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']);

/** What a purpose takes besides images. */
const documentsOf: Partial<Record<FilePurpose, readonly string[]>> = { work: [pdf], chat: [pdf, docx] };
const documentNames: Record<string, string> = { [pdf]: 'PDF', [docx]: 'DOCX' };

/** Enough for a phone's 50-megapixel photo; a small file that unpacks to more is a trap. */
const maxPixels = 64_000_000;
const longestSide = 1024;
/** Pictures of work are evidence, and those in a message may be of a rota: what they show must stay legible. */
const workSide = 2048;

/** Most bytes of a purpose (product.md, Constants: CV, chat). */
export const bytesAllowed = (purpose: FilePurpose): number =>
  purpose === 'cv' ? limits.cvBytes : purpose === 'chat' ? limits.chatFileBytes : limits.imageBytes;

/**
 * What a file really is, from its bytes alone: neither its name nor what the client calls it counts. Images come back re-encoded, upright, small, and
 * without what the camera wrote into them (place, device); documents come back as they were.
 * @throws file/wrong-type (not what the purpose takes), file/unreadable (it is, but broken), file/too-large (too many pixels)
 */
export async function sniff(purpose: FilePurpose, bytes: Uint8Array): Promise<Sniffed> {
  // A damaged file can make the detector itself fail; then nobody knows what it is.
  const found = await fileTypeFromBuffer(bytes).catch(() => undefined);
  if (purpose === 'cv') return readDocument(bytes, found?.mime, ['PDF', 'DOCX']);
  const documents = documentsOf[purpose] ?? [];
  if (found && documents.includes(found.mime)) return readDocument(bytes, found.mime, []);
  return readImage(bytes, found?.mime, documents.length > 0 ? workSide : longestSide, documents);
}

function readDocument(bytes: Uint8Array, mediaType: string | undefined, allowed: string[]): Sniffed {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType === pdf) {
    // Four letters at the start do not make a PDF: a whole one has objects and says where they end.
    if (!buffer.includes(' obj') || !buffer.includes('%%EOF')) throw new AppError('file/unreadable');
    return { bytes, mediaType, extension: 'pdf' };
  }
  if (mediaType === docx) {
    // The list of a ZIP's parts is at its end; without it the file was cut off.
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
        ...documents.map((document) => documentNames[document]),
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
