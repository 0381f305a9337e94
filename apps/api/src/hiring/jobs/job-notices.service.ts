import { jobPath } from '@nearhand/contract/app-paths';
import { membersWithRole } from '../../people/businesses/members.service.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../../talk/notifications/notifications.service.ts';
import type { JobRow } from './jobs.columns.ts';

type Told = Pick<JobRow, 'id' | 'business_id' | 'business_name' | 'title' | 'time_zone'>;

/** Notifies the recruiters that a job is about to expire, or has expired; once per life. */
export async function notifyRecruiters(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  topic: 'job-expiring' | 'job-expired',
  job: Told & { expires_at: Date | null },
): Promise<void> {
  const expiresAt = job.expires_at?.toISOString() ?? '';
  const recruiters = await membersWithRole(tx, job.business_id, 'recruiter');
  await notifyAll(
    tx,
    scope,
    recruiters.map((accountId) => ({
      accountId,
      topic,
      data: { jobTitle: job.title, businessName: job.business_name, expiresAt, timeZone: job.time_zone },
      path: jobPath(job.id),
      dedupeKey: `${topic}/${job.id}/${expiresAt}`,
    })),
  );
}
