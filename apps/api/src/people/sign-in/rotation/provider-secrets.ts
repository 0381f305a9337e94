import { createHmac } from 'node:crypto';
import type { Keys } from '../../../platform/sign.ts';

export type ProviderSecret = { version: number; value: string };

const versions = 2 ** 31;

/** What the sign-in library gets for a secret. */
const providerValue = (secret: string): string => `sign-in ${secret}`;

/**
 * The library's secrets, the one that signs and encrypts first. It writes the version next to what it encrypts, so a version must name the
 * same secret on every server and after every start.
 */
export const providerSecrets = ({ secret, others }: Pick<Keys, 'secret' | 'others'>): ProviderSecret[] =>
  [secret, ...others].map((one) => ({
    version: createHmac('sha256', one).update('provider version').digest().readUInt32BE(0) % versions,
    value: providerValue(one),
  }));

/** As a key for tokens. */
export const keyBytes = ({ value }: ProviderSecret): Uint8Array => new TextEncoder().encode(value);
