import { hourMs } from '@nearhand/contract/durations';
import { importPKCS8, SignJWT } from 'jose';
import type { Clock } from '../clock.ts';

const answerMs = 15_000;
const spareMs = 60_000;

/** The parts of a service account's key file that we use. */
export type ServiceAccount = { client_email: string; private_key: string; token_uri: string };

/** Bearer tokens for one of Google's scopes, from a JWT that the service account signs (RFC 7523); cached while they are valid. */
export function createGoogleBearer(
  account: ServiceAccount,
  scope: string,
  clock: Clock,
  timeoutMs: number = answerMs,
) {
  let token: { value: string; until: number } | null = null;

  async function ask(now: Date): Promise<{ value: string; until: number }> {
    const assertion = await new SignJWT({ scope })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(account.client_email)
      .setAudience(account.token_uri)
      .setIssuedAt(now)
      .setExpirationTime(new Date(now.getTime() + hourMs))
      .sign(await importPKCS8(account.private_key, 'RS256'));
    const response = await fetch(account.token_uri, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer = (await response.json().catch(() => null)) as {
      access_token?: unknown;
      expires_in?: unknown;
    } | null;
    if (!response.ok || typeof answer?.access_token !== 'string')
      throw new Error(`token refused, status ${response.status}`);
    const seconds = Number(answer.expires_in) || 3_600;
    return { value: answer.access_token, until: now.getTime() + seconds * 1_000 - spareMs };
  }

  return {
    /** @throws Error if Google refuses the key or can't be reached */
    async token(): Promise<string> {
      const now = clock.now();
      if (!token || token.until <= now.getTime()) token = await ask(now);
      return token.value;
    },
    /** Drops a token that was revoked early. */
    forget(): void {
      token = null;
    },
  };
}
