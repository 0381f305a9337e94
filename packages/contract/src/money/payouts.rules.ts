import type { PayoutSpeed } from './payouts.ts';

/** The fee and minimum of a withdrawal in one currency, in its minor units. */
export type WithdrawalTerms = { minimumMinor: number; instantFeeMinor: number };

/** The fee of a withdrawal; it is included in the amount. */
export const withdrawalFee = (speed: PayoutSpeed, { instantFeeMinor }: WithdrawalTerms): number =>
  speed === 'instant' ? instantFeeMinor : 0;

/** The smallest withdrawal, always more than its fee. Closing an account allows `rest`, the whole balance. */
export const minWithdrawal = (
  speed: PayoutSpeed,
  terms: WithdrawalTerms,
  rest: number | null = null,
): number =>
  Math.max(Math.min(terms.minimumMinor, rest ?? terms.minimumMinor), withdrawalFee(speed, terms) + 1);
