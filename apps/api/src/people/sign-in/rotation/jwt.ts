import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';

/**
 * Verifies with any of these keys.
 * @throws errors.JOSEError, by which our expired tokens are recognized
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
