import type { MemberRole } from '@nearhand/contract/operation';
import { roleMay } from '@nearhand/contract/people/team.rules';

/** Whether a member of this role manages cards, top-ups and refunds, and reads statements and invoices. Who may spend the money is decided in `hold-checkout.ts`. */
export const canManageMoney = (role: MemberRole): boolean => roleMay(role, 'money');
