import type { ApplicationStatus } from '@nearhand/contract/hiring/applications';
import type { OfferStatus, offerSources } from '@nearhand/contract/hiring/offers';
import type { Funding } from '@nearhand/contract/money/funding';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Step } from '@nearhand/contract/sides';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';

/** An offer with both sides and its steps. */
export type OfferViewRow = {
  id: string;
  version: number;
  application_id: string | null;
  application_status: ApplicationStatus | null;
  job_id: string;
  business_id: string;
  worker_id: string;
  status: OfferStatus;
  source: (typeof offerSources)[number];
  terms: Terms;
  funding: Funding;
  message: string;
  sent_at: Date | null;
  expires_at: Date;
  decided_at: Date | null;
  reason: string | null;
  created_at: Date;
  business_name: string;
  business_verified: boolean;
  business_logo: string | null;
  worker_name: string;
  worker_photo: string | null;
  engagement_id: string | null;
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
export async function findOfferView(
  db: Db,
  offerId: string,
  accountId: string,
): Promise<OfferViewRow | undefined> {
  const { rows } = await sql<OfferViewRow>`${view(accountId)} where offer.id = ${offerId}`.execute(db);
  return rows[0];
}

/** The offers that were sent to a worker, newest first. */
export async function findOffersTo(
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
    .where('worker_id', '=', workerId)
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow();
  return count;
}

/** The direct offers of a business that still have to be paid, newest first. */
export async function findUnpaidRebookings(
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
