import { type BusinessAction, type BusinessStatus, businessActions } from '@nearhand/contract/businesses';
import type { MemberRole } from '@nearhand/contract/operation';
import { mayBeEdited, mayHire, nextBusinessStatus } from './businesses.rules.ts';

/** What each role stands for: owner over manager over recruiter; finance stands beside (product.md, Words). */
const covers: Record<MemberRole, readonly MemberRole[]> = {
  owner: ['owner', 'manager', 'recruiter', 'finance'],
  manager: ['manager', 'recruiter'],
  recruiter: ['recruiter'],
  finance: ['finance'],
};

/** Whether a role is as strong as the one needed. */
export const atLeast = (role: MemberRole, needed: MemberRole): boolean => covers[role].includes(needed);

const neededRole: Record<BusinessAction, MemberRole> = {
  edit: 'manager',
  submit: 'owner',
  close: 'owner',
  'create-job': 'recruiter',
};

/** Whether a member of this role may do this at all, whatever the state. */
export const canBusiness = (role: MemberRole, action: BusinessAction): boolean =>
  atLeast(role, neededRole[action]);

/** What a member can do now: role and state together. Repeats are not offered. */
export function businessActionsFor(role: MemberRole, status: BusinessStatus): BusinessAction[] {
  const possible: Record<BusinessAction, boolean> = {
    edit: mayBeEdited(status),
    submit: status !== 'submitted' && nextBusinessStatus(status, 'submit', 'M') !== null,
    close: status !== 'closed' && nextBusinessStatus(status, 'close', 'M') !== null,
    'create-job': mayHire(status),
  };
  return businessActions.filter((action) => possible[action] && canBusiness(role, action));
}
