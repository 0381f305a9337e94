import type { BusinessStatus } from '@nearhand/contract/businesses';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';

export type BusinessMoveName =
  | 'submit'
  | 'verify'
  | 'request-info'
  | 'reject'
  | 'suspend'
  | 'restore'
  | 'rename'
  | 'close';

/** The states of a business (product.md, States: Business). `rename` is a new legal name: it verifies anew. */
export const businessMoves: readonly Move<BusinessStatus, BusinessMoveName>[] = [
  ['draft', 'submit', 'M', 'submitted'],
  ['needs_info', 'submit', 'M', 'submitted'],
  ['submitted', 'verify', 'O', 'verified'],
  ['submitted', 'request-info', 'O', 'needs_info'],
  ['submitted', 'reject', 'O', 'rejected'],
  ['verified', 'suspend', 'O', 'suspended'],
  ['suspended', 'restore', 'O', 'verified'],
  ['verified', 'rename', 'M', 'submitted'],
  ['draft', 'close', 'M', 'closed'],
  ['submitted', 'close', 'M', 'closed'],
  ['needs_info', 'close', 'M', 'closed'],
  ['rejected', 'close', 'M', 'closed'],
  ['verified', 'close', 'M', 'closed'],
];

export const nextBusinessStatus = (
  from: BusinessStatus,
  action: BusinessMoveName,
  who: Mover,
): BusinessStatus | null => nextState(businessMoves, from, action, who);

/** A business that may hire: verified, or on its way there with a few jobs (product.md: up to 3 open jobs). */
export const mayHire = (status: BusinessStatus): boolean =>
  ['draft', 'submitted', 'needs_info', 'verified'].includes(status);

export const mayBeEdited = (status: BusinessStatus): boolean => !['suspended', 'closed'].includes(status);

/** Strangers see a business that may hire; one that was turned away, suspended or closed is gone for them. */
export const isPublic = (status: BusinessStatus): boolean => mayHire(status);
