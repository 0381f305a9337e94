import { createCipheriv, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { verifyPassword } from 'better-auth/crypto';
import type { Config } from '../config/config.ts';

type Hashing = Pick<Config, 'FIREBASE_HASH_CONFIG'>;

/** Parameters of our own hashes, in Firebase's terms: scrypt as RFC 7914 has it (`@better-auth/utils/password`). */
export const ownHashing = { memoryCost: 16_384, blockSize: 16, parallelization: 1, keyBytes: 64 } as const;

const firebaseMark = 'firebase';
const cipherKeyBytes = 32;
const blockBytes = 16;
const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** A hash that Firebase exported, in the form that we keep; both parts are base64. */
export const keptFirebaseHash = ({ hash, salt }: { hash: string; salt: string }): string =>
  `${firebaseMark}:${salt}:${hash}`;

/** The parts of a hash that came from Firebase; null for one of ours. */
export function readFirebaseHash(kept: string): { hash: string; salt: string } | null {
  const [mark, salt, hash] = kept.split(':');
  return mark === firebaseMark && salt !== undefined && hash ? { hash, salt } : null;
}

/** The salt and the hash of one of our own; null for one that came from Firebase. */
export function readOwnHash(kept: string): { hash: Buffer; salt: Buffer } | null {
  const [salt, hash, ...rest] = kept.split(':');
  if (!salt || !hash || rest.length > 0) return null;
  // The library uses the salt's letters as they are, not the bytes they spell.
  return { salt: Buffer.from(salt), hash: Buffer.from(hash, 'hex') };
}

/** Tests whether a salt in an exported file is one of ours; Firebase's are shorter. */
export const isOwnSalt = (salt: string): boolean =>
  /^[0-9a-f]{32}$/.test(Buffer.from(salt, 'base64').toString('latin1'));

/**
 * Tests whether a password is the one that was hashed: here, or by Firebase before its accounts came here.
 * @throws Error for a hash of Firebase without FIREBASE_HASH_CONFIG
 */
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
  // Firebase encrypts the project's key with the derived one, and keeps the result.
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(blockBytes));
  const encrypted = Buffer.concat([cipher.update(hashing.signerKey), cipher.final()]);
  const expected = Buffer.from(firebase.hash, 'base64');
  return encrypted.length === expected.length && timingSafeEqual(encrypted, expected);
}
