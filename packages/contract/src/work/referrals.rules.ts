/** Characters of a referral code; there is no I, L, O or U, so that it can be read aloud. */
export const referralCodeLength = 10;
/** The longest code as typed, with spaces and dashes. */
export const referralCodeMax = 20;
const codePattern = /^[0-9A-HJKMNP-TV-Z]{10}$/;

/** A code as it is stored, from what someone typed or a link had; null if it can't be one. */
export function readReferralCode(text: string): string | null {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
  return codePattern.test(code) ? code : null;
}

/** How a code is shown, in two halves. */
export const shownReferralCode = (code: string): string =>
  `${code.slice(0, referralCodeLength / 2)}-${code.slice(referralCodeLength / 2)}`;

export const referralPath = (code: string): string => `/r/${code}`;

/** The first word of a name: all that an inviter sees of someone who joined. */
export const firstNameOf = (name: string): string => name.trim().split(/\s+/)[0] ?? '';

/**
 * Why an operator decides about a referral before anything is paid: what inviter and invited share, what one of them shares with the other side
 * of the work that earned it (`payer-…`), or that the platform has paid as much as it pays in a day.
 */
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
