import type { MemberRole } from '@nearhand/contract/operation';

/** What can be done with the money of a business: look at it, or manage cards, top-ups and refunds. What it is spent on is the holds slice's to allow. */
export type MoneyAction = 'look' | 'manage';

const allowed: Record<MoneyAction, readonly MemberRole[]> = {
  look: ['owner', 'manager', 'recruiter', 'finance'],
  manage: ['owner', 'manager', 'finance'],
};

/** Whether a member of this role may, whatever the state. */
export const canMoney = (role: MemberRole, action: MoneyAction): boolean => allowed[action].includes(role);
