import { t } from '@lingui/core/macro';

/** What is said of a text over its limit; undefined where it fits. Text areas count rather than cut, so each form checks. */
export const tooLong = (text: string, most: number): string | undefined =>
  text.trim().length > most ? t`Use ${most} characters or fewer.` : undefined;
