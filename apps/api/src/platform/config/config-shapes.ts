import { BlockList, isIP } from 'node:net';
import { z } from 'zod';

// Messages complete the sentence “It must be …”.
export const flag = z.enum(['true', 'false'], 'true or false').transform((text) => text === 'true');
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .trim()
    .regex(/^\d{1,15}$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((number) => number >= min && number <= max, `a whole number from ${min} to ${max}`);

export const httpUrl = z.url({ protocol: /^https?$/, error: 'an address such as https://host', abort: true });
/** A single host: with several, each connection would have to find the primary by itself. */
export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'an address such as postgres://user:password@host:5432/name')
  .refine(
    (text) => URL.canParse(text),
    'an address such as postgres://user:password@host:5432/name, with %23 for # and %2F for / in the password',
  )
  .refine(
    (text) =>
      !/^postgres(ql)?:\/\/[^/?]*,/.test(text) && !/[?&](host=[^&]*,|target_session_attrs=)/.test(text),
    'one address that always leads to the primary, not several hosts (docs/operations.md, High availability)',
  );

export const postgresUrls = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(postgresUrl));

export const optionalUrl = httpUrl.optional();

export const secrets = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine(
    (all) => all.every((secret) => secret.length >= 32),
    'texts of at least 32 characters, separated by commas',
  );

const isRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
};

/** Trusted proxies by address. Trusting a count, or all, would let callers forge the header. */
export const proxies = z
  .string()
  .refine((text) => text.split(',').every((part) => isRange(part.trim())), 'addresses separated by commas')
  .transform((text) => text.split(',').map((part) => part.trim()));

/** Minor units by country, such as `NL=1471,US=0`. */
export const amountsByCountry = z
  .string()
  .regex(/^\s*[A-Z]{2}=\d{1,7}\s*(,\s*[A-Z]{2}=\d{1,7}\s*)*$/, 'countries with amounts, such as NL=1471,US=0')
  .transform(
    (text): Readonly<Record<string, number>> =>
      Object.fromEntries(
        text.split(',').map((part) => {
          const [country = '', amount] = part.trim().split('=');
          return [country, Number(amount)];
        }),
      ),
  );

export const isLoopback = (url: string): boolean => {
  if (!URL.canParse(url)) return false;
  const host = new URL(url).hostname.replace(/\.$/, '');
  return host === '[::1]' || /(^|\.)localhost$/.test(host) || (isIP(host) === 4 && host.startsWith('127.'));
};

const ownNetworks = new BlockList();
for (const [address, bits] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  ownNetworks.addSubnet(address, bits, 'ipv4');
for (const [address, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  ownNetworks.addSubnet(address, bits, 'ipv6');

/** Treats names without a dot, such as a container's, and reserved names as internal. */
export function isOutside(url: string | undefined): boolean {
  if (url === undefined || !URL.canParse(url)) return false;
  const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
  const family = isIP(host);
  if (family !== 0) return !ownNetworks.check(host, family === 6 ? 'ipv6' : 'ipv4');
  return host.includes('.') && !/\.(localhost|internal|local|lan|home\.arpa)$/.test(host);
}
