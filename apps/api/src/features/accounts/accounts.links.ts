import { createHash } from 'node:crypto';

/** How long a link in a mail works. */
export const verificationLinkSeconds = 24 * 3_600;
export const resetLinkSeconds = 3_600;

/** The name under which the provider looks for a reset link, and its hash: the table never holds a link that works. */
export const resetIdentifier = (token: string): string => `reset-password:${token}`;
export const hashIdentifier = (identifier: string): string =>
  createHash('sha256').update(identifier).digest('base64url');
