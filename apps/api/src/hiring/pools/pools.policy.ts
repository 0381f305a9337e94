import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';

/** Who may use a business's pools: who sees the applicants of all its branches. */
export const usesPools = (role: MemberRole, limited: boolean): boolean => !limited && roleMay(role, 'pools');
