import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { MemberRole } from '@nearhand/contract/operation';
import type { Step } from '@nearhand/contract/sides';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';
import type { EngagementRow } from './engagements.sql.ts';

/** An engagement with the names of both sides. */
export type EngagementCardRow = EngagementRow & {
  business_name: string;
  business_verified: boolean;
  business_logo_id: string | null;
  worker_name: string;
  worker_photo_id: string | null;
  claim_by: 'worker' | 'business' | 'timer' | null;
};

/** The same with the fields of the full view. */
export type EngagementViewRow = EngagementCardRow & {
  role: MemberRole | null;
  steps: Step[];
  /** Reason of the cancellation. */
  cancel_reason: string | null;
  photo_ids: string[];
  worker_phone: string | null;
  business_phone: string | null;
  /** Opening notes of the branch. */
  notes: string | null;
  /** The branch's contact person, the recruiter who made the offer, otherwise an owner. */
  ask_for: string | null;
};

const columns = sql`engagement.*, business.name as business_name, business.status = 'verified' as business_verified,
  business.logo_file_id as business_logo_id, worker.name as worker_name, profile.photo_file_id as worker_photo_id,
  (select by_side from hours_claims claim where claim.engagement_id = engagement.id order by at desc, id desc limit 1) as claim_by`;
const tables = sql`engagements engagement
  join businesses business on business.id = engagement.business_id
  join accounts worker on worker.id = engagement.worker_id
  left join profiles profile on profile.account_id = engagement.worker_id`;

/** One engagement with the account's role in its business. */
export async function findEngagementView(
  db: Db,
  engagementId: string,
  accountId: string,
): Promise<EngagementViewRow | undefined> {
  const { rows } = await sql<EngagementViewRow>`
    select ${columns},
      (select role from job_members member
        where member.job_id = engagement.job_id and member.account_id = ${accountId}::uuid) as role,
      (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'status', to_status, 'by', side,
        'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'reason', reason) order by at, id), '[]')
        from engagement_moves where engagement_id = engagement.id) as steps,
      (select reason from engagement_moves where engagement_id = engagement.id and action = 'cancel' limit 1) as cancel_reason,
      array(select file_id::text from job_photos where job_id = engagement.job_id order by position) as photo_ids,
      profile.phone as worker_phone, coalesce(branch.contact_phone, business.phone) as business_phone,
      nullif(branch.opening_notes, '') as notes,
      coalesce(nullif(branch.contact_name, ''),
        (select hirer.name from offer_moves move join business_members member
            on member.business_id = engagement.business_id and member.account_id::text = move.actor
            join accounts hirer on hirer.id = member.account_id
          where move.offer_id = engagement.offer_id and move.side = 'business' order by move.at desc limit 1),
        (select owner.name from business_members member join accounts owner on owner.id = member.account_id
          where member.business_id = engagement.business_id and member.role = 'owner' order by member.created_at limit 1)) as ask_for
    from ${tables} join jobs job on job.id = engagement.job_id left join branches branch on branch.id = job.branch_id
    where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

export type EngagementPage = {
  after: readonly [string, string] | null;
  limit: number;
  latestFirst: boolean;
};

const pageOf = ({ after, limit, latestFirst }: EngagementPage) => {
  const compare = latestFirst ? sql`<` : sql`>`;
  const direction = latestFirst ? sql`desc` : sql`asc`;
  return sql`
    ${after ? sql`and (engagement.sort_at, engagement.id) ${compare} (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``}
    order by engagement.sort_at ${direction}, engagement.id ${direction} limit ${limit}`;
};

/** A worker's engagements in these statuses. */
export async function findWorkOf(
  db: Db,
  workerId: string,
  statuses: readonly string[],
  page: EngagementPage,
): Promise<EngagementCardRow[]> {
  const { rows } = await sql<EngagementCardRow>`
    select ${columns} from ${tables}
    where engagement.worker_id = ${workerId} and engagement.status = any(${[...statuses]}) ${pageOf(page)}`.execute(
    db,
  );
  return rows;
}

export const engagementGroups = ['due', 'late', 'here', 'to_approve', 'unsettled', 'ended'] as const;
export type EngagementGroup = (typeof engagementGroups)[number];
/** A group, or `owed`: unpaid agreed pay, which cuts across groups and isn't counted. */
export type ListedGroup = EngagementGroup | 'owed';

/** The statuses of each group; only `due` and `late` also depend on the time. */
export const statusesOfGroup: Record<EngagementGroup, readonly EngagementStatus[]> = {
  due: ['booked', 'confirmed'],
  late: ['booked', 'confirmed'],
  here: ['checked_in', 'checked_out', 'in_progress'],
  to_approve: ['submitted', 'delivered'],
  unsettled: ['counter_proposed', 'changes_requested', 'disputed', 'contested'],
  ended: ['approved', 'completed', 'cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported'],
};

// Literals, so that the planner can match the partial index on live work.
const among = (statuses: readonly EngagementStatus[]): RawBuilder<boolean> =>
  sql<boolean>`engagement.status in (${sql.join(statuses.map((status) => sql.lit(status)))})`;

const isIn = (group: ListedGroup, now: Date): RawBuilder<boolean> => {
  if (group === 'owed')
    return sql<boolean>`exists (select from releases release
      where release.engagement_id = engagement.id and release.state = 'not_funded')`;
  const status = among(statusesOfGroup[group]);
  // `sort_at` of a shift is its start; bounding it too lets the index scan stop at now.
  if (group === 'late')
    return sql<boolean>`${status} and engagement.starts_at <= ${now} and engagement.sort_at <= ${now}`;
  if (group === 'due')
    return sql<boolean>`${status} and (engagement.starts_at is null or engagement.starts_at > ${now})`;
  return sql<boolean>`${status}`;
};

const liveGroups = engagementGroups.filter((group) => group !== 'ended');

export type BusinessWork = { businessId: string; jobId: string | null; limit: BranchLimit };
const workOf = ({ businessId, jobId, limit }: BusinessWork) =>
  sql`engagement.business_id = ${businessId} ${jobId === null ? sql`` : sql`and engagement.job_id = ${jobId}`}
    ${inBranches(sql`engagement.job_id`, limit)}`;

/** Engagements of a business, in one group or all. */
export async function findWorkAt(
  db: Db,
  of: BusinessWork,
  group: ListedGroup | null,
  now: Date,
  page: EngagementPage,
): Promise<EngagementCardRow[]> {
  const { rows } = await sql<EngagementCardRow>`
    select ${columns} from ${tables}
    where ${workOf(of)} ${group === null ? sql`` : sql`and ${isIn(group, now)}`} ${pageOf(page)}`.execute(db);
  return rows;
}

/** Counts per group: live work by its small partial index, ended work by an index-only scan (ADR 143). */
export async function countWorkAt(
  db: Db,
  of: BusinessWork,
  now: Date,
): Promise<Record<EngagementGroup, number>> {
  const counts = sql.join(
    liveGroups.map((group) => sql`count(*) filter (where ${isIn(group, now)})::int as ${sql.ref(group)}`),
  );
  const { rows } = await sql<Record<EngagementGroup, number>>`
    select live.*, ended.* from
      (select ${counts} from engagements engagement
        where ${workOf(of)} and ${among(liveGroups.flatMap((group) => statusesOfGroup[group]))}) live,
      (select count(*)::int as ended from engagements engagement
        where ${workOf(of)} and ${among(statusesOfGroup.ended)}) ended`.execute(db);
  return rows[0] as Record<EngagementGroup, number>;
}
