import { t } from '@lingui/core/macro';

/**
 * The error for a text over its limit; undefined if it fits. Text areas count instead of cutting, so each
 * form checks.
 */
export const tooLong = (text: string, most: number): string | undefined =>
  text.trim().length > most ? t`Use ${most} characters or fewer.` : undefined;
