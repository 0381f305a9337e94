import { z } from 'zod';
import { caseKinds } from '../case-kinds.ts';
import { id, instant, operation, prose } from '../operation.ts';
import { businessReview } from '../people/business-verification.ts';
import { certificateEvidence } from '../people/certificates.ts';
import { identityReview } from '../people/identity-checks.ts';
import { message } from '../talk/messages.ts';
import { heldPayout } from './payout-reviews.ts';
import { reportCase } from './reports.ts';
import { sanctionLimits } from './sanctions.rules.ts';
import { appeal, sanction, sanctionReversal } from './sanctions.ts';

/** The basis of the decision. */
const appealEvidence = z.object({
  /** The text of the job or review, or of what a report was about; null for other subjects. */
  text: z.string().nullable(),
  /** Other decisions about the same person or business, newest first, at most 20. */
  others: z.array(sanction).default([]),
  /** The work of a reported or removed review, or of a report, whose chat can be opened; null if there is none. */
  work: reportCase.shape.work.default(null),
  /** Findings of the automatic check. */
  findings: z.array(z.object({ rule: z.string(), evidence: z.string() })),
  /** The reports about the subject, without their authors. */
  reports: z.array(z.object({ reason: z.string(), note: z.string(), at: instant })),
  /**
   * The removed message with the messages around it, or the newest of the conversation; deleted text
   * included.
   */
  messages: z.array(message),
  seq: z.number().int().nullable(),
  /** Notes of operators in the case that was decided. */
  notes: z.array(z.object({ by: z.string(), body: z.string(), at: instant })),
  /** The refused withdrawal with its names, bank account and balance as they are now; null for other decisions. */
  payout: heldPayout.nullable(),
  /** The refused business with its documents and history as they are now; null for other decisions. */
  business: businessReview.nullable(),
  /** The refused certificate as it is now; null for other decisions, and once its owner has deleted it. */
  certificate: certificateEvidence.nullable(),
  /** The refused identity document as it is now, without photos once they are deleted; null for other decisions. */
  identity: identityReview.nullable(),
});

export const staffAppeal = appeal.extend({
  evidence: appealEvidence,
  sanction,
  /** The effect of reversing the decision now; null once the appeal is decided. */
  reversal: sanctionReversal.nullable(),
  by: z.object({ accountId: id, name: z.string() }),
  /** The operator who made the decision. */
  decider: z.string(),
  /** The closed case that the decision came from; null for a decision on an operator's own initiative. */
  fromCase: z.object({ kind: z.enum(caseKinds), subjectId: id }).nullable(),
  /** The time the deadline passed; null until then. */
  escalatedAt: instant.nullable(),
});
export type StaffAppeal = z.infer<typeof staffAppeal>;

const ofAppeal = z.object({ appealId: id });

/** Appeals against decisions: one per decision, decided by another operator (ADR 179). */
export const appeals = {
  create: operation({
    access: 'signed-in',
    errors: ['sanction/not-found', 'appeal/exists', 'appeal/too-late'],
    effects: [],
    whileSuspended: 'staff',
  })
    .route({
      method: 'POST',
      path: '/sanctions/{sanctionId}/appeal',
      summary: 'Appeal a decision, once; another operator decides it within 7 days',
      successStatus: 201,
    })
    .input(z.object({ sanctionId: id, words: prose(sanctionLimits.wordsMax, 1) }))
    .output(sanction),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'appeals',
      needs: 'claim',
      case: { kind: 'appeal', id: 'appealId' },
      decides: { decision: { field: 'outcome' }, reason: 'reason' },
    },
    errors: ['appeal/not-found', 'appeal/decided', 'operator/own-record', 'operator/own-decision'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/appeals/{appealId}/decide',
      summary: 'Uphold or overturn the decision of another operator, with a reason',
    })
    .input(
      ofAppeal.extend({
        outcome: z.enum(['upheld', 'overturned']),
        reason: prose(sanctionLimits.reasonMax, 1),
      }),
    )
    .output(staffAppeal),
};
