import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import {
  type Offer,
  type OfferStatus,
  type offerSources,
  offerStatuses,
} from '@nearhand/contract/hiring/offers';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { relationTo } from '@nearhand/contract/people/team.rules';
import type { Step } from '@nearhand/contract/sides';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import { holdOfOffer } from '../../money/holds/holds.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Db, isoText } from '../../platform/db.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import { offerActionsFor, offerSide } from './offers.rules.ts';

type OfferViewRow = {
  id: string;
  version: number;
  applicationId: string | null;
  applicationStatus: ApplicationStatus | null;
  jobId: string;
  seriesId: string | null;
  asBlock: boolean;
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
  steps: Step<OfferStatus>[];
};

const view = (accountId: string) => sql`
  select offer.id, offer.version, offer.application_id, application.status as application_status, offer.job_id,
    job.series_id, job.as_block, offer.business_id, offer.worker_id, offer.status, offer.source,
    offer.terms, offer.funding, offer.message, offer.sent_at, offer.expires_at, offer.decided_at, offer.reason, offer.created_at,
    business.name as business_name, business.status = 'verified' as business_verified, business.logo_file_id as business_logo,
    worker.name as worker_name, profile.photo_file_id as worker_photo, engagement.id as engagement_id,
    (select role from job_members member
      where member.job_id = offer.job_id and member.account_id = ${accountId}::uuid) as role,
    (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'status', to_status, 'by', side,
      'at', ${isoText(sql`at`)}, 'reason', reason) order by at, id), '[]')
      from offer_moves where offer_id = offer.id) as steps
  from offers offer join jobs job on job.id = offer.job_id
  left join applications application on application.id = offer.application_id
  join businesses business on business.id = offer.business_id
  join accounts worker on worker.id = offer.worker_id
  left join profiles profile on profile.account_id = offer.worker_id
  left join engagements engagement on engagement.offer_id = offer.id`;

async function findOfferView(db: Db, offerId: string, accountId: string): Promise<OfferViewRow | undefined> {
  const { rows } = await sql<OfferViewRow>`${view(accountId)} where offer.id = ${offerId}`.execute(db);
  return rows[0];
}

async function findOffersTo(
  db: Db,
  workerId: string,
  page: { states: readonly OfferStatus[]; after: readonly [string, string] | null; limit: number },
): Promise<OfferViewRow[]> {
  const after = andBefore(sql`offer.created_at, offer.id`, page.after);
  const { rows } = await sql<OfferViewRow>`${view(workerId)}
    where offer.worker_id = ${workerId} and offer.status = any(${[...page.states]}) and offer.sent_at is not null ${after}
    order by offer.created_at desc, offer.id desc limit ${page.limit}`.execute(db);
  return rows;
}

/** Counts the offers that wait for a worker's answer. */
export async function countOffers(db: Db, workerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('offers')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workerId', '=', workerId)
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow();
  return count;
}

async function findUnpaidRebookings(
  db: Db,
  accountId: string,
  access: { businessId: string; limit: BranchLimit },
  limit: number,
): Promise<OfferViewRow[]> {
  const { rows } = await sql<OfferViewRow>`${view(accountId)}
    where offer.business_id = ${access.businessId} ${inBranches(sql`offer.job_id`, access.limit)}
      and offer.status = 'funding' and offer.source = 'rebook'
    order by offer.created_at desc, offer.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Returns an offer to its worker and members of its business. */
export async function getOffer(db: Db, scope: Scope, { offerId }: { offerId: string }): Promise<Offer> {
  const row = await findOfferView(db, offerId, scope.actor.accountId);
  if (!row) throw new AppError('offer/not-found');
  const offer = toOffer(scope, row);
  return offer.side === 'business' ? { ...offer, hold: await holdOfOffer(db, scope, offerId) } : offer;
}

/** Lists the caller's offers, newest first. */
export async function myOffers(
  db: Db,
  scope: Scope,
  input: { group?: 'live' | 'ended' } & PageInput,
): Promise<Page<Offer>> {
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
  return { items: page.items.map((row) => toOffer(scope, row)), nextCursor: page.nextCursor };
}

/** Returns unpaid direct offers of a business with their holds. The caller checks access. */
export async function listUnpaidRebookings(
  db: Db,
  scope: Scope,
  access: { businessId: string; limit: BranchLimit },
  limit: number,
): Promise<Offer[]> {
  const rows = await findUnpaidRebookings(db, scope.actor.accountId, access, limit);
  return Promise.all(
    rows.map(async (row) => ({ ...toOffer(scope, row), hold: await holdOfOffer(db, scope, row.id) })),
  );
}

function toOffer(scope: Scope, row: OfferViewRow): Offer {
  const relation = relationTo(row, scope.actor.accountId);
  const side = offerSide(relation, row.status);
  // Workers never see unpaid offers.
  if (side === null || (side === 'worker' && row.sentAt === null)) throw new AppError('offer/not-found');
  const isWithdrawn = side === 'business' && row.applicationStatus === 'withdrawn';
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
    worker: {
      id: row.workerId,
      name: row.workerName,
      photoPath: isWithdrawn ? null : pathOf(row.workerPhoto),
    },
    hold: null,
    sentAt: row.sentAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    actions: offerActionsFor(relation, row.status, row.expiresAt <= scope.clock.now()),
  };
}
