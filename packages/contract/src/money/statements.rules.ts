export const businessGroups = ['all', 'funding', 'holds', 'releases', 'fees'] as const;
export const workerGroups = ['all', 'earned', 'tips', 'withdrawals'] as const;

type Line = { amountMinor: number; grossMinor: number };

/**
 * A line's figure. Only a change of the balance has a sign, so that the signed figures add up to it; a
 * withdrawal has one once it is paid. Lines without a change include our fee.
 */
export const shownAmount = ({ amountMinor, grossMinor }: Line): { minor: number; signed: boolean } =>
  amountMinor === 0 ? { minor: Math.abs(grossMinor), signed: false } : { minor: amountMinor, signed: true };
