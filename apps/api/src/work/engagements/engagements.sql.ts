import { dayMs, subtractMs } from '@nearhand/contract/durations';
import { liveEngagementStatuses, workedEngagementStatuses } from '@nearhand/contract/engagement-statuses';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Mover } from '@nearhand/contract/moves';
import { type Capability, rolesFor } from '@nearhand/contract/people/team.rules';
import type { SpotProblem } from '@nearhand/contract/talk/topics/notice-facts';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { Terms } from '@nearhand/contract/work/terms';
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { HoldOwner } from '../../money/hooks.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { keptPlan, literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Engagements } from '../../platform/tables.gen.ts';

/** SQLSTATE of an exclusion constraint violation. */
const exclusionViolation = '23P01';

export type EngagementRow = Omit<Selectable<Engagements>, 'terms'> & { terms: Terms };

/** Locks booked work and reads the role of `accountId` in its business; null for the platform. */
export async function lockEngagement(
  tx: Tx,
  engagementId: string,
  accountId: string | null,
): Promise<(EngagementRow & { role: MemberRole | null }) | undefined> {
  const { rows } = await sql<EngagementRow & { role: MemberRole | null }>`
    select engagement.*, (select role from job_members member
      where member.job_id = engagement.job_id and member.account_id = ${accountId}::uuid) as role
    from engagements engagement where engagement.id = ${engagementId} for update of engagement`.execute(tx);
  return rows[0];
}

/** Updates an engagement; returns false if its version changed in the meantime. */
export async function updateEngagement(
  tx: Tx,
  row: Pick<EngagementRow, 'id' | 'status' | 'version'>,
  changes: Updateable<Engagements>,
): Promise<boolean> {
  const updated = await tx
    .updateTable('engagements')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('status', '=', row.status)
    .where('version', '=', row.version)
    .returning(['id', 'workerId', 'businessId', 'jobId'])
    .executeTakeFirst();
  emitRecord(tx, 'engagement', updated);
  return updated !== undefined;
}

/** True if a cancelled booking of the job frees a spot of an instant hire, whose money is set aside at once (ADR 75). */
export async function isSetAsideAgain(db: Db, jobId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', jobId)
    .where('instantHire', '=', true)
    .where('status', 'in', ['open', 'filled'])
    .where((where) => where.or([where('startsAt', 'is', null), where('startsAt', '>', now)]))
    .executeTakeFirst();
  return row !== undefined;
}

type Next = NonNullable<Engagement['next']>;

/** The next automatic step as columns; null clears it. `amountMinor`: what silence settles. */
export const nextStep = (next: { kind: Next['kind']; at: Date; amountMinor?: number } | null) => ({
  nextWhat: next?.kind ?? null,
  nextAt: next?.at ?? null,
  nextMinor: next?.amountMinor ?? null,
});

export async function updateNext(
  tx: Tx,
  engagementId: string,
  next: { kind: Next['kind']; at: Date; amountMinor?: number },
): Promise<void> {
  const updated = await tx
    .updateTable('engagements')
    .set(nextStep(next))
    .where('id', '=', engagementId)
    .returning(['id', 'workerId', 'businessId', 'jobId'])
    .executeTakeFirst();
  emitRecord(tx, 'engagement', updated);
}

/** Does not change the version, because funding is not a move. */
export async function updateEngagementFunding(
  tx: Tx,
  { engagementId }: HoldOwner,
  funding: Funding,
): Promise<void> {
  if (engagementId === null) return;
  const updated = await tx
    .updateTable('engagements')
    .set({ funding })
    .where('id', '=', engagementId)
    .returning(['id', 'workerId', 'businessId', 'jobId'])
    .executeTakeFirst();
  emitRecord(tx, 'engagement', updated);
}

export async function insertEngagementMove(
  tx: Tx,
  move: {
    id: string;
    engagementId: string;
    actor: string;
    side: Mover;
    action: string;
    fromStatus: string | null;
    toStatus: string;
    reason: string | null;
    at: Date;
  },
): Promise<void> {
  await tx.insertInto('engagement_moves').values(move).execute();
}

/**
 * Runs a write that books a worker's time. The per-worker lock makes overlapping bookings fail on the constraint
 * instead of deadlocking.
 */
export async function takeTime(
  tx: Tx,
  workerId: string,
  write: () => Promise<unknown>,
): Promise<'booked' | 'overlap'> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`engagements/${workerId}`}, 0))`.execute(tx);
  await sql`savepoint booking`.execute(tx);
  try {
    await write();
  } catch (error) {
    if ((error as { code?: string }).code !== exclusionViolation) throw error;
    await sql`rollback to savepoint booking`.execute(tx);
    return 'overlap';
  }
  await sql`release savepoint booking`.execute(tx);
  return 'booked';
}

/** Books work, or returns `overlap` if the worker has other work at that time: the database decides. */
export async function insertEngagement(tx: Tx, row: Insertable<Engagements>): Promise<'booked' | 'overlap'> {
  const insert = () => tx.insertInto('engagements').values(row).execute();
  const outcome = await takeTime(tx, row.workerId, insert);
  if (outcome === 'booked') emitRecord(tx, 'engagement', row);
  return outcome;
}

type OverlappingRow = { id: string; title: string; startsAt: Date; endsAt: Date };

/** Cancelled, no-show and contested work leaves the worker's time free (ADR 41), as in the constraint of its table. */
export const takesTime = (engagement: string) =>
  sql`${sql.ref(`${engagement}.contest`)} is null and ${sql.ref(`${engagement}.status`)} not in
    ('cancelled_by_worker', 'cancelled_by_merchant', 'given_away', 'no_show_reported', 'contested')`;

const worked = sql`(${literals(workedEngagementStatuses)})`;

/** Returns whether the work was done, as a condition. */
export const wasWorked = (engagement: string) => sql`${sql.ref(`${engagement}.status`)} in ${worked}`;

/** The number of times that a worker has worked for a business, as a column. Index: `engagements_together`. */
export const timesWorked = (workerId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) =>
  sql<number>`(select count(*)::int from engagements done
    where done.worker_id = ${workerId} and done.business_id = ${businessId} and ${wasWorked('done')})`;

/**
 * The minutes that a worker is booked for by a business in the week, Monday to Sunday by the clock of a place, in which
 * a shift starts, as a column. Index: `engagements_no_overlap`.
 */
export const weekMinutes = ({
  worker,
  business,
  startsAt,
  timeZone,
}: Record<'worker' | 'business' | 'startsAt' | 'timeZone', RawBuilder<unknown>>) => {
  const monday = sql`date_trunc('week', ${startsAt} at time zone ${timeZone})`;
  const from = sql`(${monday} at time zone ${timeZone})`;
  const to = sql`((${monday} + interval '7 days') at time zone ${timeZone})`;
  return sql<number>`(select coalesce(sum(extract(epoch from booked.ends_at - booked.starts_at) / 60), 0)::int
    from engagements booked where booked.worker_id = ${worker} and booked.business_id = ${business} and ${takesTime('booked')}
      and booked.starts_at >= ${from} and booked.starts_at < ${to}
      and tstzrange(booked.starts_at, booked.ends_at) && tstzrange(${from}, ${to}))`;
};

/** A business is warned for this long before it hires someone again whose no-show it reported. */
const missedDoubtDays = 90;

/**
 * The start of the last shift that a worker missed at a business lately, as it reported, as a column. Index:
 * `engagements_reliability`.
 */
export const lastMissed = (workerId: RawBuilder<unknown>, businessId: RawBuilder<unknown>, now: Date) =>
  sql<Date | null>`(select max(missed.starts_at) from engagements missed
    where missed.worker_id = ${workerId} and missed.business_id = ${businessId}
      and missed.status = 'no_show_reported' and missed.no_show_at >= ${subtractMs(now, missedDoubtDays * dayMs)})`;

const bookingsDuring = (workerId: string, span: RawBuilder<unknown>) => sql<OverlappingRow>`${keptPlan}
  select id, terms->>'title' as title, starts_at, ends_at from engagements
  where worker_id = ${workerId} and starts_at is not null and ends_at is not null
    and tstzrange(starts_at, ends_at) && ${span}
    and ${takesTime('engagements')}
  order by starts_at, id`;

export async function findOverlapping(
  db: Db,
  workerId: string,
  startsAt: Date,
  endsAt: Date,
): Promise<OverlappingRow[]> {
  const { rows } = await bookingsDuring(workerId, sql`tstzrange(${startsAt}, ${endsAt})`).execute(db);
  return rows;
}

export async function findOverlappingJob(db: Db, workerId: string, jobId: string): Promise<OverlappingRow[]> {
  const hours = sql`(select tstzrange(job.starts_at, job.ends_at) from jobs job
    where job.id = ${jobId} and job.starts_at is not null and job.ends_at is not null)`;
  const { rows } = await bookingsDuring(workerId, hours).execute(db);
  return rows;
}

/** `members` see the job, and their role has the capability. */
export async function findEngagementFacts(db: Db, engagementId: string, capability: Capability) {
  const { rows } = await sql<{
    workerId: string;
    workerName: string;
    jobTitle: string;
    businessName: string;
    timeZone: string;
    startsAt: Date | null;
    endsAt: Date | null;
    members: string[];
  }>`
    select engagement.worker_id, worker.name as worker_name, engagement.terms->>'title' as job_title, business.name as business_name,
      engagement.terms->>'timeZone' as time_zone, engagement.starts_at, engagement.ends_at,
      array(select account_id from job_members member where member.job_id = engagement.job_id
        and member.role in (${literals(rolesFor(capability))}) order by account_id) as members
    from engagements engagement join accounts worker on worker.id = engagement.worker_id
      join businesses business on business.id = engagement.business_id
    where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

/** Locks the job of an engagement that the account, or a timer without one, takes part in and returns its id. */
export async function lockJobOf(
  tx: Tx,
  engagementId: string,
  accountId: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ jobId: string }>`
    select job.id as job_id from engagements engagement join jobs job on job.id = engagement.job_id
    where engagement.id = ${engagementId} and (${accountId}::uuid is null or engagement.worker_id = ${accountId} or exists (
      select 1 from job_members member where member.job_id = engagement.job_id and member.account_id = ${accountId}))
    for no key update of job`.execute(tx);
  return rows[0]?.jobId;
}

/**
 * Returns why nobody can apply for a spot that became free: `over` if the job has started or ended. Undefined
 * in two cases: workers can apply, or a search for a replacement hides the job and asks workers itself (ADR 385).
 */
export async function spotProblemOf(tx: Tx, jobId: string, now: Date): Promise<SpotProblem | undefined> {
  const { rows } = await sql<{
    status: string;
    hasStarted: boolean;
    isOffered: boolean;
    isSearched: boolean;
  }>`
    select status, coalesce(starts_at <= ${now}, false) as has_started,
      head_count - hired_count - offered_count <= 0 as is_offered,
      exists (select from replacements where job_id = job.id and hidden) as is_searched
    from jobs job where id = ${jobId}`.execute(tx);
  const [job] = rows;
  if (!job || job.hasStarted) return 'over';
  if (job.isOffered && (job.status === 'open' || job.status === 'paused')) return 'offered';
  if (job.status === 'open' || (job.status === 'paused' && job.isSearched)) return undefined;
  if (job.status === 'paused') return 'hidden';
  return job.status === 'in_review' ? 'in-review' : 'over';
}

/** Returns whether the worker took the shift over from a colleague (ADR 385). */
export async function isTakenOver(
  db: Db,
  { jobId, workerId }: Pick<EngagementRow, 'jobId' | 'workerId'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from giveaways where taker_id = ${workerId} and job_id = ${jobId} and status = 'done' limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns who submitted the current hours; null if nobody did. */
export async function findClaimBy(
  db: Db,
  engagementId: string,
): Promise<'worker' | 'business' | 'timer' | null> {
  const { rows } = await sql<{ bySide: 'worker' | 'business' | 'timer' }>`
    select by_side from hours_claims where engagement_id = ${engagementId} order by at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0]?.bySide ?? null;
}

const unfinishedMax = 1_000;

/** Counts a worker's unsettled work, and the disputed part of it; at most 1,000 in total. */
export async function countUnfinished(db: Db, workerId: string): Promise<{ work: number; disputes: number }> {
  const { rows } = await sql<{ work: number; disputes: number }>`
    select count(*) filter (where status <> 'disputed') as work, count(*) filter (where status = 'disputed') as disputes
    from (select status from engagements
      where worker_id = ${workerId} and status in (${sql.join(liveEngagementStatuses)}) limit ${unfinishedMax}) live`.execute(
    db,
  );
  return rows[0] ?? { work: 0, disputes: 0 };
}

/** Erases what a removed account wrote about work. */
export async function eraseEngagements(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update engagements set contest = ${withoutWords('contest', member)}
    where contest is not null and worker_id = ${member.accountId}`.execute(tx);
  await sql`update engagements set late_note = ${withoutWords('late_note', member)}
    where late_note is not null and worker_id = ${member.accountId}`.execute(tx);
  await sql`update days_off set reason = ${withoutWords('reason', member)}
    where worker_id = ${member.accountId}`.execute(tx);
  await sql`update engagement_moves set reason = ${withoutWords('reason', member)}
    where reason is not null and engagement_id in (select id from engagements where worker_id = ${member.accountId})`.execute(
    tx,
  );
}

/** True if the worker of an engagement is also booked for other dates of its series, or worked them. */
export const hasOtherDays = (engagement: RawBuilder<unknown>) => sql<boolean>`exists (
  select from jobs own_job join jobs shift on shift.series_id = own_job.series_id and shift.id <> own_job.id
    join engagements other on other.job_id = shift.id and other.worker_id = ${engagement}.worker_id and ${takesTime('other')}
  where own_job.id = ${engagement}.job_id)`;
