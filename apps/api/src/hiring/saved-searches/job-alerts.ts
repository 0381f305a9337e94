import { followedBusinessesPath, jobPath } from '@nearhand/contract/app-paths';
import {
  type SearchAlert,
  savedSearchesPath,
  searchPath,
} from '@nearhand/contract/hiring/saved-searches.rules';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { defineTask, type TaskScope } from '../../platform/tasks/tasks.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.ts';

const payload = z.object({ dueAt: z.iso.datetime() });
export const dueAlertsTask = defineTask({ name: 'saved-searches.announce', payload, run: announceDue });

const accountsPerTransaction = 200;
const namedJobs = 5;

/** Marks alerts as done in the transaction of their notices, so that each job is announced once. */
export async function announceDue(scope: TaskScope, { dueAt }: z.infer<typeof payload>): Promise<void> {
  const by = new Date(dueAt);
  for (;;) {
    const accountIds = await findDueAccounts(scope.db, by, accountsPerTransaction);
    if (accountIds.length === 0) return;
    await scope.db.transaction().execute(async (tx) => {
      const dueRows = await claimDueAlerts(tx, accountIds, { by, now: scope.clock.now() });
      await notifyAll(tx, scope, noticesOf(dueRows));
    });
  }
}

/** One notice per instant search, one per followed business, and one for the rest. */
function noticesOf(due: readonly DueAlert[]): Notice[] {
  const groups = Map.groupBy(due, (alert) => `${alert.accountId}/${alertSubject(alert)}`);
  return [...groups.values()].map(alertNotice);
}

const alertSubject = ({ search, businessId, byWork }: DueAlert): string => {
  if (byWork) return `work/${businessId}`;
  if (search === null) return `business/${businessId}`;
  return search.alert === 'at_once' ? `search/${search.id}` : 'summary';
};

function alertNotice(alerts: readonly DueAlert[]): Notice {
  const [first] = alerts as [DueAlert];
  const { search } = first;
  const isSingle = alerts.length === 1;
  const ofOneSearch = alerts.every((alert) => alert.search?.id === search?.id);
  let topic: Notice['topic'] = 'followed-business-opened';
  let several = followedBusinessesPath;
  if (search !== null) {
    topic = search.alert === 'at_once' ? 'search-matched' : 'search-summary';
    several = ofOneSearch ? pathOfSearch(search) : savedSearchesPath;
  }
  if (first.byWork) {
    topic = 'known-business-opened';
    several = jobPath(first.jobId);
  }
  return {
    accountId: first.accountId,
    topic,
    data: {
      side: 'worker',
      jobTitle: first.title,
      businessName: first.businessName,
      searchName: search !== null && ofOneSearch ? search.name : '',
      count: alerts.length,
      listed: alerts
        .slice(0, namedJobs)
        .map((alert) => (search === null ? alert.title : `${alert.title}, ${alert.businessName}`))
        .join(' · '),
      unlisted: Math.max(0, alerts.length - namedJobs),
    },
    path: isSingle ? jobPath(first.jobId) : several,
    dedupeKey: `${topic}/${first.jobId}`,
  };
}

const pathOfSearch = (search: NonNullable<DueAlert['search']>): string =>
  searchPath(
    {
      lat: search.lat,
      lng: search.lng,
      place: search.place,
      radiusKm: search.radiusKm,
      category: search.category,
      kind: search.kind,
      minPay: search.minPay,
      minTotal: search.minTotal,
      weekdays: search.weekdays,
      startsFrom: search.startsFrom,
      endsBy: search.endsBy,
      maxMinutes: search.maxMinutes,
      from: search.fromDay,
      to: search.toDay,
      q: search.typed,
    },
    { newest: true },
  );

type DueAlert = {
  accountId: string;
  jobId: string;
  title: string;
  businessId: string;
  businessName: string;
  timeZone: string;
  /** They did such work for the business or are in its pools. */
  byWork: boolean;
  search: {
    id: string;
    name: string;
    alert: SearchAlert;
    place: string;
    lat: number;
    lng: number;
    radiusKm: number;
    category: string | null;
    kind: string | null;
    minPay: number | null;
    minTotal: number | null;
    weekdays: string[];
    startsFrom: number | null;
    endsBy: number | null;
    maxMinutes: number | null;
    fromDay: string | null;
    toDay: string | null;
    typed: string | null;
  } | null;
};

async function findDueAccounts(db: Db, by: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ accountId: string }>`select distinct account_id from job_alerts
    where done_at is null and due_at <= ${by}::timestamptz order by account_id limit ${limit}`.execute(db);
  return rows.map((row) => row.accountId);
}

/**
 * Returns only news: open jobs that they neither applied to, hire for nor were invited to, of current searches and
 * follows. A series appears once, as its first shift.
 */
async function claimDueAlerts(
  tx: Tx,
  accountIds: readonly string[],
  { by, now }: { by: Date; now: Date },
): Promise<DueAlert[]> {
  const { rows } = await sql<DueAlert>`
    with due as (
      update job_alerts set done_at = ${now}::timestamptz
      where account_id = any(${accountIds}::uuid[]) and done_at is null and due_at <= ${by}::timestamptz
      returning account_id, job_id, search_id, by_follow, by_work
    )
    select account_id, job_id, title, business_id, business_name, time_zone, by_work, search
      from (select distinct on (due.account_id, coalesce(job.series_id, job.id), job.as_block)
      due.account_id, due.job_id, job.published_at, job.title, job.business_id, job.business_name, job.time_zone, due.by_work,
      case when search.id is not null then json_build_object('id', search.id, 'name', search.name, 'alert', search.alert,
        'place', search.place, 'lat', search.lat, 'lng', search.lng, 'radius_km', search.radius_km, 'category', search.category,
        'kind', search.kind, 'min_pay', search.min_pay, 'min_total', search.min_total, 'weekdays', search.weekdays,
        'starts_from', search.starts_from, 'ends_by', search.ends_by, 'max_minutes', search.max_minutes,
          'from_day', search.from_day, 'to_day', search.to_day,
        'typed', search.typed) end as search
    from due join jobs job on job.id = due.job_id
    left join saved_searches search on search.id = due.search_id and search.removed_at is null and search.alert <> 'off'
    where job.status = 'open'
      and case when due.by_follow then exists (select from business_follows follow
          where follow.account_id = due.account_id and follow.business_id = job.business_id)
        when due.by_work then true else search.id is not null end
      and not exists (select from applications application
        where application.job_id = job.id and application.worker_id = due.account_id)
      and not exists (select from job_invitations invitation
        where invitation.job_id = job.id and invitation.worker_id = due.account_id)
      and not exists (select from business_members member
        where member.business_id = job.business_id and member.account_id = due.account_id)
    order by due.account_id, coalesce(job.series_id, job.id), job.as_block, job.starts_at, job.id) alert
    order by account_id, published_at desc, job_id desc`.execute(tx);
  return rows;
}
