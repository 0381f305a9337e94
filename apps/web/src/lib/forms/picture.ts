import { t } from '@lingui/core/macro';
import { isApiError } from '../api/api-error.ts';
import { errorText } from '../api/error-text.ts';

const opened: readonly string[] = ['image/jpeg', 'image/png', 'image/webp', 'image/gif'];

const brokenText = () => t`This picture can't be opened. It may be damaged. Choose another one.`;

/**
 * The reason why a chosen picture can't be used, before it is uploaded; undefined if it can be, or the file isn't a
 * picture.
 */
export async function pictureProblem(file: File): Promise<string | undefined> {
  if (!opened.includes(file.type) || typeof createImageBitmap !== 'function') return undefined;
  try {
    (await createImageBitmap(file)).close();
    return undefined;
  } catch {
    return brokenText();
  }
}

export const pictureErrorText = (error: unknown): string =>
  isApiError(error, 'file/unreadable', 'file/wrong-type') ? brokenText() : errorText(error);
