/**
 * The funding of an offer or engagement (product.md, Hold). `frozen`: a chargeback is open; `partly_funded`: a lost
 * chargeback took a part.
 */
export const fundings = ['not_funded', 'partly_funded', 'funded', 'frozen'] as const;
export type Funding = (typeof fundings)[number];
