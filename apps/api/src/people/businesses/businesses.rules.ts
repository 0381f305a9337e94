import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import type { BusinessStatus } from '@nearhand/contract/people/businesses.rules';

export type BusinessMoveName =
  | 'submit'
  | 'verify'
  | 'request-info'
  | 'reject'
  | 'suspend'
  | 'restore'
  | 'restore-draft'
  | 'restore-submitted'
  | 'restore-needs-info'
  | 'rename'
  | 'change-owner'
  | 'close';

/** Transitions (product.md, States: Business). `rename` and `change-owner` require verification again. */
export const businessMoves: readonly Move<BusinessStatus, BusinessMoveName>[] = [
  ['draft', 'submit', 'business', 'submitted'],
  ['needs_info', 'submit', 'business', 'submitted'],
  ['submitted', 'verify', 'operator', 'verified'],
  ['submitted', 'request-info', 'operator', 'needs_info'],
  ['submitted', 'reject', 'operator', 'rejected'],
  // Hidden until it is checked again, and back to refused if more is missing.
  ['rejected', 'submit', 'business', 'resubmitted'],
  ['resubmitted', 'verify', 'operator', 'verified'],
  ['resubmitted', 'request-info', 'operator', 'rejected'],
  ['resubmitted', 'reject', 'operator', 'rejected'],
  // The refusal was reversed: it is checked as if it were new.
  ['rejected', 'restore-submitted', 'operator', 'submitted'],
  ['resubmitted', 'restore-submitted', 'operator', 'submitted'],
  ['draft', 'suspend', 'operator', 'suspended'],
  ['submitted', 'suspend', 'operator', 'suspended'],
  ['needs_info', 'suspend', 'operator', 'suspended'],
  ['verified', 'suspend', 'operator', 'suspended'],
  ['suspended', 'restore', 'operator', 'verified'],
  ['suspended', 'restore-draft', 'operator', 'draft'],
  ['suspended', 'restore-submitted', 'operator', 'submitted'],
  ['suspended', 'restore-needs-info', 'operator', 'needs_info'],
  ['verified', 'rename', 'business', 'submitted'],
  ['verified', 'change-owner', 'business', 'submitted'],
  ['draft', 'close', 'business', 'closed'],
  ['submitted', 'close', 'business', 'closed'],
  ['needs_info', 'close', 'business', 'closed'],
  ['rejected', 'close', 'business', 'closed'],
  ['resubmitted', 'close', 'business', 'closed'],
  ['verified', 'close', 'business', 'closed'],
];

/** The move that ends a suspension, by the status before the suspension. */
export const restoreMoves: Partial<Record<BusinessStatus, BusinessMoveName>> = {
  draft: 'restore-draft',
  submitted: 'restore-submitted',
  needs_info: 'restore-needs-info',
  verified: 'restore',
};

/**
 * Returns the status after a move of the state table (product.md, Business), or null where that mover may
 * not make it.
 */
export const nextBusinessStatus = (
  from: BusinessStatus,
  action: BusinessMoveName,
  mover: Mover,
): BusinessStatus | null => nextState(businessMoves, from, action, mover);

/** Returns whether a business waits for an operator's decision. */
export const isPending = (status: BusinessStatus): boolean => ['submitted', 'resubmitted'].includes(status);

/** Returns whether the business's data can be changed in this status. */
export const isEditableBusiness = (status: BusinessStatus): boolean =>
  !['suspended', 'closed'].includes(status);
