import type { MemberRole } from '@nearhand/contract/operation';

const treasurers: readonly MemberRole[] = ['owner', 'manager', 'finance'];

/** Whether a member of this role manages cards, top-ups and refunds, and reads statements and invoices. Who may spend the money is decided in `holds.policy.ts`. */
export const canManageMoney = (role: MemberRole): boolean => treasurers.includes(role);
