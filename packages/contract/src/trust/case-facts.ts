import { z } from 'zod';
import { caseKinds } from '../case-kinds.ts';
import { engagementStatuses } from '../engagement-statuses.ts';
import { unmatchedPayment } from '../money/bank-transfers.ts';
import { correctionEffect, goodwillPayment, ledgerEntry } from '../money/corrections.ts';
import { fundings } from '../money/funding.ts';
import { currency } from '../money.ts';
import { id, idAndName, instant } from '../operation.ts';
import { businessReview } from '../people/business-verification.ts';
import { certificateReview } from '../people/certificates.ts';
import { storedFile } from '../people/files.ts';
import { identityReview } from '../people/identity-checks.ts';
import { sides, stepOf } from '../sides.ts';
import { chatReport, frozenConversation } from '../talk/chat-reports.ts';
import { disputeStatuses } from '../work/disputes.rules.ts';
import { attendanceEvent, checkInAttempt, delivery, dispute, hoursClaim } from '../work/engagements.ts';
import { referralCase } from '../work/referrals.ts';
import { jobKinds } from '../work/terms.ts';
import { staffAppeal } from './appeals.ts';
import { authorityFacts, authorityReportStates, reportableKinds } from './cases.rules.ts';
import { jobReview } from './job-reviews.ts';
import { heldPayout, unclaimedMoney } from './payout-reviews.ts';
import { fullReportCase } from './reports.ts';
import { flaggedReview } from './reviews.ts';
import { secondApproval } from './second-approvals.ts';
import { ticketLimits } from './tickets.rules.ts';
import { staffTicketMessage, ticket, ticketThread } from './tickets.ts';

const minor = z.number().int();

/** The effect of a decision with an amount, calculated by the functions that it uses. Minor units of `currency`. */
export const payEffect = z.object({
  /** The total pay for the whole work that this sets. */
  amountMinor: minor,
  /** The worker's payment by this decision, after their fee, in addition to `alreadyPaidMinor`. */
  workerGetsMinor: minor,
  alreadyPaidMinor: minor,
  feeMinor: minor,
  backMinor: minor,
  /** The part that the hold does not cover and the business has to add. */
  missingMinor: minor,
  currency,
  /** True if the amount is large enough to need another operator's approval. */
  takesSecondPerson: z.boolean(),
});
export type PayEffect = z.infer<typeof payEffect>;

/** Endings of a reported no-show; `reported`: the worker has not contested it, `open`: contested and undecided. */
export const noShowOutcomes = ['reported', 'open', 'confirmed', 'worked'] as const;

/** One side's earlier work, without the work that the case is about. */
export const sideHistory = z.object({
  /** Completed work with pay, anywhere for a worker. */
  completed: z.number().int(),
  /** Disputes about pay, however they ended. */
  disputes: z.number().int(),
  /** Reported no-shows in all. */
  noShowCount: z.number().int(),
  /** The newest of them, at most 10. No names of others: a case keeps its facts for a year. */
  noShows: z.array(
    z.object({ engagementId: id, title: z.string(), at: instant, outcome: z.enum(noShowOutcomes) }),
  ),
});
export type SideHistory = z.infer<typeof sideHistory>;
/** Both sides' earlier work. */
export const payHistory = z.object({
  worker: sideHistory,
  business: sideHistory,
  /** Work that the worker completed for this business. */
  together: z.number().int(),
});
export type PayHistory = z.infer<typeof payHistory>;

/** A dispute or contested no-show (ADR 86). Amounts in minor units of `currency`. */
export const payCase = z.object({
  engagementId: id,
  engagementStatus: z.enum(engagementStatuses),
  /** The decision sends it back: the version of the dispute, or of the engagement for a contested no-show. */
  version: z.number().int(),
  stopAt: instant.nullable(),
  jobKind: z.enum(jobKinds),
  title: z.string(),
  timeZone: z.string(),
  startsAt: instant.nullable(),
  endsAt: instant.nullable(),
  worker: idAndName,
  business: idAndName,
  currency,
  plannedMinor: minor,
  /** The total each side considers right; null if it named none. */
  workerAmountMinor: minor.nullable(),
  businessAmountMinor: minor.nullable(),
  proposal: dispute.shape.proposal,
  /** The allowed range: what is already agreed, up to the whole. For a no-show, the pay if they worked. */
  minMinor: minor,
  maxMinor: minor,
  /** Remaining in the hold, including the fee. */
  heldMinor: minor,
  funding: z.enum(fundings),
  reason: z.string(),
  steps: z.array(
    stepOf([...disputeStatuses, ...engagementStatuses]).extend({ amountMinor: minor.nullable() }),
  ),
  attendance: z.array(attendanceEvent),
  /** Check-ins refused as too far away. Metres. */
  attempts: z.array(checkInAttempt),
  /** Check-ins refused for a wrong code, in order, at most 20. `onKiosk`: a PIN on the tablet at the door. */
  wrongCodes: z.array(z.object({ at: instant, onKiosk: z.boolean() })),
  history: payHistory,
  claims: z.array(hoursClaim),
  deliveries: z.array(delivery),
  /** Files that a side added to its steps of the dispute, in order. */
  shown: z.array(z.object({ by: z.enum(sides), at: instant, files: z.array(storedFile) })),
  /** The effects of each side's amount and of the bounds. `cases.preview` calculates others. */
  effects: z.array(payEffect),
});
export type PayCase = z.infer<typeof payCase>;

/** The author of a ticket; `accountId` is null for a guest, whose `email` is confirmed. */
const requester = z.object({ accountId: id.nullable(), name: z.string(), email: z.string() });
export const staffTicket = ticket.extend({ from: requester, openSince: instant });
export const staffThread = ticketThread.extend({
  messages: z.array(staffTicketMessage),
  from: requester,
  openSince: instant,
  /** The case that this is a question of; null for the person's own request. */
  ofCase: z.object({ kind: z.enum(caseKinds), subjectId: id }).nullable(),
  /** The subjects of the requests that were merged into this one, oldest first; of many the first ones. */
  merged: z.array(z.string()).max(ticketLimits.mergedShown),
  /**
   * The times it was closed, newest first, at most 5. `by`: null for its author. `helpful`: what its author said about
   * that closing; null if they said nothing. A reply opens it again.
   */
  closings: z.array(z.object({ by: z.string().nullable(), at: instant, helpful: z.boolean().nullable() })),
  /** Other requests of the same person that can be merged into this one, last changed first. */
  others: z.array(ticket).max(ticketLimits.othersShown),
});
export type StaffThread = z.infer<typeof staffThread>;

/** A charged-back card payment. It is answered at the payment provider, which reports the outcome. */
export const chargebackCase = z.object({
  chargeId: id,
  business: idAndName,
  purpose: z.enum(['hold', 'top_up', 'cover', 'tip']),
  description: z.string(),
  currency,
  amountMinor: minor,
  chargebackMinor: minor,
  /** The part that the business has borne so far. */
  borneMinor: minor,
  providerRef: z.string().nullable(),
  engagementId: id.nullable(),
  chargedAt: instant,
});
export type ChargebackCase = z.infer<typeof chargebackCase>;

/** A report to an authority about a case. The people it concerns never learn of it. */
export const authorityReport = z.object({
  id,
  case: z.object({ kind: z.enum(reportableKinds), subjectId: id }),
  authority: z.string(),
  reportedAt: instant,
  /** The authority's own number, if it gave one. */
  reference: z.string().nullable(),
  facts: z.array(z.enum(authorityFacts)),
  /** The text that the authority received, word for word; null in reports recorded without it. */
  passedOn: z.string().nullable(),
  reason: z.string(),
  recordedBy: idAndName,
  recordedAt: instant,
  state: z.enum(authorityReportStates),
  decidedBy: idAndName.nullable(),
  decidedAt: instant.nullable(),
  note: z.string().nullable(),
});
export type AuthorityReport = z.infer<typeof authorityReport>;

export const caseFacts = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('dispute'), ...payCase.shape }),
  z.object({ kind: z.literal('no_show'), ...payCase.shape }),
  z.object({ kind: z.literal('chat_report'), report: chatReport }),
  z.object({ kind: z.literal('frozen_chat'), frozen: frozenConversation }),
  z.object({ kind: z.literal('report'), reported: fullReportCase }),
  z.object({ kind: z.literal('appeal'), appeal: staffAppeal }),
  z.object({ kind: z.literal('flagged_review'), review: flaggedReview }),
  z.object({ kind: z.literal('job_review'), review: jobReview }),
  z.object({ kind: z.literal('ticket'), ticket: staffThread }),
  z.object({ kind: z.literal('referral'), referral: referralCase }),
  z.object({ kind: z.literal('business_verification'), review: businessReview }),
  z.object({ kind: z.literal('identity'), check: identityReview }),
  z.object({ kind: z.literal('certificate'), certificate: certificateReview }),
  z.object({ kind: z.literal('chargeback'), chargeback: chargebackCase }),
  z.object({ kind: z.literal('payout_held'), held: heldPayout }),
  z.object({ kind: z.literal('unclaimed'), unclaimed: unclaimedMoney }),
  z.object({ kind: z.literal('bank_payment'), payment: unmatchedPayment }),
  z.object({
    kind: z.literal('second_approval'),
    approval: secondApproval,
    /** The dispute or no-show with the decision's effect; null for the others. */
    pay: z
      .object({ ...payCase.shape, outcome: z.enum(['absent', 'worked']).nullable(), effect: payEffect })
      .nullable(),
    referral: referralCase.nullable(),
    held: heldPayout.nullable(),
    /** The recipient of goodwill or a credit limit; null for the other kinds. */
    recipient: z.object({ kind: z.enum(['person', 'business']), id, name: z.string() }).nullable(),
    /** The goodwill that the recipient got before, newest first; empty for the other kinds. */
    earlierGoodwill: z.array(goodwillPayment).default([]),
  }),
  z.object({ kind: z.literal('authority_report'), report: authorityReport }),
  z.object({
    kind: z.literal('correction'),
    approval: secondApproval,
    entry: ledgerEntry,
    correction: correctionEffect,
  }),
]);
export type CaseFacts = z.infer<typeof caseFacts>;
