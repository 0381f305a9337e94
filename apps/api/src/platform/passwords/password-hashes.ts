import { createCipheriv, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verifyPassword } from 'better-auth/crypto';
import type { Config } from '../config/config.ts';

type Hashing = Pick<Config, 'FIREBASE_HASH_CONFIG'>;

/** Our scrypt parameters in Firebase's terms (RFC 7914, `@better-auth/utils/password`). */
export const ownHashing = { memoryCost: 16_384, blockSize: 16, parallelization: 1, keyBytes: 64 } as const;

const firebaseMark = 'firebase';
const cipherKeyBytes = 32;
const blockBytes = 16;
const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

export const keptFirebaseHash = ({ hash, salt }: { hash: string; salt: string }): string =>
  `${firebaseMark}:${salt}:${hash}`;

export function readFirebaseHash(kept: string): { hash: string; salt: string } | null {
  const [mark, salt, hash] = kept.split(':');
  return mark === firebaseMark && salt !== undefined && hash ? { hash, salt } : null;
}

export function readOwnHash(kept: string): { hash: Buffer; salt: Buffer } | null {
  const [salt, hash, ...rest] = kept.split(':');
  if (!salt || !hash || rest.length > 0) return null;
  // The library uses the salt's hex text, not the bytes it encodes.
  return { salt: Buffer.from(salt), hash: Buffer.from(hash, 'hex') };
}

/** Firebase's salts are shorter than ours. */
export const isOwnSalt = (salt: string): boolean =>
  /^[0-9a-f]{32}$/.test(Buffer.from(salt, 'base64').toString('latin1'));

/** Checks our own hashes and imported ones. @throws Error for a Firebase hash without FIREBASE_HASH_CONFIG */
export async function matchesHash(
  { FIREBASE_HASH_CONFIG: hashing }: Hashing,
  { hash: stored, password }: { hash: string; password: string },
): Promise<boolean> {
  const firebase = readFirebaseHash(stored);
  if (!firebase) return verifyPassword({ hash: stored, password });
  if (!hashing) throw new Error('FIREBASE_HASH_CONFIG is needed for a password that came from Firebase');
  const salt = Buffer.concat([Buffer.from(firebase.salt, 'base64'), hashing.saltSeparator]);
  const cost = 2 ** hashing.memCost;
  const key = await scryptAsync(password, salt, cipherKeyBytes, {
    N: cost,
    r: hashing.rounds,
    p: 1,
    maxmem: 256 * cost * hashing.rounds,
  });
  // Firebase encrypts the project's key with the derived one, and stores the result.
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(blockBytes));
  const encrypted = Buffer.concat([cipher.update(hashing.signerKey), cipher.final()]);
  const expected = Buffer.from(firebase.hash, 'base64');
  return encrypted.length === expected.length && timingSafeEqual(encrypted, expected);
}
