import { chatReportSource, frozenChatSource } from './sources/conversations.sql.ts';
import { disputeSource, noShowSource } from './sources/disputes.sql.ts';
import { appealSource, jobReviewSource, reportSource } from './sources/moderation.sql.ts';
import { chargebackSource, payoutHeldSource, referralSource } from './sources/payments.sql.ts';
import { flaggedReviewSource } from './sources/reviews.sql.ts';
import { correctionSource, secondApprovalSource } from './sources/second-approvals.sql.ts';
import type { CaseSource } from './sources/source.sql.ts';
import { ticketSource } from './sources/tickets.sql.ts';
import { businessVerificationSource, certificateSource, identitySource } from './sources/verification.sql.ts';

/** Every source of the queue; a test compares them with the kinds of the contract. */
export const caseSources: readonly CaseSource[] = [
  disputeSource,
  noShowSource,
  chatReportSource,
  frozenChatSource,
  reportSource,
  appealSource,
  jobReviewSource,
  flaggedReviewSource,
  ticketSource,
  referralSource,
  chargebackSource,
  payoutHeldSource,
  businessVerificationSource,
  identitySource,
  certificateSource,
  secondApprovalSource,
  correctionSource,
];
