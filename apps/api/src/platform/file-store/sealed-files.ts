import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { Sign } from '../sign.ts';

/** A key and the id stored in files sealed with it, for rotation (ADR 183). */
export type SealingKey = { id: string; key: Buffer };

type KeyScope = { config: Pick<Config, 'DOCUMENT_KEYS'>; sign: Sign };

/** The key of new files first. Outside production it is derived from the server's lasting key. */
export const sealingKeys = ({ config, sign }: KeyScope): readonly [SealingKey, ...SealingKey[]] => {
  const [first, ...olderKeys] = config.DOCUMENT_KEYS ?? [];
  return first ? [first, ...olderKeys] : [{ id: 'local', key: sign.lasting('document key', 'local') }];
};

const magic = Buffer.from('NHS1');
const ivBytes = 12;
const tagBytes = 16;

/** Bytes that no configured key opens, or that were changed. */
export class SealBrokenError extends Error {
  override name = 'SealBrokenError';
}

/** AES-256-GCM with both ids authenticated. Layout: `NHS1`, key id length and id, IV, tag, ciphertext. */
export function seal({ id, key }: SealingKey, fileId: string, bytes: Uint8Array): Buffer<ArrayBuffer> {
  const name = Buffer.from(id);
  const head = Buffer.concat([magic, Buffer.from([name.length]), name]);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.concat([head, Buffer.from(fileId)]));
  const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
  return Buffer.concat([head, iv, cipher.getAuthTag(), body]);
}

/** @throws SealBrokenError for an unknown key, or bytes that were changed or belong to another file */
export function unseal(keys: readonly SealingKey[], fileId: string, sealed: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const nameEnd = magic.length + 1 + (bytes[magic.length] ?? 0);
  const head = bytes.subarray(0, nameEnd);
  const from = nameEnd + ivBytes;
  if (!head.subarray(0, magic.length).equals(magic) || bytes.length < from + tagBytes)
    throw new SealBrokenError('not a sealed file');
  const id = head.subarray(magic.length + 1).toString();
  const sealingKey = keys.find((candidate) => candidate.id === id);
  if (!sealingKey) throw new SealBrokenError(`DOCUMENT_KEYS has no key ${id}`);
  const decipher = createDecipheriv('aes-256-gcm', sealingKey.key, bytes.subarray(nameEnd, from), {
    authTagLength: tagBytes,
  });
  decipher.setAAD(Buffer.concat([head, Buffer.from(fileId)]));
  decipher.setAuthTag(bytes.subarray(from, from + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(from + tagBytes)), decipher.final()]);
  } catch (error) {
    throw new SealBrokenError('the bytes of a sealed file were changed', { cause: error });
  }
}
