import type { OfferAction, OfferStatus } from '@nearhand/contract/hiring/offers';
import { offerActions } from '@nearhand/contract/hiring/offers';
import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';
import type { Side } from '@nearhand/contract/sides';
import { nextOfferStatus } from './offers.rules.ts';

/** The caller's relation to an offer: its worker, a member of its business by role, or none. */
export type OfferRelation = 'worker' | MemberRole | null;

/** Which side makes each move. */
const sideOf: Record<OfferAction, Side> = { accept: 'worker', decline: 'worker', withdraw: 'business' };

/** The side from which someone may view: finance too, who pays it. The worker sees an offer once it is sent. */
export const lookingSide = (relation: OfferRelation, status: OfferStatus): Side | null =>
  relation === null ? null : relation !== 'worker' ? 'business' : status === 'funding' ? null : 'worker';

/** Whether this person may do this at all, whatever the status. */
export const canOffer = (relation: OfferRelation, action: OfferAction | 'make'): boolean =>
  action === 'make' || sideOf[action] === 'business'
    ? relation !== 'worker' && roleMay(relation, 'applicants')
    : relation === 'worker';

/** What this person can do with it now; an expired offer can't be answered, even before its timer runs. */
export const offerActionsFor = (relation: OfferRelation, status: OfferStatus, over: boolean): OfferAction[] =>
  offerActions.filter((action) => {
    const next = nextOfferStatus(status, action, sideOf[action] === 'worker' ? 'W' : 'M');
    return canOffer(relation, action) && next !== null && next !== status && !(over && action === 'accept');
  });
