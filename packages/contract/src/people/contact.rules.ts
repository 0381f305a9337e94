import { plainDigits } from '../typed-digits.ts';

/** Premium rate, shared cost, satellite and network numbers (ITU, E.164 Assigned Country Codes; NANPA). */
export const refusedPhoneRanges = ['1900', '1976', '808', '870', '881', '882', '883', '979'] as const;

/** E.164: a plus, the country code and the number, outside `refusedPhoneRanges`. */
export const phoneShape = new RegExp(`^\\+(?!${refusedPhoneRanges.join('|')})[1-9]\\d{6,14}$`);

/** The number without the separators people type; a leading 00 counts as the plus. */
export const plainPhone = (typed: string): string =>
  plainDigits(typed)
    // The zero that people dial at home only: "+31 (0)6 12345678".
    .replace(/^\s*((?:\+|00)\s*\d{1,3}\s*)\(0\)/, '$1')
    .replace(/[\s().\u200e\u200f\u202a-\u202e\u2066-\u2069-]/g, '')
    .replace(/^00/, '+');

export const isPhone = (typed: string): boolean => phoneShape.test(plainPhone(typed));

/** Only a plausibility check: the mail server decides. */
export const isEmail = (typed: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(typed.trim());

/**
 * An address with its domain in ASCII, as mail servers write it: `info@bücher.example` is at `xn--bcher-kva.example`.
 */
export function plainEmail(typed: string): string {
  const at = typed.lastIndexOf('@');
  const domain = typed.slice(at + 1);
  if (at < 0 || /^[!-~]*$/.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return typed;
  const address = `http://${domain}`;
  return URL.canParse(address) ? typed.slice(0, at + 1) + new URL(address).hostname : typed;
}

/** Credentials before the host can disguise it: `https://bank.example@evil.example`. */
export const hasCredentials = (address: string): boolean =>
  /^[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*@/i.test(address);

/** A website as a full address; people often leave the scheme out. Null if it is no website. */
export function plainWebsite(typed: string): string | null {
  const text = typed.trim();
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
    const isSite = /^https?:$/.test(url.protocol) && url.hostname.includes('.');
    return isSite && !hasCredentials(url.href) ? url.href : null;
  } catch {
    return null;
  }
}
