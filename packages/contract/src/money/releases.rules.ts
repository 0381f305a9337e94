import type { Release } from './releases.ts';

/** Pay agreed so far for an engagement, in minor units. Compensation, tips and bonuses are not pay. */
export const agreedPay = (releases: readonly Pick<Release, 'kind' | 'amountMinor'>[]): number =>
  releases.reduce(
    (sum, { kind, amountMinor }) => (kind === 'undisputed' || kind === 'rest' ? sum + amountMinor : sum),
    0,
  );
