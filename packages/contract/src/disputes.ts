import { z } from 'zod';
import { engagement, engagementMove, engagementMoveErrors, engagementOne } from './engagements.ts';
import { limits } from './limits.ts';
import { id, operation, prose, version } from './operation.ts';

// Above any pay that there can be. That it lies between what is agreed already and the whole is asked of the record (ADR 0044).
const amountMinor = z.number().int().min(0).max(1_000_000_000_000);
const one = z.object({ disputeId: id, version });
const errors = [
  'dispute/not-found',
  'dispute/not-allowed',
  'dispute/wrong-state',
  'engagement/stale',
] as const;

/** A dispute and its dated steps: filed within 7 days, answered within 5, a proposal answered within 2, an end after 30 (product.md, Constants). */
export const disputes = {
  file: operation({
    access: 'verified',
    errors: [...engagementMoveErrors, 'dispute/too-late', 'dispute/amount-impossible'],
  })
    .route(engagementMove('dispute', 'Open a dispute about the pay, as either side'))
    .input(engagementOne.extend({ reason: prose(limits.messageMax, 1), amountMinor }))
    .output(engagement),
  answer: operation({ access: 'verified', errors: [...errors, 'dispute/amount-impossible'] })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/answer',
      summary: 'The other side says what it holds to be right',
    })
    .input(one.extend({ note: prose(limits.messageMax, 1), amountMinor }))
    .output(engagement),
  propose: operation({ access: 'verified', errors: [...errors, 'dispute/amount-impossible'] })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/proposal',
      summary: 'Propose an amount to settle on',
    })
    .input(one.extend({ note: prose(limits.messageMax).default(''), amountMinor }))
    .output(engagement),
  acceptProposal: operation({ access: 'verified', errors: [...errors] })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/accept',
      summary: 'Agree to the proposal of the other side',
    })
    .input(one)
    .output(engagement),
  decide: operation({
    access: 'operator',
    errors: [...errors, 'dispute/amount-impossible', 'operator/own-record'],
  })
    .route({
      method: 'POST',
      path: '/disputes/{disputeId}/decision',
      summary: 'Decide a dispute that both sides could not settle in time: the amount for the whole, and why',
    })
    .input(one.extend({ note: prose(limits.messageMax, 1), amountMinor }))
    .output(engagement),
};
