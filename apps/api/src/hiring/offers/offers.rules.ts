import { type OfferAction, type OfferStatus, offerActions } from '@nearhand/contract/hiring/offers';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';
import { type Relation, roleMay } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';

const sideOf: Record<OfferAction, Side> = { accept: 'worker', decline: 'worker', withdraw: 'business' };

/** Finance may view an offer, since it pays. The worker sees an offer once it is sent. */
export const offerSide = (relation: Relation, status: OfferStatus): Side | null => {
  if (relation === null) return null;
  if (relation !== 'worker') return 'business';
  return status === 'funding' ? null : 'worker';
};

/**
 * Returns whether this relation to the business or worker may take the action at all, whatever the offer's
 * status.
 */
export const canOffer = (relation: Relation, action: OfferAction | 'make'): boolean =>
  action === 'make' || sideOf[action] === 'business'
    ? relation !== 'worker' && roleMay(relation, 'applicants')
    : relation === 'worker';

/** The actions offered now. `over` is true once the offer has expired, even if its timer has not run yet. */
export const offerActionsFor = (relation: Relation, status: OfferStatus, over: boolean): OfferAction[] =>
  offerActions.filter((action) => {
    const next = nextOfferStatus(status, action, sideOf[action]);
    return canOffer(relation, action) && next !== null && next !== status && !(over && action === 'accept');
  });

export type OfferMoveName = OfferAction | 'send' | 'expire';

/** An offer is sent only once its hold is funded (product.md, Application). Making an offer creates the record. */
const offerMoves: readonly Move<OfferStatus, OfferMoveName>[] = [
  ['funding', 'send', 'timer', 'sent'],
  ['funding', 'withdraw', 'business', 'withdrawn'],
  ['funding', 'expire', 'timer', 'expired'],
  ['sent', 'accept', 'worker', 'accepted'],
  ['sent', 'decline', 'worker', 'declined'],
  ['sent', 'withdraw', 'business', 'withdrawn'],
  ['sent', 'expire', 'timer', 'expired'],
];

/**
 * Returns the status after a move of the state table (product.md, Offer), or null where that mover may not
 * make it.
 */
export const nextOfferStatus = (from: OfferStatus, action: OfferMoveName, mover: Mover): OfferStatus | null =>
  nextState(offerMoves, from, action, mover);
