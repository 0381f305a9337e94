import type { MemberRole } from '@nearhand/contract/operation';
import { type BranchAction, branchActions } from '@nearhand/contract/people/branches';
import { roleMay } from '@nearhand/contract/people/team.rules';

/** Whether a member of this role may add, edit and close branches. */
export const canManageBranches = (role: MemberRole | null): boolean => roleMay(role, 'details');

/** What a member of this role may do with a branch now. */
export function branchActionsFor(
  role: MemberRole,
  branch: { closed: boolean; used: boolean },
): BranchAction[] {
  const possible: Record<BranchAction, boolean> = {
    edit: true,
    close: !branch.closed,
    reopen: branch.closed,
    delete: !branch.used,
  };
  return canManageBranches(role) ? branchActions.filter((action) => possible[action]) : [];
}
