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

export const mayBeEdited = (status: BusinessStatus): boolean => !['suspended', 'closed'].includes(status);
