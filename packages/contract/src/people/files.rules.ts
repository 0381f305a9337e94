import type { FilePurpose } from './files.ts';
import { peopleLimits } from './limits.ts';

export const pdf = 'application/pdf';
export const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

/** Accepted pictures; each is stored as WebP. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'] as const;

const extensions: Record<string, readonly string[]> = {
  [pdf]: ['.pdf'],
  [docx]: ['.docx'],
  'image/jpeg': ['.jpg', '.jpeg'],
  'image/png': ['.png'],
  'image/webp': ['.webp'],
  'image/avif': ['.avif'],
  'image/gif': ['.gif'],
};

const typesOf: Record<FilePurpose, readonly string[]> = {
  photo: imageTypes,
  logo: imageTypes,
  cv: [pdf, docx],
  work: [...imageTypes, pdf],
  chat: [...imageTypes, pdf, docx],
  ticket: [...imageTypes, pdf, docx],
  report: [...imageTypes, pdf, docx],
  business: [...imageTypes, pdf],
  identity: imageTypes,
  certificate: [...imageTypes, pdf],
};

export const acceptsType = (purpose: FilePurpose, mediaType: string): boolean =>
  typesOf[purpose].includes(mediaType);

/** Types and extensions for a file input, since some browsers know only one of the two. */
export const pickableTypes = (purpose: FilePurpose): string[] =>
  typesOf[purpose].flatMap((type) => [type, ...(extensions[type] ?? [])]);

/** The type that browsers report for unknown files. */
const unknownTypes: readonly string[] = ['', 'application/octet-stream'];

/** Checks a file's type, or its name if the browser knows no type. */
export function looksAccepted(purpose: FilePurpose, { name, type }: { name: string; type: string }): boolean {
  if (!unknownTypes.includes(type)) return acceptsType(purpose, type);
  const ending = /\.[^.]*$/.exec(name.toLowerCase())?.[0] ?? '';
  return pickableTypes(purpose).includes(ending);
}

/** The largest file of a purpose, in bytes (product.md, Constants: CV, chat). */
export const bytesAllowed = (purpose: FilePurpose): number => {
  if (purpose === 'cv') return peopleLimits.cvBytes;
  return ['chat', 'ticket', 'report', 'business', 'identity', 'certificate'].includes(purpose)
    ? peopleLimits.chatFileBytes
    : peopleLimits.imageBytes;
};

/**
 * The pixels of a picture and of its longer side: a phone's 50-megapixel photo, and twice its widest
 * panorama. More would take half a minute to scale.
 */
export const pictureLimits = { pixels: 64_000_000, side: 32_768 } as const;

/** The `path` of a file by its id, including `logoPath`, `coverPath` and `photoPath`. */
export const fileContentPath = (fileId: string): string => `/files/${fileId}/content`;
