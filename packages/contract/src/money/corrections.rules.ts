/** Reasons why a payment can't be reversed (ADR 192). `at-provider`: it moved at the payment provider. */
export const correctionProblems = [
  'reversed',
  'not-a-payment',
  'at-provider',
  'charged-back',
  'work-goes-on',
  'spent',
] as const;
export type CorrectionProblem = (typeof correctionProblems)[number];
