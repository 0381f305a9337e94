import type { SearchAlert } from '@nearhand/contract/hiring/saved-searches.rules';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';

/** A search or followed business (no search) that a job is new to, and how soon its owner wants to know. */
export type Match = { account_id: string; search_id: string | null; alert: Exclude<SearchAlert, 'off'> };

/** One page of candidates: what matches of it, the last candidate read, and how many were read. */
export type MatchPage = { matches: Match[]; last: string | null; read: number };

/** Whom a job is never announced to: those who hire for its business, and those who applied to it. */
const mayHear = (account: 'search' | 'follow') => sql`not exists (select from business_members member
    where member.business_id = job.business_id and member.account_id = ${sql.ref(account)}.account_id)
  and not exists (select from applications application
    where application.job_id = job.id and application.worker_id = ${sql.ref(account)}.account_id)`;

/**
 * Searches that an open job is new to, among those of its square and one category (`''`: any), after a search, by id. Reads at most
 * `limit` candidates, whether they match or not. The conditions are those of `nearby.sql.ts` the other way round (ADR 151).
 */
export async function findMatches(
  db: Db,
  job: { id: string; category: string; openedAt: Date },
  { after, limit }: { after: string | null; limit: number },
): Promise<MatchPage> {
  const { rows } = await sql<MatchPage>`
    with job as materialized (
      select id, business_id, kind, pay_rank, start_day, pos, words, geo_square(public_lat, public_lng) as square
      from jobs where id = ${job.id} and status = 'open'
    ), candidate as materialized (
      select search_id from saved_search_squares
      where square = (select square from job) and category = ${job.category}
        and (${after}::uuid is null or search_id > ${after}::uuid)
      order by search_id limit ${limit}
    )
    select coalesce((select json_agg(json_build_object('account_id', search.account_id, 'search_id', search.id, 'alert', search.alert))
        from job, candidate, lateral (select * from saved_searches where id = candidate.search_id offset 0) search
        where search.removed_at is null and search.alert <> 'off' and search.alerts_since <= ${job.openedAt}::timestamptz
          and (job.pos <-> search.pos) <= search.chord
          and (search.kind is null or job.kind = search.kind)
          and (search.min_pay is null or job.pay_rank >= search.min_pay)
          and (search.from_day is null or job.start_day >= search.from_day)
          and (search.to_day is null or job.start_day <= search.to_day)
          and (search.words is null or job.words @@ search.words)
          and ${mayHear('search')}), '[]') as matches,
      (select search_id from candidate order by search_id desc limit 1) as last,
      (select count(*)::integer from candidate) as read`.execute(db);
  return rows[0] ?? { matches: [], last: null, read: 0 };
}

/** Followers of a job's business that the job is new to, after one of them, by account. */
export async function findFollowers(
  db: Db,
  job: { id: string; openedAt: Date },
  { after, limit }: { after: string | null; limit: number },
): Promise<MatchPage> {
  const { rows } = await sql<MatchPage>`
    with job as materialized (select id, business_id from jobs where id = ${job.id} and status = 'open'
    ), follow as materialized (
      select account_id, followed_at from business_follows
      where business_id = (select business_id from job) and (${after}::uuid is null or account_id > ${after}::uuid)
      order by account_id limit ${limit}
    )
    select coalesce((select json_agg(json_build_object('account_id', follow.account_id, 'search_id', null, 'alert', 'at_once'))
        from job, follow where follow.followed_at <= ${job.openedAt}::timestamptz and ${mayHear('follow')}), '[]') as matches,
      (select account_id from follow order by account_id desc limit 1) as last,
      (select count(*)::integer from follow) as read`.execute(db);
  return rows[0] ?? { matches: [], last: null, read: 0 };
}

export type NewAlert = { account_id: string; search_id: string | null; due_at: Date };

/** Notes a job for people, one row each; one who has it already keeps the sooner alert, and is not notified again. */
export async function insertAlerts(tx: Tx, jobId: string, rows: readonly NewAlert[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into job_alerts (account_id, job_id, search_id, by_follow, due_at)
    select account_id, ${jobId}::uuid, search_id, search_id is null, due_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as found (account_id uuid, search_id uuid, due_at timestamptz)
    order by account_id
    on conflict (account_id, job_id) do update
      set search_id = excluded.search_id, by_follow = excluded.by_follow, due_at = excluded.due_at
      where job_alerts.done_at is null and excluded.due_at < job_alerts.due_at`.execute(tx);
}

/** Forgets whom a job that will not open again was announced to. */
export async function deleteAlertsOf(db: Db, jobId: string, limit: number): Promise<number> {
  const { rows } = await sql<{
    account_id: string;
  }>`delete from job_alerts where job_id = ${jobId} and account_id in (
      select account_id from job_alerts where job_id = ${jobId} limit ${limit})
    returning account_id`.execute(db);
  return rows.length;
}
