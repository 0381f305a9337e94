import { jobPath } from '@nearhand/contract/app-paths';
import { isOver } from '@nearhand/contract/hiring/jobs.rules';
import { membersAt } from '../../people/businesses/members.service.ts';
import type { Tx } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { dayIn } from '../../platform/zoned-day.ts';
import { notifyAll } from '../../talk/notifications/notifications.service.ts';
import { factsOf } from './job-drafts.service.ts';
import type { JobRow } from './jobs.columns.ts';

/** Notifies the recruiters that a job is about to expire, or has expired; once per life. */
export async function notifyRecruiters(
  tx: Tx,
  scope: Pick<Scope, 'clock'>,
  topic: 'job-expiring' | 'job-expired',
  job: JobRow,
): Promise<void> {
  const expiresAt = job.expires_at?.toISOString() ?? '';
  const now = scope.clock.now();
  const past = isOver(factsOf(job), now, dayIn(job.time_zone, now));
  const recruiters = await membersAt(tx, job.id, 'recruiter');
  await notifyAll(
    tx,
    scope,
    recruiters.map((accountId) => ({
      accountId,
      topic,
      data: {
        jobTitle: job.title,
        businessName: job.business_name,
        expiresAt,
        timeZone: job.time_zone,
        ...(past ? { what: 'past' } : {}),
      },
      path: jobPath(job.id),
      dedupeKey: `${topic}/${job.id}/${expiresAt}`,
    })),
  );
}
