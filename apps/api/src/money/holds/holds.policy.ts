import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';

/** Whether a member of this role pays a hold of their business, whatever its state: anyone who hires. Finance pays the bills but offers and approves nothing. */
export const canPayHolds = (role: MemberRole): boolean => roleMay(role, 'spend');
