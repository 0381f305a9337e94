import { randomBytes } from 'node:crypto';
import { dayMs } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import { isAccepted, type Mac, type Sign } from '../../platform/sign.ts';

const cookieName = 'nearhand.devices';
const cookieShape = /(?:^|;\s*)nearhand\.devices=([\w-]{22}(?:\.[\w-]{22}){0,5})(?:;|$)/;
const idBytes = 16;
const proofLength = 22;
const accountsMax = 5;

/** Proves that an account signed in on a device. Bound to its address, so that a try to sign in needs no look-up. */
const proofOf = (mac: Mac, id: string, email: string) =>
  mac('known device', `${id} ${email.toLowerCase()}`).toString('base64url').slice(0, proofLength);

const readCookie = (cookies: string | undefined) => {
  const [id, ...proofs] = cookieShape.exec(cookies ?? '')?.[1]?.split('.') ?? [];
  return id === undefined ? null : { id, proofs };
};

/** The device of a request, if someone has signed in to the account with this address on it (ADR 12); otherwise null. */
export function knownDevice(sign: Sign, cookies: string | undefined, email: string): string | null {
  const device = readCookie(cookies);
  if (!device) return null;
  const isProof = (one: string) => isAccepted(sign, one, (mac) => proofOf(mac, device.id, email));
  return device.proofs.some(isProof) ? device.id : null;
}

/** The cookie that makes a device known to the account with this address; null if it is already. */
export function knownDeviceCookie(sign: Sign, cookies: string | undefined, email: string): string | null {
  if (knownDevice(sign, cookies, email) !== null) return null;
  const { id, proofs } = readCookie(cookies) ?? {
    id: randomBytes(idBytes).toString('base64url'),
    proofs: [],
  };
  const value = [id, proofOf(sign, id, email), ...proofs.slice(0, accountsMax - 1)].join('.');
  const seconds = (limits.knownDeviceDays * dayMs) / 1_000;
  return `${cookieName}=${value}; Path=/api/auth; HttpOnly; SameSite=Lax; Max-Age=${seconds}`;
}
