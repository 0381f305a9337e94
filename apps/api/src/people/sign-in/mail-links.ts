import { createHash } from 'node:crypto';

/** How long a mailed link is valid. */
export const verificationLinkSeconds = 24 * 3_600;
export const resetLinkSeconds = 3_600;

/** The provider's name for a reset link, and its hash: the table never holds a usable link. */
export const resetIdentifier = (token: string): string => `reset-password:${token}`;
export const hashIdentifier = (identifier: string): string =>
  createHash('sha256').update(identifier).digest('base64url');
