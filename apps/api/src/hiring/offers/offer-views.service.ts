import { type Offer, offerStatuses } from '@nearhand/contract/hiring/offers';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { holdOfOffer } from '../../money/holds/hold-views.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { BranchLimit } from '../../platform/members/job-members.ts';
import { findOffersTo, findOfferView, findUnpaidRebookings, type OfferViewRow } from './offer-views.sql.ts';
import { lookingSide, type OfferRelation, offerActionsFor } from './offers.policy.ts';

const relationOf = (row: OfferViewRow, accountId: string): OfferRelation =>
  row.worker_id === accountId ? 'worker' : row.role;

/**
 * One offer, for its worker and members of its business.
 * @throws offer/not-found for everyone else
 */
export async function getOffer(db: Db, scope: Scope, { offerId }: { offerId: string }): Promise<Offer> {
  const row = await findOfferView(db, offerId, scope.actor.accountId);
  if (!row) throw new AppError('offer/not-found');
  const offer = asOffer(scope, row);
  return offer.side === 'business' ? { ...offer, hold: await holdOfOffer(db, offerId) } : offer;
}

/**
 * The caller's offers, newest first: open, ended, or all.
 * @throws request/bad-cursor
 */
export async function myOffers(
  db: Db,
  scope: Scope,
  input: { group?: 'live' | 'ended'; cursor?: string; limit: number },
): Promise<{ items: Offer[]; nextCursor: string | null }> {
  const rows = await findOffersTo(db, scope.actor.accountId, {
    states: offerStatuses.filter(
      (status) =>
        status !== 'funding' &&
        (input.group === undefined || (status === 'sent') === (input.group === 'live')),
    ),
    after: decodeCursor(input.cursor, newestCursor),
    limit: input.limit + 1,
  });
  const page = cutPage(rows, input.limit, (row) => [row.created_at.toISOString(), row.id]);
  return { items: page.items.map((row) => asOffer(scope, row)), nextCursor: page.nextCursor };
}

/** For the rebook slice: direct offers of a business that still have to be paid, with their holds. The caller has checked access. */
export async function unpaidRebookingsOf(
  db: Db,
  scope: Scope,
  of: { businessId: string; limit: BranchLimit },
  most: number,
): Promise<Offer[]> {
  const rows = await findUnpaidRebookings(db, scope.actor.accountId, of, most);
  return Promise.all(
    rows.map(async (row) => ({ ...asOffer(scope, row), hold: await holdOfOffer(db, row.id) })),
  );
}

function asOffer(scope: Scope, row: OfferViewRow): Offer {
  const relation = relationOf(row, scope.actor.accountId);
  const side = lookingSide(relation, row.status);
  // Its worker never learns of an offer that was not paid.
  if (side === null || (side === 'worker' && row.sent_at === null)) throw new AppError('offer/not-found');
  // A withdrawn applicant keeps only a name, as in the applicant list and in interviews.
  const gone = side === 'business' && row.application_status === 'withdrawn';
  const pathOf = (fileId: string | null) => (fileId === null ? null : fileContentPath(fileId));
  return {
    id: row.id,
    version: row.version,
    side,
    status: row.status,
    source: row.source,
    applicationId: row.application_id,
    jobId: row.job_id,
    business: {
      id: row.business_id,
      name: row.business_name,
      verified: row.business_verified,
      logoPath: pathOf(row.business_logo),
    },
    worker: { id: row.worker_id, name: row.worker_name, photoPath: gone ? null : pathOf(row.worker_photo) },
    terms: row.terms,
    funding: row.funding,
    hold: null,
    message: row.message,
    sentAt: row.sent_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    reason: row.reason,
    engagementId: row.engagement_id,
    steps: row.steps,
    actions: offerActionsFor(relation, row.status, row.expires_at <= scope.clock.now()),
  };
}

/** How many offers wait for a worker's answer. */
export { countOffers } from './offer-views.sql.ts';
