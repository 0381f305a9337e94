import { z } from 'zod';
import { maxMinor, maxTotalMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { correctionEffect, goodwillQuote, ledgerEntry } from '../money/corrections.ts';
import { creditQuote } from '../money/credit-limits.ts';
import { currency } from '../money.ts';
import { id, idAndName, instant, operation, prose, version } from '../operation.ts';
import { approvalKinds, approvalLimits, approvalStates } from './second-approvals.rules.ts';

/** A decision of one operator that takes effect once another one approves it. Minor units of `currency`. */
export const secondApproval = z.object({
  id,
  kind: z.enum(approvalKinds),
  /** The dispute, engagement, referral, withdrawal or ledger entry; the recipient of goodwill or a limit. */
  subjectId: id,
  amountMinor: z.number().int(),
  currency,
  /** The requesting operator's reason. The people concerned see it once the decision is approved. */
  reason: z.string(),
  requestedBy: idAndName,
  requestedAt: instant,
  expiresAt: instant,
  state: z.enum(approvalStates),
  decidedBy: idAndName.nullable(),
  decidedAt: instant.nullable(),
  note: z.string().nullable(),
});
export type SecondApproval = z.infer<typeof secondApproval>;

const amountMinor = z.number().int().min(0).max(maxTotalMinor);
const note = prose(limits.messageMax, 1);
const outcome = z.enum(['absent', 'worked']);
const recipient = { kind: z.enum(['person', 'business']), recipientId: id };

/** A decision in the form that the operation of its kind accepts. */
export const approvalRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('dispute'), subjectId: id, version, note, amountMinor }),
  z.object({
    kind: z.literal('no_show'),
    subjectId: id,
    version,
    note,
    outcome,
    /** The total pay, if the outcome is that the worker worked. Minor units. */
    amountMinor: amountMinor.min(1).optional(),
  }),
  z.object({ kind: z.literal('referral'), subjectId: id, note: prose(limits.reasonMax, 1) }),
  z.object({ kind: z.literal('payout_held'), subjectId: id, note: prose(limits.reasonMax, 1) }),
]);
export type ApprovalRequest = z.infer<typeof approvalRequest>;

/** Large amounts, and reversals of payments: one operator requests, another one approves (ADR 191, 192). */
export const secondApprovals = {
  request: operation({
    access: 'operator',
    operator: {
      may: 'queue',
      needs: 'claim',
      case: 'input',
      decides: { decision: { field: 'outcome' }, reason: 'note' },
    },
    errors: [
      'operator/own-decision',
      'approval/waiting',
      'operator/own-record',
      'operator/role-required',
      'dispute/not-found',
      'dispute/wrong-state',
      'dispute/amount-impossible',
      'engagement/not-found',
      'engagement/stale',
      'engagement/too-early',
      'engagement/wrong-state',
      'referral/not-found',
      'referral/decided',
      'referral/not-payable',
      'payout/not-found',
      'payout-review/decided',
    ],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/second-approval',
      summary: 'Ask a second operator to approve a decision that moves much money',
      successStatus: 201,
    })
    .input(
      z
        .object({
          kind: z.enum(['dispute', 'no_show', 'referral', 'payout_held']),
          subjectId: id,
          note,
          version: version.optional(),
          amountMinor: amountMinor.optional(),
          outcome: outcome.optional(),
        })
        .refine((input) => approvalRequest.safeParse(input).success, {
          message: 'what a decision of this kind takes',
          path: ['kind'],
        }),
    )
    .output(secondApproval),
  proposeCorrection: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: ['approval/waiting', 'operator/own-record', 'entry/not-found', 'correction/not-possible'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/corrections',
      summary: 'Propose to reverse a payment; another operator approves it, and both sides get the reason',
      successStatus: 201,
    })
    .input(z.object({ entryId: id, reason: prose(approvalLimits.reasonMax, approvalLimits.reasonMin) }))
    .output(secondApproval),
  goodwill: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: ['search/not-found'],
  })
    .route({
      method: 'GET',
      path: '/operators/goodwill/{kind}/{recipientId}',
      summary: 'What you may still give a person or business as goodwill without a second operator',
    })
    .input(z.object(recipient))
    .output(goodwillQuote),
  giveGoodwill: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: ['search/not-found', 'operator/own-record', 'approval/waiting'],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/goodwill/{kind}/{recipientId}',
      summary: 'Give goodwill: at once up to the limit, above it once another operator approves it',
      successStatus: 201,
    })
    .input(
      z.object({
        ...recipient,
        amountMinor: z.number().int().min(1).max(maxTotalMinor),
        currency,
        /** The reason is shown to the recipient. */
        reason: prose(approvalLimits.reasonMax, approvalLimits.reasonMin),
      }),
    )
    .output(z.object({ state: z.enum(['paid', 'waiting']) })),
  creditLimit: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: ['business/not-found'],
  })
    .route({
      method: 'GET',
      path: '/operators/credit-limits/{businessId}',
      summary: 'The credit limit of a business, and what you may set without a second operator',
    })
    .input(z.object({ businessId: id }))
    .output(creditQuote),
  setCreditLimit: operation({
    access: 'operator',
    operator: { may: 'payments', needs: 'reason' },
    errors: [
      'business/not-found',
      'business/wrong-state',
      'credit/below-owed',
      'operator/own-record',
      'approval/waiting',
    ],
    effects: ['money'],
  })
    .route({
      method: 'PUT',
      path: '/operators/credit-limits/{businessId}',
      summary:
        'Set or end the credit limit of a business: at once up to your limit, above it once another operator approves it',
    })
    .input(
      z.object({
        businessId: id,
        /** 0 ends it: what is owed stays due. */
        limitMinor: z.number().int().min(0).max(maxMinor),
        currency,
        /** The reason is shown to the business. */
        reason: prose(approvalLimits.reasonMax, approvalLimits.reasonMin),
      }),
    )
    .output(z.object({ state: z.enum(['set', 'waiting']) })),
  entry: operation({
    access: 'operator',
    operator: { may: 'search-entries', needs: 'reason' },
    errors: ['entry/not-found'],
  })
    .route({
      method: 'GET',
      path: '/operators/entries/{entryId}',
      summary: 'A ledger entry, what taking it back would do, and who asked for that',
    })
    .input(z.object({ entryId: id }))
    .output(
      z.object({
        entry: ledgerEntry,
        /** Null for an entry that isn't a payment to a worker. */
        correction: correctionEffect.nullable(),
        approval: secondApproval.nullable(),
      }),
    ),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'queue',
      needs: 'claim',
      case: 'input',
      decides: { decision: { field: 'decision' }, reason: 'note' },
    },
    errors: [
      'search/not-found',
      'business/not-found',
      'business/wrong-state',
      'credit/below-owed',
      'approval/not-found',
      'approval/over',
      'operator/own-decision',
      'operator/own-record',
      'operator/role-required',
      'correction/not-possible',
      'dispute/not-found',
      'dispute/wrong-state',
      'dispute/amount-impossible',
      'engagement/not-found',
      'engagement/stale',
      'engagement/wrong-state',
      'referral/not-found',
      'referral/decided',
      'referral/not-payable',
      'payout/not-found',
      'payout-review/decided',
    ],
    effects: ['money'],
  })
    .route({
      method: 'POST',
      path: '/operators/cases/{kind}/{subjectId}/approval',
      summary: 'Approve or refuse what another operator decided; approving makes it take effect',
    })
    .input(
      z.object({
        kind: z.enum(['second_approval', 'correction']),
        subjectId: id,
        decision: z.enum(['approve', 'refuse']),
        note: prose(approvalLimits.noteMax).default(''),
      }),
    )
    .output(secondApproval),
  withdraw: operation({
    access: 'operator',
    operator: { may: 'queue', needs: 'nothing' },
    errors: ['approval/not-found', 'approval/over'],
    effects: [],
  })
    .route({
      method: 'POST',
      path: '/operators/second-approvals/{approvalId}/withdraw',
      summary: 'Withdraw what you asked a second operator to approve',
    })
    .input(z.object({ approvalId: id }))
    .output(secondApproval),
};
