import { addMs, hourMs } from '@nearhand/contract/durations';
import { importPKCS8, SignJWT } from 'jose';
import type { Clock } from '../clock.ts';

const answerMs = 15_000;
const spareMs = 60_000;

export type ServiceAccount = { client_email: string; private_key: string; token_uri: string };

/** Caches bearer tokens obtained by a signed JWT (RFC 7523). */
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
      .setExpirationTime(addMs(now, hourMs))
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
    forget(): void {
      token = null;
    },
  };
}
