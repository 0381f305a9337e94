import { plainWebsite } from './contact.rules.ts';

export const businessDocumentKinds = ['registration', 'tax', 'licence', 'ownership', 'other'] as const;
export type BusinessDocumentKind = (typeof businessDocumentKinds)[number];

export const businessProofLimits = {
  documents: 10,
  /** The longest name that DNS allows. */
  domain: 253,
  recheckSeconds: 10,
} as const;

/** The prefix of the TXT record and of the tag that prove a domain. */
export const domainProofName = 'nearhand-verification';
/** The name of the TXT record; the domain itself works too. */
export const domainRecordName = (domain: string): string => `_nearhand.${domain}`;
/** The DNS TXT record that proves control of a domain. */
export const domainRecord = (token: string): string => `${domainProofName}=${token}`;
/** The HTML alternative to the DNS record, on the site's home page. */
export const domainTag = (token: string): string => `<meta name="${domainProofName}" content="${token}">`;

const domainShape = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{2,59})$/;

/** The domain of typed text, such as a website's address, in ASCII and without `www.`; null if there is none. */
export function plainDomain(typed: string): string | null {
  const website = plainWebsite(typed);
  if (website === null) return null;
  const host = new URL(website).hostname.replace(/\.$/, '').replace(/^www\./, '');
  return host.length <= businessProofLimits.domain && domainShape.test(host) ? host : null;
}
