import type { JobReview } from '@nearhand/contract/trust/job-reviews';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

export type JobReviewRow = {
  id: string;
  title: string;
  category: JobReview['category'];
  description: string;
  requirements: string[];
  area: string;
  pay_minor: number | null;
  pay_unit: JobReview['payUnit'];
  currency: JobReview['currency'];
  business_id: string;
  business_name: string;
  business_status: JobReview['business']['status'];
  published_at: Date | null;
  pay_reason: string | null;
  short_reason: string | null;
};

/** A job in review with its business. */
export async function findJobInReview(db: Db, jobId: string): Promise<JobReviewRow | undefined> {
  const { rows } = await sql<JobReviewRow>`
    select job.id, job.title, job.category, job.description, job.requirements, job.area, job.pay_minor, job.pay_unit, job.currency,
      business.id as business_id, business.name as business_name, business.status as business_status, job.published_at,
      job.pay_reason, job.short_reason
    from jobs job join businesses business on business.id = job.business_id
    where job.id = ${jobId} and job.status = 'in_review'`.execute(db);
  return rows[0];
}
