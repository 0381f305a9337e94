import { rolesFor } from '@nearhand/contract/people/team.rules';
import { type RawBuilder, sql } from 'kysely';

/** The roles that see applicants, as an SQL list. */
export const recruiters = sql`(${sql.join(rolesFor('applicants').map((role) => sql.lit(role)))})`;

/** `limited`: only jobs in some branches. */
export type Membership = { businessId: string; limited: boolean };

/** Null for all branches, and for jobs without a branch. */
export type BranchLimit = readonly string[] | null;

/**
 * The condition is empty if there is no limit, which keeps the query plan. Single records use the view
 * `job_members` (ADR 167).
 */
export const inBranches = (jobId: RawBuilder<unknown>, branchIds: BranchLimit): RawBuilder<unknown> =>
  branchIds === null
    ? sql``
    : sql`and ${jobId} in (select id from jobs where branch_id = any(${[...branchIds]}::uuid[]))`;

export const isInBranchesOf = (
  member: RawBuilder<unknown>,
  jobId: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`(${member}.branch_ids is null
    or exists (select from jobs seen where seen.id = ${jobId} and seen.branch_id = any (${member}.branch_ids)))`;
