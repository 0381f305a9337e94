import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';

/** Who may use a business's pools: everyone who sees its applicants. */
export const usesPools = (role: MemberRole): boolean => roleMay(role, 'applicants');
