import { createHmac } from 'node:crypto';
import { isSame, type Keys } from '../../../platform/sign.ts';

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

/** Re-signs cookies with the newest secret, since the library accepts a single cookie key. */
export function renewedCookies(cookies: string, [newest, ...olderKeys]: readonly ProviderSecret[]): string {
  if (newest === undefined || olderKeys.length === 0) return cookies;
  return cookies
    .split(';')
    .map((pair) => pair.trim())
    .map((pair) => {
      const [, name = '', value = '', mac = ''] = signedCookie.exec(decoded(pair)) ?? [];
      if (name === '' || !olderKeys.some((olderKey) => isSame(mac, macOf(value, olderKey)))) return pair;
      return `${name}=${encodeURIComponent(`${value}.${macOf(value, newest)}`)}`;
    })
    .join('; ');
}

export type ProviderSecret = { version: number; value: string };

const versions = 2 ** 31;

const providerValue = (secret: string): string => `sign-in ${secret}`;

/** A version must name the same secret on every server, because ciphertexts store it. */
export const providerSecrets = ({ secret, others }: Pick<Keys, 'secret' | 'others'>): ProviderSecret[] =>
  [secret, ...others].map((key) => ({
    version: createHmac('sha256', key).update('provider version').digest().readUInt32BE(0) % versions,
    value: providerValue(key),
  }));

export const keyBytes = ({ value }: ProviderSecret): Uint8Array => new TextEncoder().encode(value);
