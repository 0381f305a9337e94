import type { Stage } from '@nearhand/contract/hiring/applicants';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';

type ApplicantsOf = { jobId: string } | { businessId: string; limit: BranchLimit };

const ofWhom = (of: ApplicantsOf) =>
  'jobId' in of
    ? sql`job_id = ${of.jobId}::uuid`
    : sql`business_id = ${of.businessId}::uuid ${inBranches(sql`job_id`, of.limit)}`;

/** The size of each lane, and its first deadline. */
export async function countLanes(
  db: Db,
  of: ApplicantsOf,
): Promise<{ stage: Stage; count: number; first_decide_by: Date | null }[]> {
  const { rows } = await sql<{ stage: Stage; count: number; first_decide_by: Date | null }>`
    select stage, count(*) as count, min(decide_by) as first_decide_by from applications
    where ${ofWhom(of)} group by stage`.execute(db);
  return rows;
}
