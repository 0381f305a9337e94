import { expect, it } from 'vitest';
import { z } from 'zod';
import { type CaseKind, caseKinds } from '../case-kinds.ts';
import { caseFacts } from './case-facts.ts';

/**
 * The evidence that the page of each kind needs: what it is about, what both sides say, what was decided before. A new
 * kind does not compile without its row, and a row fails without its fields.
 */
const evidence: Record<CaseKind, readonly [string, ...string[]]> = {
  dispute: [
    'reason',
    'steps',
    'attendance',
    'attempts',
    'claims',
    'deliveries',
    'shown',
    'heldMinor',
    'effects',
  ],
  no_show: ['reason', 'steps', 'attendance', 'attempts', 'heldMinor', 'effects'],
  chat_report: ['report.note', 'report.by', 'report.seq', 'report.messages', 'report.contested'],
  frozen_chat: ['frozen.reason', 'frozen.seq', 'frozen.messages', 'frozen.reports'],
  report: [
    'reported.subject.text',
    'reported.reports',
    'reported.work',
    'reported.author',
    'reported.earlier',
  ],
  appeal: [
    'appeal.words',
    'appeal.sanction.facts',
    'appeal.evidence.text',
    'appeal.evidence.findings',
    'appeal.evidence.reports',
    'appeal.evidence.messages',
    'appeal.evidence.notes',
    'appeal.evidence.payout.names',
    'appeal.evidence.payout.method',
    'appeal.evidence.payout.availableMinor',
    'appeal.evidence.business.documents',
    'appeal.evidence.business.history',
  ],
  flagged_review: ['review.body', 'review.replyBody', 'review.words', 'review.author', 'review.work'],
  job_review: ['review.found', 'review.description', 'review.payMinor', 'review.earlier'],
  ticket: ['ticket.messages', 'ticket.refs', 'ticket.ofCase', 'ticket.others'],
  referral: ['referral.flags', 'referral.inviter', 'referral.invited', 'referral.engagementId'],
  business_verification: [
    'review.documents',
    'review.owners',
    'review.domain',
    'review.sameRegistration',
    'review.history',
  ],
  identity: ['check.photos', 'check.name', 'check.earlier'],
  certificate: ['certificate.file', 'certificate.name', 'certificate.expiresOn'],
  chargeback: [
    'chargeback.chargebackMinor',
    'chargeback.borneMinor',
    'chargeback.providerRef',
    'chargeback.engagementId',
  ],
  payout_held: [
    'held.names',
    'held.method',
    'held.amountMinor',
    'held.availableMinor',
    'held.earlier',
    'held.decisions',
  ],
  unclaimed: ['unclaimed.balances', 'unclaimed.withdrawals'],
  bank_payment: ['payment.reason', 'payment.amountMinor'],
  second_approval: [
    'approval.reason',
    'pay.effect',
    'pay.steps',
    'referral.flags',
    'held.names',
    'recipient.name',
    'earlierGoodwill',
  ],
  authority_report: ['report.passedOn', 'report.facts', 'report.reason'],
  correction: ['approval.reason', 'entry.lines', 'correction.workerLosesMinor'],
};

/** The names of the fields at a path, through nullable objects and lists. */
function fieldsOf(schema: z.ZodType): Record<string, z.ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodNullable) return fieldsOf(schema.unwrap() as z.ZodType);
  return {};
}

const facts = new Map(
  caseFacts.options.map((option) => [option.shape.kind.value, option as unknown as z.ZodType]),
);

it('has the evidence of every kind of case', () => {
  expect([...facts.keys()].sort()).toEqual([...caseKinds].sort());
  for (const kind of caseKinds)
    for (const path of evidence[kind]) {
      let schema = facts.get(kind);
      for (const field of path.split('.')) {
        schema = schema && fieldsOf(schema)[field];
        expect(schema, `${kind}: ${path}`).toBeDefined();
      }
    }
});
