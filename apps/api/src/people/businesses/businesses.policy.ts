import type { MemberRole } from '@nearhand/contract/operation';
import {
  type BusinessAction,
  type BusinessStatus,
  businessActions,
} from '@nearhand/contract/people/businesses';
import { mayBeEdited, mayHire, nextBusinessStatus } from './businesses.rules.ts';

/** The roles each role includes: owner over manager over recruiter; finance is separate (product.md, Words). */
const covers: Record<MemberRole, readonly MemberRole[]> = {
  owner: ['owner', 'manager', 'recruiter', 'finance'],
  manager: ['manager', 'recruiter'],
  recruiter: ['recruiter'],
  finance: ['finance'],
};

/** Whether a role includes the needed one. */
export const atLeast = (role: MemberRole, needed: MemberRole): boolean => covers[role].includes(needed);

const neededRole: Record<BusinessAction, MemberRole> = {
  edit: 'manager',
  submit: 'owner',
  close: 'owner',
  'create-job': 'recruiter',
};

/** Whether this role may ever do this, in any status. */
export const canBusiness = (role: MemberRole, action: BusinessAction): boolean =>
  atLeast(role, neededRole[action]);

/** What a member can do now, by role and status, without repeats. */
export function businessActionsFor(role: MemberRole, status: BusinessStatus): BusinessAction[] {
  const possible: Record<BusinessAction, boolean> = {
    edit: mayBeEdited(status),
    submit: status !== 'submitted' && nextBusinessStatus(status, 'submit', 'M') !== null,
    close: status !== 'closed' && nextBusinessStatus(status, 'close', 'M') !== null,
    'create-job': mayHire(status),
  };
  return businessActions.filter((action) => possible[action] && canBusiness(role, action));
}
