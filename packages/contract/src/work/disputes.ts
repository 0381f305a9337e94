import { z } from 'zod';
import { maxTotalMinor } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import { id, operation, prose, version } from '../operation.ts';
import { engagement, engagementMove, engagementMoveErrors, engagementOne } from './engagements.ts';
import { workLimits } from './limits.ts';

// An upper limit only; the service checks the actual bounds (ADR 44).
const amountMinor = z.number().int().min(0).max(maxTotalMinor);
/** Uploaded files of purpose `work` that both sides and operators can open, each once. */
const fileIds = z
  .array(id)
  .max(workLimits.disputeFilesMax)
  .refine((ids) => new Set(ids).size === ids.length, { message: 'each file once' })
  .default([]);
const fileErrors = ['file/not-found', 'file/wrong-type'] as const;
const disputeRef = z.object({ disputeId: id, version });
const errors = [
  'dispute/not-found',
  'dispute/not-allowed',
  'dispute/wrong-state',
  'engagement/stale',
] as const;

/** Pay disputes: filed within 7 days, answered in 5, a proposal in 2, ended after 30 (product.md, Constants). */
export const disputes = {
  file: operation({
    access: 'verified',
    errors: [...engagementMoveErrors, 'dispute/too-late', 'dispute/amount-impossible', ...fileErrors],
    effects: ['text:reason'],
    whileSuspended: 'owed',
  })
    .route(engagementMove('dispute', 'Open a pay dispute, as either side'))
    .input(engagementOne.extend({ reason: prose(limits.messageMax, 1), amountMinor, fileIds }))
    .output(engagement),
  answer: operation({
    access: 'verified',
    errors: [...errors, 'dispute/amount-impossible', ...fileErrors],
    effects: ['money', 'text:note'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/answer',
      summary: 'Answer a dispute with your amount',
    })
    .input(disputeRef.extend({ note: prose(limits.messageMax, 1), amountMinor, fileIds }))
    .output(engagement),
  propose: operation({
    access: 'verified',
    errors: [...errors, 'dispute/amount-impossible'],
    effects: ['text:note'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/proposal',
      summary: 'Propose an amount to settle on',
    })
    .input(disputeRef.extend({ note: prose(limits.messageMax).default(''), amountMinor }))
    .output(engagement),
  acceptProposal: operation({
    access: 'verified',
    errors: [...errors],
    effects: ['money'],
    whileSuspended: 'owed',
  })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/accept',
      summary: 'Accept the proposal of the other side',
    })
    .input(disputeRef)
    .output(engagement),
  decide: operation({
    access: 'operator',
    operator: {
      may: 'disputes',
      needs: 'claim',
      case: { kind: 'dispute', id: 'disputeId' },
      decides: { decision: 'decide', reason: 'note' },
    },
    errors: [...errors, 'dispute/amount-impossible', 'operator/own-record', 'approval/required'],
    effects: ['money', 'text'],
  })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/decision',
      summary: 'Decide a dispute that was not settled in time: the total amount and the reason',
    })
    .input(disputeRef.extend({ note: prose(limits.messageMax, 1), amountMinor }))
    .output(engagement),
  decideNoShow: operation({
    access: 'operator',
    operator: {
      may: 'disputes',
      needs: 'claim',
      case: { kind: 'no_show', id: 'engagementId' },
      decides: { decision: { field: 'outcome' }, reason: 'note' },
    },
    errors: [
      ...engagementMoveErrors,
      'engagement/too-early',
      'dispute/amount-impossible',
      'operator/own-record',
      'approval/required',
    ],
    effects: ['money', 'text'],
  })
    .route(engagementMove('no-show/decision', 'Decide a contested no-show: absent or worked'))
    .input(
      engagementOne
        .extend({
          outcome: z.enum(['absent', 'worked']),
          /** The total pay if they worked: above zero, at most as planned; minor units of the terms. */
          amountMinor: amountMinor.min(1).optional(),
          note: prose(limits.messageMax, 1),
        })
        .refine(({ outcome, amountMinor }) => (outcome === 'worked') === (amountMinor !== undefined), {
          message: 'set an amount if and only if they worked',
          path: ['amountMinor'],
        }),
    )
    .output(engagement),
};
