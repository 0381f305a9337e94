import type { OfferAction, OfferStatus } from '@nearhand/contract/hiring/offers';
import { type Move, type Mover, nextState } from '@nearhand/contract/moves';

export type OfferMoveName = OfferAction | 'send' | 'expire';

/** The states of an offer (product.md, Application: an offer is sent only once its hold is funded). Making has no row: it creates the record. */
export const offerMoves: readonly Move<OfferStatus, OfferMoveName>[] = [
  ['funding', 'send', 'T', 'sent'],
  ['funding', 'withdraw', 'M', 'withdrawn'],
  ['funding', 'expire', 'T', 'expired'],
  ['sent', 'accept', 'W', 'accepted'],
  ['sent', 'decline', 'W', 'declined'],
  ['sent', 'withdraw', 'M', 'withdrawn'],
  ['sent', 'expire', 'T', 'expired'],
];

export const nextOfferStatus = (from: OfferStatus, action: OfferMoveName, who: Mover): OfferStatus | null =>
  nextState(offerMoves, from, action, who);
