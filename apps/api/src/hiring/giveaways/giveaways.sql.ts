import { upcomingEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import { undecidedApplicationStatuses } from '@nearhand/contract/hiring/applications.rules';
import {
  type GiveawayAudience,
  type GiveawayStatus,
  liveGiveawayStatuses,
} from '@nearhand/contract/hiring/giveaways';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { GiveawayMode } from '@nearhand/contract/people/branches.rules';
import type { Terms } from '@nearhand/contract/work/terms';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Giveaways } from '../../platform/tables.gen.ts';
import { lastMissed, takesTime, wasWorked } from '../../work/engagements/engagements.sql.ts';

export type GiveawayRow = Selectable<Giveaways>;

export type GiveawayView = GiveawayRow & {
  terms: Terms;
  businessName: string;
  giverName: string;
  takerName: string | null;
  colleagueName: string | null;
  takenEngagementId: string | null;
  /** The shift that the colleague gives in exchange, and the giver's booking of it once done. */
  swapTerms: Terms | null;
  swappedEngagementId: string | null;
  role: MemberRole | null;
};

/** The giveaway with this id, or the latest of an engagement. */
export async function findGiveaway(
  db: Db,
  filter: { giveawayId: string } | { engagementId: string },
  accountId: string | null,
): Promise<GiveawayView | undefined> {
  const where =
    'giveawayId' in filter
      ? sql`giveaway.id = ${filter.giveawayId}`
      : sql`giveaway.engagement_id = ${filter.engagementId}`;
  const { rows } = await sql<GiveawayView>`
    select giveaway.*, engagement.terms, business.name as business_name, giver.name as giver_name, taker.name as taker_name,
      (select role from job_members member
        where member.job_id = giveaway.job_id and member.account_id = ${accountId}::uuid) as role,
      (select taken.id from engagements taken where giveaway.status = 'done'
        and taken.job_id = giveaway.job_id and taken.worker_id = giveaway.taker_id order by taken.created_at desc
          limit 1) as taken_engagement_id,
      colleague.name as colleague_name, swap.terms as swap_terms,
      (select taken.id from engagements taken where giveaway.status = 'done'
        and taken.job_id = swap.job_id and taken.worker_id = giveaway.worker_id order by taken.created_at desc
          limit 1) as swapped_engagement_id
    from giveaways giveaway
    join engagements engagement on engagement.id = giveaway.engagement_id
    join businesses business on business.id = giveaway.business_id
    join accounts giver on giver.id = giveaway.worker_id
    left join accounts taker on taker.id = giveaway.taker_id
    left join accounts colleague on colleague.id = giveaway.colleague_id
    left join engagements swap on swap.id = giveaway.swap_engagement_id
    where ${where} order by giveaway.created_at desc, giveaway.id desc limit 1`.execute(db);
  return rows[0];
}

export async function lockGiveaway(
  tx: Tx,
  filter: { giveawayId: string } | { engagementId: string },
): Promise<GiveawayRow | undefined> {
  const where =
    'giveawayId' in filter
      ? sql`id = ${filter.giveawayId}`
      : sql`engagement_id = ${filter.engagementId} and status in (${literals(liveGiveawayStatuses)})`;
  const { rows } = await sql<GiveawayRow>`select * from giveaways where ${where} for update`.execute(tx);
  return rows[0];
}

/** Locks the live giveaways that an account offered, was offered by name, or took and is not yet approved for. */
export async function lockGiveawaysOf(tx: Tx, accountId: string): Promise<GiveawayRow[]> {
  const { rows } = await sql<GiveawayRow>`
    select * from giveaways where ${accountId} in (worker_id, taker_id, colleague_id) and status in (${literals(liveGiveawayStatuses)})
    order by id for update`.execute(tx);
  return rows;
}

/** Locks the live giveaways of a booked shift, and those that name it in exchange. */
export async function lockGiveawaysOfWork(tx: Tx, engagementId: string): Promise<GiveawayRow[]> {
  const { rows } = await sql<GiveawayRow>`
    select * from giveaways where (engagement_id = ${engagementId} or swap_engagement_id = ${engagementId})
      and status in (${literals(liveGiveawayStatuses)}) order by id for update`.execute(tx);
  return rows;
}

export async function countGiveaways(db: Db, engagementId: string): Promise<number> {
  const { count } = await db
    .selectFrom('giveaways')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('engagementId', '=', engagementId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Screens read giveaways with the booked work. */
function emitGiveaway(tx: Tx, row: GiveawayRow): void {
  const { engagementId: id, jobId, businessId, workerId, takerId, colleagueId } = row;
  emitRecord(tx, 'engagement', { id, jobId, businessId, workerId });
  for (const accountId of new Set([takerId, colleagueId]))
    if (accountId !== null) emitRecord(tx, 'engagement', { id, jobId, workerId: accountId });
}

/** Stores a giveaway with its first move and publishes it. */
export async function insertGiveaway(tx: Tx, row: GiveawayRow): Promise<void> {
  await tx.insertInto('giveaways').values(row).execute();
  await insertMove(tx, row, { actor: row.workerId, action: 'offer', fromStatus: null, at: row.createdAt });
  emitGiveaway(tx, row);
}

/** Writes and logs a move of a locked giveaway. */
export async function updateGiveaway(
  tx: Tx,
  row: GiveawayRow,
  move: { actor: string; action: string; to: GiveawayStatus; takerId: string | null; at: Date },
): Promise<GiveawayRow> {
  const after = await tx
    .updateTable('giveaways')
    .set({ status: move.to, takerId: move.takerId, updatedAt: move.at, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertMove(tx, after, { ...move, fromStatus: row.status });
  // A taker who stepped back or was refused has to see it too.
  emitGiveaway(tx, { ...after, takerId: after.takerId ?? row.takerId });
  return after;
}

async function insertMove(
  tx: Tx,
  row: GiveawayRow,
  {
    actor,
    action,
    fromStatus,
    at,
  }: { actor: string; action: string; fromStatus: GiveawayStatus | null; at: Date },
): Promise<void> {
  await tx
    .insertInto('giveaway_moves')
    .values({ id: newId(at), giveawayId: row.id, actor, action, fromStatus, toStatus: row.status, at })
    .execute();
}

/** The full names of accounts. */
export async function findNames(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', accountIds).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findEngagementJob(db: Db, engagementId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('engagements')
    .select('jobId')
    .where('id', '=', engagementId)
    .executeTakeFirst();
  return row?.jobId;
}

/** The rule of the job's branch; a job without a branch has the default. */
export async function findGiveawayMode(db: Db, jobId: string): Promise<GiveawayMode> {
  const { rows } = await sql<{ mode: GiveawayMode }>`
    select coalesce(branch.giveaways, 'approval') as mode
    from jobs job left join branches branch on branch.id = job.branch_id where job.id = ${jobId}`.execute(db);
  return rows[0]?.mode ?? 'approval';
}

export type GiveawayShift = {
  jobId: string;
  businessId: string;
  /** Null for a shift that nobody gives away. */
  workerId: string | null;
  startsAt: Date;
  endsAt: Date;
};

const takerMax = { recentWork: 2_000, listed: hiringLimits.colleaguesMax };

export type TakerFilter = {
  workerId?: string;
  anyTime?: boolean;
  exceptId?: string | null;
  pooled?: boolean;
  forOffers?: boolean;
};

/**
 * The accounts that may take a shift, at most 50: people who worked there most recently first, or the
 * waitlist in its order. Colleagues did the same kind of work for the business or, unless one is named, are in its
 * pools, and have the job's skills. Members, blocked, suspended and leaving people are excluded.
 * @param options `workerId` asks about one account; `anyTime` includes those who are booked then or have
 * applied before; `exceptId` is booked work that ends with it; `pooled` leaves only people in the business's pools;
 * `forOffers`, for offers that nobody reviews first, leaves out everyone with an application or offer for this job, a withdrawn one too,
 * and those whose no-show the business reported lately
 */
export async function findTakers(
  db: Db,
  shift: GiveawayShift,
  audience: GiveawayAudience,
  now: Date,
  options: TakerFilter = {},
): Promise<string[]> {
  const { jobId, businessId, workerId: giverId, startsAt, endsAt } = shift;
  const worked = sql`(select worker_id, sort_at as last from engagements
            where business_id = ${businessId} and ${wasWorked('engagements')}
              and terms ->> 'category' = (select category from jobs where id = ${jobId})
            order by sort_at desc, id desc limit ${takerMax.recentWork})`;
  const pooled = sql`(select worker_id, added_at from pool_workers where business_id = ${businessId}
            order by added_at desc limit ${takerMax.recentWork})`;
  const people =
    audience === 'waitlist'
      ? sql`select worker_id, waitlisted_at as last from applications
          where job_id = ${jobId} and waitlisted_at is not null and status = 'position_filled'`
      : sql`select worker_id, max(last) as last from (
          ${worked} ${audience === 'colleague' ? sql`` : sql`union all ${pooled}`}) known
        group by worker_id`;
  const span = sql`tstzrange(${startsAt}::timestamptz, ${endsAt}::timestamptz)`;
  const { rows } = await sql<{ id: string }>`
    select worker.id from (${people}) person
    join accounts worker on worker.id = person.worker_id
    where worker.id is distinct from ${giverId}::uuid and worker.disabled_at is null and worker.email_verified and not ${isLeavingOrGone(sql`worker.id`)}
      ${options.workerId ? sql`and worker.id = ${options.workerId}` : sql``}
      ${audience === 'waitlist' ? sql`` : sql`and ${hasSkillsOf(sql`worker.id`, sql`${jobId}::uuid`)}`}
      and not exists (select from business_members where business_id = ${businessId} and account_id = worker.id)
      and not exists (select from chat_blocks where worker_id = worker.id and business_id = ${businessId})
      and not exists (select from sanctions where sanctions.account_id = worker.id and scope in ('applying', 'everything')
        and ended_at is null and (ends_at is null or ends_at > ${now}))
      ${options.pooled ? sql`and exists (select from pool_workers where business_id = ${businessId} and worker_id = worker.id)` : sql``}
      ${options.forOffers ? sql`and ${wasNeverAsked(sql`worker.id`, sql`${jobId}::uuid`)} and ${lastMissed(sql`worker.id`, sql`${businessId}::uuid`, now)} is null` : sql``}
      ${options.anyTime ? sql`` : sql`and ${isFree(sql`worker.id`, sql`${jobId}::uuid`, span, options.exceptId ?? null)}`}
    order by person.last ${audience === 'waitlist' ? sql`` : sql`desc`}, worker.id limit ${takerMax.listed}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export type SwapRow = {
  engagementId: string;
  jobId: string;
  workerId: string;
  giveaways: GiveawayMode;
  terms: Terms;
};

/**
 * Finds colleagues' booked shifts that the giver of a shift may take in exchange, soonest first: funded, at the same
 * business, for skills that the giver has, and at a time when they are free without the shift they give.
 */
export async function findSwapShifts(
  db: Db,
  giver: { engagementId: string; shift: GiveawayShift },
  filter: { workerIds: readonly string[]; engagementId?: string | null },
  now: Date,
): Promise<SwapRow[]> {
  const { businessId, jobId, workerId } = giver.shift;
  const worker = sql`${workerId}::uuid`;
  const { rows } = await sql<SwapRow>`
    select work.id as engagement_id, work.job_id, work.worker_id, work.terms, coalesce(branch.giveaways, 'approval') as giveaways
    from engagements work join jobs job on job.id = work.job_id left join branches branch on branch.id = job.branch_id
    where work.business_id = ${businessId} and work.worker_id = any(${[...filter.workerIds]}::uuid[]) and work.job_id <> ${jobId}
      and work.kind = 'shift' and work.status in (${literals(upcomingEngagementStatuses)}) and work.funding in ('funded', 'planned') and work.starts_at > ${now}
      and job.status <> 'suspended' and coalesce(branch.giveaways, 'approval') <> 'off'
      ${filter.engagementId ? sql`and work.id = ${filter.engagementId}` : sql``}
      and ${hasSkillsOf(worker, sql`work.job_id`)}
      and ${isFree(worker, sql`work.job_id`, sql`tstzrange(work.starts_at, work.ends_at)`, giver.engagementId)}
    order by work.starts_at, work.id limit ${hiringLimits.colleaguesMax * hiringLimits.swapShiftsMax}`.execute(
    db,
  );
  return rows;
}

/** Is neither booked during a span, apart from `exceptId`, nor decided about for the job before. */
const isFree = (
  worker: RawBuilder<unknown>,
  job: RawBuilder<unknown>,
  span: RawBuilder<unknown>,
  exceptId: string | null,
) => sql`not exists (select from engagements booked where booked.worker_id = ${worker} and booked.starts_at is not null
      and booked.id is distinct from ${exceptId}::uuid
      and tstzrange(booked.starts_at, booked.ends_at) && ${span} and ${takesTime('booked')})
    and not exists (select from applications where job_id = ${job} and worker_id = ${worker}
      and status not in (${literals(undecidedApplicationStatuses)}, 'withdrawn', 'position_filled'))`;

const wasNeverAsked = (
  worker: RawBuilder<unknown>,
  job: RawBuilder<unknown>,
) => sql`not exists (select from applications where job_id = ${job} and worker_id = ${worker})
    and not exists (select from offers where job_id = ${job} and worker_id = ${worker})`;

const hasSkillsOf = (worker: RawBuilder<unknown>, job: RawBuilder<unknown>) => sql`not exists (
  select from jobs wanted_job, unnest(wanted_job.skills) wanted where wanted_job.id = ${job}
    and not coalesce((select skills from profiles where account_id = ${worker}), '[]')
      @> jsonb_build_array(jsonb_build_object('skill', wanted)))`;

/** Locks the application that a taker has for the job, if it is one that an offer can use. */
export async function lockTakerApplication(
  tx: Tx,
  jobId: string,
  workerId: string,
): Promise<{ id: string; status: string } | undefined> {
  const { rows } = await sql<{ id: string; status: string }>`
    select id, status from applications where job_id = ${jobId} and worker_id = ${workerId} and status <> 'withdrawn' for update`.execute(
    tx,
  );
  return rows[0];
}
