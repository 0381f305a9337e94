import type { MemberRole } from '@nearhand/contract/operation';
import type { MemberAction } from '@nearhand/contract/people/team';
import { managedRoles, roleMay, rolesBelowOwner } from '@nearhand/contract/people/team.rules';

/** Whether a member of this role may invite, change or remove one of the other role. */
export const canManage = (role: MemberRole | null, other: MemberRole): boolean =>
  managedRoles(role).includes(other);

/** The roles that one member may give another: those of a member they manage. */
export const roleChoicesFor = (role: MemberRole, of: { role: MemberRole; isYou: boolean }): MemberRole[] =>
  of.isYou || !canManage(role, of.role)
    ? []
    : rolesBelowOwner.filter((other) => other !== of.role && canManage(role, other));

/** What one member may do with another, or with themselves. `owners` is how many the business has. */
export function memberActionsFor(
  role: MemberRole,
  of: { role: MemberRole; isYou: boolean },
  owners: number,
): MemberAction[] {
  const lastOwner = of.role === 'owner' && owners === 1;
  if (of.isYou) return lastOwner ? [] : ['leave'];
  if (!canManage(role, of.role)) return [];
  return [
    'change-role',
    'remove',
    ...(roleMay(role, 'ownership') && of.role !== 'owner' ? (['offer-ownership'] as const) : []),
  ];
}
