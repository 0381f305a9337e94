import { jobPath } from '@nearhand/contract/app-paths';
import { followedBusinessesPath } from '@nearhand/contract/hiring/followed-businesses.rules';
import { savedSearchesPath, searchPath } from '@nearhand/contract/hiring/saved-searches.rules';
import { z } from 'zod';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { type Notice, notifyAll } from '../../talk/notifications/notifications.service.ts';
import { type DueAlert, findDueAccounts, takeDue } from './job-alerts.sql.ts';

const payload = z.object({ dueAt: z.iso.datetime() });
export const dueAlerts = { name: 'saved-searches.announce', payload };

const accountsPerTransaction = 200;
/** Jobs that one notice names; the rest are counted. */
export const namedJobs = 5;

/**
 * For the runner: announces the jobs that are due. Marked as done in the transaction of their notices, so that each is announced once however
 * often this runs.
 */
export async function announceDue(scope: TaskScope, { dueAt }: z.infer<typeof payload>): Promise<void> {
  const by = new Date(dueAt);
  for (;;) {
    const accountIds = await findDueAccounts(scope.db, by, accountsPerTransaction);
    if (accountIds.length === 0) return;
    await scope.db.transaction().execute(async (tx) => {
      const due = await takeDue(tx, accountIds, { by, now: scope.clock.now() });
      await notifyAll(tx, scope, noticesOf(due));
    });
  }
}

/** One notice for each search with alerts at once, one for each business followed, and one for the rest of what a person's searches found. */
export function noticesOf(due: readonly DueAlert[]): Notice[] {
  const groups = Map.groupBy(due, (alert) => `${alert.account_id}/${subjectOf(alert)}`);
  return [...groups.values()].map(noticeOf);
}

const subjectOf = ({ search, business_id }: DueAlert): string => {
  if (search === null) return `business/${business_id}`;
  return search.alert === 'at_once' ? `search/${search.id}` : 'summary';
};

function noticeOf(alerts: readonly DueAlert[]): Notice {
  const [first] = alerts as [DueAlert];
  const { search } = first;
  const one = alerts.length === 1;
  const ofOneSearch = alerts.every((alert) => alert.search?.id === search?.id);
  const topic =
    search === null
      ? 'followed-business-opened'
      : search.alert === 'at_once'
        ? 'search-matched'
        : 'search-summary';
  const several = search === null ? followedBusinessesPath : ofOneSearch ? pathOf(search) : savedSearchesPath;
  return {
    accountId: first.account_id,
    topic,
    data: {
      side: 'worker',
      jobTitle: first.title,
      businessName: first.business_name,
      searchName: search !== null && ofOneSearch ? search.name : '',
      count: alerts.length,
      listed: alerts
        .slice(0, namedJobs)
        .map((alert) => (search === null ? alert.title : `${alert.title}, ${alert.business_name}`))
        .join(' · '),
      unlisted: Math.max(0, alerts.length - namedJobs),
    },
    path: one ? jobPath(first.job_id) : several,
    // A job is named once, so the newest names the notice.
    dedupeKey: `${topic}/${first.job_id}`,
  };
}

const pathOf = (search: NonNullable<DueAlert['search']>): string =>
  searchPath(
    {
      lat: search.lat,
      lng: search.lng,
      place: search.place,
      radiusKm: search.radius_km,
      category: search.category,
      kind: search.kind,
      minPay: search.min_pay,
      from: search.from_day,
      to: search.to_day,
      q: search.typed,
    },
    { newest: true },
  );
