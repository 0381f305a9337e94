import { rolesFor } from '@nearhand/contract/people/team.rules';
import { type RawBuilder, sql } from 'kysely';
import { literals } from '../prepared-statements.ts';

/** The roles that see applicants, as an SQL list. */
export const recruiters = sql`(${literals(rolesFor('applicants'))})`;

/** `limited`: only jobs in some branches; `chats`: the role reads conversations. */
export type Membership = { businessId: string; limited: boolean; chats: boolean };

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
