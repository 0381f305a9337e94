import { t } from '@lingui/core/macro';

export const tooLong = (text: string, most: number): string | undefined =>
  text.trim().length > most ? t`Use ${most} characters or fewer.` : undefined;
