import { type RawBuilder, sql } from 'kysely';

/** A business whose signals an account receives: of all its jobs, or of those in some branches. */
export type Membership = { businessId: string; limited: boolean };

/** The branches that a member is limited to; null for all of them, and for jobs without one. */
export type BranchLimit = readonly string[] | null;

/**
 * `and …` for a list of one business: only rows whose job is in these branches. Nothing for a member without a limit, so that their plans
 * stay as they are. For single records, and for who may see one, there is the view `job_members` (ADR 167).
 */
export const inBranches = (jobId: RawBuilder<unknown>, branchIds: BranchLimit): RawBuilder<unknown> =>
  branchIds === null
    ? sql``
    : sql`and ${jobId} in (select id from jobs where branch_id = any(${[...branchIds]}::uuid[]))`;

/** The same as a condition on a row of `business_members`, for lists over several businesses. */
export const isInBranchesOf = (
  member: RawBuilder<unknown>,
  jobId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`(${member}.branch_ids is null
    or exists (select from jobs seen where seen.id = ${jobId} and seen.branch_id = any (${member}.branch_ids)))`;
