import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { HouseRule } from '@nearhand/contract/house-rules';
import { limits } from '@nearhand/contract/limits';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { CaseFile } from '@nearhand/contract/trust/cases';
import { type CaseDecision, caseDecisions } from '@nearhand/contract/trust/cases.rules';
import { reportLimits } from '@nearhand/contract/trust/reports.rules';
import type { Statement } from '@nearhand/contract/trust/sanctions';
import { type SanctionMeasure, sanctionLimits } from '@nearhand/contract/trust/sanctions.rules';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { formatMoney } from '../../lib/words/format.ts';
import { api } from '../console-api.ts';
import { plainText } from '../queue/case.labels.ts';

type Words = {
  label: string;
  action: string;
  done: string;
  needsReason: boolean;
  missing: string;
  closes: boolean;
};

const labels: Record<string, { label: string; action: string; done: string }> = {
  'dispute decide': { label: 'Set the pay', action: 'Decide the dispute', done: 'Dispute decided' },
  'no_show absent': { label: 'They were absent', action: 'Confirm the no-show', done: 'No-show confirmed' },
  'no_show worked': { label: 'They worked', action: 'Decide that they worked', done: 'Decided: they worked' },
  'chat_report dismiss': { label: 'Dismiss', action: 'Dismiss the report', done: 'Report dismissed' },
  'chat_report redact': {
    label: 'Remove the message',
    action: 'Remove the message',
    done: 'Message removed',
  },
  'chat_report freeze': {
    label: 'Freeze the conversation',
    action: 'Freeze the conversation',
    done: 'Conversation frozen',
  },
  'frozen_chat unfreeze': {
    label: 'Unfreeze',
    action: 'Unfreeze the conversation',
    done: 'Conversation unfrozen',
  },
  'report dismiss': { label: 'Dismiss', action: 'Dismiss the report', done: 'Report dismissed' },
  'report warning': { label: 'Warn', action: 'Send the warning', done: 'Warning sent' },
  'report hidden': { label: 'Hide the job', action: 'Hide the job', done: 'Job hidden' },
  'report removed': { label: 'Remove the review', action: 'Remove the review', done: 'Review removed' },
  'report suspension': { label: 'Suspend', action: 'Suspend them', done: 'Suspension started' },
  'appeal upheld': { label: 'The decision stays', action: 'Uphold the decision', done: 'Decision upheld' },
  'appeal overturned': {
    label: 'Reverse the decision',
    action: 'Reverse the decision',
    done: 'Decision reversed',
  },
  'flagged_review keep': { label: 'Keep', action: 'Keep the review', done: 'Review kept' },
  'flagged_review remove': { label: 'Remove', action: 'Remove the review', done: 'Review removed' },
  'job_review open': { label: 'Open it', action: 'Open the job', done: 'Job opened' },
  'job_review refuse': { label: 'Refuse it', action: 'Refuse the job', done: 'Job refused' },
  'ticket answer': { label: 'Answer', action: 'Send answer', done: 'Answer sent' },
  'ticket solve': { label: 'Close as solved', action: 'Close as solved', done: 'Request closed' },
  'referral pay': { label: 'Pay the reward', action: 'Pay the reward', done: 'Reward paid' },
  'referral refuse': { label: 'Refuse the reward', action: 'Refuse the reward', done: 'Reward refused' },
  'payout_held release': { label: 'Send it', action: 'Send the withdrawal', done: 'Withdrawal sent' },
  'payout_held refuse': { label: 'Refuse it', action: 'Refuse the withdrawal', done: 'Withdrawal refused' },
  'second_approval approve': { label: 'Approve', action: 'Approve the decision', done: 'Decision made' },
  'second_approval refuse': { label: 'Refuse', action: 'Refuse the decision', done: 'Decision refused' },
  'correction approve': { label: 'Approve', action: 'Reverse the payment', done: 'Payment reversed' },
  'correction refuse': { label: 'Refuse', action: 'Refuse the correction', done: 'Correction refused' },
  'business_verification verify': {
    label: 'Verify',
    action: 'Verify the business',
    done: 'Business verified',
  },
  'business_verification request-info': {
    label: 'Ask for more',
    action: 'Ask for more',
    done: 'Asked for more',
  },
  'business_verification reject': {
    label: 'Refuse',
    action: 'Refuse the business',
    done: 'Business refused',
  },
  'certificate confirm': {
    label: 'Confirm',
    action: 'Confirm the certificate',
    done: 'Certificate confirmed',
  },
  'certificate refuse': { label: 'Refuse', action: 'Refuse the certificate', done: 'Certificate refused' },
  'identity verify': { label: 'Verify', action: 'Verify the document', done: 'Document verified' },
  'identity request-info': {
    label: 'Ask for new photos',
    action: 'Ask for new photos',
    done: 'Asked for new photos',
  },
  'identity refuse': { label: 'Refuse', action: 'Refuse the document', done: 'Document refused' },
};

const reasonless = [
  'ticket solve',
  'flagged_review keep',
  'business_verification verify',
  'identity verify',
  'certificate confirm',
  'second_approval approve',
  'correction approve',
  'job_review open',
  'payout_held release',
];

/** "They worked", for a decision that was made. */
export const decisionLabel = (kind: CaseKind, decision: string): string =>
  labels[`${kind} ${decision}`]?.done ?? plainText(decision);

export function decisionText(kind: CaseKind, decision: string | null, pay: string | null): Words {
  const words = labels[`${kind} ${decision}`] ?? { label: decision ?? '', action: 'Decide', done: 'Decided' };
  return {
    ...words,
    action: pay && decision ? `${words.action}: ${pay}` : words.action,
    needsReason: !reasonless.includes(`${kind} ${decision}`),
    missing: kind === 'ticket' ? 'Write the answer.' : 'Write the reason.',
    closes: true,
  };
}

/** What reversing a decision does, by its measure. */
const reversals: Record<SanctionMeasure, string> = {
  warning: 'The warning no longer counts.',
  hidden: 'The job is shown again as it was, unless it was closed or its time is over.',
  suspension: 'The suspension ends now. A business shows its jobs again and can hire.',
  removed: 'The review and its reply are shown again and count in the rating.',
  redacted: 'Both sides can read the message again.',
  frozen: 'Both sides can write in the conversation again.',
  refused: 'Workers see the job now, unless its time is over; an instant hire comes back paused.',
  payout_refused:
    'The bank account is accepted. The money stays in the balance until they withdraw it again.',
  verification_refused:
    'The business goes back to the queue to be verified. It can hire within the limit until then.',
};

function decisionsOf(kind: CaseKind, facts: CaseFile['facts']): readonly CaseDecision[] {
  if (facts.kind !== 'appeal') return caseDecisions[kind];
  const { measure, target } = facts.appeal.sanction;
  const read = 'They read your reason, and it is final.';
  return caseDecisions.appeal.map((choice) => ({
    ...choice,
    does:
      choice.decision === 'overturned'
        ? `${reversals[measure]} ${read}`
        : `Nothing changes for ${target.name || 'them'}. ${read}`,
  }));
}

/** The case's decisions. An operator who entered a held withdrawal's bank account can't release it. */
export const choicesOf = ({ item, facts }: CaseFile) => {
  const subject = facts.kind === 'report' ? facts.reported.subject.kind : null;
  const enteredIt = facts.kind === 'payout_held' && facts.held.enteredBy?.isYou === true;
  return decisionsOf(item.kind, facts).filter(
    ({ decision }) =>
      (decision !== 'release' || !enteredIt) &&
      (subject === null ||
        ((decision !== 'hidden' || subject === 'job') && (decision !== 'removed' || subject === 'review'))),
  );
};

const reasonMaxOf: Partial<Record<CaseKind, number>> = {
  ticket: ticketLimits.bodyMax,
  report: reportLimits.answerMax,
  appeal: sanctionLimits.reasonMax,
  dispute: limits.messageMax,
  no_show: limits.messageMax,
  second_approval: approvalLimits.noteMax,
  correction: approvalLimits.noteMax,
};
export const reasonMax = (kind: CaseKind): number => reasonMaxOf[kind] ?? limits.reasonMax;

type Made = {
  reason: string;
  amountMinor: number | null;
  action: Statement | null;
  rule: HouseRule | null;
};

export function decisionOf(
  { item, facts }: CaseFile,
  decision: string,
  { reason, amountMinor, action, rule }: Made,
): () => Promise<unknown> {
  switch (facts.kind) {
    case 'dispute': {
      const { version } = facts;
      const disputeId = item.subjectId;
      return () => api.disputes.decide({ disputeId, version, note: reason, amountMinor: amountMinor ?? 0 });
    }
    case 'no_show': {
      const { engagementId, version } = facts;
      return decision === 'worked'
        ? () =>
            api.disputes.decideNoShow({
              engagementId,
              version,
              note: reason,
              outcome: 'worked',
              ...(amountMinor === null ? {} : { amountMinor }),
            })
        : () => api.disputes.decideNoShow({ engagementId, version, note: reason, outcome: 'absent' });
    }
    case 'chat_report': {
      const reportId = facts.report.id;
      const decided =
        (['dismiss', 'redact', 'freeze'] as const).find((option) => option === decision) ?? 'dismiss';
      return () => api.operators.decideReport({ reportId, decision: decided, reason, rule });
    }
    case 'frozen_chat': {
      const { conversationId } = facts.frozen;
      return () => api.operators.unfreeze({ conversationId, reason });
    }
    case 'report':
      return () => api.reports.decide({ reportCaseId: item.subjectId, answer: reason, action });
    case 'appeal': {
      const appealId = item.subjectId;
      const outcome = decision === 'overturned' ? ('overturned' as const) : ('upheld' as const);
      return () => api.appeals.decide({ appealId, outcome, reason });
    }
    case 'flagged_review': {
      const reviewId = facts.review.id;
      return decision === 'remove'
        ? () => api.sanctions.removeReview({ reviewId, rule: rule ?? 'respect', facts: reason })
        : () => api.reviews.keep({ reviewId });
    }
    case 'job_review': {
      const { jobId, version } = facts.review;
      return decision === 'refuse'
        ? () => api.jobReviews.refuse({ jobId, version, rule: rule ?? 'real-jobs', facts: reason })
        : () => api.jobReviews.open({ jobId, version });
    }
    case 'ticket': {
      const ticketId = facts.ticket.id;
      return decision === 'solve'
        ? () => api.operators.solveTicket({ ticketId })
        : () => api.operators.answerTicket({ ticketId, body: reason });
    }
    case 'referral': {
      const referralId = facts.referral.id;
      const decided = decision === 'pay' ? ('pay' as const) : ('refuse' as const);
      return () => api.referrals.decide({ referralId, decision: decided, reason });
    }
    case 'business_verification': {
      const { businessId, version } = facts.review;
      const decided = (['verify', 'request-info', 'reject'] as const).find((option) => option === decision);
      return () =>
        api.businessVerification.decide({
          businessId,
          version,
          decision: decided ?? 'request-info',
          reason,
          rule,
        });
    }
    case 'identity': {
      const decided = (['verify', 'request-info', 'refuse'] as const).find((option) => option === decision);
      return () =>
        api.identityChecks.decide({
          checkId: facts.check.checkId,
          decision: decided ?? 'request-info',
          reason,
        });
    }
    case 'certificate': {
      const { certificateId } = facts.certificate;
      const decided = decision === 'confirm' ? ('confirm' as const) : ('refuse' as const);
      return () => api.certificates.decide({ certificateId, decision: decided, reason });
    }
    case 'second_approval':
    case 'correction': {
      const caseRef = { kind: facts.kind, subjectId: item.subjectId };
      const decided = decision === 'approve' ? ('approve' as const) : ('refuse' as const);
      return () => api.secondApprovals.decide({ ...caseRef, decision: decided, note: reason });
    }
    case 'payout_held': {
      const { withdrawalId } = facts.held;
      return decision === 'refuse'
        ? () => api.payoutReviews.refuse({ withdrawalId, rule: rule ?? 'identity', facts: reason })
        : () => api.payoutReviews.release({ withdrawalId });
    }
    case 'unclaimed':
      throw new Error('Unclaimed money is paid out from its facts');
    case 'chargeback':
      throw new Error('A chargeback is answered at the payment provider');
  }
}

/** The request for a second operator's approval; null for decisions that never need one. */
export function requestOf(
  { item, facts }: CaseFile,
  decision: string,
  { reason: note, amountMinor }: { reason: string; amountMinor: number | null },
): (() => Promise<unknown>) | null {
  const { subjectId } = item;
  switch (facts.kind) {
    case 'dispute': {
      const { version } = facts;
      const input = { kind: 'dispute' as const, subjectId, version, note, amountMinor: amountMinor ?? 0 };
      return () => api.secondApprovals.request(input);
    }
    case 'no_show': {
      const outcome = decision === 'worked' ? ('worked' as const) : ('absent' as const);
      const input = { kind: 'no_show' as const, subjectId, version: facts.version, note, outcome };
      const amount = outcome === 'worked' && amountMinor !== null ? { amountMinor } : {};
      return () => api.secondApprovals.request({ ...input, ...amount });
    }
    case 'referral':
      return decision === 'pay'
        ? () => api.secondApprovals.request({ kind: 'referral', subjectId, note })
        : null;
    case 'payout_held':
      return decision === 'release'
        ? () => api.secondApprovals.request({ kind: 'payout_held', subjectId, note })
        : null;
    default:
      return null;
  }
}

export function payoutEffect({ facts }: CaseFile, decision: string | null): string | null {
  if (facts.kind !== 'payout_held' || decision === null) return null;
  const { person, method, getsMinor, amountMinor, currency } = facts.held;
  return decision === 'release'
    ? `${person.name} receives ${formatMoney(getsMinor, currency)} at ${bankText(method)}, in the name of ${method.holderName}.`
    : `${formatMoney(amountMinor, currency)} goes back to the balance of ${person.name}. Nothing is sent.`;
}
