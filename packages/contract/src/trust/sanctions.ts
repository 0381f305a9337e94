import { z } from 'zod';
import { houseRules, suspensionScopes } from '../house-rules.ts';
import { id, idAndName, instant, operation, pageInput, pageOf, prose } from '../operation.ts';
import { businessStatuses } from '../people/businesses.rules.ts';
import {
  reportMeasures,
  sanctionEndings,
  sanctionLimits,
  sanctionMeasures,
  sanctionSources,
  sanctionTargets,
  staffMeasures,
  staffTargets,
} from './sanctions.rules.ts';

export const appeal = z.object({
  id,
  words: z.string(),
  at: instant,
  /** The deadline for another operator's decision. */
  dueAt: instant,
  outcome: z.enum(['upheld', 'overturned']).nullable(),
  reason: z.string().nullable(),
  decidedAt: instant.nullable(),
});
export type Appeal = z.infer<typeof appeal>;

/** A decision with its reasons (directive 2024/2831, art. 11; DSA, art. 17), without the reporter or the operator. */
export const sanction = z.object({
  id,
  measure: z.enum(sanctionMeasures),
  /** The name of a document is its kind; empty once it is deleted. */
  target: z.object({ kind: z.enum(sanctionTargets), id: id.nullable(), name: z.string() }),
  /** The business concerned; null for the reader's own account. */
  business: idAndName.nullable(),
  scope: z.enum(suspensionScopes).nullable(),
  rule: z.enum(houseRules),
  facts: z.string(),
  source: z.enum(sanctionSources),
  decidedAt: instant,
  /** The planned end of a suspension; null means until it is lifted. */
  endsAt: instant.nullable(),
  endedAt: instant.nullable(),
  ending: z.enum(sanctionEndings).nullable(),
  endReason: z.string().nullable(),
  appeal: appeal.nullable(),
  /** The deadline for an appeal; null if there is none. */
  appealUntil: instant.nullable(),
});
export type Sanction = z.infer<typeof sanction>;

/** The effect of ending a decision now, for operators (ADR 394). */
export const sanctionReversal = z.object({
  /** False if the decision has ended before, so that nothing is undone. */
  ends: z.boolean(),
  /**
   * The state of what the decision is about after it: the status of a job or business, the state of a review;
   * `readable` or `removed` for a message, `open`, `blocked` or `frozen` for a conversation, `accepted` or `refused`
   * for a bank account, `free` for a person, the status of a certificate or identity document. Null for a warning.
   */
  state: z.string().nullable(),
  /** The status of the business afterwards; null if the decision concerns none. */
  businessStatus: z.enum(businessStatuses).nullable(),
  /** Other suspensions that stay in force for the same person. */
  otherScopes: z.array(z.enum(suspensionScopes)),
});
export type SanctionReversal = z.infer<typeof sanctionReversal>;

/** Someone's running work, for operators who may suspend them; each number is counted up to `runningMax`. */
export const runningWork = z.object({
  /** Jobs of a business that a suspension hides; 0 for a person. */
  openJobs: z.number().int(),
  /** Booked work that isn't finished, which goes on. */
  bookings: z.number().int(),
});
export type RunningWork = z.infer<typeof runningWork>;

/** The statement of reasons, which the person concerned reads verbatim. */
export const statement = z.object({
  measure: z.enum(reportMeasures),
  scope: z.enum(suspensionScopes).nullable().default(null),
  endsAt: instant.nullable().default(null),
  rule: z.enum(houseRules),
  facts: prose(sanctionLimits.factsMax, 1),
});
export type Statement = z.infer<typeof statement>;

const ofSanction = z.object({ sanctionId: id });

export const sanctions = {
  mine: operation({ access: 'signed-in', errors: ['request/bad-cursor'] })
    .route({
      method: 'GET',
      path: '/sanctions',
      summary: 'Decisions about you and the businesses you hire for, newest first',
    })
    .input(z.object({ ...pageInput }))
    .output(pageOf(sanction)),
  get: operation({ access: 'signed-in', errors: ['sanction/not-found'] })
    .route({ method: 'GET', path: '/sanctions/{sanctionId}', summary: 'A decision with its reasons' })
    .input(ofSanction)
    .output(sanction),
  impose: operation({
    access: 'operator',
    operator: {
      may: 'moderation',
      needs: 'reason',
      decides: { decision: { field: 'measure' }, reason: 'facts' },
    },
    errors: ['sanction/no-target', 'sanction/not-possible', 'operator/own-record'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/sanctions',
      summary: 'Warn, hide a job or suspend, with a statement of reasons',
      successStatus: 201,
    })
    .input(
      statement.extend({
        measure: z.enum(staffMeasures),
        target: z.object({ kind: z.enum(staffTargets), id }),
      }),
    )
    .output(sanction),
  removeReview: operation({
    access: 'operator',
    operator: {
      may: 'moderation',
      needs: 'claim',
      case: { kind: 'flagged_review', id: 'reviewId' },
      decides: { decision: 'remove', reason: 'facts' },
    },
    errors: ['review/not-found', 'operator/own-record'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/reviews/{reviewId}/remove',
      summary:
        'Remove a flagged review, with a statement of reasons to its author; the other side learns of it too',
    })
    .input(z.object({ reviewId: id, rule: z.enum(houseRules), facts: prose(sanctionLimits.factsMax, 1) }))
    .output(sanction),
  lift: operation({
    access: 'operator',
    operator: { may: 'moderation', needs: 'reason', decides: { decision: 'lifted', reason: 'reason' } },
    errors: ['sanction/not-found', 'operator/own-record', 'operator/own-decision'],
    effects: ['text'],
  })
    .route({
      method: 'POST',
      path: '/operators/sanctions/{sanctionId}/lift',
      summary: 'End a decision early, with a reason',
    })
    .input(ofSanction.extend({ reason: prose(sanctionLimits.reasonMax, 1) }))
    .output(sanction),
  reversal: operation({
    access: 'operator',
    operator: { may: 'moderation', needs: 'reason' },
    errors: ['sanction/not-found', 'operator/own-record'],
  })
    .route({
      method: 'GET',
      path: '/operators/sanctions/{sanctionId}/reversal',
      summary: 'What ending a decision now would do',
    })
    .input(ofSanction)
    .output(sanctionReversal),
};
