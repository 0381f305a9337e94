import type { ApplicationStatus } from '@nearhand/contract/hiring/applications';
import {
  type Offer,
  type OfferStatus,
  type offerSources,
  offerStatuses,
} from '@nearhand/contract/hiring/offers';
import type { Funding } from '@nearhand/contract/money/funding';
import type { MemberRole } from '@nearhand/contract/operation';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import type { Step } from '@nearhand/contract/sides';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { holdOfOffer } from '../../money/holds/hold-checkout.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { lookingSide, type OfferRelation, offerActionsFor } from './offer-lines.ts';

/** An offer with both sides and its steps. */
type OfferViewRow = {
  id: string;
  version: number;
  applicationId: string | null;
  applicationStatus: ApplicationStatus | null;
  jobId: string;
  businessId: string;
  workerId: string;
  status: OfferStatus;
  source: (typeof offerSources)[number];
  terms: Terms;
  funding: Funding;
  message: string;
  sentAt: Date | null;
  expiresAt: Date;
  decidedAt: Date | null;
  reason: string | null;
  createdAt: Date;
  businessName: string;
  businessVerified: boolean;
  businessLogo: string | null;
  workerName: string;
  workerPhoto: string | null;
  engagementId: string | null;
  role: MemberRole | null;
  steps: Step[];
};

const view = (accountId: string) => sql`
  select offer.id, offer.version, offer.application_id, application.status as application_status, offer.job_id, offer.business_id, offer.worker_id, offer.status, offer.source,
    offer.terms, offer.funding, offer.message, offer.sent_at, offer.expires_at, offer.decided_at, offer.reason, offer.created_at,
    business.name as business_name, business.status = 'verified' as business_verified, business.logo_file_id as business_logo,
    worker.name as worker_name, profile.photo_file_id as worker_photo, engagement.id as engagement_id,
    (select role from job_members member
      where member.job_id = offer.job_id and member.account_id = ${accountId}::uuid) as role,
    (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'status', to_status, 'by', side,
      'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', reason) order by at, id), '[]')
      from offer_moves where offer_id = offer.id) as steps
  from offers offer
  left join applications application on application.id = offer.application_id
  join businesses business on business.id = offer.business_id
  join accounts worker on worker.id = offer.worker_id
  left join profiles profile on profile.account_id = offer.worker_id
  left join engagements engagement on engagement.offer_id = offer.id`;

/** One offer, and an account's role in its business. */
async function findOfferView(db: Db, offerId: string, accountId: string): Promise<OfferViewRow | undefined> {
  const { rows } = await sql<OfferViewRow>`${view(accountId)} where offer.id = ${offerId}`.execute(db);
  return rows[0];
}

/** The offers that were sent to a worker, newest first. */
async function findOffersTo(
  db: Db,
  workerId: string,
  page: { states: readonly OfferStatus[]; after: readonly [string, string] | null; limit: number },
): Promise<OfferViewRow[]> {
  const after = page.after
    ? sql`and (offer.created_at, offer.id) < (${page.after[0]}::timestamptz, ${page.after[1]}::uuid)`
    : sql``;
  const { rows } = await sql<OfferViewRow>`${view(workerId)}
    where offer.worker_id = ${workerId} and offer.status = any(${[...page.states]}) and offer.sent_at is not null ${after}
    order by offer.created_at desc, offer.id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** How many offers wait for a worker's answer. */
export async function countOffers(db: Db, workerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('offers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workerId', '=', workerId)
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow();
  return count;
}

/** The direct offers of a business that still have to be paid, newest first. */
async function findUnpaidRebookings(
  db: Db,
  accountId: string,
  of: { businessId: string; limit: BranchLimit },
  most: number,
): Promise<OfferViewRow[]> {
  const { rows } = await sql<OfferViewRow>`${view(accountId)}
    where offer.business_id = ${of.businessId} ${inBranches(sql`offer.job_id`, of.limit)} and offer.status = 'funding' and offer.source = 'rebook'
    order by offer.created_at desc, offer.id desc limit ${most}`.execute(db);
  return rows;
}

const relationOf = (row: OfferViewRow, accountId: string): OfferRelation =>
  row.workerId === accountId ? 'worker' : row.role;

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
  const page = cutPage(rows, input.limit, (row) => [row.createdAt.toISOString(), row.id]);
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
  if (side === null || (side === 'worker' && row.sentAt === null)) throw new AppError('offer/not-found');
  // A withdrawn applicant keeps only a name, as in the applicant list and in interviews.
  const gone = side === 'business' && row.applicationStatus === 'withdrawn';
  const pathOf = (fileId: string | null) => (fileId === null ? null : fileContentPath(fileId));
  return {
    ...row,
    side,
    business: {
      id: row.businessId,
      name: row.businessName,
      verified: row.businessVerified,
      logoPath: pathOf(row.businessLogo),
    },
    worker: { id: row.workerId, name: row.workerName, photoPath: gone ? null : pathOf(row.workerPhoto) },
    hold: null,
    sentAt: row.sentAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    actions: offerActionsFor(relation, row.status, row.expiresAt <= scope.clock.now()),
  };
}

/** How many offers wait for a worker's answer. */
