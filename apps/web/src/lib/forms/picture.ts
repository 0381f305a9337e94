import { t } from '@lingui/core/macro';
import { pictureLimits } from '@nearhand/contract/people/files.rules';
import { isApiError } from '../api/api-error.ts';
import { errorText } from '../api/error-text.ts';

const opened: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

const brokenText = () => t`This picture can't be opened. It may be damaged. Choose another one.`;

/** Brands of HEIF files with HEVC pictures, which phones also name .jpg (ISO/IEC 23008-12). */
const heicBrand = /^ftyp(?:hei[cxms]|hev[cxms])/;

async function isHeic(file: File): Promise<boolean> {
  const start = new Uint8Array(await file.slice(4, 12).arrayBuffer());
  return heicBrand.test(String.fromCharCode(...start));
}

/**
 * The reason why a chosen file can't be used, before it is uploaded: empty, or a picture that can't be opened;
 * undefined if it can be.
 */
export async function pictureProblem(file: File): Promise<string | undefined> {
  if (file.size === 0) return t`This file is empty. Choose another one.`;
  if (await isHeic(file).catch(() => false))
    return t`This photo is in Apple's HEIC format, which we can't open. Save it as a JPEG and choose that.`;
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
