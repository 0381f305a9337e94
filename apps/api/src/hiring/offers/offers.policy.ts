import type { OfferAction, OfferStatus } from '@nearhand/contract/hiring/offers';
import { offerActions } from '@nearhand/contract/hiring/offers';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Side } from '@nearhand/contract/sides';
import { nextOfferStatus } from './offers.rules.ts';

/** How the caller stands to an offer: its worker, a member of its business by role, or nobody who may know of it. */
export type OfferRelation = 'worker' | MemberRole | null;

/** Which side each move is for. */
const sideOf: Record<OfferAction, Side> = { accept: 'worker', decline: 'worker', withdraw: 'business' };

/** The side from which somebody may look: finance too, who will pay it. The worker is told of an offer once it is sent. */
export const lookingSide = (relation: OfferRelation, status: OfferStatus): Side | null =>
  relation === null ? null : relation !== 'worker' ? 'business' : status === 'funding' ? null : 'worker';

/** Whether this person may do this at all, whatever the state. */
export const canOffer = (relation: OfferRelation, action: OfferAction | 'make'): boolean =>
  action === 'make' || sideOf[action] === 'business'
    ? relation !== null && relation !== 'worker' && relation !== 'finance'
    : relation === 'worker';

/** What this person can do with it now; an offer that ran out can no longer be answered, though its timer may come a moment later. */
export const offerActionsFor = (relation: OfferRelation, status: OfferStatus, over: boolean): OfferAction[] =>
  offerActions.filter((action) => {
    const next = nextOfferStatus(status, action, sideOf[action] === 'worker' ? 'W' : 'M');
    return canOffer(relation, action) && next !== null && next !== status && !(over && action === 'accept');
  });
