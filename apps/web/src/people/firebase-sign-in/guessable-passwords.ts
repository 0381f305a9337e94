import { AuthError } from '../../lib/api/auth-port.ts';
import { post } from '../../lib/api/kept-session.ts';

const prefixLength = 2;

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Refuses a new password that a stranger would try first, before Firebase gets it: a common one, or the account's own address. Our server
 * learns two letters of its hash (ADR 224).
 * @throws AuthError auth/password-does-not-meet-requirements, auth/network-request-failed
 */
export async function requireUncommon(password: string, email = ''): Promise<void> {
  const typed = password.toLowerCase();
  const address = email.toLowerCase();
  const own = address !== '' && (typed === address || typed === address.split('@')[0]);
  const hash = hexOf(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(typed)));
  const { hashes } = await post<{ hashes: string[] }>('/firebase/common-passwords', {
    prefix: hash.slice(0, prefixLength),
  });
  if (own || hashes.includes(hash)) throw new AuthError('auth/password-does-not-meet-requirements');
}
