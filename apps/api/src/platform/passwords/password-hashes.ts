import { AsyncLocalStorage } from 'node:async_hooks';
import { createCipheriv, randomBytes, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Config } from '../config/config.ts';
import { createGate } from '../process/concurrency-limit.ts';

type Hashing = Pick<Config, 'FIREBASE_HASH_CONFIG'>;

/** Our scrypt parameters in Firebase's terms (RFC 7914, `@better-auth/utils/password`). */
export const ownHashing = { memoryCost: 16_384, blockSize: 16, parallelization: 1, keyBytes: 64 } as const;

const firebaseMark = 'firebase';
const cipherKeyBytes = 32;
const blockBytes = 16;

export type ScryptInput = {
  password: string;
  salt: string | Buffer;
  keyBytes: number;
  options: ScryptOptions;
};

/** Half of the processors, so that sign-ins leave the others to everyone else. */
const threads = Math.max(1, Math.floor(availableParallelism() / 2));
/** About three seconds of work for one thread: beyond that, callers are asked to retry. */
const waitingMax = 32;
const throughGate = createGate(threads, waitingMax);
const goesAhead = new AsyncLocalStorage<boolean>();

/** Hashes within `work`, for known devices and open sessions, run before hashes for unknown devices. */
export const aheadOfStrangers = <Result>(work: () => Promise<Result>): Promise<Result> =>
  goesAhead.run(true, work);

const idle: Worker[] = [];

/** @throws AppError request/unavailable while too many wait */
const scrypt = (input: ScryptInput): Promise<Buffer> =>
  throughGate(async () => {
    const thread = idle.pop() ?? new Worker(new URL('./scrypt.worker.ts', import.meta.url));
    thread.ref();
    thread.postMessage(input);
    // A thread that fails ends, and the next hash gets a new one.
    const key = await keyFrom(thread);
    // An idle thread doesn't keep a stopping process alive.
    thread.unref();
    idle.push(thread);
    return Buffer.from(key);
  }, goesAhead.getStore());

async function keyFrom(thread: Worker): Promise<Uint8Array> {
  // With `--watch`, Node sends messages of its own, about the files that a thread loads.
  for await (const [message] of on(thread, 'message')) if (message instanceof Uint8Array) return message;
  throw new Error('a thread ended without a hash');
}

const ownKey = (password: string, salt: string): Promise<Buffer> => {
  const { memoryCost: N, blockSize: r, parallelization: p, keyBytes } = ownHashing;
  const options = { N, r, p, maxmem: 256 * N * r };
  return scrypt({ password: password.normalize('NFKC'), salt, keyBytes, options });
};

/**
 * Hashes in the library's format. It salts with the bytes of the hexadecimal text, not with those that the text encodes.
 * @throws AppError request/unavailable
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex');
  return `${salt}:${(await ownKey(password, salt)).toString('hex')}`;
}

export const firebaseHash = ({ hash, salt }: { hash: string; salt: string }): string =>
  `${firebaseMark}:${salt}:${hash}`;

export function readFirebaseHash(stored: string): { hash: string; salt: string } | null {
  const [mark, salt, hash] = stored.split(':');
  return mark === firebaseMark && salt !== undefined && hash ? { hash, salt } : null;
}

export function readOwnHash(stored: string): { hash: Buffer; salt: Buffer } | null {
  const [salt, hash, ...rest] = stored.split(':');
  if (!salt || !hash || rest.length > 0) return null;
  // The library uses the salt's hex text, not the bytes it encodes.
  return { salt: Buffer.from(salt), hash: Buffer.from(hash, 'hex') };
}

/** Firebase's salts are shorter than ours. */
export const isOwnSalt = (salt: string): boolean =>
  /^[0-9a-f]{32}$/.test(Buffer.from(salt, 'base64').toString('latin1'));

/**
 * Checks our own hashes and imported ones.
 * @throws AppError request/unavailable, Error for a Firebase hash without FIREBASE_HASH_CONFIG
 */
export async function matchesHash(
  { FIREBASE_HASH_CONFIG: hashing }: Hashing,
  { hash: stored, password }: { hash: string; password: string },
): Promise<boolean> {
  const firebase = readFirebaseHash(stored);
  if (!firebase) {
    const parsedHash = readOwnHash(stored);
    if (!parsedHash) throw new Error('a stored password has no known form');
    const key = await ownKey(password, parsedHash.salt.toString());
    return key.length === parsedHash.hash.length && timingSafeEqual(key, parsedHash.hash);
  }
  if (!hashing) throw new Error('FIREBASE_HASH_CONFIG is needed for a password that came from Firebase');
  const salt = Buffer.concat([Buffer.from(firebase.salt, 'base64'), hashing.saltSeparator]);
  const cost = 2 ** hashing.memCost;
  const options = { N: cost, r: hashing.rounds, p: 1, maxmem: 256 * cost * hashing.rounds };
  const key = await scrypt({ password, salt, keyBytes: cipherKeyBytes, options });
  // Firebase encrypts the project's key with the derived one, and stores the result.
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(blockBytes));
  const encrypted = Buffer.concat([cipher.update(hashing.signerKey), cipher.final()]);
  const expected = Buffer.from(firebase.hash, 'base64');
  return encrypted.length === expected.length && timingSafeEqual(encrypted, expected);
}
