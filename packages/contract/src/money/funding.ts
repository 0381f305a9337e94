/**
 * The funding of work (product.md: Hold). `frozen`: set aside, but a chargeback is open; `partly_funded`: a
 * lost chargeback took a part; `not_funded`: not yet, or no longer.
 */
export const fundings = ['not_funded', 'partly_funded', 'funded', 'frozen'] as const;
export type Funding = (typeof fundings)[number];
