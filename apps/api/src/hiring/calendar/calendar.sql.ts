import type { EngagementStatus } from '@nearhand/contract/engagement-statuses';
import type { InterviewStatus } from '@nearhand/contract/hiring/interviews';
import { longestShiftMinutes } from '@nearhand/contract/hiring/jobs.rules';
import type { Availability } from '@nearhand/contract/people/profiles';
import type { Side } from '@nearhand/contract/sides';
import type { Terms } from '@nearhand/contract/work/terms';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import { emitRecord } from '../../platform/emit-records.ts';
import { recruiters } from '../../platform/members/recruiters.ts';

export type WorkRow = {
  id: string;
  version: number;
  status: EngagementStatus;
  job_id: string;
  business_name: string;
  worker_name: string;
  terms: Terms;
  starts_at: Date | null;
  ends_at: Date | null;
  work_ends_at: Date | null;
  updated_at: Date;
};

export type InterviewTimeRow = {
  id: string;
  version: number;
  status: InterviewStatus;
  side: Side;
  job_id: string;
  job_title: string;
  job_zone: string;
  business_name: string;
  worker_name: string;
  where_text: string;
  message: string;
  starts_at: Date;
  ends_at: Date;
  updated_at: Date;
};

export type OfferRow = {
  id: string;
  application_id: string;
  job_id: string;
  business_name: string;
  terms: Terms;
};

type Range = { from: Date; to: Date };
/** More than anyone has; bounds the cost of one call. */
const most = 1_000;

/** A worker's work that is not cancelled, in a time range, soonest first. What can be in the range by its start is found by the index. */
export async function findWork(db: Db, workerId: string, { from, to }: Range): Promise<WorkRow[]> {
  const { rows } = await sql<WorkRow>`
    select engagement.id, engagement.version, engagement.status, engagement.job_id, business.name as business_name,
      worker.name as worker_name, engagement.terms, engagement.starts_at, engagement.ends_at, engagement.work_ends_at, engagement.updated_at
    from engagements engagement
    join businesses business on business.id = engagement.business_id
    join accounts worker on worker.id = engagement.worker_id
    where engagement.worker_id = ${workerId}
      and engagement.status not in ('cancelled_by_worker', 'cancelled_by_merchant', 'no_show_reported')
      and engagement.sort_at > ${from}::timestamptz - make_interval(mins => ${longestShiftMinutes}) and engagement.sort_at <= ${to}::timestamptz + interval '1 day'
      and (engagement.starts_at < ${to} and engagement.ends_at > ${from}
        or engagement.starts_at is null and engagement.work_ends_at > ${from} and engagement.work_ends_at <= ${to}::timestamptz + interval '1 day')
    order by engagement.sort_at, engagement.id limit ${most}`.execute(db);
  return rows;
}

/**
 * A person's scheduled interviews, and the times of proposed ones, in a time range, soonest first; as a worker and, with `hiring`, as a
 * recruiter.
 */
export async function findInterviewTimes(
  db: Db,
  accountId: string,
  { from, to }: Range,
  { now, hiring }: { now: Date; hiring: boolean },
): Promise<InterviewTimeRow[]> {
  const businesses = sql`select business_id from business_members
    where account_id = ${accountId} and role in ${recruiters}`;
  // As an array: next to an "or", a subquery would scan every interview.
  const whose = hiring
    ? sql`(interview.worker_id = ${accountId} or interview.business_id = any(array(${businesses}))
        and exists (select from job_members member where member.job_id = interview.job_id and member.account_id = ${accountId}))`
    : sql`interview.worker_id = ${accountId}`;
  // A slot is at most 90 days after the proposal was made.
  const { rows } = await sql<InterviewTimeRow>`
    select interview.id, interview.version, interview.status, case when interview.worker_id = ${accountId} then 'worker' else 'business' end as side,
      interview.job_id, job.title as job_title, job.time_zone as job_zone, business.name as business_name, worker.name as worker_name,
      interview.where_text, interview.message, time.starts_at, time.starts_at + interview.minutes * interval '1 minute' as ends_at,
      interview.updated_at
    from interviews interview
    cross join lateral (
      select interview.starts_at where interview.status in ('scheduled', 'reschedule_requested', 'completed')
      union all
      select slot.starts_at from interview_slots slot
      where slot.interview_id = interview.id and interview.status = 'proposed' and interview.answer_by > ${now} and slot.starts_at > ${now}
    ) time
    join jobs job on job.id = interview.job_id
    join businesses business on business.id = interview.business_id
    join accounts worker on worker.id = interview.worker_id
    where ${whose} and interview.sort_at < ${to} and interview.sort_at > ${from}::timestamptz - interval '91 days'
      and time.starts_at < ${to} and time.starts_at + interview.minutes * interval '1 minute' > ${from}
    order by time.starts_at, interview.id limit ${most}`.execute(db);
  return rows;
}

/** The offers a worker can still accept, whose work may be in a time range: a task's day begins and ends up to a day apart by its time zone. */
export async function findLiveOffers(
  db: Db,
  workerId: string,
  { from, to }: Range,
  now: Date,
): Promise<OfferRow[]> {
  const due = sql`(offer.terms->>'dueOn')::timestamp at time zone 'UTC'`;
  const { rows } = await sql<OfferRow>`
    select offer.id, offer.application_id, offer.job_id, business.name as business_name, offer.terms
    from offers offer join businesses business on business.id = offer.business_id
    where offer.worker_id = ${workerId} and offer.status = 'sent' and offer.expires_at > ${now}
      and coalesce((offer.terms->>'startsAt')::timestamptz, ${due} - interval '1 day') < ${to}
      and coalesce((offer.terms->>'endsAt')::timestamptz, ${due} + interval '2 days') > ${from}
    order by offer.id limit ${most}`.execute(db);
  return rows;
}

export async function findAvailability(db: Db, accountId: string): Promise<Availability> {
  const row = await db
    .selectFrom('profiles')
    .select('availability')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return (row?.availability ?? []) as Availability;
}

/** When a person's subscription address was created. */
export async function findFeed(db: Db, accountId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .select('since')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.since ?? null;
}

export async function replaceFeed(tx: Tx, row: { account_id: string; secret_hash: string; since: Date }) {
  await tx
    .insertInto('calendar_feeds')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet({ secret_hash: row.secret_hash, since: row.since }),
    )
    .execute();
  emitRecord(tx, 'calendar', { id: row.account_id, workerId: row.account_id });
}

export async function deleteFeed(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom('calendar_feeds').where('account_id', '=', accountId).execute();
  emitRecord(tx, 'calendar', { id: accountId, workerId: accountId });
}

/** The owner of a subscription address; none where the account is disabled. */
export async function findFeedOwner(db: Db, secretHash: string): Promise<string | null> {
  const row = await db
    .selectFrom('calendar_feeds')
    .innerJoin('accounts', 'accounts.id', 'calendar_feeds.account_id')
    .select('account_id')
    .where('secret_hash', '=', secretHash)
    .where('accounts.disabled_at', 'is', null)
    .executeTakeFirst();
  return row?.account_id ?? null;
}
