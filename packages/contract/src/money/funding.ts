/**
 * Whether the money is set aside (product.md: Hold). `frozen`: it is, but a chargeback is open; `partly_funded`: a lost one took a part of
 * it; `not_funded`: not yet, or no longer.
 */
export const fundings = ['not_funded', 'partly_funded', 'funded', 'frozen'] as const;
export type Funding = (typeof fundings)[number];
