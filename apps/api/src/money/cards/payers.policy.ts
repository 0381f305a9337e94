import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';

export const canManageMoney = (role: MemberRole): boolean => roleMay(role, 'money');
