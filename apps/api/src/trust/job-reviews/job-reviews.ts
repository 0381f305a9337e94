import { jobPath } from '@nearhand/contract/app-paths';
import { type JobStatus, type OptionalText, optionalTextNames } from '@nearhand/contract/hiring/jobs.rules';
import type { HouseRule } from '@nearhand/contract/house-rules';
import { type JobReview, jobReviews } from '@nearhand/contract/trust/job-reviews';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { sql } from 'kysely';
import { openReviewedJob } from '../../hiring/jobs/job-lifecycle.ts';
import { findJob } from '../../hiring/jobs/job-transitions.ts';
import { jobColumns } from '../../hiring/jobs/jobs.sql.ts';
import { openScreening } from '../../hiring/screening/screening.ts';
import { membersAt } from '../../people/businesses/businesses.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Db, runAndRollBack, type Tx } from '../../platform/db.ts';
import { write } from '../../platform/http/bind.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { notifyAll } from '../../talk/notifications/notifications.ts';
import { findEarlier, findSanctionsOfJob, isHidden } from '../sanctions/sanctions.sql.ts';
import { issueSanction, requireOutside, toSanction } from '../sanctions/sanctions.ts';

const earlierShown = 20;

/** A job in review with its findings, or undefined. The caller checks access. */
export async function jobInReview(db: Db, scope: Scope, jobId: string): Promise<JobReview | undefined> {
  const row = await findJobInReview(db, jobId);
  const screening = row && (await openScreening(db, jobId));
  if (!row || !screening) return undefined;
  const target = { kind: 'business', id: row.businessId } as const;
  const now = scope.clock.now();
  return {
    ...row,
    startsAt: row.startsAt?.toISOString() ?? null,
    endsAt: row.endsAt?.toISOString() ?? null,
    jobId,
    business: { id: row.businessId, name: row.businessName, status: row.businessStatus },
    wasPublic: row.publishedAt !== null,
    found: screening.found,
    at: screening.at.toISOString(),
    opensAs: await runAndRollBack(db, (tx) => openForWorkers(tx, scope, jobId)),
    earlier: (await findEarlier(db, target, earlierShown)).map((sanction) => toSanction(sanction, now)),
  };
}

/** Opens a job in review, for operators. */
async function openJobInReview(
  tx: Tx,
  scope: Scope,
  { jobId, version }: { jobId: string; version?: number },
): Promise<{ jobId: string; status: JobStatus }> {
  const job = await findJob(tx, jobId);
  await requireOutside(tx, scope, { accountId: null, businessId: job.businessId });
  if (job.status !== 'in_review') {
    if (!['open', 'paused', 'expired', 'filled'].includes(job.status))
      throw new AppError('job-review/decided');
    return { jobId, status: job.status };
  }
  requireSeen(job, version);
  const status = await openForWorkers(tx, scope, jobId);
  // The suspension that hides it has told the business.
  if (status === 'suspended') return { jobId, status };
  await notifyAll(
    tx,
    scope,
    (await membersAt(tx, jobId, 'jobs')).map((accountId) => ({
      accountId,
      topic: 'job-review-passed' as const,
      data: { jobTitle: job.title, businessName: job.businessName, variant: status },
      path: jobPath(jobId),
      dedupeKey: `job-review-passed/${jobId}/${scope.clock.now().toISOString()}`,
    })),
  );
  return { jobId, status };
}

const openForWorkers = async (tx: Tx, scope: Scope, jobId: string): Promise<JobStatus> =>
  openReviewedJob(tx, scope, jobId, { hidden: await isHidden(tx, jobId) });

/** Refuses a job in review, for operators. */
async function refuseJobInReview(
  tx: Tx,
  scope: Scope,
  { jobId, version, rule, facts }: { jobId: string; version?: number; rule: HouseRule; facts: string },
): Promise<Sanction> {
  const job = await findJob(tx, jobId);
  await requireOutside(tx, scope, { accountId: null, businessId: job.businessId });
  const refused = await findSanctionsOfJob(tx, jobId, 'refused');
  if (job.status === 'rejected' && refused) return toSanction(refused, scope.clock.now());
  if (job.status !== 'in_review') throw new AppError('job-review/decided');
  requireSeen(job, version);
  const statement = { measure: 'refused', scope: null, endsAt: null, rule, facts } as const;
  const target = { kind: 'job', id: jobId } as const;
  return issueSanction(tx, scope, { ...statement, target, source: 'screening', caseId: null });
}

/**
 * Its business may have edited the job since the operator read it.
 * @throws job/stale
 */
function requireSeen(job: { version: number }, version: number | undefined): void {
  if (version !== undefined && version !== job.version)
    throw new AppError('job/stale', { version: job.version });
}

type JobReviewRow = Pick<JobReview, OptionalText> & {
  id: string;
  version: number;
  title: string;
  category: JobReview['category'];
  description: string;
  requirements: string[];
  area: string;
  startsAt: Date | null;
  endsAt: Date | null;
  headCount: number;
  payMinor: number | null;
  payUnit: JobReview['payUnit'];
  currency: JobReview['currency'];
  businessId: string;
  businessName: string;
  businessStatus: JobReview['business']['status'];
  publishedAt: Date | null;
};

async function findJobInReview(db: Db, jobId: string): Promise<JobReviewRow | undefined> {
  const { rows } = await sql<JobReviewRow>`
    select job.id, job.version, job.title, job.category, job.description, job.requirements, job.area, job.starts_at, job.ends_at, job.head_count,
      job.pay_minor, job.pay_unit, job.currency,
      business.id as business_id, business.name as business_name, business.status as business_status, job.published_at,
      ${jobColumns(optionalTextNames)}
    from jobs job join businesses business on business.id = job.business_id
    where job.id = ${jobId} and job.status = 'in_review'`.execute(db);
  return rows[0];
}

export const jobReviewsRoutes = {
  open: write(jobReviews.open, openJobInReview),
  refuse: write(jobReviews.refuse, refuseJobInReview),
};
