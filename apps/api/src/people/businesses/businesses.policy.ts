import type { MemberRole } from '@nearhand/contract/operation';
import {
  type BusinessAction,
  type BusinessStatus,
  businessActions,
} from '@nearhand/contract/people/businesses';
import { type Capability, roleMay } from '@nearhand/contract/people/team.rules';
import { mayBeEdited, mayHire, nextBusinessStatus } from './businesses.rules.ts';

const needed: Record<BusinessAction, Capability> = {
  edit: 'details',
  submit: 'ownership',
  close: 'ownership',
  'create-job': 'jobs',
};

/** Whether this role may ever do this, in any status. */
export const canBusiness = (role: MemberRole, action: BusinessAction): boolean =>
  roleMay(role, needed[action]);

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
