/**
 * Why a payment can't be reversed: it already was; it is no payment to a worker and no reward; the money moved at the payment provider and
 * not in the ledger alone; its card payment was charged back; its work still goes on; or its receiver has spent it (ADR 192).
 */
export const correctionProblems = [
  ...(['reversed', 'not-a-payment', 'at-provider', 'charged-back', 'work-goes-on', 'spent'] as const),
];
export type CorrectionProblem = (typeof correctionProblems)[number];
