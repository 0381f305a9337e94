import type { OperatorCapability } from './operator-roles.ts';

/** How urgent a case is, most urgent first. */
export const casePriorities = ['urgent', 'high', 'normal', 'low'] as const;
export type CasePriority = (typeof casePriorities)[number];

type CaseKindRow = {
  may: OperatorCapability;
  /** Hours in which it should be decided; a source may set an earlier end. */
  hours: number;
  /** Where its source names none. */
  priority: CasePriority;
};

/** Everything operators decide, in one queue. How to add a kind: docs/architecture.md, Cases. */
export const caseKindTable = {
  /** A pay dispute out of time; the subject is the dispute. */
  dispute: { may: 'disputes', hours: 72, priority: 'high' },
  /** A contested no-show; the subject is the engagement. */
  no_show: { may: 'disputes', hours: 72, priority: 'high' },
  /** A reported message or conversation; the subject is the report. */
  chat_report: { may: 'conversations', hours: 48, priority: 'normal' },
  /** A frozen conversation that another operator may unfreeze; the subject is the conversation. */
  frozen_chat: { may: 'conversations', hours: 336, priority: 'low' },
  /** Reports of a job, business or worker; the subject is the report case. */
  report: { may: 'moderation', hours: 72, priority: 'normal' },
  /** An appeal against another operator's decision; the subject is the appeal. */
  appeal: { may: 'appeals', hours: 168, priority: 'high' },
  /** A review or reply with words to check; the subject is the review. */
  flagged_review: { may: 'moderation', hours: 72, priority: 'normal' },
  /** A request to Nearhand's staff; the subject is the ticket. */
  ticket: { may: 'tickets', hours: 24, priority: 'normal' },
  /** A job that the automatic check keeps in review; the subject is the job. */
  job_review: { may: 'moderation', hours: 24, priority: 'high' },
  /** A referral to check before its reward is paid; the subject is the referral. */
  referral: { may: 'referrals', hours: 168, priority: 'low' },
  /** A business that asks to be verified; the subject is the business. */
  business_verification: { may: 'verification', hours: 48, priority: 'normal' },
  /** An identity document to compare with its selfie; the subject is the check. */
  identity: { may: 'verification', hours: 48, priority: 'normal' },
  /** A certificate to check; the subject is the certificate. */
  certificate: { may: 'verification', hours: 48, priority: 'normal' },
  /** A card payment that the bank has called back; the subject is the charge. */
  chargeback: { may: 'payments', hours: 120, priority: 'high' },
  /** A withdrawal to a bank account whose holder is not the verified person; the subject is the withdrawal. */
  payout_held: { may: 'payments', hours: 48, priority: 'high' },
  /** Money that reached a removed account or a closed business; the subject is the account or the business. */
  unclaimed: { may: 'payments', hours: 168, priority: 'normal' },
  /** A decision about much money that another operator made; the subject is the approval. */
  second_approval: { may: 'second-approvals', hours: 24, priority: 'high' },
  /** A payment that another operator wants to reverse; the subject is the approval. */
  correction: { may: 'payments', hours: 48, priority: 'normal' },
} as const satisfies Record<string, CaseKindRow>;
export type CaseKind = keyof typeof caseKindTable;
export const caseKinds = Object.keys(caseKindTable) as [CaseKind, ...CaseKind[]];
