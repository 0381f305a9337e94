import { moneyLimits } from './limits.ts';
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

/**
 * The problem with a day of birth (`YYYY-MM-DD`): `impossible`, `too-young` for an identity check, or null.
 * Days are UTC.
 */
export function birthdayProblem(bornOn: string, now: Date): 'impossible' | 'too-young' | null {
  const today = now.toISOString().slice(0, 10);
  if (bornOn < '1900-01-01' || bornOn >= today) return 'impossible';
  const adultYear = Number(bornOn.slice(0, 4)) + moneyLimits.identityAgeMin;
  return `${adultYear}${bornOn.slice(4)}` > today ? 'too-young' : null;
}
