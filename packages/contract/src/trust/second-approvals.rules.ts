/**
 * Decisions that need a second operator: large amounts and goodwill (ADR 191), reversals of payments (ADR 192), and
 * large credit limits (ADR 397).
 */
export const approvalKinds = [
  'dispute',
  'no_show',
  'referral',
  'payout_held',
  'correction',
  'goodwill',
  'credit_limit',
] as const;
export type ApprovalKind = (typeof approvalKinds)[number];

export const approvalStates = ['waiting', 'approved', 'refused', 'withdrawn', 'expired'] as const;
export type ApprovalState = (typeof approvalStates)[number];

/**
 * The state of an approval at a time: past its end, a pending one has expired, even before a task records it.
 */
export const approvalStateAt = (row: { state: ApprovalState; expiresAt: Date }, now: Date): ApprovalState =>
  row.state === 'waiting' && row.expiresAt <= now ? 'expired' : row.state;

export const approvalLimits = {
  /** The hours after which a request expires; the decision can then be requested again. */
  hours: 72,
  reasonMin: 10,
  reasonMax: 1_000,
  noteMax: 1_000,
} as const;
