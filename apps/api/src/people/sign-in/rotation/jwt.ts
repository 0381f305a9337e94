import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';

/**
 * What a token says that was signed with one of these keys.
 * @throws errors.JOSEError the reason of the last key; a token that is ours but over says so
 */
export async function readJwt(
  token: string,
  keys: readonly Uint8Array[],
  rules: JWTVerifyOptions,
): Promise<JWTPayload> {
  let reason: unknown;
  for (const key of keys) {
    try {
      return (await jwtVerify(token, key, rules)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      reason = error;
    }
  }
  throw reason;
}
