import type { CaseKind } from '@nearhand/contract/case-kinds';
import { jobStatuses, nextJobStatus } from '@nearhand/contract/hiring/jobs.rules';
import type { HouseRule } from '@nearhand/contract/house-rules';
import { limits } from '@nearhand/contract/limits';
import { bankText } from '@nearhand/contract/money/account-mask';
import { mayHire } from '@nearhand/contract/people/businesses.rules';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { type CaseDecision, caseDecisions, type Decision } from '@nearhand/contract/trust/cases.rules';
import type { JobReview } from '@nearhand/contract/trust/job-reviews';
import type { HeldPayout } from '@nearhand/contract/trust/payout-reviews';
import type { FullReportCase } from '@nearhand/contract/trust/reports';
import { reportLimits } from '@nearhand/contract/trust/reports.rules';
import { nextReviewState, reviewStates } from '@nearhand/contract/trust/reviews.rules';
import type { Sanction, SanctionReversal, Statement } from '@nearhand/contract/trust/sanctions';
import { type SanctionMeasure, sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { mayHaveWorked } from '@nearhand/contract/work/disputes.rules';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { api } from '../console-api.ts';
import { codeText, statusText } from '../queue/case.labels.ts';

export type ReasonField = { label: string; help: string; max: number; missing: string };

type DecisionWords = {
  label: string;
  action: string;
  done: string;
  /** Null if nobody gets a reason. */
  reason: ReasonField | null;
  /** True if the reason is a statement of reasons, which must name a rule. */
  asksRule?: true;
};

/** The values of the form; null for values that the decision doesn't need. */
type DecisionInput = {
  reason: string;
  /** The total pay, in minor units of the case's currency. */
  amountMinor: number | null;
  action: Statement | null;
  rule: HouseRule | null;
  /** Uploads what is attached to an answer, and returns the ids. */
  uploadFiles?: () => Promise<string[]>;
  /** Closes a request with its answer. */
  solves?: boolean;
};
type ApprovalInput = Pick<DecisionInput, 'reason' | 'amountMinor'>;

type FileOf<K extends CaseKind> = Pick<CaseFile, 'item'> & { facts: Extract<CaseFile['facts'], { kind: K }> };
type Submit<K extends CaseKind, Input = DecisionInput> = (file: FileOf<K>, input: Input) => Promise<unknown>;

/** Both functions throw before any request if something that the decision requires is missing. */
type DecisionRow<K extends CaseKind = CaseKind> = DecisionWords & {
  submit: Submit<K>;
  /** Requests a second operator's approval; absent for decisions that never need one. */
  requestApproval?: Submit<K, ApprovalInput>;
};

const reasonField = (help: string, max: number = limits.reasonMax): ReasonField => ({
  label: 'Reason',
  help,
  max,
  missing: 'Write the reason.',
});
const toBothSides = reasonField('Both sides read it word for word.');
const toReporter = reasonField('Only the person who reported reads it.');
const toPerson = reasonField('They read it word for word.');
const toBusiness = reasonField('The business reads it word for word.');
const aboutPay = { ...toBothSides, max: limits.messageMax };
const onAppeal = reasonField('Those concerned read it word for word.', sanctionLimits.reasonMax);
const toReporters: ReasonField = {
  label: 'Answer',
  help: 'Everyone who reported reads it word for word.',
  max: reportLimits.answerMax,
  missing: 'Write the answer.',
};
const ticketAnswer: ReasonField = {
  label: 'Your answer',
  help: 'They read it word for word.',
  max: ticketLimits.bodyMax,
  missing: 'Write the answer.',
};
const toOperator: ReasonField = {
  label: 'Note',
  help: 'The operator who asked reads it.',
  max: approvalLimits.noteMax,
  missing: 'Write a note.',
};

/**
 * The reason for a decision that needs none itself but moves so much money that a second operator approves
 * it.
 */
export const secondPersonReason = reasonField('The second person reads it.');

type NoShowFacts = FileOf<'no_show'>['facts'];

const absence = ({ version }: NoShowFacts, { reason }: ApprovalInput) =>
  ({ version, note: reason, outcome: 'absent' }) as const;

const workDone = ({ version }: NoShowFacts, { reason, amountMinor }: ApprovalInput) =>
  ({ version, note: reason, outcome: 'worked', amountMinor: required(amountMinor, 'amount') }) as const;

const decideChatReport =
  (decision: Decision<'chat_report'>): Submit<'chat_report'> =>
  async ({ facts }, { reason, rule }) =>
    api.operators.decideReport({
      reportId: facts.report.id,
      decision,
      reason,
      rule: decision === 'dismiss' ? null : required(rule, 'rule'),
    });

const decideReport =
  (measure: Decision<'report'>): Submit<'report'> =>
  async ({ item }, { reason, action }) => {
    const statement = measure === 'dismiss' ? null : required(action, 'statement of reasons');
    if (statement && statement.measure !== measure) throw new Error(`A statement for ${statement.measure}`);
    return api.reports.decide({ reportCaseId: item.subjectId, answer: reason, action: statement });
  };

const decideAppeal =
  (outcome: Decision<'appeal'>): Submit<'appeal'> =>
  async ({ item }, { reason }) =>
    api.appeals.decide({ appealId: item.subjectId, outcome, reason });

const decideReferral =
  (decision: Decision<'referral'>): Submit<'referral'> =>
  async ({ facts }, { reason }) =>
    api.referrals.decide({ referralId: facts.referral.id, decision, reason });

const decideVerification =
  (decision: Decision<'business_verification'>): Submit<'business_verification'> =>
  async ({ facts: { review } }, { reason, rule }) =>
    api.businessVerification.decide({
      businessId: review.businessId,
      version: review.version,
      decision,
      reason,
      rule: decision === 'reject' ? required(rule, 'rule') : null,
    });

const decideIdentity =
  (decision: Decision<'identity'>): Submit<'identity'> =>
  async ({ facts }, { reason }) =>
    api.identityChecks.decide({ checkId: facts.check.checkId, decision, reason });

const decideCertificate =
  (decision: Decision<'certificate'>): Submit<'certificate'> =>
  async ({ facts }, { reason }) =>
    api.certificates.decide({ certificateId: facts.certificate.certificateId, decision, reason });

const decideAuthorityReport =
  (decision: Decision<'authority_report'>): Submit<'authority_report'> =>
  async ({ facts }, { reason }) =>
    api.cases.decideAuthorityReport({ authorityReportId: facts.report.id, decision, note: reason });

const decideApproval =
  <K extends 'second_approval' | 'correction'>(kind: K, decision: 'approve' | 'refuse'): Submit<K> =>
  async ({ item }, { reason }) =>
    api.secondApprovals.decide({ kind, subjectId: item.subjectId, decision, note: reason });

const requestBare =
  <K extends 'referral' | 'payout_held'>(kind: K): Submit<K, ApprovalInput> =>
  async ({ item }, { reason }) =>
    api.secondApprovals.request({ kind, subjectId: item.subjectId, note: reason });

/** The wording of every decision, the input that it requires, and its request. */
const decisionTable: { readonly [K in CaseKind]: Readonly<Record<Decision<K>, DecisionRow<K>>> } = {
  dispute: {
    decide: {
      label: 'Set the pay',
      action: 'Decide the dispute',
      done: 'Dispute decided',
      reason: aboutPay,
      submit: async ({ item, facts }, { reason, amountMinor }) =>
        api.disputes.decide({
          disputeId: item.subjectId,
          version: facts.version,
          note: reason,
          amountMinor: required(amountMinor, 'amount'),
        }),
      requestApproval: async ({ item: { subjectId }, facts: { kind, version } }, { reason, amountMinor }) =>
        api.secondApprovals.request({
          kind,
          subjectId,
          version,
          note: reason,
          amountMinor: required(amountMinor, 'amount'),
        }),
    },
  },
  no_show: {
    absent: {
      label: 'They were absent',
      action: 'Confirm the no-show',
      done: 'No-show confirmed',
      reason: aboutPay,
      submit: async ({ facts }, input) =>
        api.disputes.decideNoShow({ engagementId: facts.engagementId, ...absence(facts, input) }),
      requestApproval: async ({ item: { subjectId }, facts }, input) =>
        api.secondApprovals.request({ kind: facts.kind, subjectId, ...absence(facts, input) }),
    },
    worked: {
      label: 'They worked',
      action: 'Decide that they worked',
      done: 'Decided: they worked',
      reason: aboutPay,
      submit: async ({ facts }, input) =>
        api.disputes.decideNoShow({ engagementId: facts.engagementId, ...workDone(facts, input) }),
      requestApproval: async ({ item: { subjectId }, facts }, input) =>
        api.secondApprovals.request({ kind: facts.kind, subjectId, ...workDone(facts, input) }),
    },
  },
  chat_report: {
    dismiss: {
      label: 'Dismiss',
      action: 'Dismiss the report',
      done: 'Report dismissed',
      reason: toReporter,
      submit: decideChatReport('dismiss'),
    },
    redact: {
      label: 'Remove the message',
      action: 'Remove the message',
      done: 'Message removed',
      reason: toBothSides,
      asksRule: true,
      submit: decideChatReport('redact'),
    },
    freeze: {
      label: 'Freeze the conversation',
      action: 'Freeze the conversation',
      done: 'Conversation frozen',
      reason: toBothSides,
      asksRule: true,
      submit: decideChatReport('freeze'),
    },
  },
  frozen_chat: {
    unfreeze: {
      label: 'Unfreeze',
      action: 'Unfreeze the conversation',
      done: 'Conversation unfrozen',
      reason: toBothSides,
      submit: async ({ facts }, { reason }) =>
        api.operators.unfreeze({ conversationId: facts.frozen.conversationId, reason }),
    },
  },
  report: {
    dismiss: {
      label: 'Dismiss',
      action: 'Dismiss the report',
      done: 'Report dismissed',
      reason: toReporters,
      submit: decideReport('dismiss'),
    },
    warning: {
      label: 'Warn',
      action: 'Send the warning',
      done: 'Warning sent',
      reason: toReporters,
      submit: decideReport('warning'),
    },
    hidden: {
      label: 'Hide the job',
      action: 'Hide the job',
      done: 'Job hidden',
      reason: toReporters,
      submit: decideReport('hidden'),
    },
    removed: {
      label: 'Remove the review',
      action: 'Remove the review',
      done: 'Review removed',
      reason: toReporters,
      submit: decideReport('removed'),
    },
    suspension: {
      label: 'Suspend',
      action: 'Suspend them',
      done: 'Suspension started',
      reason: toReporters,
      submit: decideReport('suspension'),
    },
  },
  appeal: {
    upheld: {
      label: 'The decision stays',
      action: 'Uphold the decision',
      done: 'Decision upheld',
      reason: onAppeal,
      submit: decideAppeal('upheld'),
    },
    overturned: {
      label: 'Reverse the decision',
      action: 'Reverse the decision',
      done: 'Decision reversed',
      reason: onAppeal,
      submit: decideAppeal('overturned'),
    },
  },
  flagged_review: {
    keep: {
      label: 'Keep',
      action: 'Keep the review',
      done: 'Review kept',
      reason: null,
      submit: async ({ facts }) => api.reviews.keep({ reviewId: facts.review.id }),
    },
    remove: {
      label: 'Remove',
      action: 'Remove the review',
      done: 'Review removed',
      reason: toBothSides,
      asksRule: true,
      submit: async ({ facts }, { reason, rule }) =>
        api.sanctions.removeReview({
          reviewId: facts.review.id,
          rule: required(rule, 'rule'),
          facts: reason,
        }),
    },
  },
  ticket: {
    answer: {
      label: 'Answer',
      action: 'Send answer',
      done: 'Answer sent',
      reason: ticketAnswer,
      submit: async ({ facts: { ticket } }, { reason, uploadFiles, solves = false }) =>
        api.operators.answerTicket({
          ticketId: ticket.id,
          body: reason,
          fileIds: (await uploadFiles?.()) ?? [],
          solve: solves,
          lastMessageId: ticket.messages.at(-1)?.id,
        }),
    },
    solve: {
      label: 'Close as solved',
      action: 'Close as solved',
      done: 'Request closed',
      reason: null,
      submit: async ({ facts: { ticket } }) =>
        api.operators.solveTicket({ ticketId: ticket.id, lastMessageId: ticket.messages.at(-1)?.id }),
    },
  },
  job_review: {
    open: {
      label: 'Open it',
      action: 'Open the job',
      done: 'Job opened',
      reason: null,
      submit: async ({ facts: { review } }) =>
        api.jobReviews.open({ jobId: review.jobId, version: review.version }),
    },
    refuse: {
      label: 'Refuse it',
      action: 'Refuse the job',
      done: 'Job refused',
      reason: toBusiness,
      asksRule: true,
      submit: async ({ facts: { review } }, { reason, rule }) =>
        api.jobReviews.refuse({
          jobId: review.jobId,
          version: review.version,
          rule: required(rule, 'rule'),
          facts: reason,
        }),
    },
  },
  referral: {
    pay: {
      label: 'Pay the reward',
      action: 'Pay the reward',
      done: 'Reward paid',
      reason: toBothSides,
      submit: decideReferral('pay'),
      requestApproval: requestBare('referral'),
    },
    refuse: {
      label: 'Refuse the reward',
      action: 'Refuse the reward',
      done: 'Reward refused',
      reason: toBothSides,
      submit: decideReferral('refuse'),
    },
  },
  business_verification: {
    verify: {
      label: 'Verify',
      action: 'Verify the business',
      done: 'Business verified',
      reason: null,
      submit: decideVerification('verify'),
    },
    'request-info': {
      label: 'Ask for more',
      action: 'Ask for more',
      done: 'Asked for more',
      reason: toBusiness,
      submit: decideVerification('request-info'),
    },
    reject: {
      label: 'Refuse',
      action: 'Refuse the business',
      done: 'Business refused',
      reason: toBusiness,
      asksRule: true,
      submit: decideVerification('reject'),
    },
  },
  identity: {
    verify: {
      label: 'Verify',
      action: 'Verify the document',
      done: 'Document verified',
      reason: null,
      submit: decideIdentity('verify'),
    },
    'request-info': {
      label: 'Ask for new photos',
      action: 'Ask for new photos',
      done: 'Asked for new photos',
      reason: toPerson,
      submit: decideIdentity('request-info'),
    },
    refuse: {
      label: 'Refuse',
      action: 'Refuse the document',
      done: 'Document refused',
      reason: toPerson,
      submit: decideIdentity('refuse'),
    },
  },
  certificate: {
    confirm: {
      label: 'Confirm',
      action: 'Confirm the certificate',
      done: 'Certificate confirmed',
      reason: null,
      submit: decideCertificate('confirm'),
    },
    refuse: {
      label: 'Refuse',
      action: 'Refuse the certificate',
      done: 'Certificate refused',
      reason: toPerson,
      submit: decideCertificate('refuse'),
    },
  },
  chargeback: {},
  payout_held: {
    release: {
      label: 'Send it',
      action: 'Send the withdrawal',
      done: 'Withdrawal sent',
      reason: null,
      submit: async ({ facts }) => api.payoutReviews.release({ withdrawalId: facts.held.withdrawalId }),
      requestApproval: requestBare('payout_held'),
    },
    refuse: {
      label: 'Refuse it',
      action: 'Refuse the withdrawal',
      done: 'Withdrawal refused',
      reason: toPerson,
      asksRule: true,
      submit: async ({ facts }, { reason, rule }) =>
        api.payoutReviews.refuse({
          withdrawalId: facts.held.withdrawalId,
          rule: required(rule, 'rule'),
          facts: reason,
        }),
    },
  },
  unclaimed: {},
  bank_payment: {},
  authority_report: {
    confirm: {
      label: 'Confirm',
      action: 'Confirm the report',
      done: 'Report confirmed',
      reason: null,
      submit: decideAuthorityReport('confirm'),
    },
    refuse: {
      label: 'Refuse',
      action: 'Refuse the report',
      done: 'Report refused',
      reason: toOperator,
      submit: decideAuthorityReport('refuse'),
    },
  },
  second_approval: {
    approve: {
      label: 'Approve',
      action: 'Approve the decision',
      done: 'Decision made',
      reason: null,
      submit: decideApproval('second_approval', 'approve'),
    },
    refuse: {
      label: 'Refuse',
      action: 'Refuse the decision',
      done: 'Decision refused',
      reason: toOperator,
      submit: decideApproval('second_approval', 'refuse'),
    },
  },
  correction: {
    approve: {
      label: 'Approve',
      action: 'Reverse the payment',
      done: 'Payment reversed',
      reason: null,
      submit: decideApproval('correction', 'approve'),
    },
    refuse: {
      label: 'Refuse',
      action: 'Refuse the correction',
      done: 'Correction refused',
      reason: toOperator,
      submit: decideApproval('correction', 'refuse'),
    },
  },
};

/** The row of a decision; undefined for a decision that the kind doesn't have. */
const findRow = <K extends CaseKind>(kind: K, decision: string): DecisionRow<K> | undefined =>
  Object.entries<DecisionRow<K>>(decisionTable[kind]).find(([name]) => name === decision)?.[1];

/** The label of a decision that was made, such as "They worked". */
export const decisionLabel = (kind: CaseKind, decision: string): string =>
  findRow(kind, decision)?.done ?? otherDecisions[decision] ?? codeText(decision);

const otherDecisions: Partial<Record<string, string>> = {
  merge: 'Merged',
  'answer-solve': 'Answered and closed',
};

/** An answer that also closes its request. */
export const answerAndClose: DecisionWords & { does: string } = {
  label: 'Answer',
  action: 'Answer and close',
  done: 'Answered and closed',
  reason: ticketAnswer,
  does: 'Sends your answer word for word, and closes the request. A reply of its author opens it again.',
};

/** True if only those who reported read the text of a decision. */
export function isForReporters(kind: CaseKind, decision: string | null): boolean {
  const reason = decision === null ? undefined : findRow(kind, decision)?.reason;
  return reason === toReporters || reason === toReporter;
}

/** "Answer to those who reported", for the text of a decision that was made. */
export const reasonLabel = (kind: CaseKind, decision: string): string =>
  findRow(kind, decision)?.reason === toReporters ? 'Answer to those who reported' : 'Reason';

/** The row of a decision. Throws if the kind doesn't have it. */
export const decisionRow = (kind: CaseKind, decision: string): DecisionRow =>
  required(findRow(kind, decision), `decision ${decision} of ${kind}`);

function required<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new Error(`No ${name}`);
  return value;
}

type Reversed = Pick<Sanction, 'measure' | 'target' | 'business'>;

/** The effect on the job for workers, by the status it gets. */
const openedJob: Partial<Record<string, string>> = {
  open: 'Workers see the job now.',
  filled: 'The job comes back as filled: all its spots are taken.',
  paused: 'The job comes back paused: the business has to open it, and workers do not see it until then.',
  expired: 'The time of the job is over: it comes back expired, and workers do not see it.',
  in_review: 'The job goes back to be checked, and workers do not see it until then.',
};

/** The effect of ending a decision now, as the server found by trying it (ADR 394). */
export function reversalText({ measure, target, business }: Reversed, reversal: SanctionReversal): string {
  const { ends, state, businessStatus, otherScopes } = reversal;
  if (!ends) return 'The decision has ended already, so nothing else changes.';
  const name = business?.name ?? (target.kind === 'business' ? target.name : 'the business');
  const bar =
    businessStatus === 'suspended'
      ? `${name} is suspended`
      : businessStatus === 'rejected' || businessStatus === 'resubmitted'
        ? `${name} is refused`
        : null;
  switch (measure) {
    case 'warning':
      return 'The warning no longer counts.';
    case 'hidden':
    case 'refused':
      if (state === 'suspended') return `The job stays hidden: ${bar ?? 'another decision hides it'}.`;
      return (
        openedJob[state ?? ''] ??
        `The job is ${statusText('job', state ?? 'gone').toLowerCase()} by now, so workers do not see it.`
      );
    case 'suspension': {
      if (target.kind === 'account')
        return otherScopes.length === 0
          ? 'The suspension ends now.'
          : `This suspension ends, but another one still keeps them from: ${otherScopes.map((scope) => codeText(scope).toLowerCase()).join(', ')}.`;
      if (bar) return `${name} still can’t hire: another decision suspends it.`;
      return state === 'verified'
        ? `${name} can hire again, and its jobs are shown unless they are over or hidden by another decision.`
        : `${name} can hire again as an unverified business, and its jobs are shown unless they are over or hidden by another decision.`;
    }
    case 'removed':
      if (state === 'submitted')
        return 'The review comes back, but is shown only when the other side has written too or its time is over.';
      if (state !== 'published') return 'The review stays removed.';
      return `The review and its reply are shown again and count in the rating.${bar ? ` Nobody sees the page of ${name}, because ${bar}.` : ''}`;
    case 'redacted':
      return state === 'readable'
        ? 'Both sides can read the message again.'
        : 'The message stays removed: its author removed it too, or its text is gone.';
    case 'frozen':
      if (state === 'frozen') return 'The conversation stays frozen: another decision freezes it.';
      return state === 'blocked'
        ? 'The freeze ends, but nobody can write: one side has blocked the other.'
        : 'Both sides can write in the conversation again.';
    case 'payout_refused':
      return state === 'accepted'
        ? 'The bank account is accepted. The money stays in the balance until they withdraw it again.'
        : 'The bank account is not accepted: it was removed, or the person has no verified name now.';
    case 'certificate_refused':
      if (state === null) return 'Nothing changes: they have deleted the certificate.';
      if (state === 'checked')
        return 'The certificate is confirmed, and businesses see it until its last day.';
      return state === 'needs_copy'
        ? 'The copy is deleted by now, so the certificate is not confirmed. They are asked to send it again.'
        : 'The certificate stays refused: its last day has passed, or a newer one of its kind is confirmed.';
    case 'identity_refused':
      return state === 'verified'
        ? 'They get the badge “Identity document checked”, for the name that they had when they sent it.'
        : 'The photos are deleted by now, so there is no badge yet. They are asked to send new ones.';
    case 'verification_refused':
      if (state === 'submitted')
        return `${name} goes back to the queue to be verified. It can hire within the limit until then.`;
      return state === 'rejected' || state === 'resubmitted'
        ? `${name} stays refused: another decision refuses it.`
        : bar
          ? `${name} still can’t hire: it is suspended.`
          : `${name} is ${statusText('business', state ?? 'gone').toLowerCase()} by now, which does not change.`;
  }
}

/** The end of a suspension in force as a time or in words; null for other decisions and once it has ended. */
export const plannedEnd = (
  { measure, endsAt, endedAt }: Pick<Sanction, 'measure' | 'endsAt' | 'endedAt'>,
  when: (at: string) => string,
): string | null =>
  measure !== 'suspension' || endedAt !== null ? null : endsAt === null ? 'When it is lifted' : when(endsAt);

/** Says how long a suspension goes on after a refused appeal. */
function suspensionText(sanction: Sanction): string {
  if (sanction.endedAt !== null) return 'The suspension has ended already.';
  return sanction.endsAt === null
    ? 'The suspension goes on until it is lifted.'
    : `The suspension goes on until ${formatDate(sanction.endsAt, ownTimeZone())}.`;
}

/** The measures that continue after a refused appeal, where the measure alone does not say it. */
const continues: Partial<Record<SanctionMeasure, string>> = {
  verification_refused:
    'The business stays hidden and cannot hire. It can correct what was wrong and ask again.',
  certificate_refused: 'Businesses do not see the certificate. They can send it again.',
  identity_refused: 'There is no badge. They can send another document.',
  frozen: 'Neither side can write in the conversation.',
};

/** The effect of an answer to an appeal against a refused withdrawal, with its amounts. */
function payoutAppealText(
  { person, method, amountMinor, availableMinor, currency }: HeldPayout,
  reversed: string,
) {
  const account = `${bankText(method)}, in the name of ${method.holderName}`;
  const note = `Nothing is sent: ${formatMoney(amountMinor, currency)} went back to the balance of ${person.name} when it was refused, which has ${formatMoney(availableMinor, currency)} now.`;
  return {
    overturned: `${reversed} ${note} The account is ${account}.`,
    upheld: `${note} Another withdrawal to ${account} is held again.`,
  };
}

/** Returns whether a job in this status can be hidden. */
export const mayBeHidden = (status: string | null): boolean => {
  const jobStatus = jobStatuses.find((value) => value === status);
  return jobStatus !== undefined && nextJobStatus(jobStatus, 'suspend', 'operator') !== null;
};

const mayBeRemoved = (status: string | null): boolean => {
  const state = reviewStates.find((value) => value === status);
  return state !== undefined && nextReviewState(state, 'remove', 'operator') !== null;
};

const hasEnded = ({ endsAt }: NoShowFacts, now: Date): boolean =>
  mayHaveWorked(endsAt === null ? null : new Date(endsAt), now);

/** Says of a decision that is not possible yet when it will be; null if there is none. */
export const laterDecision = ({ facts }: CaseFile, now: Date): string | null =>
  facts.kind === 'no_show' && facts.endsAt !== null && !hasEnded(facts, now)
    ? `You can decide that they worked once the shift has ended, ${formatDate(facts.endsAt, facts.timeZone)}.`
    : null;

/**
 * The decisions that this operator can make. An operator who entered a held withdrawal's bank account can't
 * release it.
 */
export function availableDecisions({ item, facts }: CaseFile, now: Date): readonly CaseDecision[] {
  const decisions: readonly CaseDecision[] = caseDecisions[item.kind];
  switch (facts.kind) {
    case 'appeal': {
      const { sanction, reversal, evidence } = facts.appeal;
      const { kind, name } = sanction.target;
      const isNamed = kind === 'business' || kind === 'account' || kind === 'job';
      const reversed = reversal ? reversalText(sanction, reversal) : '';
      const { overturned, upheld } = evidence.payout
        ? payoutAppealText(evidence.payout, reversed)
        : {
            overturned: reversed,
            upheld:
              `Nothing changes for ${(isNamed && name) || 'them'}. ${sanction.measure === 'suspension' ? suspensionText(sanction) : (continues[sanction.measure] ?? '')}`.trim(),
          };
      const effect = 'They read your reason, and it is final.';
      return decisions.map((choice) => ({
        ...choice,
        does: `${choice.decision === 'overturned' ? overturned : upheld} ${effect}`.trim(),
      }));
    }
    case 'report': {
      const { subject, company } = facts.reported;
      // The rules that the server checks.
      const possible: Record<string, boolean> = {
        hidden: subject.kind === 'job' && mayBeHidden(subject.status),
        removed: subject.kind === 'review' && mayBeRemoved(subject.status),
        suspension: company === null || mayHire(company.status),
      };
      return decisions
        .filter(({ decision }) => possible[decision] ?? true)
        .map((choice) =>
          choice.decision === 'suspension' && !isOfPerson(facts.reported)
            ? { ...choice, does: businessSuspension }
            : choice,
        );
    }
    case 'no_show':
      return decisions.filter(({ decision }) => decision !== 'worked' || hasEnded(facts, now));
    case 'job_review':
      return decisions.map((choice) =>
        choice.decision === 'open' ? { ...choice, does: openingText(facts.review) } : choice,
      );
    case 'chat_report':
      return decisions.filter(({ decision }) => decision !== 'redact' || facts.report.seq !== null);
    case 'payout_held':
      return decisions.filter(({ decision }) => decision !== 'release' || !facts.held.enteredBy?.isYou);
    default:
      return decisions;
  }
}

/** True if the measures of a report concern a person, not a business. */
export const isOfPerson = ({ subject, author }: FullReportCase): boolean =>
  subject.kind === 'worker' || (subject.kind === 'review' && author === 'worker');

const businessSuspension =
  'Keeps the business from hiring and hides its jobs until the end you set. Booked work goes on. Everyone who hires for it reads your statement of reasons and can appeal.';

const openingText = ({ opensAs, business }: JobReview): string =>
  opensAs === 'suspended'
    ? `The check ends, but the job stays hidden while ${business.name} can’t hire or another decision hides it.`
    : `${openedJob[opensAs] ?? ''} Its recruiters are notified. The check does not stop it for the same findings again.`;

/** Makes the decision. Throws before any request if something that the decision requires is missing. */
export async function submitDecision(
  file: CaseFile,
  decision: string,
  input: DecisionInput,
): Promise<unknown> {
  return decisionRow(file.facts.kind, decision).submit(file, input);
}

/** Requests a second operator's approval. Throws for decisions that never need one. */
export async function requestApproval(
  file: CaseFile,
  decision: string,
  input: ApprovalInput,
): Promise<unknown> {
  const { kind } = file.facts;
  const { requestApproval: request } = decisionRow(kind, decision);
  return required(request, `approval for ${kind} ${decision}`)(file, input);
}

export function payoutEffect({ facts }: CaseFile, decision: string | null): string | null {
  if (facts.kind !== 'payout_held' || decision === null) return null;
  const { person, method, getsMinor, amountMinor, currency } = facts.held;
  return decision === 'release'
    ? `${person.name} receives ${formatMoney(getsMinor, currency)} at ${bankText(method)}, in the name of ${method.holderName}.`
    : `${formatMoney(amountMinor, currency)} goes back to the balance of ${person.name}. Nothing is sent.`;
}
