import { createHmac } from 'node:crypto';
import { isSame, type Keys } from '../../../platform/sign.ts';

/** A cookie of the library: a value, and its signature in base64. */
const signedCookie = /^(nearhand\.[\w-]+)=(.+)\.([A-Za-z0-9+/]{43}=)$/;

const macOf = (value: string, secret: ProviderSecret): string =>
  createHmac('sha256', secret.value).update(value).digest('base64');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The cookies of a request, signed again with the newest secret where another accepted one signed them: the library knows a single key for
 * cookies. What no known secret signed stays as it is, and the library refuses it.
 */
export function renewedCookies(cookies: string, [newest, ...others]: readonly ProviderSecret[]): string {
  if (newest === undefined || others.length === 0) return cookies;
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .map((pair) => {
      const [, name = '', value = '', mac = ''] = signedCookie.exec(decoded(pair)) ?? [];
      if (name === '' || !others.some((other) => isSame(mac, macOf(value, other)))) return pair;
      return `${name}=${encodeURIComponent(`${value}.${macOf(value, newest)}`)}`;
    })
    .join('; ');
}

export type ProviderSecret = { version: number; value: string };

const versions = 2 ** 31;

/** What the sign-in library gets for a secret. */
const providerValue = (secret: string): string => `sign-in ${secret}`;

/**
 * The library's secrets, the one that signs and encrypts first. It writes the version next to what it encrypts, so a version must name the
 * same secret on every server and after every start.
 */
export const providerSecrets = ({ secret, others }: Pick<Keys, 'secret' | 'others'>): ProviderSecret[] =>
  [secret, ...others].map((key) => ({
    version: createHmac('sha256', key).update('provider version').digest().readUInt32BE(0) % versions,
    value: providerValue(key),
  }));

/** As a key for tokens. */
export const keyBytes = ({ value }: ProviderSecret): Uint8Array => new TextEncoder().encode(value);
