export const referralCodeLength = 10;
export const referralCodeMax = 20;
const codePattern = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** Normalizes a typed or linked code; null if it can't be one. */
export function readReferralCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return codePattern.test(code) ? code : null;
}

/** The code in two halves with a hyphen, as people read it out. */
export const shownReferralCode = (code: string): string =>
  `${code.slice(0, referralCodeLength / 2)}-${code.slice(referralCodeLength / 2)}`;

export const referralPath = (code: string): string => `/r/${code}`;

/** Reasons for a review before a reward. `payer-…`: one of them shares it with the other side of the work. */
export const referralFlags = [
  'device',
  'network',
  'card',
  'payout',
  'address',
  'payer-device',
  'payer-network',
  'payer-card',
  'payer-payout',
  'loop',
  'closed-account',
  'suspended',
  'day-cap',
] as const;
export type ReferralFlag = (typeof referralFlags)[number];
