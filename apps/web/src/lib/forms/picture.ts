import { t } from '@lingui/core/macro';
import { docx, pdf, pictureLimits } from '@nearhand/contract/people/files.rules';
import { isApiError } from '../api/api-error.ts';
import { errorText } from '../api/error.labels.ts';

const opened: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

const brokenText = () => t`This picture can't be opened. It may be damaged. Choose another one.`;

/** Brands of HEIF files with HEVC pictures, which phones also name .jpg (ISO/IEC 23008-12). */
const heicBrand = /^ftyp(?:hei[cxms]|hev[cxms])/;

async function isHeic(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(4, 12).arrayBuffer());
  return heicBrand.test(String.fromCharCode(...start));
}

/** More pixels than an iPhone's canvas draws. */
const canvasPixels = 16_000_000;

/** A HEIC photo as a JPEG where this browser opens HEIC, as Safari does; any other file as it is. */
export async function withoutHeic(file: File): Promise<File> {
  if (!(await isHeic(file).catch(() => false))) return file;
  const address = URL.createObjectURL(file);
  try {
    const picture = new Image();
    picture.src = address;
    await picture.decode();
    const { naturalWidth: width, naturalHeight: height } = picture;
    const scale = Math.min(1, Math.sqrt(canvasPixels / (width * height)));
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
    if (!jpeg) return file;
    const name = `${file.name.replace(/\.(heic|heif|jpe?g)$/i, '')}.jpg`;
    return new File([jpeg], name, { type: 'image/jpeg', lastModified: file.lastModified });
  } catch {
    return file;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** True for a PDF or DOCX without the parts that the server requires (`readDocument`), such as a cut-off one. */
async function isBrokenDocument(file: File): Promise<boolean> {
  const isPdf = file.type === pdf || /\.pdf$/i.test(file.name);
  if (!isPdf && file.type !== docx && !/\.docx$/i.test(file.name)) return false;
  const text = new TextDecoder('latin1').decode(await file.arrayBuffer());
  return isPdf
    ? !text.slice(0, 1024).includes('%PDF') || !text.includes(' obj') || !text.includes('%%EOF')
    : !text.startsWith('PK') || !text.includes('PK\x05\x06');
}

/**
 * The reason why a chosen file can't be used, before it is uploaded: empty, or a picture or document that can't be
 * opened; undefined if it can be.
 */
export async function pictureProblem(file: File): Promise<string | undefined> {
  if (file.size === 0) return t`This file is empty. Choose another one.`;
  if (await isHeic(file).catch(() => false))
    return t`This photo is in Apple's HEIC format, which we can't open. Save it as a JPEG and choose that.`;
  if (await isBrokenDocument(file).catch(() => false))
    return t`This file can't be opened. It may be damaged. Choose another one.`;
  if (!opened.includes(file.type) || typeof createImageBitmap !== 'function') return undefined;
  try {
    const picture = await createImageBitmap(file);
    const { width, height } = picture;
    picture.close();
    const megapixels = pictureLimits.pixels / 1_000_000;
    return width * height > pictureLimits.pixels || Math.max(width, height) > pictureLimits.side
      ? t`This picture is too large to open. Choose one of at most ${megapixels} megapixels.`
      : undefined;
  } catch {
    return brokenText();
  }
}

export const pictureErrorText = (error: unknown): string =>
  isApiError(error, 'file/unreadable', 'file/wrong-type') ? brokenText() : errorText(error);
