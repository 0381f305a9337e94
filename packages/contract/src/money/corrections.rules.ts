/**
 * Why a payment can't be reversed: it already was; it is no payment from a hold or the balance of a business to a worker; its work still
 * goes on; or the worker has spent it.
 */
export const correctionProblems = ['reversed', 'not-a-payment', 'work-goes-on', 'spent'] as const;
export type CorrectionProblem = (typeof correctionProblems)[number];
