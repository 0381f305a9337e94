/** What takes a second operator: a decision that moves much money (ADR 191), and the reversal of a payment (ADR 192). */
export const approvalKinds = ['dispute', 'no_show', 'referral', 'payout_held', 'correction'] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

export const approvalLimits = {
  /** Then it expires, and the decision can be asked for again. */
  hours: 72,
  reasonMin: 10,
  reasonMax: 1_000,
  noteMax: 1_000,
} as const;
