import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';

/** Apple's private key, as a file or on one line with `\n`. */
export const appleKey = z
  .string()
  .transform((text) => text.replaceAll('\\n', '\n'))
  .refine(isP256Key, 'the text of the .p8 file from Apple');

function isP256Key(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}
