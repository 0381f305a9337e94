import { addMs, dayMs, minuteMs } from '@nearhand/contract/durations';
import type { JobStatus } from '@nearhand/contract/hiring/jobs.rules';
import type { SearchAlert } from '@nearhand/contract/hiring/saved-searches.rules';
import { weekdays } from '@nearhand/contract/people/profile-choices';
import { dayOfWeek, nextAt } from '@nearhand/contract/zoned-time';
import { sql } from 'kysely';
import { z } from 'zod';
import { asRecords } from '../../platform/database/column-names.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope } from '../../platform/http/scope.ts';
import { atOnce, defineTask, enqueue, enqueueAll, type TaskScope } from '../../platform/tasks/tasks.ts';
import { readersOf, zoneOfReader } from '../../talk/notification-settings/notification-settings.ts';
import { paceOf } from '../../talk/notifications/notifications.ts';
import { findTakers } from '../giveaways/giveaways.sql.ts';
import type { HiringEvents } from '../hooks.ts';
import { findJob } from '../jobs/job-transitions.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';
import { learnWords } from '../nearby/search-words.ts';
import { dueAlertsTask } from './job-alerts.ts';

const matchPayload = z.object({ jobId: z.uuid(), openedAt: z.iso.datetime() });
export const matchJobTask = defineTask({
  name: 'saved-searches.match',
  payload: matchPayload,
  run: matchOpenedJob,
});
const endedJob = z.object({ jobId: z.uuid() });
export const deleteAlertsTask = defineTask({
  name: 'saved-searches.delete-alerts',
  payload: endedJob,
  run: deleteAlertsOfEndedJob,
});

const candidatesPerPage = 1_000;
const deletedAtOnce = 5_000;

const endedStatuses: readonly JobStatus[] = ['closed', 'archived'];

/** Queues the matching of opened jobs against saved searches. */
export const queueJobMatching: HiringEvents['jobsOpened'] = (tx, { clock }, jobIds) => {
  const now = clock.now();
  return enqueueAll(
    tx,
    matchJobTask,
    jobIds.map((jobId) => ({
      payload: { jobId, openedAt: now.toISOString() },
      runAt: atOnce,
      key: `${matchJobTask.name}/${jobId}`,
    })),
  );
};

export const followMovedJob: HiringEvents['jobMoved'] = async (tx, scope, { jobId, to }) => {
  if (to === 'open') await queueJobMatching(tx, scope, [jobId]);
  else if (endedStatuses.includes(to))
    await enqueue(tx, deleteAlertsTask, { jobId }, { key: `${deleteAlertsTask.name}/${jobId}` });
};

/**
 * Writes alerts of an opened job for those whom its business chose (ADR 402), page by page, each in its own
 * transaction. Idempotent (ADR 151).
 */
export async function matchOpenedJob(
  scope: TaskScope,
  { jobId, openedAt }: z.infer<typeof matchPayload>,
): Promise<void> {
  const job = await findJob(scope.db, jobId);
  if (job.status !== 'open') return;
  const opened = { id: jobId, openedAt: new Date(openedAt) };
  await learnWords(scope.db, jobId);
  if (job.alertAudience === 'everyone' || job.alertAudience === 'colleagues')
    await scope.db.transaction().execute(async (tx) => {
      await recordMatches(tx, scope, opened, await findColleagues(tx, scope, job));
    });
  if (job.alertAudience === 'nobody' || job.alertAudience === 'colleagues') return;
  await eachPage(scope, opened, (tx, page) => findFollowers(tx, opened, page));
  for (const category of [job.category, ''])
    await eachPage(scope, opened, (tx, page) => findMatches(tx, { ...opened, category }, page));
}

/** The people who could take a shift over from a colleague (ADR 385). */
async function findColleagues(tx: Tx, { clock }: ClockConfigScope, job: JobRow): Promise<Match[]> {
  const { id: jobId, businessId, startsAt, endsAt } = job;
  if (startsAt === null || endsAt === null) return [];
  const shift = { jobId, businessId, workerId: null, startsAt, endsAt };
  const accountIds = await findTakers(tx, shift, 'colleagues', clock.now());
  return accountIds.map((accountId) => ({ accountId, searchId: null, alert: 'at_once', byWork: true }));
}

type Opened = { id: string; openedAt: Date };

async function eachPage(
  scope: TaskScope,
  opened: Opened,
  find: (tx: Tx, page: { after: string | null; limit: number }) => Promise<MatchPage>,
): Promise<void> {
  let after: string | null = null;
  for (;;) {
    const page: MatchPage = await scope.db.transaction().execute(async (tx) => {
      const page = await find(tx, { after, limit: candidatesPerPage });
      await recordMatches(tx, scope, opened, page.matches);
      return page;
    });
    if (page.read < candidatesPerPage) return;
    after = page.last;
  }
}

/** Adds a task for each time at which some alerts are due. */
async function recordMatches(
  tx: Tx,
  scope: ClockConfigScope,
  { id: jobId, openedAt }: Opened,
  matches: readonly Match[],
): Promise<void> {
  if (matches.length === 0) return;
  const later = matches.filter(({ alert }) => alert !== 'at_once').map((match) => match.accountId);
  const readers = later.length === 0 ? new Map() : await readersOf(tx, later, [], scope.clock.now());
  const { digestHour } = paceOf(scope.config);
  const byAccount = new Map<string, NewAlert>();
  for (const { accountId, searchId, alert, byWork = false } of matches) {
    const reader = readers.get(accountId);
    const dueAt = dueOf(alert, {
      openedAt,
      timeZone: reader ? zoneOfReader(reader) : 'UTC',
      digestHour,
    });
    const earlier = byAccount.get(accountId);
    if (!earlier || dueAt < earlier.dueAt) byAccount.set(accountId, { accountId, searchId, byWork, dueAt });
  }
  const alerts = [...byAccount.values()];
  await insertAlerts(tx, jobId, alerts);
  const times = new Set(alerts.map(({ dueAt }) => dueAt.getTime()));
  await enqueueAll(
    tx,
    dueAlertsTask,
    [...times].map((time) => ({
      payload: { dueAt: new Date(time).toISOString() },
      runAt: new Date(time),
      key: `${dueAlertsTask.name}/${time}`,
    })),
  );
}

async function deleteAlertsOfEndedJob({ db }: TaskScope, { jobId }: z.infer<typeof endedJob>): Promise<void> {
  const job = await findJob(db, jobId);
  if (!endedStatuses.includes(job.status)) return;
  let deleted: number;
  do {
    deleted = await deleteAlertsOf(db, jobId, deletedAtOnce);
  } while (deleted === deletedAtOnce);
}

const alertBatchMinutes = 5;

const hourMinutes = 60;
const monday = 1;

/**
 * The due time of an alert: batched, or the next morning or Monday where the person lives. People with the same clock
 * share one task.
 */
export function dueOf(
  alert: Exclude<SearchAlert, 'off'>,
  { openedAt, timeZone, digestHour }: { openedAt: Date; timeZone: string; digestHour: number },
): Date {
  const batchMs = alertBatchMinutes * minuteMs;
  if (alert === 'at_once') return new Date((Math.floor(openedAt.getTime() / batchMs) + 1) * batchMs);
  let sendAt = nextAt(timeZone, digestHour * hourMinutes, openedAt);
  if (alert === 'daily') return sendAt;
  // Half a day later, because a day has 23 hours when the clocks go forward.
  while (dayOfWeek(timeZone, sendAt) !== monday)
    sendAt = nextAt(timeZone, digestHour * hourMinutes, addMs(sendAt, dayMs / 2));
  return sendAt;
}

type Match = {
  accountId: string;
  searchId: string | null;
  alert: Exclude<SearchAlert, 'off'>;
  byWork?: boolean;
};

type MatchPage = { matches: Match[]; last: string | null; read: number };

/** Excludes recruiters of the business, and applicants. */
const mayHear = (account: 'search' | 'follow') => sql`not exists (select from business_members member
    where member.business_id = job.business_id and member.account_id = ${sql.ref(account)}.account_id)
  and not exists (select from applications application
    where application.job_id = job.id and application.worker_id = ${sql.ref(account)}.account_id)`;

/** Reads at most `limit` candidates. The inverse of the conditions in `search-filters.ts` (ADR 151). */
async function findMatches(
  db: Db,
  job: { id: string; category: string; openedAt: Date },
  { after, limit }: { after: string | null; limit: number },
): Promise<MatchPage> {
  const { rows } = await sql<MatchPage>`
    with job as materialized (
      select id, business_id, kind, pay_rank, total_rank, start_day, starts_at at time zone time_zone as local_start,
        ends_at at time zone time_zone as local_end, ends_at - starts_at as length, pos, words, geo_square(public_lat, public_lng) as square
      from jobs where id = ${job.id} and status = 'open'
    ), candidate as materialized (
      select search_id from saved_search_squares
      where square = (select square from job) and category = ${job.category}
        and (${after}::uuid is null or search_id > ${after}::uuid)
      order by search_id limit ${limit}
    )
    select coalesce((select json_agg(json_build_object('accountId', search.account_id, 'searchId', search.id, 'alert', search.alert))
        from job, candidate, lateral (select * from saved_searches where id = candidate.search_id offset 0) search
        where search.removed_at is null and search.alert <> 'off' and search.alerts_since <= ${job.openedAt}::timestamptz
          and (job.pos <-> search.pos) <= search.chord
          and (search.kind is null or job.kind = search.kind)
          and (search.min_pay is null or job.pay_rank >= search.min_pay)
          and (search.min_total is null or job.total_rank >= search.min_total)
          and (search.weekdays = '{}'
            or (${[...weekdays]}::text[])[extract(isodow from job.start_day)::integer] = any(search.weekdays))
          and (search.starts_from is null
            or job.local_start::time >= time '00:00' + make_interval(mins => search.starts_from))
          and (search.ends_by is null or job.local_end <= job.start_day + make_interval(mins => search.ends_by))
          and (search.max_minutes is null or job.length <= make_interval(mins => search.max_minutes))
          and (search.from_day is null or job.start_day >= search.from_day)
          and (search.to_day is null or job.start_day <= search.to_day)
          and (search.words is null or job.words @@ search.words)
          and ${mayHear('search')}), '[]') as matches,
      (select search_id from candidate order by search_id desc limit 1) as last,
      (select count(*)::integer from candidate) as read`.execute(db);
  return rows[0] ?? { matches: [], last: null, read: 0 };
}

async function findFollowers(
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
    select coalesce((select json_agg(json_build_object('accountId', follow.account_id, 'searchId', null, 'alert', 'at_once'))
        from job, follow where follow.followed_at <= ${job.openedAt}::timestamptz and ${mayHear('follow')}), '[]') as matches,
      (select account_id from follow order by account_id desc limit 1) as last,
      (select count(*)::integer from follow) as read`.execute(db);
  return rows[0] ?? { matches: [], last: null, read: 0 };
}

type NewAlert = { accountId: string; searchId: string | null; byWork: boolean; dueAt: Date };

/** One row per person; an existing one keeps the sooner alert and is not notified again. */
async function insertAlerts(tx: Tx, jobId: string, rows: readonly NewAlert[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into job_alerts (account_id, job_id, search_id, by_follow, by_work, due_at)
    select account_id, ${jobId}::uuid, search_id, search_id is null and not by_work, by_work, due_at
    from jsonb_to_recordset(${asRecords(rows)}::jsonb) as found (account_id uuid, search_id uuid, by_work boolean, due_at timestamptz)
    order by account_id
    on conflict (account_id, job_id) do update
      set search_id = excluded.search_id, by_follow = excluded.by_follow, by_work = excluded.by_work, due_at = excluded.due_at
      where job_alerts.done_at is null and excluded.due_at < job_alerts.due_at`.execute(tx);
}

async function deleteAlertsOf(db: Db, jobId: string, limit: number): Promise<number> {
  const { rows } = await sql<{
    accountId: string;
  }>`delete from job_alerts where job_id = ${jobId} and account_id in (
      select account_id from job_alerts where job_id = ${jobId} limit ${limit})
    returning account_id`.execute(db);
  return rows.length;
}
