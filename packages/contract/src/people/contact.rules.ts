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

export const contactDetails = ['phone', 'email', 'link', 'messenger'] as const;
export type ContactDetail = (typeof contactDetails)[number];

const spelled: Record<ContactDetail, RegExp> = {
  // Seven digits or more, with common separators; not a time span, an amount or a date.
  phone: /(?<![\p{L}\p{N}.,:€$£])(?:\+|00)?\d(?:[\s().\-/]{0,2}\d){7,14}(?![\p{L}\p{N}])/u,
  // Anchored at a word start: tried at each letter, a long word without an @ would take quadratic time.
  email:
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]+(?:\s?(?:\.|\(dot\)|\[dot\])\s?[\p{L}]{2,})+/iu,
  link: /(?:https?:\/\/|www\.)\S+|(?<![\p{L}\p{N}@.-])[\p{L}\p{N}-]+\.(?:com|net|org|io|me|co|nl|de|uk|eu|be|fr|app|link)(?:\/\S*)?(?![\p{L}\p{N}])/iu,
  messenger:
    /(?<![\p{L}])(?:whats\s?app|telegram|signal app|viber|wechat|messenger|snap\s?chat|insta(?:gram)?|t\.me|wa\.me)(?![\p{L}])/iu,
};
const dateOrTime =
  /\b\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|\b\d{1,2}[:.]\d{2}\s*(?:-|–|to)\s*\d{1,2}[:.]\d{2}\b/g;
const yearSpan = /(?<!\d[\s().\-/]{0,2})(?:19|20)\d{2}\s?[-/]\s?(?:19|20)\d{2}(?![\s().\-/]{0,2}\d)/g;

/** Contact details in a text. A chat warns about them before a hire; profiles, applications and reviews refuse them (product.md, Conversation). */
export function findContactDetails(text: string): ContactDetail[] {
  const plain = text.normalize('NFKC').replace(dateOrTime, ' ').replace(yearSpan, ' ');
  return contactDetails.filter((detail) => spelled[detail].test(plain));
}

/** Profiles and applications name apps and sites as experience, so only phone numbers and email addresses are refused there. */
export const hasPhoneOrEmail = (text: string): boolean =>
  findContactDetails(text).some((detail) => detail === 'phone' || detail === 'email');
