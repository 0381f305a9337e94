import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, UnsecuredJWT } from 'jose';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';

export type FirebaseToken = { uid: string; signedInAt: Date; provider: string; name: string };

export type TokenProblem = 'expired' | 'invalid' | 'other-project' | 'keys-unreachable';

export class TokenRefusedError extends Error {
  readonly problem: TokenProblem;

  constructor(problem: TokenProblem, cause?: unknown) {
    super(`ID token refused: ${problem}`, { cause });
    this.problem = problem;
  }
}

const tolerance = 60;
const keysTimeoutMs = 5_000;
/** Google announces new keys about a day before it signs with them. */
const keysMaxAgeMs = 3_600_000;
/** Limits refetches for unknown keys, so that forged tokens can't trigger them. */
const keysCooldownMs = 30_000;

const claims = z.object({
  sub: z
    .string()
    .max(128)
    .regex(/^[^\p{Cc}]+$/u),
  auth_time: z.number(),
  iat: z.number(),
  name: z.string().catch(''),
  firebase: z.object({ sign_in_provider: z.string().catch('') }).catch({ sign_in_provider: '' }),
});

type Settings = Pick<
  Config,
  'FIREBASE_AUTH_EMULATOR' | 'FIREBASE_KEYS_URL' | 'FIREBASE_PROJECT_ID' | 'NODE_ENV'
>;

/** The emulator's tokens are unsigned and accepted only while one is configured, never in production. */
export function createTokenReader(config: Settings, clock: Clock) {
  const project = config.FIREBASE_PROJECT_ID ?? '';
  const issuer = `https://securetoken.google.com/${project}`;
  const keys = createRemoteJWKSet(new URL(config.FIREBASE_KEYS_URL), {
    timeoutDuration: keysTimeoutMs,
    cacheMaxAge: keysMaxAgeMs,
    cooldownDuration: keysCooldownMs,
  });
  const isEmulated = config.FIREBASE_AUTH_EMULATOR !== undefined && config.NODE_ENV !== 'production';

  async function payloadOf(token: string): Promise<JWTPayload> {
    const rules = {
      issuer,
      audience: project,
      clockTolerance: tolerance,
      currentDate: clock.now(),
      requiredClaims: ['exp', 'iat', 'sub', 'auth_time'],
    };
    if (isEmulated) return UnsecuredJWT.decode(token, rules).payload;
    return (await jwtVerify(token, keys, { ...rules, algorithms: ['RS256'] })).payload;
  }

  return async function readToken(token: string): Promise<FirebaseToken> {
    let payload: JWTPayload;
    try {
      payload = await payloadOf(token);
    } catch (error) {
      throw new TokenRefusedError(tokenProblem(error), error);
    }
    const parsed = claims.safeParse(payload);
    if (!parsed.success) throw new TokenRefusedError('invalid', parsed.error);
    const { sub, auth_time, iat, name, firebase } = parsed.data;
    const latest = clock.now().getTime() / 1_000 + tolerance;
    if (auth_time > latest || iat > latest)
      throw new TokenRefusedError('invalid', new Error('from the future'));
    return { uid: sub, signedInAt: new Date(auth_time * 1_000), provider: firebase.sign_in_provider, name };
  };
}

/** Any error that isn't the library's means that the keys couldn't be read. */
function tokenProblem(error: unknown): TokenProblem {
  if (error instanceof errors.JWTExpired) return 'expired';
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'aud' || error.claim === 'iss' ? 'other-project' : 'invalid';
  if (error instanceof errors.JWKSTimeout) return 'keys-unreachable';
  if (!(error instanceof errors.JOSEError)) return 'keys-unreachable';
  // The library's plain error: the response was not 200, or had no keys.
  return error.code === 'ERR_JOSE_GENERIC' || error instanceof errors.JWKSInvalid
    ? 'keys-unreachable'
    : 'invalid';
}
