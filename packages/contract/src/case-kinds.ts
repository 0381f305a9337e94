import type { OperatorCapability } from './operator-roles.ts';

export const casePriorities = ['urgent', 'high', 'normal', 'low'] as const;
export type CasePriority = (typeof casePriorities)[number];

type CaseKindRow = {
  may: OperatorCapability;
  /** Hours in which it should be decided; a source may set an earlier deadline. */
  hours: number;
  priority: CasePriority;
};

/** The kinds of cases in the operators' queue. To add one, see docs/architecture.md, Cases. */
export const caseKindTable = {
  /** A pay dispute past its deadline; the subject is the dispute. */
  dispute: { may: 'disputes', hours: 72, priority: 'high' },
  /** A contested no-show; the subject is the engagement. */
  no_show: { may: 'disputes', hours: 72, priority: 'high' },
  /** The subject is the report. */
  chat_report: { may: 'conversations', hours: 48, priority: 'normal' },
  /** May be unfrozen by another operator; the subject is the conversation. */
  frozen_chat: { may: 'conversations', hours: 336, priority: 'low' },
  /** Reports of a job, business, worker or review; the subject is the report case. */
  report: { may: 'moderation', hours: 72, priority: 'normal' },
  /** Decided by another operator; the subject is the appeal. */
  appeal: { may: 'appeals', hours: 168, priority: 'high' },
  /** A review or reply with flagged words; the subject is the review. */
  flagged_review: { may: 'moderation', hours: 72, priority: 'normal' },
  ticket: { may: 'tickets', hours: 24, priority: 'normal' },
  /** Flagged by the automatic check; the subject is the job. */
  job_review: { may: 'moderation', hours: 24, priority: 'high' },
  referral: { may: 'referrals', hours: 168, priority: 'low' },
  business_verification: { may: 'verification', hours: 48, priority: 'normal' },
  identity: { may: 'verification', hours: 48, priority: 'normal' },
  certificate: { may: 'verification', hours: 48, priority: 'normal' },
  /** A charged-back card payment; the subject is the charge. */
  chargeback: { may: 'payments', hours: 120, priority: 'high' },
  /** The bank account's holder is not the verified person; the subject is the withdrawal. */
  payout_held: { may: 'payments', hours: 48, priority: 'high' },
  /** Money of a removed account or a closed business; the subject is that account or business. */
  unclaimed: { may: 'payments', hours: 168, priority: 'normal' },
  /** A bank transfer that no business could be found for; the subject is the payment. */
  bank_payment: { may: 'payments', hours: 48, priority: 'normal' },
  /** A decision about a large amount by another operator; the subject is the approval. */
  second_approval: { may: 'second-approvals', hours: 24, priority: 'high' },
  /** A report to an authority that another operator made; the subject is that report. */
  authority_report: { may: 'moderation', hours: 24, priority: 'urgent' },
  /** A payment that another operator wants to reverse; the subject is the approval. */
  correction: { may: 'payments', hours: 48, priority: 'normal' },
} as const satisfies Record<string, CaseKindRow>;
export type CaseKind = keyof typeof caseKindTable;
export const caseKinds = Object.keys(caseKindTable) as [CaseKind, ...CaseKind[]];
