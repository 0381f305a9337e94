/** Premium rate, shared cost, satellite and network numbers (ITU, E.164 Assigned Country Codes; NANPA). */
export const refusedPhoneRanges = ['1900', '1976', '808', '870', '881', '882', '883', '979'] as const;

/** E.164: a plus, the country code and the number, outside `refusedPhoneRanges`. */
export const phoneShape = new RegExp(`^\\+(?!${refusedPhoneRanges.join('|')})[1-9]\\d{6,14}$`);

/** The number without the separators people type; a leading 00 counts as the plus. */
export const plainPhone = (typed: string): string => typed.replace(/[\s().-]/g, '').replace(/^00/, '+');

export const isPhone = (typed: string): boolean => phoneShape.test(plainPhone(typed));

/** Returns whether typed text could be an email address; the mail server decides. */
export const isEmail = (typed: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(typed.trim());

/** Returns whether an address has credentials before its host (`https://bank.example@evil.example`). */
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
