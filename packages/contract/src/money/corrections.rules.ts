/**
 * Reasons why a payment can't be reversed (ADR 192): already reversed, no payment to a worker or reward,
 * moved at the payment provider, charged back, ongoing work, or spent by its receiver.
 */
export const correctionProblems = [
  ...(['reversed', 'not-a-payment', 'at-provider', 'charged-back', 'work-goes-on', 'spent'] as const),
];
export type CorrectionProblem = (typeof correctionProblems)[number];
