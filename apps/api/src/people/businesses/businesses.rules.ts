import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import type { BusinessStatus } from '@nearhand/contract/people/businesses';

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
  ['draft', 'submit', 'M', 'submitted'],
  ['needs_info', 'submit', 'M', 'submitted'],
  ['submitted', 'verify', 'O', 'verified'],
  ['submitted', 'request-info', 'O', 'needs_info'],
  ['submitted', 'reject', 'O', 'rejected'],
  // Hidden until it is checked again, and back to refused if more is missing.
  ['rejected', 'submit', 'M', 'resubmitted'],
  ['resubmitted', 'verify', 'O', 'verified'],
  ['resubmitted', 'request-info', 'O', 'rejected'],
  ['resubmitted', 'reject', 'O', 'rejected'],
  // The refusal was reversed: it is checked as if it were new.
  ['rejected', 'restore-submitted', 'O', 'submitted'],
  ['resubmitted', 'restore-submitted', 'O', 'submitted'],
  ['draft', 'suspend', 'O', 'suspended'],
  ['submitted', 'suspend', 'O', 'suspended'],
  ['needs_info', 'suspend', 'O', 'suspended'],
  ['verified', 'suspend', 'O', 'suspended'],
  ['suspended', 'restore', 'O', 'verified'],
  ['suspended', 'restore-draft', 'O', 'draft'],
  ['suspended', 'restore-submitted', 'O', 'submitted'],
  ['suspended', 'restore-needs-info', 'O', 'needs_info'],
  ['verified', 'rename', 'M', 'submitted'],
  ['verified', 'change-owner', 'M', 'submitted'],
  ['draft', 'close', 'M', 'closed'],
  ['submitted', 'close', 'M', 'closed'],
  ['needs_info', 'close', 'M', 'closed'],
  ['rejected', 'close', 'M', 'closed'],
  ['resubmitted', 'close', 'M', 'closed'],
  ['verified', 'close', 'M', 'closed'],
];

/** The move that ends a suspension, by the status before it. */
export const restoreMoves: Partial<Record<BusinessStatus, BusinessMoveName>> = {
  draft: 'restore-draft',
  submitted: 'restore-submitted',
  needs_info: 'restore-needs-info',
  verified: 'restore',
};

export const nextBusinessStatus = (
  from: BusinessStatus,
  action: BusinessMoveName,
  who: Mover,
): BusinessStatus | null => nextState(businessMoves, from, action, who);

/**
 * Returns whether a business may hire and is public. An unverified one has a limited number of open jobs
 * (product.md).
 */
export const mayHire = (status: BusinessStatus): boolean =>
  ['draft', 'submitted', 'needs_info', 'verified'].includes(status);

/** Returns whether a business waits for an operator's decision. */
export const isPending = (status: BusinessStatus): boolean => ['submitted', 'resubmitted'].includes(status);

export const isEditableBusiness = (status: BusinessStatus): boolean =>
  !['suspended', 'closed'].includes(status);
