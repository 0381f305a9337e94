import type { CaseKind } from '@nearhand/contract/case-kinds';
import type { Currency } from '@nearhand/contract/currencies';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { CaseFacts, PayEffect } from '@nearhand/contract/trust/case-facts';
import type { ClosedCaseFile, DecisionTerms } from '@nearhand/contract/trust/cases';
import type { Decision } from '@nearhand/contract/trust/cases.rules';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import { formatMoney } from '../../lib/words/format.ts';
import { codeText, measureText, sanctionTargetText } from '../queue/case.labels.ts';
import { reversalText } from './decisions.ts';
import { authorOf } from './moderation-facts.tsx';

/** Decisions made elsewhere than in the form of a case, named as their operation's `decides` names them. */
type OtherDecisions = {
  ticket: 'answer-solve' | 'merge';
  unclaimed: 'refund' | 'withdrawal';
  bank_payment: 'assignment' | 'return';
};
/** The ends of cases that no operator decided (`ended-cases.ts` of the server). */
export type Endings = {
  ticket: 'author';
  dispute: 'stop' | 'agree' | 'accept-proposal';
  second_approval: 'expired' | 'withdrawn';
  correction: 'expired' | 'withdrawn';
  job_review: 'close' | 'suspend';
  payout_held: 'cancel';
  business_verification: 'close' | 'suspend';
  chargeback: 'won' | 'lost';
  frozen_chat: 'lifted' | 'overturned';
};
type Decided<K extends CaseKind> =
  | Decision<K>
  | (K extends keyof OtherDecisions ? OtherDecisions[K] : never)
  | (K extends keyof Endings ? Endings[K] : never);
type FactsOf<K extends CaseKind> = Extract<CaseFacts, { kind: K }>;
/** `facts` are null once the evidence is deleted; then the sentence names the side instead of the person. */
type Sentence<K extends CaseKind> = (decided: {
  facts: FactsOf<K> | null;
  terms: DecisionTerms | null;
  ended: ClosedCaseFile['ended'];
}) => string;

type PayFacts = FactsOf<'dispute' | 'no_show'> | null;

function payText(facts: PayFacts, pay: PayEffect | null | undefined): string {
  const worker = facts?.worker.name ?? 'The worker';
  const business = facts?.business.name ?? 'The business';
  if (!pay) return `The total pay of ${worker} was set.`;
  const money = (minor: number) => formatMoney(minor, pay.currency);
  const sentences = [
    `The total pay for the work is ${money(pay.amountMinor)}.`,
    pay.alreadyPaidMinor > 0 ? `${money(pay.alreadyPaidMinor)} was paid before.` : null,
    `${worker} gets ${money(pay.workerGetsMinor)}, and our fee is ${money(pay.feeMinor)}.`,
    pay.backMinor > 0 ? `${money(pay.backMinor)} goes back to ${facts ? business : 'the business'}.` : null,
    pay.missingMinor > 0 ? `${business} still has to add ${money(pay.missingMinor)}.` : null,
  ];
  return sentences.filter(Boolean).join(' ');
}

const scopeText = {
  applying: 'applying for work',
  hiring: 'hiring',
  chat: 'writing messages',
  everything: 'everything but work that is booked and money that is earned',
} as const;

/** The name of the side that the measure affects: for a job its business, for a review its author. */
function reportedName(facts: FactsOf<'report'> | null): string {
  if (!facts) return 'the reported side';
  const { subject, business } = facts.reported;
  const side =
    subject.kind === 'job' ? business : subject.kind === 'review' ? authorOf(facts.reported) : subject;
  return side?.name || 'the reported side';
}
const partiesOf = (chat: { worker: { name: string }; business: { name: string } } | undefined): string =>
  chat ? `${chat.worker.name} and ${chat.business.name}` : 'both sides';
const amountOf = ({ amountMinor, currency }: { amountMinor: number; currency: Currency }): string =>
  formatMoney(amountMinor, currency);

const sentences: { readonly [K in CaseKind]: Readonly<Record<Decided<K>, Sentence<K>>> } = {
  dispute: {
    decide: ({ facts, terms }) => payText(facts, terms?.pay),
    stop: ({ ended }) =>
      `No operator decided it in time, so the timer settled it${settledText(ended)}. It follows the recorded times; for a task it is halfway between both sides. Both sides were told.`,
    agree: ({ ended }) => `Both sides agreed before an operator decided${settledText(ended)}.`,
    'accept-proposal': ({ ended }) =>
      `One side accepted the other’s proposal before an operator decided${settledText(ended)}.`,
  },
  no_show: {
    absent: ({ facts, terms }) =>
      `The no-show counts: ${facts?.worker.name ?? 'the worker'} gets nothing${terms?.pay ? `, and ${formatMoney(terms.pay.backMinor, terms.pay.currency)} goes back to ${facts?.business.name ?? 'the business'}` : ''}.`,
    worked: ({ facts, terms }) => `The no-show does not count. ${payText(facts, terms?.pay)}`,
  },
  chat_report: {
    dismiss: () =>
      'Nothing changed for the other side, which was not told. The person who reported read the reason.',
    redact: ({ facts }) =>
      `The reported message was removed for everyone. ${capital(partiesOf(facts?.report))} read the reason.`,
    freeze: ({ facts }) =>
      `The conversation was frozen: neither ${facts ? `${facts.report.worker.name} nor ${facts.report.business.name}` : 'side'} could write. Both read the reason.`,
  },
  frozen_chat: {
    unfreeze: ({ facts }) => `${capital(partiesOf(facts?.frozen))} can write to each other again.`,
    lifted: () => 'The decision that froze the conversation was lifted, so both sides can write again.',
    overturned: () => 'An appeal against the freeze succeeded, so both sides can write again.',
  },
  report: {
    dismiss: ({ facts }) =>
      `Nothing changed for ${reportedName(facts)}, which was not told. Everyone who reported read the answer.`,
    warning: ({ facts }) =>
      `${capital(reportedName(facts))} was warned with the statement below. Everyone who reported read the answer.`,
    hidden: ({ facts }) =>
      `The job ${facts ? `“${facts.reported.subject.name}” ` : ''}was hidden from workers.`,
    removed: () => 'The review and its reply were removed, and no longer count in the rating.',
    suspension: ({ facts, terms }) =>
      `${capital(reportedName(facts))} was suspended from ${terms?.scope ? scopeText[terms.scope] : 'what the statement says'}${terms && terms.endsAt === null ? ', until it is lifted' : ''}.`,
  },
  appeal: {
    upheld: ({ facts }) => `The decision stays: ${appealedText(facts)}. The answer to the appeal is final.`,
    overturned: ({ facts }) => {
      const reversal = facts?.appeal.reversal;
      const effect = reversal ? ` ${reversalText(facts.appeal.sanction, reversal)}` : '';
      return `The decision ended: ${appealedText(facts)}.${effect}`;
    },
  },
  flagged_review: {
    keep: ({ facts }) =>
      `The review by ${facts?.review.author ?? 'its author'} stays as it is. Nobody was told.`,
    remove: ({ facts }) =>
      `The review by ${facts?.review.author ?? 'its author'} was removed with its reply, and no longer counts in the rating.`,
  },
  job_review: {
    open: ({ facts }) => `The job ${facts ? `“${facts.review.title}” ` : ''}was opened to workers.`,
    refuse: ({ facts }) =>
      `The job ${facts ? `“${facts.review.title}” ` : ''}was refused: nobody but ${facts?.review.business.name ?? 'the business'} sees it.`,
    close: () => 'The business closed the job before it was checked.',
    suspend: () => 'The job was hidden by another decision before it was checked.',
  },
  ticket: {
    answer: ({ facts }) => `${facts?.ticket.from.name || 'The person'} got an answer.`,
    'answer-solve': ({ facts }) =>
      `${facts?.ticket.from.name || 'The person'} got an answer, and the request was closed as solved. A reply opens it again.`,
    solve: ({ facts }) =>
      `The request of ${facts?.ticket.from.name || 'the person'} was closed as solved. A reply opens it again.`,
    merge: () => 'The request became part of another request of the same person.',
    author: () => 'Its author closed the request before we answered. A reply opens it again.',
  },
  referral: {
    pay: ({ facts }) =>
      `${facts ? `${facts.referral.inviter.name} and ${facts.referral.invited.name}` : 'Both people'} got the reward.`,
    refuse: ({ facts }) =>
      `No reward was paid${facts ? ` to ${facts.referral.inviter.name} and ${facts.referral.invited.name}` : ''}.`,
  },
  business_verification: {
    verify: ({ facts }) => `${facts?.review.name ?? 'The business'} was verified.`,
    'request-info': ({ facts }) =>
      `${facts?.review.name ?? 'The business'} was asked for more. Its jobs stayed open.`,
    reject: ({ facts }) =>
      `${facts?.review.name ?? 'The business'} was refused: it is hidden and cannot hire. It can appeal, or correct it and ask again.`,
    close: () => 'The business was closed before it was verified.',
    suspend: () => 'The business was suspended by another decision before it was verified.',
  },
  identity: {
    verify: ({ facts }) => `The identity document of ${facts?.check.name ?? 'the person'} was verified.`,
    'request-info': ({ facts }) => `${facts?.check.name ?? 'The person'} was asked for new photos.`,
    refuse: ({ facts }) => `The identity document of ${facts?.check.name ?? 'the person'} was refused.`,
  },
  certificate: {
    confirm: ({ facts }) =>
      `The certificate of ${facts?.certificate.name ?? 'the person'} was confirmed, and businesses see it.`,
    refuse: ({ facts }) => `The certificate of ${facts?.certificate.name ?? 'the person'} was refused.`,
  },
  chargeback: {
    won: () => 'The bank decided for the business: the payment stands.',
    lost: () => 'The bank decided for the cardholder: the bank took the payment back.',
  },
  unclaimed: {
    refund: () => 'The money was refunded to the cards it came from.',
    withdrawal: () => 'The money was reserved for a withdrawal, which is held for review.',
  },
  bank_payment: {
    assignment: ({ facts }) =>
      `${facts ? amountOf(facts.payment) : 'The bank transfer'}${facts ? ` from ${facts.payment.payerName}` : ''} was added to the balance of a business.`,
    return: ({ facts }) =>
      `${facts ? amountOf(facts.payment) : 'The bank transfer'} was marked as sent back${facts ? ` to ${facts.payment.payerName}` : ''}.`,
  },
  authority_report: {
    confirm: ({ facts }) => `The report to ${facts?.report.authority ?? 'the authority'} stands.`,
    refuse: ({ facts }) => `The report to ${facts?.report.authority ?? 'the authority'} was marked as wrong.`,
  },
  second_approval: {
    approve: ({ facts }) =>
      `The decision of ${facts?.approval.requestedBy.name ?? 'a colleague'} took effect${moved(facts)}.`,
    refuse: ({ facts }) =>
      `The decision of ${facts?.approval.requestedBy.name ?? 'a colleague'} did not take effect${moved(facts)}.`,
    expired: () =>
      `Nobody approved it within ${approvalLimits.hours} hours, so nothing happened. The operator can ask again.`,
    withdrawn: () => 'The operator who asked withdrew it. Nothing happened.',
  },
  correction: {
    approve: ({ facts }) =>
      `The payment${facts ? ` of ${amountOf(facts.approval)}` : ''} was reversed${facts ? ` for ${facts.correction.worker.name}` : ''}.`,
    refuse: ({ facts }) => `The payment${facts ? ` of ${amountOf(facts.approval)}` : ''} was not reversed.`,
    expired: () =>
      `Nobody approved it within ${approvalLimits.hours} hours, so nothing happened. The operator can ask again.`,
    withdrawn: () => 'The operator who asked withdrew it. Nothing happened.',
  },
  payout_held: {
    release: ({ facts }) =>
      facts
        ? `${facts.held.person.name} got ${formatMoney(facts.held.getsMinor, facts.held.currency)} at ${bankText(facts.held.method)}, in the name of ${facts.held.method.holderName}.`
        : 'The withdrawal was sent.',
    refuse: ({ facts }) =>
      facts
        ? `${amountOf(facts.held)} went back to the balance of ${facts.held.person.name}. Nothing was sent to ${bankText(facts.held.method)}, in the name of ${facts.held.method.holderName}.`
        : 'Nothing was sent. The money went back to the balance.',
    cancel: () =>
      'The person cancelled the withdrawal before we decided. The money is back in their balance.',
  },
};

const settledText = (ended: ClosedCaseFile['ended']): string =>
  ended?.amount ? `: ${formatMoney(ended.amount.minor, ended.amount.currency)} in total` : '';

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

const appealedText = (facts: FactsOf<'appeal'> | null): string =>
  facts
    ? `${measureText(facts.appeal.sanction.measure).toLowerCase()}${facts.appeal.sanction.target.name ? `, ${sanctionTargetText(facts.appeal.sanction)}` : ''}`
    : 'the one that was appealed';

const moved = (facts: FactsOf<'second_approval'> | null): string =>
  facts ? `: ${codeText(facts.approval.kind).toLowerCase()}, ${amountOf(facts.approval)}` : '';

/** The effect of a decision in sentences, with its figures; null for a decision that its kind no longer has. */
export function decidedText({
  item,
  facts,
  ended,
}: Pick<ClosedCaseFile, 'item' | 'facts' | 'ended'>): string | null {
  const { kind, decision, terms } = item;
  const ofKind = new Map<string, unknown>(Object.entries(sentences[kind]));
  const sentence = ofKind.get(decision) as
    | ((decided: {
        facts: CaseFacts | null;
        terms: DecisionTerms | null;
        ended: ClosedCaseFile['ended'];
      }) => string)
    | undefined;
  return sentence?.({ facts, terms, ended }) ?? null;
}
