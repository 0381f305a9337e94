import { moneyLimits } from './limits.ts';
import type { Release } from './releases.ts';

/** Pay agreed so far for an engagement, in minor units. Compensation, tips and bonuses are not pay. */
export const agreedPay = (releases: readonly Pick<Release, 'kind' | 'amountMinor'>[]): number =>
  releases.reduce(
    (sum, { kind, amountMinor }) => (kind === 'undisputed' || kind === 'rest' ? sum + amountMinor : sum),
    0,
  );

/** The reason why an amount in minor units can't be a tip; null if it can. */
export function tipProblem(amountMinor: number): 'nothing' | 'too-much' | null {
  if (amountMinor < 1) return 'nothing';
  return amountMinor > moneyLimits.tipMaxMinor ? 'too-much' : null;
}
